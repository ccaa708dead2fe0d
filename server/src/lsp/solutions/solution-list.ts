/** The solutions of record files as a test explorer shows them, and runs of them. */
import type {
  SolutionEntries,
  SolutionEntriesParams,
  SolutionEntry,
  SolutionListParams,
  SolutionListResult,
  SolutionResult,
  SolutionResultsParams,
  SolutionRunParams,
  SolutionRunResult,
} from '../../../../schemas/solutions.ts';
import { keyOf } from '../../core/checker.ts';
import type { Position } from '../../core/finding.ts';
import { hashText } from '../../core/hash.ts';
import type { Cancel } from '../../core/ports.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { positionIn, spanOfPointer } from '../../core/text/offsets.ts';
import type { Files } from '../session/files.ts';
import { shorten } from '../features/markdown.ts';
import { createKeptLists } from '../kept-lists.ts';
import { toPosition } from '../ranges.ts';
import type { RecordTable } from '../records/record-list.ts';
import { detached } from '../session/large-row.ts';
import { hasSolution, isChecked } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { solutionResult } from './solution-results.ts';

export interface SolutionLists {
  list(params: SolutionListParams): Promise<SolutionListResult>;
  entries(params: SolutionEntriesParams): Promise<SolutionEntries>;
  run(params: SolutionRunParams, cancel: Cancel): Promise<SolutionRunResult>;
  /** Something of a file may be otherwise than it was. */
  looked(uri: string): void;
  /** A file is another one on disk. */
  diskChanged(uri: string): void;
}

export interface SolutionListHost {
  readonly files: Pick<Files, 'session' | 'atHand' | 'problem'>;
  /** Of the server: keys of another one name other records. */
  readonly epoch: string;
  /** The table of a session, in step with it: it names the records. */
  tableOf(session: Session): RecordTable;
  /** Why no solution may be run now, as a sentence; undefined: they may. */
  cannotRun(): string | undefined;
  /** A list that was asked for, or an entry of it, is another one. Called seldom: at most every 200 ms and a tenth of the time. */
  changed(uri: string): void;
  results(params: SolutionResultsParams): void;
}

/** Of files that are not at hand. */
const KEPT = 100;
const CHANGED_MS = 200;
const RESULTS_MS = 60;
const RUNS_AT_ONCE = 16;
/** So many records that were typed in are checked at once; where more are left, the file is just being read. */
const CHECKED_AT_ONCE = 100;
const QUESTION = 200;
const NONE = {};

/** What is shown of a solution wherever its record stands. */
interface Shown {
  readonly id: string;
  readonly name: string | null;
  readonly question: string | null;
  readonly mark: string;
  /** Of the solution, in lines and columns from where the record begins. */
  readonly from: Position;
  readonly to: Position;
}

interface Kept {
  /** That names the records. */
  table: RecordTable | undefined;
  epoch: string;
  keys: readonly number[];
  complete: boolean;
  /** It is another file on disk, which may not have been read yet. */
  other: boolean;
  revision: number;
  /** As they were given, each with the revision in which it came to be so. */
  readonly entries: Map<number, { readonly entry: SolutionEntry; readonly revision: number }>;
  /** Of the entries, as it was given last. */
  shown: number;
  /** How long the last answer took, in ms. */
  cost: number;
  timer: NodeJS.Timeout | undefined;
}

export function createSolutionLists(host: SolutionListHost): SolutionLists {
  const isAtHand = (uri: string): boolean => host.files.atHand(uri) !== undefined;
  const lists = createKeptLists<Kept>(KEPT, isAtHand, () => ({
    table: undefined,
    epoch: '',
    keys: [],
    complete: false,
    other: false,
    revision: 0,
    entries: new Map(),
    shown: 0,
    cost: 0,
    timer: undefined,
  }));
  /** By the record's `brief` where it is of a large file: what was checked is not kept then. */
  const known = new WeakMap<object, Shown>();
  /** Of all files: revisions of a list that was given up and made anew are others, too. */
  let count = 0;

  async function sessionOf(uri: string): Promise<Session | undefined> {
    const session = await host.files.session(uri);
    return session?.checker === undefined ? undefined : session;
  }

  function shownOf(row: Row): Shown | undefined {
    const before = known.get(row.brief ?? row.checked ?? NONE);
    if (before !== undefined) return before;
    const { checked } = row;
    if (checked === undefined) return undefined;
    const { record, solution } = checked;
    const span = record && spanOfPointer(checked.text, pointerTo(record, 'solution'));
    if (record === undefined || span === undefined) return undefined;
    const atStart = { index: 0, line: 0, column: 0, offset: 0, text: checked.text };
    const shown: Shown = {
      id: keyOf(checked),
      name: record.id === undefined || record.id.trim() === '' ? null : record.id,
      question: record.question === undefined ? null : shorten(record.question, QUESTION),
      mark: hashText(solution?.source ?? JSON.stringify(record.program ?? null), JSON.stringify(record.gold ?? null)),
      from: positionIn(atStart, span.start),
      to: positionIn(atStart, span.end),
    };
    const kept = row.brief === undefined ? shown : detached(shown);
    known.set(row.brief ?? checked, kept);
    return kept;
  }

  function entryOf(row: Row, key: number): SolutionEntry | undefined {
    const shown = shownOf(row);
    if (shown === undefined) return undefined;
    const { id, name, question, mark, from, to } = shown;
    const own = row.ordinal === 0 ? id : `${id}#${row.ordinal}`;
    return {
      key,
      id: own,
      index: row.index,
      name,
      question,
      range: { start: placeIn(row, from), end: placeIn(row, to) },
      mark,
    };
  }

  /** Whether the client would be answered otherwise now. A file that was only read anew is no other one. */
  function isOther(kept: Kept, uri: string): boolean {
    const session = host.files.atHand(uri);
    if (session?.checker === undefined) return false;
    const table = host.tableOf(session);
    const { keys, complete } = keysOf(session, table, kept.keys);
    if (!kept.complete) return complete;
    if (kept.table !== table || !isSameList(keys, kept.keys)) return true;
    for (const [key, { entry }] of kept.entries) {
      const row = table.rowOf(key);
      const now = row && entryOf(row, key);
      if (now === undefined || !isSameEntry(entry, now)) return true;
    }
    return false;
  }

  function later(uri: string): void {
    const kept = lists.get(uri);
    if (kept === undefined) return;
    kept.timer ??= setTimeout(
      () => {
        kept.timer = undefined;
        const isNews = kept.other || isOther(kept, uri);
        kept.other = false;
        if (isNews) host.changed(uri);
      },
      Math.max(CHANGED_MS, 10 * kept.cost),
    );
  }

  function runRows(
    session: Session,
    table: RecordTable,
    { uri, keys, run, again }: SolutionRunParams,
    cancel: Cancel,
  ): Promise<void> {
    let started: number[] = [];
    let results: SolutionResult[] = [];
    let next = 0;
    const tell = (): void => {
      if (started.length + results.length > 0) host.results({ run, uri, started, results });
      started = [];
      results = [];
    };
    const work = async (): Promise<void> => {
      while (next < keys.length && !cancel.aborted) {
        const key = keys[next++]!;
        const row = table.rowOf(key);
        if (row === undefined) continue;
        started.push(key);
        if (again || row.run === undefined) await session.run(row);
        // What was changed while it ran: the record as it is now was not run.
        if (!row.gone) results.push(solutionResult(session, row, key, host.cannotRun()));
        if (next % CHECKED_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const timer = setInterval(tell, RESULTS_MS);
    return Promise.all(Array.from({ length: RUNS_AT_ONCE }, work))
      .then(tell)
      .finally(() => clearInterval(timer));
  }

  return {
    async list({ uri, since, epoch }) {
      const session = await sessionOf(uri);
      if (session === undefined) return { kind: 'problem', message: host.files.problem(uri) };
      const start = performance.now();
      const kept = lists.of(uri);
      checkSome(session);
      const table = host.tableOf(session);
      if (kept.table !== table) {
        kept.table = table;
        kept.epoch = `${host.epoch}/${++count}`;
        kept.entries.clear();
      }
      const { keys, complete } = keysOf(session, table, kept.keys);
      kept.complete = complete;
      if (!isSameList(keys, kept.keys)) {
        kept.keys = keys;
        kept.revision = ++count;
        const there = new Set(keys);
        for (const key of kept.entries.keys()) if (!there.has(key)) kept.entries.delete(key);
      }
      kept.cost = performance.now() - start;
      const isKnown = since === kept.revision && epoch === kept.epoch;
      return { kind: 'list', epoch: kept.epoch, revision: kept.revision, keys: isKnown ? null : keys, complete };
    },

    async entries({ uri, keys, since }) {
      const session = await sessionOf(uri);
      const kept = lists.of(uri);
      if (session === undefined) return { revision: kept.shown, entries: [] };
      const start = performance.now();
      checkSome(session);
      const table = host.tableOf(session);
      const revision = ++count;
      const entries: SolutionEntry[] = [];
      for (const key of keys) {
        const row = table.rowOf(key);
        const entry = row && entryOf(row, key);
        if (entry === undefined) continue;
        const before = kept.entries.get(key);
        const isSame = before !== undefined && isSameEntry(before.entry, entry);
        if (!isSame) kept.entries.set(key, { entry, revision });
        if (!isSame || since === undefined || before.revision > since) entries.push(entry);
      }
      kept.shown = revision;
      kept.cost += performance.now() - start;
      return { revision, entries };
    },

    async run(params, cancel) {
      const session = await sessionOf(params.uri);
      if (session === undefined) return { problem: host.files.problem(params.uri) };
      const problem = host.cannotRun();
      if (problem !== undefined) return { problem };
      await runRows(session, host.tableOf(session), params, cancel);
      return { problem: null };
    },

    looked: later,
    diskChanged(uri) {
      const kept = lists.get(uri);
      if (kept !== undefined) kept.other = true;
      later(uri);
    },
  };
}

/** A place that is told from where a record begins. */
function placeIn({ line, column }: Row, from: Position): SolutionEntry['range']['start'] {
  return toPosition({ line: line + from.line, column: from.line === 0 ? column + from.column : from.column });
}

/** The records with a solution. Those that are not checked yet are taken for what they were. */
function keysOf(
  session: Session,
  table: RecordTable,
  known: readonly number[],
): { readonly keys: readonly number[]; readonly complete: boolean } {
  let before: ReadonlySet<number> | undefined;
  const keys: number[] = [];
  let complete = true;
  for (const row of session.rows()) {
    const key = table.keyOf(row);
    if (!isChecked(row)) {
      complete = false;
      before ??= new Set(known);
      if (before.has(key)) keys.push(key);
    } else if (hasSolution(row)) keys.push(key);
  }
  return { keys, complete };
}

function isSameList(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}

/** Records that were just typed in, so that the list has them as they are. */
function checkSome(session: Session): void {
  const unchecked: Row[] = [];
  // Of a large file what was changed is checked in the background, like all of it.
  if (session.large !== undefined) return;
  for (const row of session.rows()) {
    if (isChecked(row)) continue;
    unchecked.push(row);
    if (unchecked.length > CHECKED_AT_ONCE) return;
  }
  for (const row of unchecked) session.rowAt({ line: row.line, character: row.column });
}

function isSameEntry(one: SolutionEntry, other: SolutionEntry): boolean {
  return (
    one.id === other.id &&
    one.index === other.index &&
    one.name === other.name &&
    one.question === other.question &&
    one.mark === other.mark &&
    one.range.start.line === other.range.start.line &&
    one.range.start.character === other.range.start.character &&
    one.range.end.line === other.range.end.line &&
    one.range.end.character === other.range.end.character
  );
}
