import type { Edit } from './types.ts';

/** What a change that was asked for makes of a record. */
export type Changed =
  | {
      readonly kind: 'changed';
      readonly edits: readonly Edit[];
      /** Of what was changed, as it stands afterwards; null: it is gone, or the change was of no region. */
      readonly pointer: string | null;
      /** "Move region 2". */
      readonly title: string;
    }
  /** It cannot be made; as a sentence. */
  | { readonly kind: 'problem'; readonly message: string };

/** `edits`: undefined where the record's lists cannot say it. */
export function changed(edits: readonly Edit[] | undefined, pointer: string | null, title: string): Changed {
  return edits === undefined ? problem(CANNOT_SAY) : { kind: 'changed', edits, pointer, title };
}

export function problem(message: string): Extract<Changed, { kind: 'problem' }> {
  return { kind: 'problem', message };
}

export const CANNOT_SAY =
  'The record keeps its regions in a way that this change cannot be written in; edit the record itself.';

/** All of them, or undefined where one of them cannot be made. */
export function together(...parts: readonly (readonly Edit[] | undefined)[]): readonly Edit[] | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? known.flat() : undefined;
}
