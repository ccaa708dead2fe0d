import type { PageSize } from '../../core/ports.ts';

/** To the thread that reads PDFs: one file. */
export interface PdfQuestion {
  readonly id: number;
  readonly path: string;
}

/** From it. The first message after its start is `ready`. */
export type PdfAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'pages'; readonly id: number; readonly pages: readonly PageSize[] }
  | { readonly kind: 'unreadable'; readonly id: number; readonly reason: string };
