/** The regions that a record marks on its cited pages, however it nests them. */
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { isBox } from './geometry.ts';

export interface CitedRegion {
  /** What names it to the preview: where its box stands; of boxes that are stored in a text, where they would stand in a list. */
  readonly pointer: string;
  /** 0-based positions: of the page among the cited ones, and on the page. */
  readonly page: number;
  readonly at: number;
  /** The page has a box and not a list of boxes. */
  readonly isFlat: boolean;
  readonly box: unknown;
  readonly relative: unknown;
  readonly label: unknown;
}

/** Regions of one cited page, by its position. */
export function regionsOnPage(record: CanonicalRecord, page: number): readonly CitedRegion[] {
  const onPage = record.boxes?.[page];
  const relative = record.relativeBoxes?.[page];
  const label = record.labels?.[page];
  if (isBox(onPage)) {
    return [{ pointer: regionPointer(record, page), page, at: 0, isFlat: true, box: onPage, relative, label }];
  }
  if (!Array.isArray(onPage)) return [];
  return onPage.map((box: unknown, at) => ({
    pointer: regionPointer(record, page, at),
    page,
    at,
    isFlat: false,
    box,
    relative: elementOf(relative, at),
    label: elementOf(label, at),
  }));
}

export function citedRegions(record: CanonicalRecord): readonly CitedRegion[] {
  return (record.boxes ?? []).flatMap((_, page) => regionsOnPage(record, page));
}

function elementOf(list: unknown, at: number): unknown {
  return Array.isArray(list) ? list[at] : undefined;
}

/** What names a region, by its positions. */
export function regionPointer(record: CanonicalRecord, ...path: number[]): string {
  const pointer = pointerTo(record, 'boxes', ...path);
  const list = pointerTo(record, 'boxes');
  return pointer === list ? `${list}/${path.join('/')}` : pointer;
}

/** The number of a cited page as the record writes it, by its position; undefined where none is written. */
export function pageNumberAt({ pages }: Pick<CanonicalRecord, 'pages'>, at: number): number | undefined {
  const written = pages?.[at];
  const number = typeof written === 'number' ? written : Number.parseInt(String(written), 10);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Positions of a page among the cited ones. */
export function positionsOf(record: Pick<CanonicalRecord, 'pages'>, page: number): number[] {
  return (record.pages ?? []).flatMap((_, at) => (pageNumberAt(record, at) === page ? [at] : []));
}
