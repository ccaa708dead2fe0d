/** Finding evidence in a record, and citing it: what the client asks and the language server answers. */
import type { ProtocolRange, TextSpan } from './protocol.ts';

/** Client → server: what of the record's context, and of the pages of its document, has the words or numbers of a query. */
export const SEARCH = 'auditableQa/search';
export interface SearchParams {
  /** Of a record file, or of a document that shows one record. */
  readonly uri: string;
  /** 0-based. */
  readonly index: number;
  readonly query: string;
  /** Answer when the text of the pages is there too (`SearchResult.pending`); else at once. */
  readonly withPages?: boolean;
}

/** What can be cited: a block by its 0-based index in the context, or a page by its number as the record writes pages. */
export type Citable = { readonly kind: 'block'; readonly at: number } | { readonly kind: 'page'; readonly at: number };

export interface SearchItem {
  readonly target: Citable;
  readonly kind: 'table' | 'text' | 'page';
  /** `paragraphs[3] row "Revenue"`, `page 12`. */
  readonly name: string;
  /** Where it stands in the text of the block or the page. */
  readonly inString: TextSpan;
  /** JSON pointer of a cited page, for the preview; null: it is not cited, or no page. */
  readonly page: string | null;
  readonly excerpt: string;
  /** Parts of the excerpt that were asked for, in order. */
  readonly marks: readonly TextSpan[];
  readonly match: 'phrase' | 'number' | 'other-sign' | 'scaled' | 'words';
  readonly cited: boolean;
  /** Whether the record can say that it is cited, or not any more. */
  readonly citable: boolean;
}

export interface SearchResult {
  /** Best first; all blocks in order, cited ones first, where the query is blank. */
  readonly items: readonly SearchItem[];
  /** What was looked through. */
  readonly blocks: number;
  readonly pages: number;
  /** The text of the pages is still to be read: ask again `withPages`. */
  readonly pending: boolean;
  /** Why nothing could be looked through, as a sentence; null: something could. */
  readonly problem: string | null;
}

/** Client → server: cites something, or takes it out of the evidence. */
export const CITE = 'auditableQa/cite';
export interface CiteParams {
  readonly uri: string;
  /** 0-based. */
  readonly index: number;
  readonly target: Citable;
  /** true: takes the citation out. */
  readonly remove: boolean;
  /** Addresses of open documents with changes that are not saved. */
  readonly dirty: readonly string[];
}

export type CiteResult =
  /** To be made in a document that is open: the one asked for, or another one that shows the record. */
  | {
      readonly kind: 'edits';
      readonly uri: string;
      readonly version: number;
      readonly edits: readonly { readonly range: ProtocolRange; readonly newText: string }[];
      readonly name: string;
    }
  /** The server wrote the record file, which is not open. */
  | { readonly kind: 'written'; readonly uri: string; readonly name: string }
  /** It cannot be cited; as a sentence. */
  | { readonly kind: 'problem'; readonly message: string };

/** Client → server: where something that was found stands, in a document that shows it. null: no document does. */
export const SHOW_FOUND = 'auditableQa/showFound';
export interface ShowFoundParams {
  readonly uri: string;
  /** 0-based. */
  readonly index: number;
  readonly target: Citable;
  readonly inString: TextSpan;
}
export type FoundPlace =
  | { readonly kind: 'text'; readonly uri: string; readonly range: ProtocolRange }
  /** A file with pages; `pageIndex` is 0-based. */
  | { readonly kind: 'pdf'; readonly uri: string; readonly pageIndex: number };
