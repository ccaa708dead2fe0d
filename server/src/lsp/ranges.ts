/**
 * The one place where the core's positions meet LSP's. Both count 0-based lines and UTF-16 columns. Lines end at LF and CRLF
 * only, in both directions: VS Code sends a lone CR as LF, other editors keep it inside the line, as readers of JSONL do.
 */
import type { Position as LspPosition, Range } from 'vscode-languageserver/node';
import type { Position, Span } from '../core/finding.ts';
import { positionIn } from '../core/text/offsets.ts';
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

export function contains(range: Range, position: LspPosition): boolean {
  return compare(range.start, position) <= 0 && compare(position, range.end) <= 0;
}

export function compare(a: LspPosition, b: LspPosition): number {
  return a.line - b.line || a.character - b.character;
}
