/** Verdicts on numbers in plain words, and what stands around a number. */
import type { Block, ShownPlace } from '../evidence/blocks.ts';
import type { Span } from '../finding.ts';
import type { LocatedNumber, LocatedPhrase } from './types.ts';

/** One clause, without the number: "stands in the cited evidence". */
export function verdictWords(number: LocatedNumber): string {
  const { verdict } = number;
  const [first] = number.places;
  const [page] = number.onPages;
  const inText = first !== undefined && (first.cited || page?.cited !== true);
  const isCited = inText ? first.cited : page?.cited === true;
  const where = isCited ? 'in the cited evidence' : inText || page === undefined ? ELSEWHERE : BESIDE;
  switch (verdict) {
    case 'cited':
      return page !== undefined && !inText && page.box === undefined
        ? 'stands on a cited page'
        : 'stands in the cited evidence';
    case 'context':
      return `stands ${where}`;
    case 'scaled':
      return `stands ${where}, ${scaling(number)}`;
    case 'negated':
      return `stands ${where} with the other sign${(first ?? page)?.isNegative === true ? ' (in brackets or with a minus)' : ''}`;
    case 'digits-exchanged':
      return 'stands nowhere, but with two of its digits exchanged';
    case 'derived':
      return 'follows from a rate that the evidence or the question states';
    case 'constant':
      return 'is a constant, which needs no evidence';
    case 'question':
      return 'comes from the question';
    case 'nowhere':
      return 'stands nowhere in the evidence';
  }
}

/** The same of words. */
export function phraseWords({ places, onPages }: LocatedPhrase): string {
  if ([...places, ...onPages].some(({ cited }) => cited)) return 'stands in the cited evidence';
  if (places.length > 0) return `stands ${ELSEWHERE}`;
  return onPages.length > 0 ? `stands ${BESIDE}` : 'stands nowhere in the evidence as it is written';
}

function scaling({ power = 0, isRounded }: LocatedNumber): string {
  const scaled = power === 0 ? [] : [`scaled by ${powerOfTenText(power)}`];
  return [...scaled, ...(isRounded ? ['rounded'] : [])].join(' and ');
}

const ELSEWHERE = 'elsewhere in the context, not in what is cited';
const BESIDE = 'on a cited page, outside its boxes';

const SUPERSCRIPT = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** 10³, 10⁻². */
function powerOfTenText(power: number): string {
  const digits = [...String(Math.abs(power))].map((digit) => SUPERSCRIPT[Number(digit)]!).join('');
  return `10${power < 0 ? '⁻' : ''}${digits}`;
}

/** What stands around a part of a text, on its line and cut at words: for a look, not for offsets. */
export interface Excerpt {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

export function excerptAt(text: string, { start, end }: Span, around = 60): Excerpt {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const found = text.indexOf('\n', end);
  const lineEnd = found < 0 ? text.length : found;
  const before = flat(text.slice(Math.max(lineStart, start - 4 * around), start));
  const after = flat(text.slice(end, Math.min(lineEnd, end + 4 * around)));
  return {
    before: before.length <= around ? before.trimStart() : `… ${before.slice(-around).replace(/^\S*\s/u, '')}`,
    text: flat(text.slice(start, end)),
    after: after.length <= around ? after.trimEnd() : `${after.slice(0, around).replace(/\s\S*$/u, '')} …`,
  };
}

/** The same for a place in a block; of a table what stands in its row, cells parted by bars. */
export function excerptOf(block: Block, { part, cell, start, end }: ShownPlace): Excerpt {
  if (cell === undefined) return excerptAt(part === 'after' ? block.after : block.before, { start, end });
  const cells = block.rows[cell.row]!;
  const own = cells[cell.column]!;
  const left = cells.slice(0, cell.column).filter((text) => text !== '');
  const right = cells.slice(cell.column + 1).filter((text) => text !== '');
  const lead = left.join(BAR).length + (left.length > 0 ? BAR.length : 0);
  const row = [...left, own, ...right].map((text) => flat(text)).join(BAR);
  return excerptAt(row, { start: lead + start, end: lead + end });
}

const BAR = ' | ';

function flat(text: string): string {
  return text.replace(/\s+/gu, ' ');
}
