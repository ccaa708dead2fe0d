import type { DocumentFacts } from '../ports.ts';
import type { CanonicalRecord } from './types.ts';

/** Whether the dataset keeps the context of its records in files of their own. */
export function hasExternalContext({ profile }: CanonicalRecord): boolean {
  return profile.fields.context?.decoder === 'report-file';
}

const completed = new WeakMap<
  CanonicalRecord,
  { readonly blocks: readonly string[]; readonly record: CanonicalRecord }
>();

/** The record with the context that came with its document; the same object for the same blocks. */
export function withContext(record: CanonicalRecord, document: DocumentFacts | undefined): CanonicalRecord {
  const context = document?.context;
  if (context?.state !== 'ok') return record;
  const known = completed.get(record);
  if (known?.blocks === context.blocks) return known.record;
  const complete = { ...record, context: context.blocks };
  completed.set(record, { blocks: context.blocks, record: complete });
  return complete;
}
