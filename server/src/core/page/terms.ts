import type { Span } from '../finding.ts';

/** A name or number of an answer that can be looked for in text. */
export interface Term {
  readonly text: string;
  /** Offsets in the answer. */
  readonly inString: Span;
  isIn(text: string): boolean;
  /** Whether finding it tells anything: a name is always written as one in the document. */
  isDistinct(document: readonly string[]): boolean;
}

const NUMBER = /(?<![\w.,])[-+−]?\p{Sc}?\d[\d,]*(?:\.\d+)?(?![\w]|[.,]\d)/gu;
/** Words that begin with a capital, also joined: New York, University of Oslo, GPT-4. */
const NAME =
  /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}&'’.-]*[\p{L}\p{N}](?:\s+(?:of\s+|the\s+|and\s+|&\s+)?\p{Lu}[\p{L}\p{N}&'’.-]*[\p{L}\p{N}])*/gu;
const COMMON =
  /^(?:the|an?|it|its|they|their|this|that|these|those|yes|no|not|none|both|all|in|on|at|by|for|from|to|with|as|if|when|while|because|there|he|she|we|i|true|false|and|or|but|more|less|higher|lower|increase[ds]?|decrease[ds]?|q[1-4]|january|february|march|april|may|june|july|august|september|october|november|december|figure|table|page|section|equation|company|million|billion|thousand|usd|us)$/i;

/** Names, and numbers of at least three digits, or four where some are decimals; years are left out. */
export function termsOf(answer: string): Term[] {
  const terms: Term[] = [];
  for (const match of answer.matchAll(NUMBER)) {
    const digits = match[0].replace(/[^\d.]/g, '');
    if (!isTelling(digits)) continue;
    terms.push(numberTerm(match[0], digits, match.index));
  }
  for (const match of answer.matchAll(NAME)) {
    // The first word of a sentence has a capital in any case.
    const isFirst = /(?:^|[.!?:;]\s+)["'“(]*$/.test(answer.slice(0, match.index));
    const words = answer.trim().split(/\s+/).length;
    const single = !/\s/.test(match[0]);
    if (match[0].length < 4 || COMMON.test(match[0]) || (isFirst && single && words > 3)) continue;
    terms.push(nameTerm(match[0], match.index));
  }
  return terms;
}

/** Small numbers and ratios stand everywhere by chance, and 8.70 may be 8,700 in other units: they tell nothing. */
function isTelling(digits: string): boolean {
  if (/^(?:19|20)\d\d$/.test(digits)) return false;
  const significant = digits.replace('.', '').replace(/^0+/, '').length;
  return significant >= (digits.includes('.') ? 4 : 3);
}

function numberTerm(text: string, digits: string, start: number): Term {
  const [whole = '', decimals] = digits.split('.');
  // The same number with separators of any kind, and with more zeros behind it.
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, "[,.\\u00a0\\u2009\\u202f' ]?");
  const fraction = decimals === undefined ? '(?:[.,]0+)?' : `[.,]${decimals.replace(/0+$/, '')}0*`;
  const pattern = new RegExp(`(?<![\\d]|\\d[.,])${grouped}${fraction}(?![\\d]|[.,]\\d)`);
  return {
    text,
    inString: { start, end: start + text.length },
    isIn: (other) => pattern.test(other),
    isDistinct: () => true,
  };
}

function nameTerm(text: string, start: number): Term {
  const words = text.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/['’]/g, "['’]"));
  const pattern = words.join('[\\s-]+');
  // In evidence any spelling will do: headings are in capitals, and words break at the end of lines.
  const anyCase = new RegExp(`(?<![\\p{L}\\p{N}])${pattern}`, 'iu');
  const lower = text.toLowerCase();
  const asWord = new RegExp(
    `(?<![\\p{L}\\p{N}])${words.map((word) => word.toLowerCase()).join('[\\s-]+')}(?![\\p{L}\\p{N}])`,
    'u',
  );
  return {
    text,
    inString: { start, end: start + text.length },
    isIn: (other) => anyCase.test(other) || joined(other).includes(joined(lower)),
    isDistinct: (document) => !document.some((page) => asWord.test(page)),
  };
}

/** Without blanks and hyphens, in small letters: words that are broken or spaced out are the same. */
function joined(text: string): string {
  return text.toLowerCase().replace(/[\s\u00ad‐-]+/g, '');
}
