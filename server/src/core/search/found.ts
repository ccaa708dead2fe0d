/** What a search in a record finds, as people see it: where it stands, and an excerpt with what was asked for marked. */
import { cellFinder, isTable } from '../evidence/blocks.ts';
import type { Span } from '../finding.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { blockName } from '../rules/messages.ts';
import { citedBlocks } from '../trace/cited.ts';
import { nameOfPlace } from '../trace/find.ts';
import { indexBlock } from '../trace/index.ts';
import { labelsOf, rowLabel } from '../trace/table.ts';
import type { SearchHit } from './index.ts';
import { markedParts } from './place.ts';
import type { Query } from './terms.ts';

/** What is looked through: a block of the context, or the text of a page. */
export type Searched =
  | { readonly kind: 'block'; /** 0-based index in the context. */ readonly at: number; readonly text: string }
  | { readonly kind: 'page'; /** As the record would write it. */ readonly at: number; readonly text: string };

export interface Excerpt {
  readonly text: string;
  /** In order of place. */
  readonly marks: readonly Span[];
}

export interface Found {
  readonly kind: 'table' | 'text' | 'page';
  readonly at: number;
  /** Of the block, or of the page where it is cited. */
  readonly pointer: string | undefined;
  /** Offsets in the block's text, or in that of the page. */
  readonly inString: Span;
  /** `paragraphs[3] row "Revenue"`, `page 12`. */
  readonly name: string;
  readonly cited: boolean;
  readonly match: SearchHit['match'];
  readonly excerpt: Excerpt;
}

/** The blocks of a record's context that are text; `record` with its context (`withContext`). */
export function searchedBlocks({ context = [] }: CanonicalRecord): Searched[] {
  return context.flatMap((text, at): Searched[] =>
    typeof text === 'string' && text.trim() !== '' ? [{ kind: 'block', at, text }] : [],
  );
}

/** Hits among `texts`, described. */
export function describeHits(
  record: CanonicalRecord,
  texts: readonly Searched[],
  hits: readonly SearchHit[],
  query: Query,
): Found[] {
  const blocks = new Set(citedBlocks(record));
  const pages = pagesOf(record);
  return hits.map(({ text: position, match, place }): Found => {
    const { kind, at, text } = texts[position]!;
    const common = { at, match, inString: place };
    if (kind === 'page') {
      const cited = pages.indexOf(at);
      return {
        ...common,
        kind,
        pointer: cited < 0 ? undefined : pointerTo(record, 'pages', cited),
        name: `page ${at}`,
        cited: cited >= 0,
        excerpt: proseExcerpt(text, place, query),
      };
    }
    const { name, excerpt, isTable: isOfTable } = inBlock(record, at, text, place, query);
    const pointer = pointerTo(record, 'context', at);
    return { ...common, kind: isOfTable ? 'table' : 'text', pointer, name, cited: blocks.has(at), excerpt };
  });
}

/** The numbers of the cited pages, by position. */
export function pagesOf({ pages = [] }: CanonicalRecord): readonly number[] {
  return pages.map((page) => (typeof page === 'number' ? page : Number.parseInt(String(page), 10)));
}

function inBlock(
  record: CanonicalRecord,
  at: number,
  text: string,
  place: Span,
  query: Query,
): { readonly name: string; readonly excerpt: Excerpt; readonly isTable: boolean } {
  const own = blockName(record, at);
  if (!isTable(text)) return { name: own, excerpt: proseExcerpt(text, place, query), isTable: false };
  const cell = cellFinder(text)(place.start);
  const isBlank = query.words.length === 0 && query.numbers.length === 0;
  if (cell === undefined || isBlank) return { name: own, excerpt: proseExcerpt(text, place, query), isTable: true };
  const block = indexBlock(text).block();
  const cells = block.rows[cell.row] ?? [];
  const isNumber = query.numbers.length > 0 && query.words.length === 0;
  const labels = isNumber ? labelsOf(block, cell.row, cell.column) : { row: rowLabel(cells) };
  const row = cells
    .map((one) => one.replace(/\s+/g, ' '))
    .filter((one) => one !== '')
    .join(' | ');
  return {
    name: nameOfPlace(own, labels.row, 'column' in labels ? labels.column : undefined),
    excerpt: marked(row.length <= LONGEST ? row : `${row.slice(0, LONGEST)} …`, query),
    isTable: true,
  };
}

/** UTF-16 units of an excerpt, and of what stands before the place that was found. */
const LONGEST = 240;
const BEFORE = 60;

function proseExcerpt(text: string, place: Span, query: Query): Excerpt {
  const earliest = Math.max(0, place.start - BEFORE);
  const from = earliest === 0 ? 0 : earliest + (/^\S*\s*/.exec(text.slice(earliest, place.start))?.[0].length ?? 0);
  const latest = Math.min(text.length, Math.max(from + LONGEST, Math.min(place.end, from + 2 * LONGEST)));
  const to = latest === text.length ? latest : latest - (/\S*$/.exec(text.slice(from, latest))?.[0].length ?? 0);
  const flat = text.slice(from, to).replace(/\s+/g, ' ').trim();
  return marked(`${from > 0 ? '… ' : ''}${flat}${to < text.length ? ' …' : ''}`, query);
}

function marked(text: string, query: Query): Excerpt {
  const phrase = query.phrase?.exec(text);
  const marks = phrase
    ? [{ start: phrase.index, end: phrase.index + phrase[0].length }]
    : markedParts(text, { start: 0, end: text.length }, query).map(({ start, end }) => ({ start, end }));
  return { text, marks };
}
