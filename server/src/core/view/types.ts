import type { Position, Span } from '../finding.ts';
import type { TextEdit } from '../edit/types.ts';
import type { TextFault } from '../text/types.ts';

/**
 * A record seen through a document that shows it otherwise than its file does: formatted, or its solution alone. The pipeline goes
 * on to work on the record's JSON text; a lens alone knows where that text stands in the document. Positions are 0-based, columns
 * count UTF-16 units, lines end at LF.
 */
export interface Lens {
  /** Where an offset of the record's text is shown; what is not shown, at the nearest place that is. */
  position(offset: number): Position;
  /** The offset in the record's text of a place in the document; undefined where the document shows nothing of the record there. */
  offset(position: Position): number | undefined;
  /** Whether the document shows this part of the record's text, at least in part. */
  shows(span: Span): boolean;
  /**
   * Edits of the record's text as edits of the document, whose offsets are those of the document's text; in order of place.
   * undefined: they change what the document does not show.
   */
  edits(edits: readonly TextEdit[]): readonly TextEdit[] | undefined;
}

/** What a document says the record is. */
export interface ViewedRecord {
  /** The record's JSON text; where the document cannot be read, with faults as JSON.parse would find them. */
  readonly text: string;
  readonly lens: Lens;
  /**
   * What is wrong with the document beside its JSON (a text block that does not end), told with its 1-based line. Spans are those of
   * `text`, which is no JSON then either, so that nothing can be saved by mistake.
   */
  readonly faults: readonly TextFault[];
}

/** What saving a document changes in the record as it stands in the file now. */
export type Merge =
  /** Edits of the current text; none where nothing is to be changed. */
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  /** Both sides changed the same values. Pointers in the current record. */
  | { readonly kind: 'conflict'; readonly pointers: readonly string[] }
  /** The document's text is no JSON object: a sentence with line and column in the document (1-based). */
  | { readonly kind: 'unreadable'; readonly message: string };
