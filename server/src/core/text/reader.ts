import { markFault } from './byte-order-mark.ts';
import { BOM, COLON, COMMA, CR, isBlank, OPEN_ARRAY, OPEN_OBJECT } from './chars.ts';
import { createLineReader, firstCode, looksComplete, openAtEnd } from './jsonlines.ts';
import type { LineOutput } from './jsonlines.ts';
import { createLineEndWatch } from './line-ends.ts';
import { parseRecordText } from './parse.ts';
import { createSplitter } from './splitter.ts';
import type { FileFault, FileForm, RecordSlot } from './types.ts';

/** How the records turned out to lie: line by line, in one array, in or as one object, or several of these. */
export type FoundForm = 'lines' | 'array' | 'object' | 'mixed';

export interface ReadEnd {
  /** Records that had not been given out before. */
  readonly slots: readonly RecordSlot[];
  /** Faults that belong to no record, in order of place. */
  readonly faults: readonly FileFault[];
  readonly form: FoundForm;
}

/**
 * Reads a file's text in pieces of any size. Slots come in order, as soon as it is certain where they end; a piece may
 * yield none. What is given out does not depend on where the text is cut.
 *
 * A slot whose text is no JSON object is given out like any other: `parseRecordText` says what is wrong, and it counts
 * as a record of the file only if it has a value. A record that is broken over several lines of JSONL by a line break
 * inside a string has no slot but a `FileFault`.
 */
export interface RecordReader {
  push(chunk: string): readonly RecordSlot[];
  end(): ReadEnd;
}

export interface ReadRecords extends ReadEnd {
  readonly slots: readonly RecordSlot[];
}

/** Reads a whole text at once. */
export function readRecords(text: string, form: FileForm): ReadRecords {
  const reader = createRecordReader(form);
  const slots = reader.push(text);
  const last = reader.end();
  return { slots: last.slots.length === 0 ? slots : [...slots, ...last.slots], faults: last.faults, form: last.form };
}

/**
 * `lines`: JSONL. `json`: one JSON document. A byte order mark at the start is no part of the text: offsets and columns
 * are counted without it.
 */
export function createRecordReader(form: FileForm): RecordReader {
  const lineEnds = createLineEndWatch();
  const faults: FileFault[] = [];
  const inner = form === 'lines' ? createLinesReader() : createDocumentReader();
  let started = false;
  /** Half a surrogate pair at the end of a piece. */
  let half = '';

  return {
    push(piece) {
      const joined = half + piece;
      const whole = joined.length - (endsWithHighSurrogate(joined) ? 1 : 0);
      half = joined.slice(whole);
      const chunk = half === '' ? joined : joined.slice(0, whole);
      if (chunk === '') return [];
      let text = chunk;
      if (!started && chunk.charCodeAt(0) === BOM) {
        faults.push(markFault(0, 0));
        text = chunk.slice(1);
      }
      started = true;
      lineEnds.push(text);
      return inner.push(text);
    },
    end() {
      const late = half === '' ? [] : inner.push(half);
      const last = inner.end();
      const mixed = lineEnds.end();
      const all = [...faults, ...last.faults, ...(mixed === undefined ? [] : [mixed])];
      all.sort((one, two) => one.line - two.line || one.startColumn - two.startColumn);
      return { slots: late.length === 0 ? last.slots : [...late, ...last.slots], faults: all, form: last.form };
    },
  };
}

function endsWithHighSurrogate(text: string): boolean {
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xd800 && code <= 0xdbff;
}

function createDocumentReader(): RecordReader {
  return createSplitter();
}

/** A file that is meant to be JSONL; its first lines tell whether it is. */
function createLinesReader(): RecordReader {
  let head: string[] = [];
  let headLength = 0;
  let inner: RecordReader | undefined;

  const decide = (atEnd: boolean): readonly RecordSlot[] => {
    const text = head.length === 1 ? (head[0] ?? '') : head.join('');
    head = [text];
    const form = formOf(text, atEnd);
    if (form === undefined) return [];
    inner = form === 'lines' ? createTrueLinesReader() : createMisnamedReader(text);
    head = [];
    return inner.push(text);
  };

  return {
    push(chunk) {
      if (inner !== undefined) return inner.push(chunk);
      head.push(chunk);
      headLength += chunk.length;
      // The decision falls at a line end, or where a line is longer than any record.
      return chunk.includes('\n') || headLength > LONGEST_HEAD ? decide(false) : [];
    },
    end() {
      const slots = inner === undefined ? decide(true) : [];
      const last = inner?.end() ?? { slots: [], faults: [], form: 'lines' as const };
      return slots.length === 0 ? last : { ...last, slots: [...slots, ...last.slots] };
    },
  };
}

const LONGEST_HEAD = 4_000_000;
/** More UTF-16 units are no string in V8. A longer line is refused as V8 would, before its parts fill the memory. */
const LONGEST_TEXT = 2 ** 29 - 24;

/**
 * Whether a text begins as JSONL or as a JSON document: one array, or objects written over several lines. undefined: it
 * takes more text to tell. Lines that are arrays one by one, or a first record that is cut off, are JSONL with faults.
 */
function formOf(text: string, atEnd: boolean): 'lines' | 'document' | undefined {
  const [first, second, third] = firstLines(text, atEnd);
  const start = firstCode(text);
  if (first === undefined) {
    if (text.length > LONGEST_HEAD) return start === OPEN_ARRAY ? 'document' : 'lines';
    return atEnd ? 'lines' : undefined;
  }
  if (start !== OPEN_OBJECT && start !== OPEN_ARRAY) return 'lines';
  if (looksComplete(first)) return 'lines';
  const open = openAtEnd(first);
  if (start === OPEN_ARRAY && (open.inString || open.depth > 0)) return 'document';
  if (open.inString || (start === OPEN_OBJECT && open.depth <= 0)) return 'lines';
  if (second === undefined) return atEnd ? (start === OPEN_ARRAY ? 'document' : 'lines') : undefined;
  const next = firstCode(second);
  if (start === OPEN_ARRAY) return next === OPEN_ARRAY || next === OPEN_OBJECT ? 'lines' : 'document';
  if (next !== OPEN_OBJECT) return 'document';
  if (!wantsValue(first)) return 'lines';
  if (!looksComplete(second) || openAtEnd(second).depth !== 0) return 'document';
  if (third === undefined) return atEnd ? 'lines' : undefined;
  return firstCode(third) === OPEN_OBJECT ? 'lines' : 'document';
}

/** The first three lines that are not blank and whose end is known. */
function firstLines(text: string, atEnd: boolean): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length && lines.length < 3;) {
    const end = text.indexOf('\n', start);
    if (end < 0 && !atEnd) break;
    const line = text.slice(start, end < 0 ? undefined : end);
    if (!Number.isNaN(firstCode(line))) lines.push(line);
    if (end < 0) break;
    start = end + 1;
  }
  return lines;
}

/** Whether an unfinished line may go on with a value: then an object in the next line can belong to it. */
function wantsValue(line: string): boolean {
  let end = line.length - 1;
  while (isBlank(line.charCodeAt(end))) end--;
  const last = line.charCodeAt(end);
  if (last === OPEN_ARRAY || last === COLON) return true;
  return last === COMMA && line.lastIndexOf('[') > line.lastIndexOf(']') && /[\]}],?\s*$/.test(line.slice(0, end));
}

function createTrueLinesReader(): RecordReader {
  const output: LineOutput = { slots: [], faults: [], count: 0 };
  const lines = createLineReader(output);
  let waiting: string[] = [];
  let waitingLength = 0;
  let line = 0;
  let offset = 0;

  const pass = (whole: string, lineEnd: '\n' | ''): void => {
    const returns = lineEnd === '\n' && whole.charCodeAt(whole.length - 1) === CR;
    let text = returns ? whole.slice(0, -1) : whole;
    let column = 0;
    while (text.charCodeAt(column) === BOM) {
      output.faults.push(markFault(line, column));
      column++;
    }
    if (column > 0) text = text.slice(column);
    lines.push({ text, line, column, offset: offset + column, end: returns ? '\r\n' : lineEnd });
    offset += whole.length + lineEnd.length;
    line++;
  };

  const take = (): RecordSlot[] => {
    const slots = output.slots;
    output.slots = [];
    return slots;
  };

  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
        const part = chunk.slice(start, end);
        pass(waitingLength === 0 ? part : waiting.join('') + part, '\n');
        if (waitingLength > 0) {
          waiting = [];
          waitingLength = 0;
        }
        start = end + 1;
      }
      if (start < chunk.length) {
        waiting.push(start === 0 ? chunk : chunk.slice(start));
        waitingLength += chunk.length - start;
        if (waitingLength > LONGEST_TEXT) {
          // What stands before it can still be had from `end`.
          waiting = [];
          waitingLength = 0;
          throw new RangeError('Invalid string length');
        }
      }
      return take();
    },
    end() {
      if (waitingLength > 0) pass(waiting.join(''), '');
      lines.end();
      return { slots: take(), faults: output.faults, form: 'lines' };
    },
  };
}

/** A JSON document under the name of JSONL: one finding, and the records that can be read. */
function createMisnamedReader(head: string): RecordReader {
  const splitter = createSplitter();
  let count = 0;
  let unreadable = 0;
  let start = 0;
  while (isBlank(head.charCodeAt(start))) start++;
  const isArray = head.charCodeAt(start) === OPEN_ARRAY;
  const before = head.slice(0, start).split('\n');

  const readable = (slots: readonly RecordSlot[]): RecordSlot[] => {
    const kept: RecordSlot[] = [];
    for (const slot of slots) {
      if (parseRecordText(slot.text).value === undefined) unreadable++;
      else kept.push({ ...slot, index: count++ });
    }
    return kept;
  };

  return {
    push: (chunk) => readable(splitter.push(chunk)),
    end() {
      const last = splitter.end();
      const slots = readable(last.slots);
      const line = before.length - 1;
      const column = before.at(-1)?.length ?? 0;
      const fault: FileFault = {
        code: 'file/not-json-lines',
        message:
          (isArray
            ? 'The file is one JSON array, not JSONL: found `[`, expected one object per line.'
            : 'The file holds JSON objects written over several lines, not JSONL: found an object that goes on in the next line, expected one object per line.') +
          ` Loaders of JSONL fail on it, often with a message about changed columns. ${count} ${count === 1 ? 'record' : 'records'} could be read` +
          `${unreadable === 0 ? '' : `, ${unreadable} could not`}. Name it .json, or write each record on one line.`,
        line,
        startColumn: column,
        endColumn: column + 1,
        found: isArray ? 'array' : 'objects',
      };
      const others = last.faults.filter(({ code }) => code !== 'file/invalid-json');
      return { slots, faults: [fault, ...others], form: last.form };
    },
  };
}
