/**
 * Cuts a JSON document into its records while it streams by: an array's elements (nested arrays descend), the elements
 * of the array of objects that a wrapping object holds, or a single object. Only brackets and strings are followed; each
 * record is parsed on its own later, so that neither size nor an error inside one record matters to the others.
 *
 * Where brackets or strings do not match, the next record is found again by what cannot be: an object where a key
 * belongs, a line that begins with a key while a string is open, or the first key of the records before.
 */
import {
  BOM,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  isBlank,
  isDigit,
  LF,
  nameCharacter,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './chars.ts';
import { lineStarts, locate } from './lines.ts';
import { createFaultList } from './faults.ts';
import type { Mark } from './faults.ts';
import { markFault } from './byte-order-mark.ts';
import { isEscaped, lineEndFrom, recordOpening, stringGoesOn } from './resync.ts';
import type { FileFault, RecordSlot } from './types.ts';
import { walk } from './walk.ts';

/**
 * Names under which objects hold their records. Another name counts too where it is the object's only key. A record may
 * itself hold an array of objects (its evidence), so not every such array is one of records.
 */
const RECORD_KEYS: ReadonlySet<string> = new Set([
  'data',
  'records',
  'questions',
  'examples',
  'items',
  'rows',
  'samples',
  'instances',
  'train',
  'dev',
  'validation',
  'test',
  'testmini',
]);

/** What stands for a scalar as the last significant character. */
const SCALAR = 48;
const NOTHING = 0;

export interface Splitter {
  push(chunk: string): RecordSlot[];
  end(): { slots: RecordSlot[]; faults: FileFault[]; form: 'lines' | 'array' | 'object' | 'mixed' };
}

interface Element extends Mark {
  /** The rest of a wrapping object, of which no record is made. */
  readonly silent: boolean;
  /** Stands at the top of the file and not in an array. */
  readonly top: boolean;
  /** Keys at its first level, and how many of them hold an array of objects. */
  members: number;
  recordArrays: number;
  key: string;
  /** Where the array that may hold the records opens. */
  arrayAt: number;
  /** Strings and brackets cannot be trusted any more. */
  suspect: boolean;
}

/** A wrapping object's text without its records, to be parsed when it ends. */
interface Wrapper {
  readonly parts: { readonly text: string; readonly mark: Mark }[];
}

export function createSplitter(): Splitter {
  let buffer = '';
  /** Absolute offset of the buffer's first character. */
  let base = 0;
  /** Next character to read, in the buffer. */
  let at = 0;
  let waiting: string[] = [];
  let waitingLength = 0;
  let line = 0;
  let lineStart = 0;

  const outer: number[] = [];
  const wrappers: Wrapper[] = [];
  /** What may follow outside of elements: anything at the start, a value after a comma, a comma after a value. */
  let next: 'first' | 'value' | 'comma' = 'first';
  let element: Element | undefined;
  const inner: number[] = [];
  let inString = false;
  let stringStart = 0;
  /** The next LF in the buffer, as far as it has been looked for. */
  let nextLineEnd = -1;
  let last = NOTHING;
  let lastEnd = 0;
  /** Only key of the object at the top, once it turned out to hold the records. */
  let forcedKey: string | undefined;
  /** The first key of the records, as spelled. */
  let firstKey: string | undefined;

  let slots: RecordSlot[] = [];
  const faultList = createFaultList();
  const { report } = faultList;
  let count = 0;
  let arrays = 0;
  let objects = 0;
  let junk = false;
  /** Inside a line of junk. */
  let skipping = false;

  const mark = (offset: number): Mark => ({ offset: base + offset, line, lineStart });

  const give = (from: Element, end: number): void => {
    let to = end;
    while (to > from.offset - base && isBlank(buffer.charCodeAt(to - 1))) to--;
    const text = buffer.slice(from.offset - base, to);
    slots.push({ index: count++, line: from.line, column: from.offset - from.lineStart, offset: from.offset, text });
    firstKey ??= /^\{\s*("(?:[^"\\\n]|\\.)*")\s*:/.exec(text.slice(0, 500))?.[1];
  };

  const beginElement = (silent: boolean): void => {
    const top = outer.length === 0;
    if (top) objects++;
    element = { ...mark(at), silent, top, members: 0, recordArrays: 0, key: '', arrayAt: 0, suspect: false };
    inner.length = 0;
    inString = false;
    last = NOTHING;
    lastEnd = at;
  };

  /** Goes back to a place in the buffer, of which line and line start are given. */
  const rewind = (to: Mark): void => {
    at = to.offset - base;
    line = to.line;
    lineStart = to.lineStart;
    inString = false;
    inner.length = 0;
    nextLineEnd = -1;
  };

  /** Where inside the buffered part of a broken element another record seems to begin. */
  const nextRecord = (from: Element, end: number): Mark | undefined => {
    const start = from.offset - base;
    const key = firstKey ?? /\{\s*("(?:[^"\\\n]|\\.)*")\s*:/y.exec(buffer.slice(start, start + 500))?.[1];
    if (key === undefined || from.silent) return undefined;
    for (
      let found = buffer.indexOf(key, start + 1);
      found >= 0 && found < end;
      found = buffer.indexOf(key, found + 1)
    ) {
      const open = recordOpening(buffer, found, key);
      if (open === undefined || open <= start) continue;
      const starts = lineStarts(buffer.slice(start, open + 1));
      const { line: lines, column } = locate(starts, open - start);
      return {
        offset: base + open,
        line: from.line + lines,
        lineStart: lines === 0 ? from.lineStart : base + open - column,
      };
    }
    return undefined;
  };

  /** Ends the element before a record that begins inside of it, before an offset. False: there is none. */
  const resynchronise = (before: number): boolean => {
    if (element === undefined) return false;
    const found = nextRecord(element, before);
    if (found === undefined) return false;
    let end = found.offset - base;
    while (isBlank(buffer.charCodeAt(end - 1)) || buffer.charCodeAt(end - 1) === COMMA) end--;
    give(element, end);
    element = undefined;
    rewind(found);
    next = 'value';
    return true;
  };

  const endElement = (end: number): void => {
    if (element === undefined) return;
    if (element.suspect && resynchronise(end)) return;
    if (element.silent) endWrapper(end);
    else if (element.top && element.members === 1 && element.recordArrays === 1 && forcedKey === undefined) {
      forcedKey = element.key;
      objects--;
      rewind(element);
      element = undefined;
      return;
    } else give(element, end);
    element = undefined;
    next = 'comma';
  };

  const enterWrapper = (): void => {
    if (element === undefined) return;
    const part = { text: buffer.slice(element.offset - base, element.arrayAt - base + 1), mark: element };
    if (element.silent) wrappers.at(-1)?.parts.push(part);
    else {
      wrappers.push({ parts: [part] });
      outer.push(OPEN_OBJECT);
    }
    outer.push(OPEN_ARRAY);
    element = undefined;
    inner.length = 0;
    next = 'first';
  };

  const endWrapper = (end: number): void => {
    const wrapper = wrappers.pop();
    outer.pop();
    if (wrapper === undefined || element === undefined) return;
    wrapper.parts.push({ text: buffer.slice(element.offset - base, end), mark: element });
    const broken = walk(wrapper.parts.map(({ text }) => text).join('')).broken;
    if (broken === undefined) return;
    let offset = broken.span.start;
    for (const { text, mark: from } of wrapper.parts) {
      if (offset > text.length) {
        offset -= text.length;
        continue;
      }
      const place = locate(lineStarts(text), offset);
      const start = place.line === 0 ? from.lineStart : from.offset + offset - place.column;
      report(
        'wrapper',
        { offset: from.offset + offset, line: from.line + place.line, lineStart: start },
        1,
        broken.message.replace(/^.*?: /, ''),
      );
      return;
    }
  };

  const newLine = (offset: number): void => {
    line++;
    lineStart = base + offset + 1;
  };

  /** One step outside of elements. */
  const stepOutside = (): void => {
    const code = buffer.charCodeAt(at);
    const top = outer.at(-1);
    if (code === LF) {
      newLine(at++);
    } else if (isBlank(code)) {
      at++;
    } else if (code === BOM) {
      const place = mark(at);
      const column = place.offset - place.lineStart;
      faultList.add(markFault(place.line, column));
      at++;
    } else if (code === COMMA) {
      if (next !== 'comma' || top === undefined) {
        report(
          'comma',
          mark(at),
          1,
          `found a comma, expected ${top === undefined ? 'nothing after the value' : 'a record before it'}. A record is missing there, or the comma is one too many.`,
        );
      }
      if (top !== undefined) next = 'value';
      at++;
    } else if (code === CLOSE_ARRAY) {
      if (top !== OPEN_ARRAY) {
        report('bracket', mark(at), 1, 'found `]`, expected no closing bracket here: none is open.');
        at++;
        return;
      }
      if (next === 'value') {
        report(
          'trailing-comma',
          mark(at),
          1,
          'found a trailing comma before `]`, expected another record or no comma.',
        );
      }
      closeArray();
    } else if (code === CLOSE_OBJECT) {
      report(
        'bracket',
        mark(at),
        1,
        `found \`}\`, expected ${top === undefined ? 'no closing bracket here: none is open' : 'a record, a comma or `]`'}.`,
      );
      if (outer.at(-2) === OPEN_OBJECT) {
        outer.pop();
        next = 'comma';
        beginElement(true);
        inner.push(OPEN_OBJECT);
        last = SCALAR;
      } else at++;
    } else if (top === undefined && code !== OPEN_OBJECT && code !== OPEN_ARRAY) {
      skipJunk();
    } else {
      beginValue(code, top);
    }
  };

  const closeArray = (): void => {
    outer.pop();
    next = 'comma';
    if (outer.at(-1) === OPEN_OBJECT) {
      beginElement(true);
      inner.push(OPEN_OBJECT);
      last = SCALAR;
    }
    at++;
  };

  /** What is no JSON at the top of the file is told once and skipped up to the next line that begins a value. */
  const skipJunk = (): void => {
    if (!junk) {
      const wanted = arrays + objects === 0 ? '`[` or `{`' : 'nothing after the value';
      report('junk', mark(at), 1, `found ${nameCharacter(buffer, at)}, expected ${wanted}.`);
    }
    junk = true;
    while (at < buffer.length && buffer.charCodeAt(at) !== LF) at++;
    skipping = at >= buffer.length;
  };

  const beginValue = (code: number, top: number | undefined): void => {
    if (next === 'comma') {
      if (top !== undefined) {
        report(
          'missing-comma',
          mark(at),
          1,
          `found ${nameCharacter(buffer, at)}, expected a comma or \`]\`. A comma is missing between two records.`,
        );
      } else if (arrays + objects === 1) {
        report(
          'second-value',
          mark(at),
          1,
          'found a second value, expected one value in the file. Records line by line are JSONL: name the file .jsonl, or put them into an array.',
        );
      }
    }
    if (code === OPEN_ARRAY) {
      if (top === undefined) arrays++;
      outer.push(OPEN_ARRAY);
      next = 'first';
      at++;
      return;
    }
    beginElement(false);
  };

  /** Reads on inside a string; false: the buffer ends first. The engine's own search does most of it. */
  const stepInString = (final: boolean): boolean => {
    for (let from = at; ;) {
      const close = buffer.indexOf('"', from);
      const end = close < 0 ? buffer.length : close;
      if (nextLineEnd < at) nextLineEnd = lineEndFrom(buffer, at);
      if (nextLineEnd < end) {
        at = nextLineEnd;
        const goesOn = stringGoesOn(buffer, at, final);
        if (goesOn === undefined) return false;
        if (!goesOn) {
          closeString(at);
          return true;
        }
        newLine(at++);
        from = at;
      } else if (close < 0) {
        at = end;
        return false;
      } else if (isEscaped(buffer, close, stringStart)) {
        from = close + 1;
      } else {
        at = close + 1;
        closeString(at);
        return true;
      }
    }
  };

  const closeString = (end: number): void => {
    inString = false;
    last = QUOTE;
    lastEnd = end;
    if (inner.length === 0) endElement(end);
  };

  /** One step inside an element and outside of its strings. */
  const stepInside = (current: Element): void => {
    const code = buffer.charCodeAt(at);
    const top = inner.at(-1);
    if (code === LF) {
      newLine(at++);
      if (top === undefined && last !== NOTHING) endElement(lastEnd);
      return;
    }
    if (isBlank(code)) {
      at++;
      if (top === undefined && last !== NOTHING) endElement(lastEnd);
      else while (buffer.charCodeAt(at) === 32) at++;
      return;
    }
    if (
      top === undefined &&
      last !== NOTHING &&
      (code === COMMA ||
        code === CLOSE_ARRAY ||
        code === CLOSE_OBJECT ||
        code === QUOTE ||
        code === OPEN_OBJECT ||
        code === OPEN_ARRAY)
    ) {
      endElement(lastEnd);
      return;
    }
    if (
      last === QUOTE &&
      top !== undefined &&
      !current.suspect &&
      code !== COLON &&
      code !== COMMA &&
      code !== CLOSE_OBJECT &&
      code !== CLOSE_ARRAY
    ) {
      current.suspect = true;
    }
    switch (code) {
      case QUOTE:
        inString = true;
        stringStart = at++;
        return;
      case COLON:
        if (inner.length === 1) noteKey(current);
        last = code;
        break;
      case OPEN_OBJECT:
        if (top === OPEN_OBJECT && last !== COLON && !current.silent) {
          endElement(lastEnd);
          return;
        }
        if (
          inner.length === 2 &&
          top === OPEN_ARRAY &&
          last === OPEN_ARRAY &&
          inner[0] === OPEN_OBJECT &&
          holdsRecords(current)
        ) {
          enterWrapper();
          return;
        }
        inner.push(code);
        last = code;
        break;
      case OPEN_ARRAY:
        if (inner.length === 1) current.arrayAt = base + at;
        inner.push(code);
        last = code;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        if (!closeBracket(code)) {
          endElement(lastEnd);
          return;
        }
        last = code;
        if (inner.length === 0) {
          endElement(++at);
          return;
        }
        break;
      case COMMA:
        last = code;
        break;
      default:
        last = SCALAR;
        while (isDigit(buffer.charCodeAt(at + 1))) at++;
    }
    lastEnd = ++at;
  };

  const noteKey = (current: Element): void => {
    current.members++;
    if (current.top || current.silent) current.key = buffer.slice(stringStart + 1, lastEnd - 1);
  };

  const holdsRecords = (current: Element): boolean => {
    if (!current.top && !current.silent) return false;
    if (RECORD_KEYS.has(current.key) || current.key === forcedKey) return true;
    current.recordArrays++;
    return false;
  };

  /** Closes the matching bracket, and with it the unclosed ones inside. False: none of the element's matches. */
  const closeBracket = (code: number): boolean => {
    const open = code === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_ARRAY;
    if (inner.at(-1) === open) {
      inner.pop();
      return true;
    }
    const found = inner.lastIndexOf(open);
    if (found < 0) return false;
    inner.length = found;
    return true;
  };

  const run = (final: boolean): void => {
    while (at < buffer.length) {
      if (skipping) skipJunk();
      else if (element === undefined) stepOutside();
      else if (inString) {
        if (!stepInString(final)) return;
      } else stepInside(element);
    }
  };

  /** Joins what arrived to what is still needed; large elements grow by halves, so that the cost stays linear. */
  const refill = (final: boolean): boolean => {
    const kept = element === undefined ? at : element.offset - base;
    if (!final && waitingLength < (buffer.length - kept) / 2) return false;
    // Joined and not added up: reading characters of a sum of strings is slow.
    buffer = [buffer.slice(kept), ...waiting].join('');
    nextLineEnd = -1;
    stringStart -= kept;
    lastEnd -= kept;
    at -= kept;
    base += kept;
    waiting = [];
    waitingLength = 0;
    return true;
  };

  const atEnd = (): void => {
    run(true);
    while (element !== undefined) {
      if (resynchronise(buffer.length)) {
        run(true);
        continue;
      }
      if (inner.length === 0 && !inString) {
        endElement(lastEnd);
        continue;
      }
      if (element.silent) {
        report(
          'unclosed',
          mark(buffer.length),
          0,
          'found the end of the file, expected `}`. The object that holds the records is not closed.',
        );
      } else if (forcedKey === undefined || !element.top) {
        give(element, buffer.length);
      }
      element = undefined;
      return;
    }
    if (outer.length > 0) {
      report(
        'unclosed',
        mark(buffer.length),
        0,
        'found the end of the file, expected `]`. The array is not closed; the file may be cut off.',
      );
    } else if (arrays + objects === 0 && !junk) {
      report('empty', { offset: 0, line: 0, lineStart: 0 }, 0, 'the file is empty, expected an array or an object.');
    }
  };

  const take = (): RecordSlot[] => {
    const given = slots;
    slots = [];
    return given;
  };

  return {
    push(chunk) {
      waiting.push(chunk);
      waitingLength += chunk.length;
      if (!refill(false)) return [];
      run(false);
      return take();
    },
    end() {
      refill(true);
      atEnd();
      const form =
        arrays === 1 && objects === 0 ? 'array' : arrays > 0 || junk ? 'mixed' : objects > 1 ? 'lines' : 'object';
      return { slots: take(), faults: faultList.end(), form };
    },
  };
}
