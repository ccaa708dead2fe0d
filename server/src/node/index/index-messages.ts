import type { RecordIndex } from './record-index.ts';

/** From the thread that makes an index. */
export type IndexMessage =
  | { readonly kind: 'read'; readonly bytes: number }
  | { readonly kind: 'done'; readonly index: RecordIndex }
  /** To stand after the file's name. */
  | { readonly kind: 'failed'; readonly problem: string };
