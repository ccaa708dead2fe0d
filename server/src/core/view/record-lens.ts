/** The lens of a record document. */
import { applyEdits } from '../edit/edits.ts';
import type { TextEdit } from '../edit/types.ts';
import type { Span } from '../finding.ts';
import { replaceBetween } from '../edit/difference.ts';
import { recordDocument } from './document.ts';
import { isBorder, linesOf, toDocument, toText } from './segments.ts';
import type { Segments } from './segments.ts';
import { blockBody, fitsBlock, hides, quotesFor, showBlock, showString } from './shown.ts';
import type { Lens } from './types.ts';

/** A string that the document shows as a text block. */
export interface ShownBlock {
  /** Its token in the record's text. */
  readonly span: Span;
  /** With the quotation marks. */
  readonly inDocument: Span;
  readonly quotes: number;
  /** What every line begins with. */
  readonly indent: string;
}

/** `blocks` in order of place. */
export function createRecordLens(
  documentText: string,
  text: string,
  segments: Segments,
  blocks: readonly ShownBlock[],
): Lens {
  const lines = linesOf(documentText);
  const lineEnd = documentText.includes('\r\n') ? '\r\n' : '\n';

  return {
    position: (offset) => lines.position(toDocument(segments, offset)),
    offset(position) {
      const offset = lines.offset(position);
      return offset === undefined ? undefined : toText(segments, offset);
    },
    shows: ({ start, end }) => start <= text.length && end >= 0,
    edits(edits) {
      return pieceByPiece(edits) ?? rendered(edits);
    },
  };

  /** undefined: one of them changes part of what the document can only show as a whole. */
  function pieceByPiece(edits: readonly TextEdit[]): readonly TextEdit[] | undefined {
    const placed: TextEdit[] = [];
    for (let at = 0; at < edits.length;) {
      const edit = edits[at]!;
      const block = blockAround(blocks, edit.span);
      if (block === undefined) {
        const { start, end } = edit.span;
        const cuts = blockAround(blocks, { start: end, end }) !== undefined;
        if (cuts || !isBorder(segments, start) || !isBorder(segments, end)) return undefined;
        placed.push({
          span: { start: toDocument(segments, start), end: toDocument(segments, end) },
          text: edit.text,
        });
        at++;
        continue;
      }
      // All edits of one block are made together.
      const first = at;
      while (at < edits.length && edits[at]!.span.start < block.span.end) at++;
      const inside = edits.slice(first, at);
      if (inside.at(-1)!.span.end > block.span.end) return undefined;
      const own = inBlock(block, inside);
      if (own === undefined) return undefined;
      placed.push(...own);
    }
    return placed;
  }

  function inBlock({ span, inDocument, quotes, indent }: ShownBlock, edits: readonly TextEdit[]) {
    const shifted = edits.map((edit) => ({
      span: { start: edit.span.start - span.start, end: edit.span.end - span.start },
      text: edit.text,
    }));
    const token = applyEdits(text.slice(span.start, span.end), shifted);
    const value = stringOf(token);
    const isWhole = edits.length === 1 && edits[0]!.span.start === span.start && edits[0]!.span.end === span.end;
    // Something else takes the place of the text.
    if (value === undefined) return isWhole ? [{ span: inDocument, text: token }] : undefined;
    if (hides(value) || (isWhole && !fitsBlock(value))) return [{ span: inDocument, text: showString(value) }];
    if (quotesFor(value).length > quotes) return [{ span: inDocument, text: showBlock(value, indent, lineEnd) }];
    const body = { start: inDocument.start + quotes, end: inDocument.end - quotes };
    const changed = replaceBetween(documentText.slice(body.start, body.end), blockBody(value, indent, lineEnd));
    return changed.map((edit) => ({
      span: { start: body.start + edit.span.start, end: body.start + edit.span.end },
      text: edit.text,
    }));
  }

  function rendered(edits: readonly TextEdit[]): readonly TextEdit[] | undefined {
    const changed = recordDocument(applyEdits(text, edits));
    if (changed === undefined) return undefined;
    return replaceBetween(documentText, lineEnd === '\n' ? changed : changed.replaceAll('\n', lineEnd));
  }
}

/** The block that a span lies in or is; what stands before or after it, or encloses it together with more, is outside. */
function blockAround(blocks: readonly ShownBlock[], { start, end }: Span): ShownBlock | undefined {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (blocks[middle]!.span.end <= start) low = middle + 1;
    else high = middle;
  }
  const block = blocks[low];
  if (block === undefined) return undefined;
  if (block.span.start === start && block.span.end === end) return block;
  // An edit that goes beyond the block at one side only has no borders here, and is refused by its caller.
  return block.span.start < start ? block : undefined;
}

/** The string that a token spells; undefined where it is no string. */
function stringOf(token: string): string | undefined {
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
