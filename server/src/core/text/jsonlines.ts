/**
 * JSONL, line by line. Good lines pass untouched and unread: a line that begins with `{` and ends with `}` is a record,
 * whatever lies between. Only where a line looks unfinished are its brackets and strings counted, to find the lines that
 * belong to it. One line is held back for that, so a record is given out when the next one begins.
 */
import { BACKSLASH, BOM, CLOSE_ARRAY, CLOSE_OBJECT, isBlank, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './chars.ts';
import type { FileFault, RecordSlot } from './types.ts';

export interface LineOutput {
  /** Emptied by whoever takes them. */
  slots: RecordSlot[];
  readonly faults: FileFault[];
  /** Records found so far. */
  count: number;
}

/** A line as it stands in the file, without its line end and without a byte order mark at its start. */
export interface Line {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly end: '\n' | '\r\n' | '';
}

export interface LineReader {
  push(line: Line): void;
  end(): void;
}

/** A record that goes on for longer than this is not looked for. */
const LONGEST_RECORD = 16_000_000;

export function createLineReader(output: LineOutput): LineReader {
  let held: Line[] = [];
  let heldLength = 0;
  let openness: Openness | undefined;
  let blank: { line: number; count: number; length: number } | undefined;

  const give = (text: string, { line, column, offset }: Line): void => {
    endBlankRun(false);
    output.slots.push({ index: output.count++, line, column, offset, text });
  };

  const endBlankRun = (atEnd: boolean): void => {
    if (blank !== undefined && !(atEnd && output.count === 0 && output.faults.length === 0)) {
      output.faults.push(blankLines(blank, output.count === 0 ? 'before' : atEnd ? 'after' : 'between'));
    }
    blank = undefined;
  };

  const noteBlank = (line: Line): void => {
    if (blank === undefined) blank = { line: line.line, count: 1, length: line.text.length };
    else blank.count++;
  };

  const settle = (): void => {
    for (const line of held) {
      if (isBlankText(line.text)) noteBlank(line);
      else give(line.text, line);
    }
    hold(undefined);
  };

  const hold = (line: Line | undefined): void => {
    held = line === undefined ? [] : [line];
    heldLength = line?.text.length ?? 0;
    openness = undefined;
  };

  /** The held lines are one object, closed at the end of the last one. */
  const close = (state: Openness): void => {
    const [first, last] = [held[0], held.at(-1)];
    if (first === undefined || last === undefined) return;
    if (state.broken === undefined) {
      const text = held.map((line, index) => (index === held.length - 1 ? line.text : line.text + line.end)).join('');
      output.faults.push(spreadObject(first, last));
      give(text, first);
    } else {
      endBlankRun(false);
      const line = held[state.broken.line] ?? first;
      const next = held[state.broken.line + 1] ?? last;
      output.faults.push(brokenString(first, line, state.broken.column, next));
    }
    hold(undefined);
  };

  return {
    push(line) {
      const first = held[0];
      if (first === undefined) {
        if (isBlankText(line.text)) noteBlank(line);
        else hold(line);
        return;
      }
      // Nearly always: the line before is a record of its own, and this one begins the next.
      if (held.length === 1 && line.text.charCodeAt(0) === OPEN_OBJECT) {
        give(first.text, first);
        held[0] = line;
        heldLength = line.text.length;
        openness = undefined;
        return;
      }
      const complete = held.length === 1 && looksComplete(first.text);
      const blankLine = isBlankText(line.text);
      const startsRecord =
        line.text.charCodeAt(0) === OPEN_OBJECT || (complete && firstCode(line.text) === OPEN_OBJECT);
      if (
        startsRecord ||
        (complete && blankLine) ||
        firstCode(first.text) !== OPEN_OBJECT ||
        heldLength > LONGEST_RECORD
      ) {
        settle();
        if (blankLine) noteBlank(line);
        else hold(line);
        return;
      }
      openness ??= countLine(first.text, 0, { depth: 0, string: undefined, broken: undefined });
      if (isClosed(openness)) {
        settle();
        if (blankLine) noteBlank(line);
        else hold(line);
        return;
      }
      held.push(line);
      heldLength += line.text.length;
      openness = countLine(line.text, held.length - 1, openness);
      if (isClosed(openness)) close(openness);
    },
    end() {
      settle();
      endBlankRun(true);
    },
  };
}

/** How far brackets and strings are open at the end of a line. */
interface Openness {
  readonly depth: number;
  /** Where the open string starts, by held line and column. */
  readonly string: { readonly line: number; readonly column: number } | undefined;
  /** Where the first string starts that runs over a line end. */
  readonly broken: { readonly line: number; readonly column: number } | undefined;
}

function isClosed(state: Openness): boolean {
  return state.depth <= 0 && state.string === undefined;
}

function countLine(text: string, line: number, before: Openness): Openness {
  let { depth, string } = before;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH && string !== undefined) at++;
    else if (code === QUOTE) string = string === undefined ? { line, column: at } : undefined;
    else if (string !== undefined) continue;
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth++;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--;
  }
  return { depth, string, broken: before.broken ?? string };
}

/** Whether brackets and strings are all closed at the end of a line; and whether a string is open there. */
export function openAtEnd(text: string): { readonly depth: number; readonly inString: boolean } {
  const { depth, string } = countLine(text, 0, { depth: 0, string: undefined, broken: undefined });
  return { depth, inString: string !== undefined };
}

export function looksComplete(text: string): boolean {
  let end = text.length - 1;
  while (isBlank(text.charCodeAt(end))) end--;
  return text.charCodeAt(end) === CLOSE_OBJECT && firstCode(text) === OPEN_OBJECT;
}

export function isBlankText(text: string): boolean {
  return Number.isNaN(firstCode(text));
}

/** The first character that is no blank; NaN where there is none. */
export function firstCode(text: string): number {
  let at = 0;
  while (isBlank(text.charCodeAt(at)) || text.charCodeAt(at) === BOM) at++;
  return text.charCodeAt(at);
}

function blankLines(
  run: { line: number; count: number; length: number },
  where: 'before' | 'between' | 'after',
): FileFault {
  const place =
    where === 'between' ? 'between records' : where === 'before' ? 'before the first record' : 'after the last record';
  const lines =
    run.count === 1 ? `Line ${run.line + 1} is blank` : `Lines ${run.line + 1} to ${run.line + run.count} are blank`;
  return {
    code: 'file/blank-line',
    message: `${lines}, ${place}: found ${run.count}, expected none. Some readers stop or fail there, others count a record.`,
    line: run.line,
    startColumn: 0,
    endColumn: run.length,
    found: `${where} ${run.count}`,
    repair: { kind: 'blankLines', line: run.line, count: run.count },
  };
}

function brokenString(first: Line, line: Line, column: number, next: Line): FileFault {
  const record = first === line ? '' : ` (of the record that starts in line ${first.line + 1})`;
  return {
    code: 'file/invalid-json',
    message:
      `Not valid JSON: found a raw line break in the string that starts at column ${line.column + column + 1}${record}, ` +
      `expected the escape \\n. The string seems to go on in line ${next.line + 1}: text pasted by hand keeps its line breaks.`,
    line: line.line,
    startColumn: line.column + column,
    endColumn: line.column + line.text.length,
    found: line.text.slice(column, column + 40),
  };
}

function spreadObject(first: Line, last: Line): FileFault {
  return {
    code: 'file/invalid-json',
    message:
      `Not valid JSONL: found an object that goes on to line ${last.line + 1}, expected each record on one line. ` +
      'It is written with line breaks and indentation, as for people to read; write it without them.',
    line: first.line,
    startColumn: first.column,
    endColumn: first.column + first.text.length,
    found: first.text.slice(0, 40),
  };
}
