import type { Field } from '../profile/types.ts';
import { pointerTo } from './canonical.ts';
import { writtenKey } from './decoders.ts';
import type { CanonicalRecord } from './types.ts';
import { valueAt } from '../text/pointer.ts';

/** A cited number as the record writes it, where that is no index into the context: `text_12`, `3` counted from 1. */
export function writtenIndex(record: CanonicalRecord, field: Field, at: number): string | undefined {
  const decoder = record.profile.fields[field]?.decoder;
  if (decoder !== 'finqa-evidence' && decoder !== 'tatqa-evidence') return undefined;
  return writtenKey(decoder, valueAt(record.source, pointerTo(record, field)), field, at);
}

/** Blocks of text, and the rest: rows of the table or the table as a whole. */
export function partSizes(record: CanonicalRecord): { readonly texts: number; readonly rows: number } {
  const blocks = record.context?.length ?? 0;
  const last = [record.profile.fields.context?.at ?? []].flat().at(-1)?.split('/*')[0] ?? '';
  const rows = (record.context ?? []).filter((_, i) => pointerTo(record, 'context', i).startsWith(last)).length;
  return { texts: blocks - rows, rows };
}
