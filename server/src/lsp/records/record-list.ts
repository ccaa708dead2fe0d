/** The records of one file as a list: what is known of each row is summed up once, and again only where it has changed. */
import { randomInt } from 'node:crypto';
import type { ListedRecord, RecordFilter, RecordOrder, RecordQuery } from '../../../../schemas/records.ts';
import { FACETS, NO_FILTER } from '../../../../schemas/records.ts';
import type { Facet } from '../../../../schemas/records.ts';
import type { Severity, Verdict } from '../../../../schemas/report.ts';
import type { Finding } from '../../core/finding.ts';
import { filterRecords, haystackOf, orderOf } from '../../core/list/filter.ts';
import type { Filtered } from '../../core/list/filter.ts';
import { createInterner } from '../../core/list/interner.ts';
import type { Interners, RecordFacts, Summary } from '../../core/list/summary.ts';
import { factsOf, summaryOf, UNCHECKED } from '../../core/list/summary.ts';
import { LargeRow } from '../session/large-row.ts';
import { follow, isChecked, isLaid } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

/** A list of the records of one file, for one filter and order at a time. */
export interface RecordTable {
  /** Brings the list in step with the session, where it is another one, has other rows or was looked at; gives the rows of the file. */
  refresh(session: Session): readonly Row[];
  /** Something of the records may be otherwise than it was. */
  looked(): void;
  readonly solutions: { readonly done: number; readonly total: number };
  /** Another one after a `refresh` that found something changed. */
  readonly revision: number;
  readonly interners: Interners;
  /** In the order of the file. */
  readonly summaries: readonly Summary[];
  readonly checked: number;
  /** Findings of all records. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** How many have an id. */
  readonly named: number;
  filter(query: Pick<RecordQuery, 'filter' | 'order'>): Filtered;
  keyOf(row: Row): number;
  /** undefined: there is no such record (any more). */
  rowOf(key: number): Row | undefined;
  listed(position: number): ListedRecord;
}

/** A summary with what it was made from. */
interface Made {
  readonly summary: Summary;
  /** `checked` and `findings` of the row, or what is kept of them. */
  readonly checked: object | undefined;
  readonly found: object | undefined;
  readonly run: Row['run'];
  readonly running: boolean;
  readonly judgement: number;
  /** Rules across the file had found something: these findings are laid anew each time. */
  readonly across: boolean;
}

const NOTHING: readonly Pick<Finding, 'code' | 'severity'>[] = [];

/** No key names two records, of whatever list: one that was dropped since, or another server's. */
let lastKey = randomInt(2 ** 31) * 2 ** 21;

function newKey(): number {
  lastKey += 1;
  return lastKey;
}

export function createRecordTable(): RecordTable {
  const interners = Object.fromEntries(FACETS.map((facet) => [facet, createInterner()])) as Record<
    Facet,
    ReturnType<typeof createInterner>
  > satisfies Interners;
  const facts = new WeakMap<object, RecordFacts>();
  let made = new WeakMap<Row, Made>();
  let keys = new WeakMap<Row, number>();
  let byKey = new Map<number, Row>();
  let rows: readonly Row[] = [];
  let summaries: readonly Summary[] = [];
  let haystacks: (string | undefined)[] = [];
  let revision = 0;
  let checked = 0;
  let named = 0;
  let counts = { error: 0, warning: 0, info: 0 };
  let solutions = { done: 0, total: 0 };
  let stale = true;
  let current: Session | undefined;
  let orders = new Map<string, Uint32Array>();
  let last: { readonly asked: string; readonly filtered: Filtered } | undefined;

  function refresh(session: Session): readonly Row[] {
    const now = session.rows();
    const isOther = session !== current;
    if (!isOther && now === rows && !stale) return rows;
    stale = false;
    if (isOther) {
      made = new WeakMap();
      adopt(now);
      current = session;
    } else if (now !== rows) inherit(now);
    let changed = isOther || now !== rows;
    checked = 0;
    named = 0;
    counts = { error: 0, warning: 0, info: 0 };
    solutions = { done: 0, total: 0 };
    const fresh = now.map((row, at) => {
      const summary = summaryFor(session, row);
      changed ||= summary !== summaries[at];
      if (summary.checked) checked++;
      if (summary.id !== null) named++;
      counts.error += summary.counts.error;
      counts.warning += summary.counts.warning;
      counts.info += summary.counts.info;
      if (summary.solution !== null) {
        solutions.total++;
        if (summary.solution !== 'skipped' && summary.solution !== 'running') solutions.done++;
      }
      return summary;
    });
    rows = now;
    if (!changed) return rows;
    summaries = fresh;
    haystacks = [];
    orders = new Map();
    last = undefined;
    revision++;
    return rows;
  }

  function summaryFor(session: Session, row: Row): Summary {
    // A row that was typed in keeps what it showed until it is checked, so that nothing flickers.
    if (!isChecked(row) || !isLaid(row)) return made.get(row)?.summary ?? UNCHECKED;
    const known = made.get(row);
    const checkedAs = row.brief ?? row.checked;
    const found = row.found ?? row.findings;
    const across = session.hasAcross(row);
    const running = session.isRunning(row);
    const { judgement } = session;
    if (
      known !== undefined &&
      known.checked === checkedAs &&
      known.found === found &&
      known.run === row.run &&
      known.running === running &&
      known.judgement === judgement &&
      !across &&
      !known.across
    ) {
      return known.summary;
    }
    const open = across || (row.found ?? row.findings ?? NOTHING).length > 0 ? session.openCodes(row) : NOTHING;
    const fresh = summaryOf(factsFor(row), open, solutionOf(session, row, running), interners);
    const summary = known !== undefined && isSame(known.summary, fresh) ? known.summary : fresh;
    made.set(row, { summary, checked: checkedAs, found, run: row.run, running, judgement, across });
    return summary;
  }

  function factsFor(row: Row): RecordFacts | undefined {
    if (row.brief !== undefined) return row.brief.facts;
    const { checked: text } = row;
    if (text?.record === undefined) return undefined;
    let known = facts.get(text);
    if (known === undefined) facts.set(text, (known = factsOf(text.record)));
    return known;
  }

  /** Records that were changed where they stand keep their keys. */
  function inherit(now: readonly Row[]): void {
    for (const row of rows) {
      if (!row.gone) continue;
      const successor = follow(row);
      const key = keys.get(row);
      const before = made.get(row);
      if (successor === undefined || key === undefined) {
        if (key !== undefined) byKey.delete(key);
        continue;
      }
      keys.set(successor, key);
      byKey.set(key, successor);
      if (before !== undefined && !made.has(successor)) made.set(successor, { ...before, checked: undefined });
    }
    for (const row of now) if (!keys.has(row)) name(row);
  }

  /** The file was opened or closed: its records are other rows, and keep their keys where their text is the same. */
  function adopt(now: readonly Row[]): void {
    // Records of a large file are not read for that.
    if (rows[0] instanceof LargeRow || now[0] instanceof LargeRow) {
      keys = new WeakMap();
      byKey = new Map();
      for (const row of now) name(row);
      return;
    }
    const before = new Map<string, number[]>();
    for (const row of rows) {
      const key = keys.get(row);
      const others = before.get(row.text);
      if (key === undefined) continue;
      if (others === undefined) before.set(row.text, [key]);
      else others.push(key);
    }
    keys = new WeakMap();
    byKey = new Map();
    // From the end, in linear time: of records with the same text the last keeps the last one's key.
    for (const row of [...now].reverse()) name(row, before.get(row.text)?.pop());
  }

  function name(row: Row, key = newKey()): void {
    keys.set(row, key);
    byKey.set(key, row);
  }

  function ordered(order: RecordOrder): Uint32Array {
    const asked = `${order.column} ${order.descending}`;
    let known = orders.get(asked);
    if (known === undefined) orders.set(asked, (known = orderOf(summaries, order)));
    return known;
  }

  return {
    refresh,
    get revision() {
      return revision;
    },
    interners,
    get summaries() {
      return summaries;
    },
    get checked() {
      return checked;
    },
    looked() {
      stale = true;
    },
    get solutions() {
      return solutions;
    },
    get counts() {
      return counts;
    },
    get named() {
      return named;
    },
    filter({ filter, order }) {
      const asked = JSON.stringify([filter, order]);
      if (last?.asked === asked) return last.filtered;
      const text = (position: number): string => (haystacks[position] ??= haystackOf(summaries[position]!));
      const filtered = filterRecords(summaries, ordered(order), filter, interners, text);
      last = { asked, filtered };
      return filtered;
    },
    keyOf: (row) => keys.get(row)!,
    rowOf(key) {
      const row = byKey.get(key);
      return row && follow(row);
    },
    listed(position) {
      const { id, question, type, document, category, split, severity, solution, findings, ...summary } =
        summaries[position]!;
      const row = rows[position]!;
      const { index } = row;
      const { checked: isChecked } = summary;
      const key = keys.get(row)!;
      return {
        key,
        index,
        id,
        question,
        type,
        document,
        category,
        split,
        severity,
        checked: isChecked,
        solution,
        findings,
      };
    },
  };
}

/** Findings of a record that nobody accepted and that are not told once for the whole file. */
export function openFindings(session: Session, row: Row): readonly Finding[] {
  return session.findingsOf(row).filter((finding) => !session.isFlood(finding));
}

function solutionOf(session: Session, row: Row, running: boolean): Verdict | 'running' | null {
  if (running) return 'running';
  if (row instanceof LargeRow) return row.verdict;
  return (row.checked && session.checker?.outcome(row.checked, row.run)?.verdict) ?? null;
}

function isSame(one: Summary, two: Summary): boolean {
  return (
    one.facts === two.facts &&
    one.solution === two.solution &&
    one.findings.length === two.findings.length &&
    one.findings.every(({ code, severity, count }, at) => {
      const other = two.findings[at]!;
      return code === other.code && severity === other.severity && count === other.count;
    })
  );
}

export function isUnfiltered({ text, facets }: RecordFilter = NO_FILTER): boolean {
  return text.trim() === '' && Object.values(facets).every((values) => values.length === 0);
}
