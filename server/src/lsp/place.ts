import type { Position } from 'vscode-languageserver/node';
import type { Span } from '../core/finding.ts';
import { offsetIn, pointerAt, spanOfPointer } from '../core/text/offsets.ts';
import type { Row } from './session/rows.ts';

export interface Place {
  /** Offset in the record's text. */
  readonly offset: number;
  /** JSON pointer of the innermost value there; on a key that of the key's value. */
  readonly pointer: string;
  /** Span of the key, where the position is on one. */
  readonly key: Span | undefined;
}

/** Where in its record a position is; undefined outside of the record. */
export function placeAt(row: Row, position: Position): Place | undefined {
  const offset = offsetIn(row, { line: position.line, column: position.character });
  const pointer = offset === undefined ? undefined : pointerAt(row.text, offset);
  if (offset === undefined || pointer === undefined) return undefined;
  const key = spanOfPointer(row.text, pointer, true);
  return { offset, pointer, key: key && key.start <= offset && offset <= key.end ? key : undefined };
}

/** Where in the decoded text of a value a place is; null: it is on a key, or on what is no text. */
export function offsetInText({ text }: Row, { offset, pointer, key }: Place): number | null {
  const token = key === undefined ? spanOfPointer(text, pointer) : undefined;
  const isInside =
    token !== undefined && text.charAt(token.start) === '"' && offset > token.start && offset < token.end;
  return isInside ? decodedOffset(text, token, offset) : null;
}

const BACKSLASH = 92;

/** How many UTF-16 units of a decoded string lie before an offset of the text. `token`: the string with its quotation marks. */
export function decodedOffset(text: string, token: Span, offset: number): number {
  let units = 0;
  let at = token.start + 1;
  while (at < offset) {
    if (text.charCodeAt(at) === BACKSLASH) at += text.charAt(at + 1) === 'u' ? 6 : 2;
    else at++;
    if (at <= offset) units++;
  }
  return units;
}
