/** How the splitter finds its way again in a document whose strings or brackets do not match. */
import { endOfFirstKey } from './visit.ts';
import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COLON, isBlank, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './chars.ts';

/**
 * The bracket that a record would open with whose first key stands at `found`; undefined where the key is not the first
 * one of an object, or the object is a value or the first element of an array inside a record.
 */
export function recordOpening(text: string, found: number, key: string): number | undefined {
  let open = found - 1;
  while (isBlank(text.charCodeAt(open))) open--;
  if (text.charCodeAt(open) !== OPEN_OBJECT) return undefined;
  let before = open - 1;
  while (isBlank(text.charCodeAt(before))) before--;
  if (text.charCodeAt(before) === COLON || text.charCodeAt(before) === OPEN_ARRAY) return undefined;
  let after = found + key.length;
  while (isBlank(text.charCodeAt(after))) after++;
  return text.charCodeAt(after) === COLON ? open : undefined;
}

/** The next line end from a place on, or the text's end. */
export function lineEndFrom(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found;
}

/** Whether an odd number of backslashes stands before a place in the string that opens at `start`. */
export function isEscaped(text: string, at: number, start: number): boolean {
  let backslashes = 0;
  while (at - backslashes - 1 > start && text.charCodeAt(at - backslashes - 1) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/**
 * Whether a string that runs over a line end goes on there (pasted text) or was meant to end before (a missing quotation
 * mark): the next line tells. undefined: it has not arrived yet.
 */
export function stringGoesOn(text: string, lineEnd: number, final: boolean): boolean | undefined {
  let at = lineEnd + 1;
  while (isBlank(text.charCodeAt(at))) at++;
  if (at >= text.length) return final ? false : undefined;
  const code = text.charCodeAt(at);
  if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) return false;
  if (code !== OPEN_OBJECT && code !== QUOTE) return true;
  const end = text.indexOf('\n', at);
  if (end < 0 && !final) return undefined;
  const rest = text.slice(at, end < 0 ? undefined : end);
  const keyEnd = endOfFirstKey(rest, true);
  const isKey = keyEnd !== undefined && /^\s*:/.test(rest.slice(keyEnd));
  return !isKey && !/^\{\s*$/.test(rest);
}
