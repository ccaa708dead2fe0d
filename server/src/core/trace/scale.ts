/** Scales that texts state: thousands, millions and so on. */

export interface StatedScale {
  /** Power of ten. */
  readonly power: number;
  /** As messages call it: "thousand". */
  readonly word: string;
}

const WORDS: readonly (readonly [RegExp, StatedScale])[] = [
  [/^(?:thousand|thousands|k|000s?|000['’]s)$/i, { power: 3, word: 'thousand' }],
  [/^(?:million|millions|mm|mn|mio|m)$/i, { power: 6, word: 'million' }],
  [/^(?:billion|billions|bn|b)$/i, { power: 9, word: 'billion' }],
  [/^(?:trillion|trillions|tn)$/i, { power: 12, word: 'trillion' }],
];

function scaleOf(word: string): StatedScale | undefined {
  return WORDS.find(([pattern]) => pattern.test(word))?.[1];
}

/** The scale word right behind a number: `60.5 million`, `$4.2bn`. `after`: the text that follows the number. */
export function scaleBehind(after: string): StatedScale | undefined {
  const found = /^\s{0,2}\)?\s{0,2}-?(thousand|million|billion|trillion|mn|bn|mm|m|k)s?\b/i.exec(after);
  return found === null ? undefined : scaleOf(found[1]!);
}

/**
 * Statements such as `(in thousands)`, `$ million`, `amounts in millions`, `£m`, `$'000`, `thousands of dollars`, `(millions)`.
 * Where a text states several scales none is given: it is not known which holds.
 */
const STATED =
  /\bin\s+(?:\p{Sc}|[a-z.]{2,3}\s?\p{Sc}?|us dollars?|dollars?|euros?)?\s*(thousand|million|billion)s?\b|\(\s*(?:[a-z]{2,3}\s?)?\p{Sc}?\s*['’]?(thousand|million|billion|000)s?\b|\p{Sc}\s?['’]?(000|million|thousand|billion)s?\b|(?<![a-z])(?:us|c|a)?\p{Sc}\s?(m|mm|bn|k|b)\b|\b(thousand|million|billion)s\s+of\b|\b(?:usd|eur|gbp)\s*(m|mm|bn|k|thousand|million|billion)s?\b/giu;

/** What stands in each of these, and is soon looked for. */
const MAY_STATE = /thousand|million|billion|000|\$|usd|eur|gbp|[^\0-\x7f]/i;

export function statedScale(text: string): StatedScale | undefined {
  if (!MAY_STATE.test(text)) return undefined;
  let found: StatedScale | undefined;
  for (const match of text.matchAll(STATED)) {
    const scale = scaleOf(match.slice(1).find((part) => part !== undefined) ?? '');
    if (scale === undefined) continue;
    if (found !== undefined && found.power !== scale.power) return undefined;
    found = scale;
  }
  return found;
}
