/**
 * Formulas as people write them beside an answer: `(73,260-57,768)/57,768`, `[(166+178)/2] - [(57+44)/2]`,
 * `($166.3-$513.3)/$513.3`, `(1.7%+1.5%)/2`. Square brackets and braces are parentheses; thousands commas, currency signs
 * and a scale word after a number are understood.
 */
import type { ProgramNumber } from './result.ts';

export interface DerivationReading {
  /** Whether `(71)` is read as accounts mean it: -71. */
  readonly bracketsNegate: boolean;
  /** Whether `12%` is 0.12, and not 12. */
  readonly percentScales: boolean;
}

type Token =
  | (ProgramNumber & { readonly kind: 'number'; readonly percent: boolean; readonly power: number })
  | { readonly kind: 'sign'; readonly sign: string; readonly start: number };

const NUMBER = /(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d*)?|\.\d+/y;
const CURRENCY = /(?:US|C|A|HK|S)?\p{Sc}|(?:USD|EUR|GBP|RMB)\b/uy;
const SCALE = /\s*(thousands?|millions?|billions?|percent)\b/iy;
const POWERS: Readonly<Record<string, number>> = { thousand: 3, million: 6, billion: 9 };
/** Signs of formulas as people write them, and those of Python; one character each, so that offsets stay. */
export const SIGNS: Readonly<Record<string, string>> = {
  '[': '(',
  '{': '(',
  ']': ')',
  '}': ')',
  '−': '-',
  '–': '-',
  '—': '-',
  '×': '*',
  '÷': '/',
  '⁄': '/',
};

export interface Derivation {
  /** undefined: it divides by zero or overflows under this reading. */
  evaluate(reading: DerivationReading): number | undefined;
  readonly numbers: readonly ProgramNumber[];
  /** Numbers that stand alone in brackets, as in `(71)`. */
  readonly bracketed: readonly ProgramNumber[];
  readonly hasPercent: boolean;
}

/** undefined: the text is no formula, or one that cannot be read for sure. */
export function readDerivation(source: string): Derivation | undefined {
  const tokens = tokenise(source);
  if (tokens === undefined || tokens.length === 0 || tokens.length > MAX_TOKENS) return undefined;
  const numbers = tokens.filter((token) => token.kind === 'number');
  const bracketed = numbers.filter((number) => isBracketed(tokens, tokens.indexOf(number)));
  // Scale words beside some numbers: all are brought to the smallest of them, in which the result then is.
  const reading = { bracketsNegate: false, percentScales: false };
  if (!isNumber(parse(tokens, reading))) return undefined;
  return {
    numbers,
    bracketed,
    hasPercent: numbers.some(({ percent }) => percent),
    evaluate(given) {
      const value = parse(tokens, given);
      return isNumber(value) && Number.isFinite(value) ? value : undefined;
    },
  };
}

const MAX_TOKENS = 2_000;
const MAX_DEPTH = 100;

const isNumber = (value: number | undefined): value is number => value !== undefined;

function tokenise(source: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  const skip = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  while (at < source.length) {
    if (/\s/.test(source[at]!)) {
      at++;
      continue;
    }
    skip(CURRENCY);
    while (source[at] === ' ') at++;
    const start = at;
    const number = skip(NUMBER);
    if (number === null) {
      const sign = SIGNS[source[at]!] ?? source[at]!;
      if (!'+-*/^()'.includes(sign)) return undefined;
      tokens.push({ kind: 'sign', sign, start: at++ });
      continue;
    }
    const end = at;
    const text = source.slice(start, end);
    const percent = skip(/\s*%/y) !== null;
    const scale = skip(SCALE)?.[1]?.toLowerCase().replace(/s$/, '');
    const power = scale === undefined ? 0 : (POWERS[scale] ?? 0);
    const value = Number(text.replaceAll(',', ''));
    tokens.push({ kind: 'number', value, text, start, end, percent: percent || scale === 'percent', power });
  }
  return scaledAlike(tokens) ? tokens : undefined;
}

/** Either no number names its scale, or all do. */
function scaledAlike(tokens: readonly Token[]): boolean {
  const named = tokens.filter((token) => token.kind === 'number' && token.power > 0).length;
  const all = tokens.filter((token) => token.kind === 'number').length;
  return named === 0 || named === all;
}

function isBracketed(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  return before?.kind === 'sign' && before.sign === '(' && after?.kind === 'sign' && after.sign === ')';
}

/** Sum of products of powers; undefined where the tokens are no formula. */
function parse(tokens: readonly Token[], reading: DerivationReading): number | undefined {
  let at = 0;
  let depth = 0;
  const least = Math.min(...tokens.flatMap((token) => (token.kind === 'number' ? [token.power] : [])));

  const signAt = (): string | undefined => {
    const token = tokens[at];
    return token?.kind === 'sign' ? token.sign : undefined;
  };

  function sum(): number | undefined {
    let left = product();
    for (let sign = signAt(); left !== undefined && (sign === '+' || sign === '-'); sign = signAt()) {
      at++;
      const right = product();
      left = right === undefined ? undefined : sign === '+' ? left + right : left - right;
    }
    return left;
  }

  function product(): number | undefined {
    let left = signed();
    for (let sign = signAt(); left !== undefined && (sign === '*' || sign === '/'); sign = signAt()) {
      if (sign === '*' && isPower(at)) break;
      at++;
      const right = signed();
      left = right === undefined ? undefined : sign === '*' ? left * right : left / right;
    }
    return left;
  }

  function signed(): number | undefined {
    const sign = signAt();
    if (sign === '-' || sign === '+') {
      at++;
      if (++depth > MAX_DEPTH) return undefined;
      const value = signed();
      depth--;
      return value === undefined || sign === '+' ? value : -value;
    }
    return power();
  }

  const isPower = (place: number): boolean => {
    const [one, two] = [tokens[place], tokens[place + 1]];
    return (
      one?.kind === 'sign' &&
      two?.kind === 'sign' &&
      one.sign === '*' &&
      two.sign === '*' &&
      two.start === one.start + 1
    );
  };

  function power(): number | undefined {
    const base = atom();
    if (base === undefined) return undefined;
    if (signAt() === '^') at++;
    else if (isPower(at)) at += 2;
    else return base;
    if (++depth > MAX_DEPTH) return undefined;
    const exponent = signed();
    depth--;
    return exponent === undefined ? undefined : base ** exponent;
  }

  function atom(): number | undefined {
    const token = tokens[at];
    if (token?.kind === 'number') {
      const negated = reading.bracketsNegate && isBracketed(tokens, at);
      at++;
      const scaled = token.value * 10 ** (token.power - least);
      const value = token.percent && reading.percentScales ? scaled / 100 : scaled;
      return negated ? -value : value;
    }
    if (token?.sign !== '(' || depth >= MAX_DEPTH) return undefined;
    at++;
    depth++;
    const inner = sum();
    depth--;
    if (inner === undefined || signAt() !== ')') return undefined;
    at++;
    return inner;
  }

  const value = sum();
  return at === tokens.length ? value : undefined;
}
