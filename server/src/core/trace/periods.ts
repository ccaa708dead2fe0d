import { spelledOut } from './words.ts';

/** Years that a question names as its periods. */
export interface Periods {
  /** How many periods the words name; undefined where they do not say, or say different things. */
  readonly count: number | undefined;
  /** From which year to which the question asks for a change, in the order in which they are named. */
  readonly change: { readonly from: string; readonly to: string } | undefined;
}

const YEAR = '(?:19|20)\\d\\d';
/** From 2031 to 2035, 2031 through 2035, 2031-2035, with words such as "fiscal year" or "december 31 ," in between. */
const WORDS =
  '(?:(?:the|fiscal|fy|years?|ended|ending|as|of|at|end|beginning|of|december|june|march|september|january|(?<!\\d)\\d{1,2}(?!\\d)|,)\\s*)*';
const RANGE = new RegExp(
  `\\bfrom\\s+${WORDS}(${YEAR})\\s*(?:to|through|until|till|-|–)\\s*${WORDS}(${YEAR})\\b|\\b(${YEAR})\\s*(?:through|to|-|–|—)\\s*(${YEAR})\\b`,
  'gi',
);
const BETWEEN = new RegExp(`\\bbetween\\s+${WORDS}(${YEAR})\\s*(?:and|to|-|–)\\s*${WORDS}(${YEAR})\\b`, 'i');
const CHANGE = new RegExp(`\\bfrom\\s+${WORDS}(${YEAR})\\s*(?:to|until|through)\\s*${WORDS}(${YEAR})\\b`, 'i');
const CHANGE_BACK = new RegExp(`\\bin\\s+${WORDS}(${YEAR})\\s+from\\s+${WORDS}(${YEAR})\\b`, 'i');

const YEARS = new RegExp(`(?<!\\d)${YEAR}(?!\\d)`, 'g');

export function periodsIn(question: string): Periods {
  return { count: countIn(question), change: changeIn(question) };
}

function countIn(question: string): number | undefined {
  const ranges = [...question.matchAll(RANGE)];
  const years = new Set(question.match(YEARS) ?? []);
  const said = spokenCount(question);
  // A range beside other years, or between two of which only the ends may be meant, says too little.
  if (ranges.length > 1 || BETWEEN.test(question)) return undefined;
  const [range] = ranges;
  let counted: number | undefined;
  if (range !== undefined) {
    if (years.size !== 2) return undefined;
    counted = Math.abs(Number(range[2] ?? range[4]) - Number(range[1] ?? range[3])) + 1;
  } else if (years.size >= 2) counted = years.size;
  if (said !== undefined && counted !== undefined && said !== counted) return undefined;
  return said ?? counted;
}

const SPOKEN =
  /\b(?:next|last|past|previous|first|following|over(?: the)?|these|all)\s+(\w+)[- ](?:fiscal\s+)?(?:years?|quarters?|months?|periods?)\b|\b(\w+)-(?:year|quarter|month)\s+(?:average|mean|period)\b/i;

function spokenCount(question: string): number | undefined {
  const found = SPOKEN.exec(question);
  const word = found?.[1] ?? found?.[2];
  if (word === undefined) return undefined;
  if (/^\d{1,2}$/.test(word)) return Number(word);
  for (let number = 2; number <= 12; number++) {
    const match = spelledOut(number)?.exec(word);
    if (match?.[0].length === word.length) return number;
  }
  return undefined;
}

function changeIn(question: string): Periods['change'] {
  const forth = CHANGE.exec(question);
  if (forth !== null) return ordered(forth[1]!, forth[2]!);
  const back = CHANGE_BACK.exec(question);
  return back === null ? undefined : ordered(back[2]!, back[1]!);
}

/** Questions that name the later year first are as often worded carelessly: they say nothing of the direction. */
function ordered(from: string, to: string): Periods['change'] {
  return Number(from) < Number(to) ? { from, to } : undefined;
}
