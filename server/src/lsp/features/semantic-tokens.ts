import type { Range, SemanticTokens, SemanticTokensLegend } from 'vscode-languageserver/node';
import { pointerTo } from '../../core/record/canonical.ts';
import type { TokenModifier } from '../../core/solution/tokens.ts';
import { solutionTokens, TOKEN_MODIFIERS, TOKEN_TYPES } from '../../core/solution/tokens.ts';
import type { StaticSolution } from '../../core/solution/types.ts';
import type { Cancel } from '../../core/ports.ts';
import { followEscapes } from '../../core/text/escapes.ts';
import { spanOfPointer } from '../../core/text/offsets.ts';
import { rangeIn } from '../ranges.ts';
import { rowAt } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

export const LEGEND: SemanticTokensLegend = { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [...TOKEN_MODIFIERS] };

/** Work is cut into slices of so many ms, so that other requests get their turn. */
const SLICE_MS = 25;
/** No answer holds the tokens of more records: a range may be one line with all records of a file in it. */
const MOST_ROWS = 1000;
/** Of a file with more text than this (UTF-16 units) an editor gets the tokens of what it shows only, and not of all. */
const WHOLE_LIMIT = 4_000_000;

/** Per piece: where it starts and ends in the record's text, index of its type, bits of its modifiers. */
const FIELDS = 4;
const pieces = new WeakMap<StaticSolution, Uint32Array>();

/**
 * Tokens of the Python in the JSON strings of a file, LSP's five numbers each; none crosses a line. `range`: those of the records in it;
 * without: all. null: no profile fits, the file is too long to be coloured as a whole, or it has changed meanwhile.
 */
export async function semanticTokens(
  session: Session,
  range: Range | undefined,
  cancel: Cancel,
): Promise<SemanticTokens | null> {
  if (session.checker === undefined) return null;
  const { version } = session;
  const rows = range === undefined ? wholeOf(session.rows()) : rowsIn(session.rows(), range);
  if (rows === undefined) return null;
  const encoder = createEncoder();
  let end = performance.now() + SLICE_MS;
  for (const row of rows) {
    if (performance.now() > end) {
      await new Promise((resolve) => setImmediate(resolve));
      if (cancel.aborted || session.version !== version) return null;
      end = performance.now() + SLICE_MS;
    }
    if (row.checked === undefined) session.rowAt({ line: row.line, character: row.column });
    pushRow(row, encoder);
  }
  return { data: encoder.data() };
}

function wholeOf(rows: readonly Row[]): readonly Row[] | undefined {
  if (rows.length > MOST_ROWS) return undefined;
  const length = rows.reduce((sum, row) => sum + row.text.length, 0);
  return length > WHOLE_LIMIT ? undefined : rows;
}

function rowsIn(rows: readonly Row[], { start, end }: Range): readonly Row[] {
  const row = rowAt(rows, start.line, start.character);
  if (row === undefined) return [];
  // A document that shows one record has one row, whatever its index in the file.
  const first = rows[row.index] === row ? row.index : rows.indexOf(row);
  let last = first;
  const most = Math.min(rows.length, first + MOST_ROWS);
  while (last < most && !startsBehind(rows[last]!, end)) last++;
  return rows.slice(first, last);
}

function startsBehind(row: Row, { line, character }: Range['end']): boolean {
  const { start } = rangeIn(row, { start: 0, end: 0 });
  return start.line > line || (start.line === line && start.character > character);
}

function pushRow(row: Row, encoder: Encoder): void {
  const solution = row.checked?.solution;
  if (solution === undefined) return;
  let known = pieces.get(solution);
  if (known === undefined) {
    known = piecesOf(row, solution);
    pieces.set(solution, known);
  }
  for (let at = 0; at < known.length; at += FIELDS) {
    const { start, end } = rangeIn(row, { start: known[at]!, end: known[at + 1]! });
    // What another document does not show of the record comes back as no place at all.
    if (start.line !== end.line || start.character >= end.character) continue;
    encoder.push(start.line, start.character, end.character - start.character, known[at + 2]!, known[at + 3]!);
  }
}

/**
 * Escapes belong to no piece. So they stay visible as what they are, and no piece holds a line break, which in a JSON string is always an
 * escape: where a document shows the solution over many lines, each piece lies on one.
 */
function piecesOf({ text, checked }: Row, { source }: StaticSolution): Uint32Array {
  const record = checked?.record;
  const span = record && spanOfPointer(text, pointerTo(record, 'solution'));
  if (span === undefined || text.charAt(span.start) !== '"') return new Uint32Array();
  const found: number[] = [];
  const follow = followEscapes(text, span);
  for (const { start, end, type, modifiers } of solutionTokens(source)) {
    const kind = TOKEN_TYPES.indexOf(type);
    const bits = bitsOf(modifiers);
    follow(start, end, (from, to) => found.push(from, to, kind, bits));
  }
  return Uint32Array.from(found);
}

function bitsOf(modifiers: readonly TokenModifier[]): number {
  let bits = 0;
  for (const modifier of modifiers) bits |= 1 << TOKEN_MODIFIERS.indexOf(modifier);
  return bits;
}

interface Encoder {
  push(line: number, character: number, length: number, type: number, modifiers: number): void;
  data(): number[];
}

/** Positions relative to the token before; tokens that come in another order than that of the document are put right first. */
function createEncoder(): Encoder {
  let tokens: number[] = [];
  let isSorted = true;
  let lastLine = 0;
  let lastCharacter = 0;

  function sort(): void {
    const starts = Array.from({ length: tokens.length / 5 }, (_, at) => at * 5);
    starts.sort((a, b) => tokens[a]! - tokens[b]! || tokens[a + 1]! - tokens[b + 1]!);
    tokens = starts.flatMap((at) => tokens.slice(at, at + 5));
  }

  return {
    push(line, character, length, type, modifiers) {
      if (line < lastLine || (line === lastLine && character < lastCharacter)) isSorted = false;
      lastLine = line;
      lastCharacter = character;
      tokens.push(line, character, length, type, modifiers);
    },
    data() {
      if (!isSorted) sort();
      for (let at = tokens.length - 5; at > 0; at -= 5) {
        const lines = tokens[at]! - tokens[at - 5]!;
        if (lines === 0) tokens[at + 1]! -= tokens[at - 4]!;
        tokens[at] = lines;
      }
      return tokens;
    },
  };
}
