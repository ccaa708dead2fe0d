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
const patterns = new WeakMap<CompiledProfile, RegExp | null>();

/**
 * Pages and indices that are written 3.0 or 3e0: read, they are the integer 3, but a reader in another language gets a
 * float, which is no index. Only the record's text tells; it is parsed again only where a key is followed by such a number.
 */
export function decimalIntegers(
  text: string,
  record: CanonicalRecord,
  profile: CompiledProfile,
): readonly DecimalInteger[] {
  const pattern = patternOf(profile);
  if (!pattern?.test(text)) return NONE;
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

/** A key of an integer list, then a list in which a number has a point or an exponent; null: the profile has no such list. */
function patternOf(compiled: CompiledProfile): RegExp | null {
  let pattern = patterns.get(compiled);
  if (pattern === undefined) {
    const keys = INTEGER_LISTS.flatMap((field) => [compiled.profile.fields[field]?.at ?? []].flat())
      .flatMap((pointer) => parsePointer(pointer).findLast((key) => key !== '*') ?? [])
      .map((key) => key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    pattern = keys.length === 0 ? null : new RegExp(`"(?:${keys.join('|')})"\\s*:\\s*[-\\d,\\s[]*[.eE]`);
    patterns.set(compiled, pattern);
  }
  return pattern;
}
