/** Which pages are shown: those that the record cites, or all pages of its document with the cited ones among them. */
import type { ShownDocumentPage, ShownEvidence, ShownPage } from '../../../schemas/page.ts';

export interface PageEntry {
  readonly page: ShownPage;
  /** Number of its first region, counted from 1 over the whole record in the order in which the record cites its pages. */
  readonly first: number;
  /** 0-based among the cited pages; null: the record does not cite it. */
  readonly position: number | null;
}

/** Same file, same page, same key: over edits, records, and citing. */
export function keyOf({ number, source }: Pick<ShownPage, 'number' | 'source'>): string {
  const { kind, url = '', pageIndex = 0, message = '' } = source;
  return kind === 'missing' ? `missing ${number} ${message}` : `${kind} ${url}#${pageIndex}`;
}

/** "12 (iv)": the number as the record writes it, and the document's own label where it has another. */
export function pageName({ number, label }: { readonly number: number; readonly label?: string | null }): string {
  return label === undefined || label === null || label === '' || label === String(number)
    ? String(number)
    : `${number} (${label})`;
}

export function citedEntries(pages: ShownEvidence['pages']): readonly PageEntry[] {
  let first = 1;
  return pages.map((page, position) => {
    const entry = { page, first, position };
    first += page.regions.length;
    return entry;
  });
}

function uncited({ number, label, source, aspect, units }: ShownDocumentPage): PageEntry {
  const page: ShownPage = {
    number,
    pointer: '',
    source,
    aspect,
    regions: [],
    ...(label !== null && { label }),
    ...(units !== null && { units }),
  };
  return { page, first: 1, position: null };
}

/** In the order of the document. Cited pages that it does not have stand where their number belongs. */
export function allEntries(
  cited: readonly PageEntry[],
  documentPages: readonly ShownDocumentPage[],
): readonly PageEntry[] {
  const waiting = new Map<string, PageEntry[]>();
  for (const entry of cited) {
    const key = keyOf(entry.page);
    waiting.set(key, [...(waiting.get(key) ?? []), entry]);
  }
  const entries = documentPages.flatMap((page): readonly PageEntry[] => {
    const key = keyOf(page);
    const own = waiting.get(key);
    waiting.delete(key);
    return own ?? [uncited(page)];
  });
  for (const entry of [...waiting.values()].flat()) {
    const next = entries.findIndex(({ page }) => page.number > entry.page.number);
    entries.splice(next < 0 ? entries.length : next, 0, entry);
  }
  return entries;
}

/**
 * The page that somebody means: by its label, else by its number. Labels win, because they stand on the paper; case does not
 * matter. null: there is no such page.
 */
export function findPage<T extends { readonly number: number; readonly label?: string | null }>(
  pages: readonly T[],
  words: string,
): T | null {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') {
    return null;
  }
  const byLabel = pages.find(({ label }) => label?.toLowerCase() === wanted);
  return byLabel ?? pages.find(({ number }) => String(number) === wanted) ?? null;
}
