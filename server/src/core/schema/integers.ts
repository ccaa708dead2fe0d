import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { Field } from '../profile/types.ts';
import { fieldPointer, type CompiledProfile } from '../record/fields.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { parsePointer } from '../text/pointer.ts';
import { integerMessage } from './words.ts';

const INTEGER_LISTS = ['pages', 'tableEvidence', 'textEvidence'] as const satisfies readonly Field[];

interface DecimalInteger {
  readonly pointer: string;
  readonly message: string;
  readonly found: string;
}

const NONE: readonly DecimalInteger[] = [];
const keyEnds = new WeakMap<CompiledProfile, readonly string[]>();

/**
 * Pages and indices that are written 3.0 or 3e0: read, they are the integer 3, but a reader in another language gets a
 * float, which is no index. Only the record's text tells; it is parsed again only where a key is followed by such a number.
 */
export function decimalIntegers(
  text: string,
  record: CanonicalRecord,
  profile: CompiledProfile,
): readonly DecimalInteger[] {
  if (!hasDecimals(text, profile)) return NONE;
  const root = parseTree(text);
  if (!root) return NONE;
  const found: DecimalInteger[] = [];
  for (const field of INTEGER_LISTS) {
    (record[field] ?? []).forEach((value, i) => {
      if (!Number.isInteger(value)) return;
      const pointer = fieldPointer(profile, record.source, field, [i]);
      const node = findNodeAtLocation(
        root,
        parsePointer(pointer).map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
      );
      if (node?.type !== 'number') return;
      const written = text.slice(node.offset, node.offset + node.length);
      if (/[.eE]/.test(written)) found.push({ pointer, message: integerMessage(pointer, written), found: written });
    });
  }
  return found;
}

/** Whether the integer lists hold nothing but numbers: their brackets then enclose no others. */
export function areNumbers({ pages, tableEvidence, textEvidence }: CanonicalRecord): boolean {
  return isOfNumbers(pages) && isOfNumbers(tableEvidence) && isOfNumbers(textEvidence);
}

function isOfNumbers(list: readonly unknown[] | undefined): boolean {
  if (list === undefined) return true;
  for (let i = 0; i < list.length; i++) if (typeof list[i] !== 'number') return false;
  return true;
}

/** Whether a point or an exponent may stand in one of the integer lists. */
function hasDecimals(text: string, compiled: CompiledProfile): boolean {
  let ends = keyEnds.get(compiled);
  if (ends === undefined) keyEnds.set(compiled, (ends = keyEndsOf(compiled)));
  for (const end of ends) if (hasDecimalAfter(text, end)) return true;
  return false;
}

/**
 * The keys of the integer lists as they stand in a text, from their first sign on that is no letter: a search is as fast as
 * what it begins with is rare.
 */
function keyEndsOf({ profile }: CompiledProfile): readonly string[] {
  return INTEGER_LISTS.flatMap((field) => [profile.fields[field]?.at ?? []].flat())
    .flatMap((pointer) => parsePointer(pointer).findLast((key) => key !== '*') ?? [])
    .map((key) => {
      const quoted = JSON.stringify(key);
      return /[^a-z"].*/.exec(quoted)?.[0] ?? quoted;
    });
}

/** Whether a point or an exponent stands in the numbers that follow a key. A search that the engine does natively. */
function hasDecimalAfter(text: string, key: string): boolean {
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + key.length)) {
    for (let i = at + key.length; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit === POINT || unit === CAPITAL_E || unit === SMALL_E) return true;
      if (!isInNumberList(unit)) break;
    }
  }
  return false;
}

const POINT = 46;
const CAPITAL_E = 69;
const SMALL_E = 101;

/** Digits, minus, comma, colon, brackets and blanks. */
function isInNumberList(unit: number): boolean {
  return unit <= 32 || (unit >= 48 && unit <= 58) || unit === 44 || unit === 45 || unit === 91 || unit === 93;
}
