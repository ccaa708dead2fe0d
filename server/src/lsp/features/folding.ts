import type { FoldingRange, FoldingRangeKind } from 'vscode-languageserver/node';
import type { Span } from '../../core/finding.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { solutionFolds } from '../../core/solution/shape.ts';
import { decodeString, spanInString, spanOfPointer } from '../../core/text/offsets.ts';
import { QUOTE } from '../../core/text/chars.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import { visit } from '../../core/text/visit.ts';
import { rangeIn } from '../ranges.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

/** Ranges told where the client names no limit of its own. */
const MOST = 20_000;

/** Objects and lists over several lines, text blocks, and the blocks of a solution that is shown on lines. */
export function foldingRanges(session: Session, limit: number = MOST): FoldingRange[] {
  if (session.checker === undefined) return [];
  const folds = createFolds(limit);
  const rows = session.rows();
  const [only] = rows;
  if (only?.lens === undefined) {
    if (session.form === 'json') foldValues({ index: 0, line: 0, column: 0, offset: 0, text: session.text() }, folds);
    else for (const row of rows) if (row.text.includes('\n')) foldValues(row, folds);
    return folds.all();
  }
  if (only.lens.shows({ start: 0, end: 1 })) foldValues(only, folds);
  foldSolution(session, only, folds);
  return folds.all();
}

interface Folds {
  /** `closes`: the last line stays in sight. */
  add(startLine: number, endLine: number, closes: boolean, kind?: FoldingRangeKind): void;
  isFull(): boolean;
  all(): FoldingRange[];
}

function createFolds(limit: number): Folds {
  /** One range for each first line: editors show no more. */
  const byLine = new Map<number, FoldingRange>();
  return {
    add(startLine, last, closes, kind) {
      const endLine = closes ? last - 1 : last;
      if (endLine <= startLine || byLine.size >= limit) return;
      const known = byLine.get(startLine);
      if (known === undefined || known.endLine < endLine)
        byLine.set(startLine, { startLine, endLine, ...(kind && { kind }) });
    },
    isFull: () => byLine.size >= limit,
    all: () => [...byLine.values()].sort((a, b) => a.startLine - b.startLine),
  };
}

/** Objects and lists, and strings that the document shows on several lines. */
function foldValues(slot: RecordSlot, folds: Folds): void {
  const { text, lens } = slot;
  const starts: number[] = [];
  const add = (start: number, end: number): void => {
    const range = rangeIn(slot, { start, end });
    folds.add(range.start.line, range.end.line, true);
  };
  const first = /^\s*/.exec(text)![0].length;
  if (/[{[]/.test(text.charAt(first))) add(first, text.trimEnd().length);
  visit(text, {
    start(depth, start) {
      starts[depth] = start;
      return folds.isFull();
    },
    end(depth, end) {
      const start = starts[depth];
      if (start === undefined) return false;
      const code = text.charCodeAt(start);
      const isText = code === QUOTE && lens !== undefined;
      if (isText || text.charAt(start) === '{' || text.charAt(start) === '[') add(start, end);
      return folds.isFull();
    },
  });
}

function foldSolution(session: Session, row: Row, folds: Folds): void {
  session.rowAt({ line: 0, character: 0 });
  const record = row.checked?.record;
  const token: Span | undefined =
    record?.solution === undefined ? undefined : spanOfPointer(row.text, pointerTo(record, 'solution'));
  if (token === undefined || row.text.charCodeAt(token.start) !== QUOTE) return;
  const ranges = solutionFolds(decodeString(row.text.slice(token.start, token.end)));
  for (const { span, closes, kind } of ranges) {
    const { start, end } = rangeIn(row, spanInString(row.text, token, span));
    folds.add(start.line, end.line, closes, kind);
  }
}
