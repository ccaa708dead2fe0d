/** A record as a document of formatted JSON with text blocks. */
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../text/chars.ts';
import { parseRecordText } from '../text/parse.ts';
import { skipBlanks } from '../text/visit.ts';
import { fitsBlock, showBlock, showString } from './shown.ts';
import { decodeToken, endOfToken, isOpening } from './tokens.ts';

/** Columns that a list of plain values may take, its indentation included, to stand on one line. */
const WIDTH = 100;
const UNIT = '  ';
/** What is nested deeper stands on one line: nobody reads it, and the indentation alone would grow with the square. */
const DEEPEST = 32;

/**
 * A record's text as a document: two blanks per level, strings of several lines as text blocks, all other strings decoded
 * as far as nothing hides thereby. Numbers, repeated keys and the order of keys stay as they are written. Lines end at LF, the last
 * one too. undefined: the text is not one JSON object.
 */
export function recordDocument(recordText: string): string | undefined {
  return parseRecordText(recordText).value === undefined ? undefined : `${render(recordText)}\n`;
}

function render(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let isFresh = false;
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, at)) {
    const code = text.charCodeAt(at);
    const end = endOfToken(text, at);
    if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth--;
      if (!isFresh) parts.push(lineBreak(depth));
      parts.push(text.slice(at, end));
      isFresh = false;
    } else if (code === COMMA) {
      parts.push(',', lineBreak(depth));
    } else if (code === COLON) {
      parts.push(depth > DEEPEST ? ':' : ': ');
    } else {
      if (isFresh) parts.push(lineBreak(depth));
      isFresh = code === OPEN_OBJECT || code === OPEN_ARRAY;
      const onOneLine = code === OPEN_ARRAY && depth < DEEPEST ? flatList(text, at, depth) : undefined;
      if (onOneLine !== undefined) {
        parts.push(onOneLine.shown);
        at = onOneLine.end;
        isFresh = false;
        continue;
      }
      parts.push(code === QUOTE ? shownString(text, at, end, depth) : text.slice(at, end));
      if (isFresh) depth++;
    }
    at = end;
  }
  return parts.join('');
}

function lineBreak(depth: number): string {
  return depth > DEEPEST ? '' : `\n${UNIT.repeat(depth)}`;
}

function shownString(text: string, start: number, end: number, depth: number): string {
  const value = decodeToken(text, start, end);
  const isKey = text.charCodeAt(skipBlanks(text, end)) === COLON;
  if (isKey || depth > DEEPEST || !fitsBlock(value)) return showString(value);
  return showBlock(value, UNIT.repeat(depth + 1));
}

/** A list of plain values that fits on its line. */
function flatList(text: string, start: number, depth: number): { shown: string; end: number } | undefined {
  let room = WIDTH - depth * UNIT.length;
  let shown = '[';
  for (let at = skipBlanks(text, start + 1); ; at = skipBlanks(text, at)) {
    const code = text.charCodeAt(at);
    const end = endOfToken(text, at);
    // A token that is longer than the line is not decoded in vain.
    if (isOpening(code) || end - at > 6 * WIDTH) return undefined;
    let part = text.slice(at, end);
    if (code === COMMA) part = ', ';
    else if (code === QUOTE) {
      const value = decodeToken(text, at, end);
      if (fitsBlock(value)) return undefined;
      part = showString(value);
    }
    shown += part;
    room -= part.length;
    if (room < 0) return undefined;
    at = end;
    if (code === CLOSE_ARRAY) return { shown, end };
  }
}
