import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import type { Finding } from '../../core/finding.ts';
import type { Checker, CheckedText } from '../../core/pipeline.ts';
import { indexInPassing } from '../../core/trace/index.ts';
import { parseRecordText } from '../../core/text/parse.ts';
import type { FileFault, RecordSlot } from '../../core/text/types.ts';
import type { IndexedFile } from '../../node/index/indexed-file.ts';
import { isMarkedSo, markAt, markOf, NO_ELEMENT, withPlainLines } from '../../node/index/record-index.ts';
import type { Mark, RecordIndex } from '../../node/index/record-index.ts';
import { LargeRow } from './large-row.ts';
import type { LargeSource } from './large-row.ts';
import { drop } from './rows.ts';
import { layRow } from './lay.ts';
import type { Row } from './rows.ts';
import type { Table } from './table.ts';

/** The records of a file that is not taken into memory; they are read from the disk one by one. */
export interface LargeTable extends Table {
  readonly large: LargeRecords;
}

export interface LargeRecords {
  readonly file: IndexedFile;
  rows(): readonly LargeRow[];
  /** By what records are checked (anew). */
  use(checker: Checker | undefined): void;
  /** What is read of a record in `work` is not kept: it goes through all of them, and others are in use. */
  passing<T>(work: () => T): T;
  /** The first record with this text, the nearest to `near` (0-based) of several. Nothing is read. */
  withText(text: string, near: number): Row | undefined;
  /** The file is another one on disk. Records whose text is the same keep what is known of them; `successors` are those that were changed, by their 0-based index. */
  adopt(index: RecordIndex, successors?: ReadonlySet<number>): void;
  /** Where records lie inside elements, as it is wanted; other than in the index: it is to be made anew, and there are no rows. */
  readonly wanted: string | undefined;
}

export interface LargeTableHost {
  /** A record is not on disk any more as it was indexed. */
  stale(): void;
}

/** A record is not on disk any more as it was indexed. */
export class ChangedOnDisk extends Error {}

/** UTF-16 units of the texts that are kept, and of the texts of which what was read is kept; at least one of each. */
const TEXTS = 4_000_000;
const CHECKED = 1_500_000;
const FINDINGS = 64;
const OUTERS = 2;

export function createLargeTable(file: IndexedFile, firstVersion: number, host: LargeTableHost): LargeTable {
  let version = firstVersion;
  let revision = 1;
  let checker: Checker | undefined;
  let wanted = file.index.records;
  let isPassing = false;
  const texts = createLru<LargeRow, string>(TEXTS, (text) => text.length);
  const checked = createLru<LargeRow, CheckedText>(CHECKED, ({ text }) => text.length);
  const findings = createLru<LargeRow, readonly Finding[]>(FINDINGS, () => 1);
  const outers = createLru<string, NonNullable<RecordSlot['outer']>>(OUTERS, () => 1);
  /** The row that was asked for last: whatever else is kept. */
  const hot: { row: LargeRow | undefined; text: string | undefined; checked: CheckedText | undefined } = {
    row: undefined,
    text: undefined,
    checked: undefined,
  };
  let laid: { readonly row: LargeRow; readonly findings: readonly Finding[] } | undefined;

  function heat(row: LargeRow): typeof hot {
    if (hot.row !== row) Object.assign(hot, { row, text: undefined, checked: undefined });
    return hot;
  }

  function changed(): never {
    host.stale();
    throw new ChangedOnDisk(`${file.path} has changed on disk since it was read; it is being read again`);
  }

  const source: LargeSource = {
    textOf(row) {
      const known = (hot.row === row ? hot.text : undefined) ?? texts.get(row);
      if (known !== undefined) return known;
      if (row.gone) throw new ChangedOnDisk(`The record is not in ${file.path} any more`);
      const text = withPlainLines(file.textOf(row.index) ?? changed());
      heat(row).text = text;
      if (!isPassing) texts.set(row, text);
      return text;
    },
    outerOf(row) {
      const { elementOf, elements } = file.index;
      if (elements === undefined || row.gone) return undefined;
      const element = elementOf?.[row.index] ?? NO_ELEMENT;
      if (element === NO_ELEMENT) return undefined;
      const key = `${elements.marks[2 * element]} ${elements.marks[2 * element + 1]}`;
      const known = outers.get(key);
      if (known !== undefined) return known;
      const text = file.elementTextOf(row.index);
      if (text === null) return undefined;
      const outer = { text: withPlainLines(text ?? changed()), value: {} as Readonly<Record<string, unknown>> };
      outer.value = parseRecordText(outer.text).value ?? {};
      outers.set(key, outer);
      return outer;
    },
    lineOf: (row) => file.index.places.lines[row.index] ?? 0,
    columnOf: (row) => file.index.places.columns[row.index] ?? 0,
    offsetOf: (row) => file.index.places.offsets[row.index] ?? 0,
    checkedOf(row) {
      const known = (hot.row === row ? hot.checked : undefined) ?? checked.get(row);
      if (known !== undefined || checker === undefined) return known;
      const fresh = checker.checkText(row.text, row.outer);
      source.keepChecked(row, fresh);
      return fresh;
    },
    findingsOf(row) {
      const known = (laid?.row === row ? laid.findings : undefined) ?? findings.get(row);
      if (known !== undefined || checker === undefined) return known ?? [];
      const fresh = layRow(row, row.checked!, checker);
      row.laidLine = row.line;
      row.laidIndex = row.index;
      source.keepFindings(row, fresh);
      return fresh;
    },
    keepChecked(row, fresh) {
      heat(row).checked = fresh;
      if (isPassing) checked.delete(row);
      else checked.set(row, fresh);
    },
    keepFindings(row, fresh) {
      laid = { row, findings: fresh };
      if (isPassing) findings.delete(row);
      else findings.set(row, fresh);
    },
    forget(row) {
      if (hot.row === row) hot.checked = undefined;
      if (laid?.row === row) laid = undefined;
      checked.delete(row);
      findings.delete(row);
    },
  };

  let rows: readonly LargeRow[] = Array.from({ length: file.index.places.count }, (_, at) => new LargeRow(at, source));
  const NONE: readonly LargeRow[] = [];
  const isAsWanted = (): boolean => file.index.records === wanted;
  const rowsAsWanted = (): readonly LargeRow[] => (isAsWanted() ? rows : NONE);

  function adopt(index: RecordIndex, successors?: ReadonlySet<number>): void {
    const old = rows;
    const matches = matchRecords(file.index, index);
    const kept: (LargeRow | undefined)[] = Array.from({ length: index.places.count }, (_, at) => old[matches(at)]);
    const staying = new Set(kept);
    const leaving = old.filter((row) => !staying.has(row));
    for (const row of leaving) row.leave();
    file.adopt(index, successors !== undefined);
    revision++;
    rows = kept.map((known, at) => {
      const row = known ?? new LargeRow(at, source);
      if (known === undefined) row.since = revision;
      row.index = at;
      return row;
    });
    for (const row of leaving) {
      drop(row);
      row.until = revision;
      const successor = successors?.has(row.index) === true ? rows[row.index] : undefined;
      if (successor === undefined || staying.has(successor)) continue;
      row.successor = successor;
      successor.since = row.since;
    }
    Object.assign(hot, { row: undefined, text: undefined, checked: undefined });
    outers.clear();
  }

  return {
    get version() {
      return version;
    },
    get revision() {
      return revision;
    },
    rows: rowsAsWanted,
    faults: (): readonly FileFault[] => file.index.faults,
    text() {
      throw new Error(`${file.path} is too large to be taken into memory as a whole`);
    },
    change(_: readonly TextDocumentContentChangeEvent[], now: number) {
      version = now;
    },
    nest(pointer) {
      if (pointer === wanted) return;
      wanted = pointer;
      revision++;
      if (!isAsWanted()) host.stale();
    },
    large: {
      file,
      rows: rowsAsWanted,
      use(given) {
        if (given === checker) return;
        checker = given;
        Object.assign(hot, { row: undefined, text: undefined, checked: undefined });
        laid = undefined;
        checked.clear();
        findings.clear();
      },
      passing(work) {
        const before = isPassing;
        isPassing = true;
        try {
          return indexInPassing(work);
        } finally {
          isPassing = before;
        }
      },
      withText(text, near) {
        const { places } = file.index;
        const mark = markOf(text);
        let best: number | undefined;
        for (let at = 0; at < places.count; at++) {
          if (!isMarkedSo(places, at, mark)) continue;
          if (best === undefined || Math.abs(at - near) < Math.abs(best - near)) best = at;
        }
        return best === undefined || !isAsWanted() ? undefined : rows[best];
      },
      adopt,
      get wanted() {
        return wanted;
      },
    },
  };
}

/** Of each record of an index the record of another one with the same text, -1 where there is none; each is given once. */
function matchRecords(old: RecordIndex, fresh: RecordIndex): (at: number) => number {
  const shorter = Math.min(old.places.count, fresh.places.count);
  let head = 0;
  while (head < shorter && isSame(old, head, fresh, head)) head++;
  let tail = 0;
  while (tail < shorter - head && isSame(old, old.places.count - 1 - tail, fresh, fresh.places.count - 1 - tail))
    tail++;
  const leaving = new Map<string, number[]>();
  for (let at = head; at < old.places.count - tail; at++) {
    const others = leaving.get(markText(old, at));
    if (others === undefined) leaving.set(markText(old, at), [at]);
    else others.push(at);
  }
  const shift = old.places.count - fresh.places.count;
  return (at) => {
    if (at < head) return at;
    if (at >= fresh.places.count - tail) return at + shift;
    return leaving.get(markText(fresh, at))?.shift() ?? -1;
  };
}

function isSame(old: RecordIndex, one: number, fresh: RecordIndex, other: number): boolean {
  if (!isMarkedSo(old.places, one, markAt(fresh.places, other))) return false;
  const [before, now] = [elementMark(old, one), elementMark(fresh, other)];
  return before?.high === now?.high && before?.low === now?.low;
}

/** A nested record is another one when what it lies in has changed. */
function elementMark({ elements, elementOf }: RecordIndex, at: number): Mark | undefined {
  const element = elementOf?.[at] ?? NO_ELEMENT;
  return elements === undefined || element === NO_ELEMENT ? undefined : markAt(elements, element);
}

function markText(index: RecordIndex, at: number): string {
  const { high, low } = markAt(index.places, at);
  const outer = elementMark(index, at);
  return outer === undefined ? `${high} ${low}` : `${high} ${low} ${outer.high} ${outer.low}`;
}

interface Lru<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  clear(): void;
}

/** Those that were used last, of all sizes together no more than `limit`, and the last one whatever its size. */
function createLru<K, V>(limit: number, sizeOf: (value: V) => number): Lru<K, V> {
  const kept = new Map<K, V>();
  let size = 0;
  function remove(key: K): void {
    const known = kept.get(key);
    if (known !== undefined && kept.delete(key)) size -= sizeOf(known);
  }
  return {
    get(key) {
      const known = kept.get(key);
      if (known === undefined) return undefined;
      kept.delete(key);
      kept.set(key, known);
      return known;
    },
    set(key, value) {
      remove(key);
      kept.set(key, value);
      size += sizeOf(value);
      for (const oldest of kept.keys()) {
        if (size <= limit || oldest === key) break;
        remove(oldest);
      }
    },
    delete: remove,
    clear() {
      kept.clear();
      size = 0;
    },
  };
}
