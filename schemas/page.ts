/**
 * Messages between the preview page and its host. The page knows nothing else of the outside; sources of pages arrive as
 * addresses it may fetch.
 */
import type { EvidencePage, EvidenceView, TextSpan } from './protocol.ts';

export interface PageSourceUrl {
  readonly kind: 'pdf' | 'image' | 'missing';
  /** Address to fetch; absent for `missing`. */
  readonly url?: string;
  /** 0-based; `pdf` only. */
  readonly pageIndex?: number;
  readonly message?: string;
}
export type ShownPage = Omit<EvidencePage, 'source'> & { readonly source: PageSourceUrl };
export type ShownEvidence = Omit<EvidenceView, 'pages'> & { readonly pages: readonly ShownPage[] };

/** Host → page. */
export type ToPage =
  | { readonly type: 'show'; readonly evidence: ShownEvidence | null; readonly message?: string }
  /** The cursor moved inside the record that is shown. */
  | { readonly type: 'cursor'; readonly pointer: string | null }
  /** From now on, nothing but the question and the evidence: answer, solution and findings when they are asked for. */
  | { readonly type: 'evidenceOnly' };

/** Page → host. */
export type FromPage =
  | { readonly type: 'ready' }
  /** `inString`: a part of the text there. */
  | { readonly type: 'select'; readonly index: number; readonly pointer: string; readonly inString?: TextSpan }
  | { readonly type: 'record'; readonly step: 1 | -1 }
  | { readonly type: 'openDocument'; readonly page: number }
  | { readonly type: 'log'; readonly level: 'error' | 'warning' | 'info'; readonly message: string };
