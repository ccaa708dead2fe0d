import { placeEdits } from '../edit/edits.ts';
import type { Edit, TextEdit } from '../edit/types.ts';

const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/**
 * A record's id in the place of the one that it has (`old`; undefined: it has none yet), written like that one. undefined: it cannot be
 * written there, or a number would become a text.
 */
export function idEdits(text: string, pointer: string, old: unknown, id: string): readonly TextEdit[] | undefined {
  if (typeof old === 'number' && !WHOLE_NUMBER.test(id)) return undefined;
  const edit: Edit =
    old === undefined
      ? { kind: 'insert', pointer, value: id }
      : typeof old === 'number'
        ? { kind: 'lexeme', pointer, lexeme: id }
        : { kind: 'replace', pointer, value: id };
  return placeEdits([edit], text);
}
