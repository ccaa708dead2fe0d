/**
 * How lines are counted, pinned here for the whole product.
 *
 * A line of a file ends at LF or CRLF, and at nothing else: so do JSONL readers, git, grep and `wc` count, and so do all
 * `RecordSlot`s, `FileFault`s, `Finding`s and reports. A lone CR, U+2028, U+2029 and U+0085 are characters like others.
 * Editors count a lone CR as a line end too. Where a text holds one, `editorLines` translates between both countings;
 * for all other texts (nearly all) both are the same and the translation does nothing. Shells that talk to an editor
 * apply it on their side of the border; the core never does.
 */
import type { Position } from '../finding.ts';

const LF = 10;
const CR = 13;
const LONE_CR = /\r(?!\n)/;

export interface EditorLines {
  /** Whether both countings are the same for this text. */
  readonly same: boolean;
  toEditor(position: Position): Position;
  fromEditor(position: Position): Position;
}

const SAME: EditorLines = { same: true, toEditor: (position) => position, fromEditor: (position) => position };

/** Translates positions in `text` (without a byte order mark at its start) to an editor's counting and back. */
export function editorLines(text: string): EditorLines {
  if (!LONE_CR.test(text)) return SAME;
  const ours = lineStarts(text, false);
  const editors = lineStarts(text, true);
  return {
    same: false,
    toEditor: (position) => locate(editors, offsetOf(ours, position, text.length)),
    fromEditor: (position) => locate(ours, offsetOf(editors, position, text.length)),
  };
}

/** Offsets at which lines start; the first is 0. */
export function lineStarts(text: string, loneCarriageReturns = false): number[] {
  const starts = [0];
  if (!loneCarriageReturns) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    return starts;
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) starts.push(at + 1);
  }
  return starts;
}

/** The position of an offset, by binary search in line starts. */
export function locate(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low, column: offset - (starts[low] ?? 0) };
}

function offsetOf(starts: readonly number[], position: Position, length: number): number {
  const start = starts[position.line] ?? length;
  return Math.min(start + position.column, length);
}
