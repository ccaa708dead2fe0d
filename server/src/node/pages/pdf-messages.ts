import type { PageInk, PagePicture, PageSize, PageText } from '../../core/ports.ts';

/** What the thread that reads documents is asked for. `version` tells states of one file apart. */
export type PageTask =
  /** Sizes of all pages, and their labels. */
  | { readonly kind: 'sizes'; readonly path: string }
  /** Text and graphics of pages by 0-based position; those that fail are null. */
  | { readonly kind: 'text'; readonly path: string; readonly version: string; readonly pages: readonly number[] }
  /** Plain text of pages by 0-based position. */
  | { readonly kind: 'plain'; readonly path: string; readonly version: string; readonly pages: readonly number[] }
  /** Ink of a page image. */
  | { readonly kind: 'ink'; readonly path: string }
  /** A page image as PNG. */
  | { readonly kind: 'picture'; readonly path: string };

export interface Sizes {
  readonly pages: readonly PageSize[];
  readonly labels: readonly string[] | null;
}

/** The answer to each kind of task. */
export interface PageAnswers {
  readonly sizes: Sizes;
  readonly text: readonly (PageText | null)[];
  readonly plain: readonly string[];
  readonly ink: PageInk;
  readonly picture: PagePicture;
}

/** To the thread: one task. */
export interface PdfQuestion {
  readonly id: number;
  readonly task: PageTask;
}

/** From it. The first message after its start is `ready`. */
export type PdfAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly value: PageAnswers[PageTask['kind']] }
  /** `isLimit`: as `PageImageFault` has it. */
  | { readonly kind: 'unreadable'; readonly id: number; readonly reason: string; readonly isLimit: boolean };
