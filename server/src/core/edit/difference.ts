import type { TextEdit } from './types.ts';

/** What makes one text the other: nothing, or a replacement of what lies between their common beginning and end. */
export function replaceBetween(old: string, text: string): readonly TextEdit[] {
  if (old === text) return [];
  const { head, tail } = commonEnds(old, text);
  return [{ span: { start: head, end: old.length - tail }, text: text.slice(head, text.length - tail) }];
}

/** The lengths of the common beginning and end. Surrogate pairs and CRLF are not cut; both together fit into either text. */
export function commonEnds(old: string, text: string): { readonly head: number; readonly tail: number } {
  const shorter = Math.min(old.length, text.length);
  let head = 0;
  while (head < shorter && old.charCodeAt(head) === text.charCodeAt(head)) head++;
  if (isInside(old, head) || isInside(text, head)) head--;
  let tail = 0;
  while (tail < shorter - head && old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)) {
    tail++;
  }
  if (tail > 0 && (isInside(old, old.length - tail) || isInside(text, text.length - tail))) tail--;
  return { head, tail };
}

function isInside(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return (code >= 0xdc00 && code < 0xe000 && before >= 0xd800 && before < 0xdc00) || (code === 10 && before === 13);
}
