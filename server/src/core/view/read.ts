/**
 * Reads a record document back as JSON. What is no text block stays as it is, byte for byte; a block becomes a string's
 * token and, after it, as many line ends and blanks as it takes that what follows keeps its line and column. Places in messages about the
 * JSON are those of the document thereby.
 */
import type { Span } from '../finding.ts';
import { BACKSLASH, CR, isBlank, QUOTE } from '../text/chars.ts';
import type { TextFault } from '../text/types.ts';
import { isLoneSurrogate } from './shown.ts';
import { createRecordLens } from './record-lens.ts';
import type { ShownBlock } from './record-lens.ts';
import { createSegments, linesOf } from './segments.ts';
import type { SegmentBuilder } from './segments.ts';
import type { ViewedRecord } from './types.ts';

const BLOCK_OPENS = /"{3,}/y;
const REST_OF_OPENING = /[ \t]*(?:\r?\n|$)/y;
const AFTER_CLOSING = /[ \t\r]*(?:[,:\]}\n]|$)/y;

/** Never throws: what cannot be read gives a text with faults as JSON.parse would find them, and `faults` where a block is to blame. */
export function readRecordDocument(documentText: string): ViewedRecord {
  const parts: string[] = [];
  const segments = createSegments();
  const blocks: ShownBlock[] = [];
  const faults: TextFault[] = [];
  let length = 0;
  let copied = 0;
  const copyTo = (end: number): void => {
    parts.push(documentText.slice(copied, end));
    segments.equal(end - copied);
    length += end - copied;
    copied = end;
  };

  const lines = createLineCursor(documentText);
  for (let at = documentText.indexOf('"'); at >= 0; at = documentText.indexOf('"', at)) {
    BLOCK_OPENS.lastIndex = at;
    const quotes = BLOCK_OPENS.exec(documentText)?.[0].length;
    if (quotes === undefined) {
      at = endOfString(documentText, at, lines.endFrom(at));
      continue;
    }
    const block = findBlock(documentText, at, quotes, lines);
    if (block === undefined) {
      faults.push(noBlock(documentText, at, quotes, length + at - copied));
      at += quotes;
      continue;
    }
    copyTo(at);
    const { token, fault } = writeToken(documentText, block, segments);
    if (fault !== undefined) faults.push(tooFarLeft(documentText, block, fault.line, length + fault.offset));
    if (block.closes) {
      const { start, end, indent } = block;
      blocks.push({
        span: { start: length, end: length + token.length },
        inDocument: { start, end },
        quotes,
        indent,
      });
    } else faults.push(unclosed(documentText, block, { start: length, end: length + token.length }));
    const padding = paddingOf(documentText, block);
    if (padding !== '') segments.differ(padding.length, 0);
    parts.push(token, padding);
    length += token.length + padding.length;
    at = block.end;
    copied = at;
  }
  copyTo(documentText.length);
  const text = parts.join('');
  return { text, lens: createRecordLens(documentText, text, segments.end(), blocks), faults };
}

interface Block {
  /** Offsets in the document: the first quotation mark, the first line of the content, the line after it, the end. */
  readonly start: number;
  readonly body: number;
  readonly last: number;
  readonly end: number;
  readonly closes: boolean;
  readonly quotes: number;
  /** What stands before the closing quotation marks, and before each line. */
  readonly indent: string;
}

interface LineCursor {
  /** The end of the line that an offset lies in; quick as long as offsets do not go back. */
  endFrom(this: void, offset: number): number;
}

function createLineCursor(text: string): LineCursor {
  let start = 0;
  let end = -1;
  return {
    endFrom(offset) {
      if (offset < start || offset > end) {
        const found = text.indexOf('\n', offset);
        start = offset;
        end = found < 0 ? text.length : found;
      }
      return end;
    },
  };
}

/** A string of JSON ends with its line at the latest: what is not closed does not swallow the blocks after it. */
function endOfString(text: string, start: number, lineEnd: number): number {
  let at = start + 1;
  for (; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  return lineEnd;
}

/**
 * Where the block ends that opens at `start`; undefined: something follows the quotation marks on their line. It ends at a line that
 * begins with as many marks, followed by nothing but a sign of JSON. Marks that stand deeper than a line before them
 * belong to the text (the end of a docstring), unless they stand exactly where the block has to end.
 */
function findBlock(text: string, start: number, quotes: number, { endFrom }: LineCursor): Block | undefined {
  REST_OF_OPENING.lastIndex = start + quotes;
  if (!REST_OF_OPENING.test(text)) return undefined;
  const body = REST_OF_OPENING.lastIndex;
  const usual = `${indentAt(text, text.lastIndexOf('\n', start - 1) + 1)}  `;
  let common: string | undefined;
  let possible: Block | undefined;
  for (let line = body; line < text.length;) {
    const indent = indentAt(text, line);
    const first = line + indent.length;
    const end = endFrom(line);
    if (first < end && !isBlank(text.charCodeAt(first))) {
      if (closesAt(text, first, quotes)) {
        const block = { start, body, last: line, end: first + quotes, closes: true, quotes, indent };
        if (indent === usual || common === undefined || common.startsWith(indent)) return block;
        possible ??= block;
      }
      common = common === undefined ? indent : commonStart(common, indent);
    }
    line = end + 1;
  }
  const { length } = text;
  return possible ?? { start, body, last: length, end: length, closes: false, quotes, indent: common ?? usual };
}

function closesAt(text: string, at: number, quotes: number): boolean {
  for (let mark = at; mark < at + quotes; mark++) if (text.charCodeAt(mark) !== QUOTE) return false;
  AFTER_CLOSING.lastIndex = at + quotes;
  return AFTER_CLOSING.test(text);
}

function indentAt(text: string, line: number): string {
  let end = line;
  while (text.charCodeAt(end) === 32 || text.charCodeAt(end) === 9) end++;
  return text.slice(line, end);
}

function commonStart(one: string, two: string): string {
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === two.charCodeAt(length)) length++;
  return one.slice(0, length);
}

/** The block as a token; with the first line that is indented less than the closing marks, and its offset in the token. */
function writeToken(
  text: string,
  { start, body, last, end, closes, quotes, indent }: Block,
  segments: SegmentBuilder,
): { token: string; fault: { line: number; offset: number } | undefined } {
  const { differ } = segments;
  const parts = ['"'];
  let length = 1;
  let fault: { line: number; offset: number } | undefined;
  differ(1, quotes);
  // Characters of the document that no piece covers yet: the rest of a line, with its end.
  let waiting = body - start - quotes;
  for (let line = body; line < last;) {
    const found = text.indexOf('\n', line);
    const next = found < 0 ? last : found + 1;
    const contentEnd = found < 0 ? last : found - (text.charCodeAt(found - 1) === CR && found > line ? 1 : 0);
    const own = indentAt(text, line);
    const isEmpty = line + own.length >= contentEnd;
    const fits = own.startsWith(indent);
    let lineEnd = line === body ? '' : '\\n';
    if (!fits && !isEmpty) {
      fault ??= { line, offset: length };
      // A bare line end makes the text one that cannot be read.
      lineEnd = '\n';
    }
    const skipped = fits ? indent.length : own.length;
    differ(lineEnd.length, waiting + skipped);
    const content = escapeLine(text, line + skipped, contentEnd, segments);
    parts.push(lineEnd, content);
    length += lineEnd.length + content.length;
    waiting = next - contentEnd;
    line = next;
  }
  if (closes) {
    parts.push('"');
    differ(1, waiting + end - last);
  } else if (waiting > 0) differ(0, waiting);
  return { token: parts.join(''), fault };
}

/** Part of a line as JSON writes it. */
function escapeLine(text: string, start: number, end: number, { equal, differ }: SegmentBuilder): string {
  let written = '';
  let from = start;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 32 && code !== QUOTE && code !== BACKSLASH && (code < 0x80 || !wantsEscape(text, at))) continue;
    const escape = escapeOf(text.charAt(at));
    equal(at - from);
    differ(escape.length, 1);
    written += text.slice(from, at) + escape;
    from = at + 1;
  }
  equal(end - from);
  return from === start ? text.slice(start, end) : written + text.slice(from, end);
}

/** What readers of lines take for a line end, and halves of surrogate pairs. */
function wantsEscape(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x85 || code === 0x2028 || code === 0x2029 || isLoneSurrogate(text, at);
}

function escapeOf(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  if (character === '\t') return '\\t';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function paddingOf(text: string, { start, end, closes }: Block): string {
  if (!closes) return '';
  let count = 0;
  let lineStart = start;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    count++;
    lineStart = at + 1;
  }
  return '\n'.repeat(count) + ' '.repeat(end - lineStart);
}

function fault(message: string, span: Span, found: string): TextFault {
  return { code: 'file/invalid-json', message, span, found };
}

function noBlock(text: string, at: number, quotes: number, start: number): TextFault {
  const message =
    `Not valid JSON at ${placeIn(text, at)}: found text after ${'`'}${'"'.repeat(quotes)}${'`'}, expected a line end. ` +
    'A text block begins on the line after its quotation marks; a text on one line stands between single ones.';
  return fault(message, { start, end: start + quotes }, 'block');
}

function unclosed(text: string, { start, quotes }: Block, span: Span): TextFault {
  const message =
    `Not valid JSON at ${placeIn(text, start)}: found a text block that does not end, ` +
    `expected a line that begins with ${'`'}${'"'.repeat(quotes)}${'`'}, indented as far as the text.`;
  return fault(message, span, 'block');
}

function tooFarLeft(text: string, { last, indent, closes }: Block, line: number, offset: number): TextFault {
  const found = indentAt(text, line).length;
  const message =
    `Not valid JSON at ${placeIn(text, line + found)}: found a line of a text block that begins at column ${found + 1}, ` +
    `expected column ${indent.length + 1} or more, where ` +
    (closes ? `the quotation marks stand that close it (line ${lineOf(text, last)}).` : 'its other lines begin.');
  return fault(message, { start: offset, end: offset + 1 }, 'block');
}

/** Line and column in the document, 1-based. */
function placeIn(text: string, at: number): string {
  return `line ${lineOf(text, at)}, column ${at - text.lastIndexOf('\n', at - 1)}`;
}

function lineOf(text: string, at: number): number {
  return linesOf(text).position(at).line + 1;
}
