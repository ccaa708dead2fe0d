import { createOrdinals } from '../../core/checker.ts';
import type { Finding } from '../../core/finding.ts';
import type { Checker, Collection, PlaceElsewhere } from '../../core/pipeline.ts';
import type { DatasetMemory } from '../../core/rules/types.ts';
import { positionIn, spanOfPointer } from '../../core/text/offsets.ts';
import type { FileFault } from '../../core/text/types.ts';
import { moved } from './rows.ts';
import type { Row } from './rows.ts';
import type { Table } from './table.ts';

/** Findings that need all records of the file: looked for as a whole, kept until the next whole look. */
export interface Collector {
  /** Whether the last look saw the text, and the documents unless more of them are to come, as they are. */
  current(moreToCome: boolean): boolean;
  /** Facts that rules across the file read have changed. */
  invalidate(): void;
  /** What is known of other files has changed: the look begins anew. */
  restart(): void;
  /** Faults of the text that belong to no record. */
  readonly faults: readonly FileFault[];
  ofFile(): readonly Finding[];
  ofRow(row: Row): readonly Finding[];
  collectNow(checker: Checker): void;
  /** Goes on for about `ms`; true when the look is complete. */
  collect(checker: Checker, ms: number): boolean;
}

interface Laid {
  readonly line: number;
  readonly findings: Finding[];
}

/** `memory`: what is known of the files before this one. */
export function createCollector(table: Table, memory: () => DatasetMemory | undefined): Collector {
  let faults: readonly FileFault[] = [];
  let ofFile: readonly Finding[] = [];
  let ofRows = new Map<Row, Laid>();
  let seen = -1;
  let dirty = false;
  let underway:
    | { revision: number; next: number; collection: Collection; ordinalOf: ReturnType<typeof createOrdinals> }
    | undefined;

  function collect(checker: Checker, ms: number): boolean {
    const rows = table.rows();
    const end = performance.now() + ms;
    if (underway?.revision !== table.revision) {
      dirty = false;
      underway = {
        revision: table.revision,
        next: 0,
        collection: checker.collect(memory()),
        ordinalOf: createOrdinals(),
      };
    }
    const { collection, ordinalOf } = underway;
    while (underway.next < rows.length) {
      if ((underway.next & 63) === 0 && performance.now() > end) return false;
      const row = rows[underway.next++]!;
      if (row.checked === undefined) continue;
      const ordinal = ordinalOf(row.checked);
      if (ordinal !== row.ordinal) {
        row.ordinal = ordinal;
        if (row.findings !== undefined && row.findings.length > 0) row.findings = undefined;
      }
      collection.add(row, row.checked, row.document === undefined ? {} : { document: row.document });
    }
    finish(rows, collection);
    seen = underway.revision;
    underway = undefined;
    return true;
  }

  function finish(rows: readonly Row[], collection: Collection): void {
    faults = table.faults();
    const file: Finding[] = [];
    const byRow = new Map<Row, Laid>();
    for (const found of collection.end()) {
      const row = found.index === null ? undefined : rows[found.index];
      const document = row?.document;
      const placed = collection.place(found, row, row?.checked, row?.ordinal, document && { document });
      if (placed === undefined) continue;
      const { finding } = placed;
      if (row === undefined) {
        file.push(finding);
        continue;
      }
      const complete = { ...finding, related: [...finding.related, ...laid(placed.elsewhere, rows)] };
      const known = byRow.get(row);
      if (known === undefined) byRow.set(row, { line: row.line, findings: [complete] });
      else known.findings.push(complete);
    }
    ofFile = file;
    ofRows = byRow;
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
      return faults;
    },
    ofFile: () => ofFile,
    ofRow(row) {
      const laid = ofRows.get(row);
      return laid === undefined ? [] : laid.findings.map((finding) => moved(finding, row.line - laid.line, row.index));
    },
    collectNow: (checker) => void collect(checker, Infinity),
    collect,
  };
}

/** Related places in other records, which only the whole file can lay. */
export function laid(elsewhere: readonly PlaceElsewhere[], rows: readonly Row[]): Finding['related'] {
  return elsewhere.flatMap((place) => {
    const row = rows[place.recordIndex];
    if (row === undefined) return [];
    const span = spanOfPointer(row.text, place.pointer) ?? { start: 0, end: 1 };
    return [{ ...place, start: positionIn(row, span.start), end: positionIn(row, span.end) }];
  });
}
