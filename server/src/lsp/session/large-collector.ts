import { createHashCounter } from '../../core/hash-index.ts';
import type { Finding } from '../../core/finding.ts';
import type { Checker, Collection, Found, RecordItems } from '../../core/pipeline.ts';
import type { DatasetMemory } from '../../core/rules/types.ts';
import { isLate } from '../../core/rules/across.ts';
import { laid } from './collector.ts';
import type { Collector } from './collector.ts';
import { slotOf } from './lay.ts';
import { briefOfFinding, detached } from './large-row.ts';
import type { LargeRow } from './large-row.ts';
import type { LargeTable } from './large-table.ts';
import type { FoundBrief, Row } from './rows.ts';

/** As `Collector`, for a file whose records are not kept: they are checked, laid and collected in one pass over the disk. */
export interface LargeCollector extends Collector {
  /** What is kept of `ofRow`. */
  briefsOf(row: Row): readonly FoundBrief[];
  /** How far the pass is, 0 to 1; undefined: none is under way. */
  readonly share: number | undefined;
}

/** What a pass does with a record beside collecting it. */
export interface LargePass {
  check(row: Row): void;
  lay(row: Row): void;
}

interface Across {
  readonly found: Found[];
  briefs: readonly FoundBrief[];
}

interface Underway {
  readonly revision: number;
  readonly collection: Collection;
  readonly counter: (key: number) => number;
  next: number;
  /** Once all records have been added: what was found, and what is left to be placed. */
  ending:
    | { readonly rows: ReadonlyMap<Row, Across>; readonly left: IterableIterator<Row>; readonly file: Found[] }
    | undefined;
}

export function createLargeCollector(
  table: LargeTable,
  memory: () => DatasetMemory | undefined,
  pass: LargePass,
): LargeCollector {
  let ofFile: readonly Finding[] = [];
  let ofRows: ReadonlyMap<Row, Across> = new Map();
  let placer: Collection | undefined;
  let seen = -1;
  let dirty = false;
  let underway: Underway | undefined;

  function collect(checker: Checker, ms: number): boolean {
    const end = performance.now() + ms;
    if (underway?.revision !== table.revision) {
      dirty = false;
      placer = checker.collect();
      underway = {
        revision: table.revision,
        collection: checker.collect(memory()),
        counter: createHashCounter(),
        next: 0,
        ending: undefined,
      };
    }
    const work = underway;
    const rows = table.large.rows();
    while (work.next < rows.length) {
      if (performance.now() > end) return false;
      take(rows[work.next]!, work);
      work.next++;
    }
    work.ending ??= endOf(work.collection, rows);
    if (!placeAll(work.ending, rows, end)) return false;
    ofFile = work.ending.file.flatMap((found) => placer?.place(found)?.finding ?? []);
    ofRows = work.ending.rows;
    seen = work.revision;
    underway = undefined;
    return true;
  }

  function take(row: LargeRow, { collection, counter }: Underway): void {
    pass.check(row);
    if (row.brief === undefined) return;
    const ordinal = counter(row.brief.ordinalKey);
    if (ordinal !== row.ordinal) {
      row.ordinal = ordinal;
      if (row.found !== undefined && row.found.length > 0) row.findings = undefined;
    }
    const facts = row.document === undefined ? {} : { document: row.document };
    // Text keeps less memory than what it says.
    row.items ??= detached(JSON.stringify(collection.digest(row.checked!, facts)));
    collection.reduce(row, JSON.parse(row.items) as RecordItems);
    if (row.found === undefined) pass.lay(row);
  }

  function endOf(collection: Collection, rows: readonly Row[]): NonNullable<Underway['ending']> {
    const file: Found[] = [];
    const across = new Map<Row, Across>();
    for (const found of collection.end()) {
      const row = found.index === null ? undefined : rows[found.index];
      // Late ones keep nothing of the record.
      const own = isLate(found.finding) ? found : detached(found);
      const known = row && across.get(row);
      if (row === undefined) file.push(own);
      else if (known === undefined) across.set(row, { found: [own], briefs: [] });
      else known.found.push(own);
    }
    return { rows: across, left: across.keys(), file };
  }

  /** false: time is up. */
  function placeAll({ rows, left }: NonNullable<Underway['ending']>, all: readonly Row[], end: number): boolean {
    for (;;) {
      if (performance.now() > end) return false;
      const next = left.next();
      if (next.done === true) return true;
      const across = rows.get(next.value)!;
      across.briefs = placedOf(next.value, across, all).map(briefOfFinding);
    }
  }

  function placedOf(row: Row, { found }: Across, rows: readonly Row[]): Finding[] {
    const { checked, document } = row;
    return found.flatMap((one) => {
      const facts = document && { document };
      const placed =
        checked && placer?.place({ ...one, index: row.index }, slotOf(row, checked), checked, row.ordinal, facts);
      if (placed === undefined) return [];
      const { finding, elsewhere } = placed;
      return { ...finding, related: [...finding.related, ...laid(elsewhere, rows)] };
    });
  }

  return {
    current: (moreToCome) => seen === table.revision && (moreToCome || !dirty),
    invalidate() {
      dirty = true;
    },
    restart() {
      underway = undefined;
      seen = -1;
    },
    get faults() {
      return table.faults();
    },
    ofFile: () => ofFile,
    ofRow(row) {
      const across = ofRows.get(row);
      return across === undefined ? [] : placedOf(row, across, table.rows());
    },
    briefsOf: (row) => ofRows.get(row)?.briefs ?? NOTHING,
    get share() {
      return underway === undefined ? undefined : underway.next / Math.max(1, table.rows().length);
    },
    collectNow: (checker) => void collect(checker, Infinity),
    collect,
  };
}

const NOTHING: readonly FoundBrief[] = [];
