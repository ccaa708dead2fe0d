/** Words and number words of questions, labels and names of variables. */

/** Words that say nothing of what a text is about. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after all also am an and any are as at be been before being below between both but by can could ' +
    'did do does doing down during each few for from further had has have having he her here hers him his how i if in ' +
    'into is it its itself just me more most my no nor not now of off on once only or other our ours out over own ' +
    'same she should so some such than that the their theirs them then there these they this those through to too ' +
    'under until up very was we were what when where which while who whom why will with would you your yours ' +
    "according based calculate calculated company company's following given much many per respectively shall what's " +
    'within without use used using value values amount amounts number total year years ended end period fiscal ' +
    'answer return result solution def val const num'
  ).split(' '),
);

/** Words of a text in lower case, plural endings and stop words off; numbers stay, snake_case and camelCase come apart. */
export function contentWords(text: string): Set<string> {
  const words = new Set<string>();
  someWord(text, (word) => {
    words.add(word);
    return false;
  });
  return words;
}

/** Whether one of its `contentWords` is among these. */
export function sharesWord(text: string, words: ReadonlySet<string>): boolean {
  return someWord(text, (word) => words.has(word));
}

const CAMEL = /(?<=[a-z])(?=[A-Z])/g;
const WORD = /\p{L}+(?:['’]\p{L}+)?|\d+(?:[.,]\d+)*/gu;

function someWord(text: string, holds: (word: string) => boolean): boolean {
  for (const [written] of text.replace(CAMEL, ' ').matchAll(WORD)) {
    const word = contentOf(written);
    if (word !== '' && holds(word)) return true;
  }
  return false;
}

/** What words came to: the same ones stand in record after record. */
const known = new Map<string, string>();
const MOST_KNOWN = 5000;
/** Longer ones are no texts of their own to the engine but places in the record's, which would be kept with them. */
const LONGEST_KNOWN = 12;

/** '': a stop word, or a single letter. */
function contentOf(written: string): string {
  let content = known.get(written);
  if (content !== undefined) return content;
  const lower = written.toLowerCase().replaceAll('’', "'");
  content = STOP_WORDS.has(lower) ? '' : stem(lower.replace(/'s$/, ''));
  if (content.length === 1 && !/\d/.test(content)) content = '';
  if (written.length > LONGEST_KNOWN) return content;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(written, content);
  return content;
}

/** Endings off, so that revenues and revenue are one word. Rough on purpose: it only compares texts of one record. */
export function stem(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (/(?:sses|xes|ches|shes)$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

const ONES = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const FRACTIONS: ReadonlyMap<number, string> = new Map([
  [0.5, 'half|halves'],
  [0.25, 'quarter|one[- ]fourth'],
  [0.75, 'three[- ](?:quarters|fourths)'],
  [1.5, 'one and (?:a|one)[- ]half'],
  [2, 'two|twice|double|doubled|pair'],
  [3, 'three|thrice|triple|tripled'],
]);

/** A pattern of the ways in which people spell the number out; undefined where nobody does. */
export function spelledOut(value: number): RegExp | undefined {
  const known = FRACTIONS.get(value);
  const words = known ?? words1000(value);
  return words === undefined ? undefined : new RegExp(`\\b(?:${words})\\b`, 'i');
}

function words1000(value: number): string | undefined {
  if (!Number.isInteger(value) || value < 0 || value > 999_000) return undefined;
  if (value < 100) return below100(value);
  if (value % 1000 === 0) return `${words1000(value / 1000) ?? ''}[- ]thousand`;
  const hundreds = Math.floor(value / 100);
  if (value % 100 === 0 && hundreds < 100) return `(?:an?|${below100(hundreds)})[- ]hundred`;
  if (value > 999) return undefined;
  return `${below100(hundreds)}[- ]hundred[- ](?:and[- ])?${below100(value % 100)}`;
}

function below100(value: number): string {
  if (value < 20) return ONES[value]!;
  const tens = TENS[Math.floor(value / 10)]!;
  return value % 10 === 0 ? tens : `${tens}[- ]?${ONES[value % 10]!}`;
}
