/**
 * The one place where the core's positions meet LSP's. Both count 0-based lines and UTF-16 columns. Lines end at LF and CRLF
 * only, in both directions: VS Code sends a lone CR as LF, other editors keep it inside the line, as readers of JSONL do.
 */
import type { Position as LspPosition, Range, TextEdit as LspEdit } from 'vscode-languageserver/node';
import type { TextEdit } from '../core/edit/types.ts';
import type { Position, Span } from '../core/finding.ts';
import { positionIn } from '../core/text/offsets.ts';
import { lineStarts, locate } from '../core/text/lines.ts';
import type { RecordSlot } from '../core/text/types.ts';

export function toPosition(position: Position): LspPosition {
  return { line: position.line, character: position.column };
}

export function toRange(place: { readonly start: Position; readonly end: Position }): Range {
  return { start: toPosition(place.start), end: toPosition(place.end) };
}

/** Range of a span of offsets inside a record's text. */
export function rangeIn(slot: RecordSlot, span: Span): Range {
  return toRange({ start: positionIn(slot, span.start), end: positionIn(slot, span.end) });
}

/**
 * Edits of a record's text as edits of the document that shows it, whose text is `text`; undefined where the document does not show
 * what they change.
 */
export function editsIn(slot: RecordSlot, edits: readonly TextEdit[], text: () => string): LspEdit[] | undefined {
  if (slot.lens === undefined) {
    return edits.map(({ span, text: newText }) => ({ range: rangeIn(slot, span), newText }));
  }
  const shown = slot.lens.edits(edits);
  if (shown === undefined) return undefined;
  const starts = lineStarts(text());
  const position = (offset: number): LspPosition => toPosition(locate(starts, offset));
  return shown.map(({ span, text: newText }) => ({
    range: { start: position(span.start), end: position(span.end) },
    newText,
  }));
}

export function contains(range: Range, position: LspPosition): boolean {
  return compare(range.start, position) <= 0 && compare(position, range.end) <= 0;
}

export function compare(a: LspPosition, b: LspPosition): number {
  return a.line - b.line || a.character - b.character;
}
