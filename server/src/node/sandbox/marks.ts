/**
 * What the write barrier of the interpreter's module (barrier.ts) and the restoring of its heap agree on. The module notes
 * each of its writes in a second memory, one byte for each page of the first, not zero where it wrote.
 */

/** Bytes of a page, as a power of two. */
export const PAGE_BITS = 12;
/** A noted page may have been written this many bytes behind its end, too. */
export const COVER = 272;
/** Name of the second memory among the module's imports of `env`. */
export const MARKS = 'written_pages';
/** Its size in pages of 64 KiB: enough for 4 GiB. */
export const MARKS_PAGES = 2 ** (32 - PAGE_BITS - 16);
