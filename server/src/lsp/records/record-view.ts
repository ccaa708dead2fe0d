/** What the Records view shows: windows of a file's list, one record's findings, and the way from problem to problem. */
import type {
  DetailFinding,
  FacetValue,
  FacetValuesParams,
  ProblemStep,
  ProblemStepParams,
  RecordDetail,
  RecordKeyParams,
  RecordKeysParams,
  RecordList,
  RecordListParams,
  RecordListResult,
  RecordPlace,
  RecordPlaceParams,
  RecordPosition,
  RecordPositionParams,
} from '../../../../schemas/records.ts';
import { FACETS } from '../../../../schemas/records.ts';
import type { Finding } from '../../core/finding.ts';
import { facetStates, facetValues, filledColumns } from '../../core/list/filter.ts';
import { spanOfPointer } from '../../core/text/offsets.ts';
import type { Files } from '../session/files.ts';
import { lensText } from '../features/lens-text.ts';
import { shorten } from '../features/markdown.ts';
import { createKeptLists } from '../kept-lists.ts';
import { rangeIn, toRange } from '../ranges.ts';
import { createRecordTable, openFindings } from './record-list.ts';
import type { RecordTable } from './record-list.ts';
import { isLaid } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { stepInside, stepOf } from './problem-step.ts';

export interface RecordView {
  list(params: RecordListParams): Promise<RecordListResult>;
  keys(params: RecordKeysParams): Promise<readonly number[]>;
  position(params: RecordPositionParams): Promise<RecordPosition | null>;
  values(params: FacetValuesParams): Promise<readonly FacetValue[]>;
  detail(params: RecordKeyParams): Promise<RecordDetail | null>;
  place(params: RecordPlaceParams): Promise<RecordPlace | null>;
  step(params: ProblemStepParams): Promise<ProblemStep | null>;
  /** The file with those of the records that are still there. undefined: the file cannot be read, or no profile fits it. */
  chosen(uri: string, keys: readonly number[]): Promise<{ session: Session; rows: readonly Row[] } | undefined>;
  /** The table of a session at hand, in step with it. */
  tableOf(session: Session): RecordTable;
  /** Something of a file may be otherwise than it was. */
  looked(uri: string): void;
}

export interface RecordViewHost {
  /** Another one with each start of the server: keys of another are none of this one. */
  readonly epoch: string;
  /** What a document shows that shows one record. undefined: the address is a file's, or the record is gone. */
  shownBy(uri: string): Promise<{ readonly session: Session; readonly file: Session; readonly row: Row } | undefined>;
  readonly files: Pick<Files, 'session' | 'atHand' | 'problem'>;
  isOpen(uri: string): boolean;
  /** The list of a file that was asked for has changed. Called seldom: at most every 150 ms and a tenth of the time. */
  changed(uri: string): void;
}

/** Of files that are not at hand. */
const KEPT = 24;
const CHANGED_MS = 150;
const MOST_ROWS = 500;
const QUESTION = 2000;

interface Kept {
  readonly table: RecordTable;
  /** How long the last answer took, in ms. */
  cost: number;
  timer: NodeJS.Timeout | undefined;
}

export function createRecordView({ files, epoch, isOpen, shownBy, changed }: RecordViewHost): RecordView {
  const isAtHand = (uri: string): boolean => files.atHand(uri) !== undefined;
  const lists = createKeptLists<Kept>(KEPT, isAtHand, () => ({
    table: createRecordTable(),
    cost: 0,
    timer: undefined,
  }));

  function tableOf(session: Session): RecordTable {
    const { table } = lists.of(session.uri);
    table.refresh(session);
    return table;
  }

  async function sessionOf(uri: string): Promise<Session | undefined> {
    const session = await files.session(uri);
    return session?.checker === undefined ? undefined : session;
  }

  async function find({ uri, key }: RecordKeyParams): Promise<{ session: Session; row: Row } | undefined> {
    const session = await sessionOf(uri);
    const row = session && tableOf(session).rowOf(key);
    if (session === undefined || row === undefined) return undefined;
    // Checked now if it was typed in.
    if (!isLaid(row)) session.rowAt({ line: row.line, character: row.column });
    return { session, row };
  }

  return {
    tableOf,
    async list(params) {
      const session = await sessionOf(params.uri);
      // Kept for a problem, too: it is told when there is a list after all.
      const kept = lists.of(params.uri);
      if (session === undefined) return { kind: 'problem', message: files.problem(params.uri) };
      const start = performance.now();
      const result = { ...listOf(session, kept.table, params), epoch, open: isOpen(params.uri) };
      kept.cost = performance.now() - start;
      return result;
    },
    async keys({ uri, start, end, ...query }) {
      const session = await sessionOf(uri);
      if (session === undefined) return [];
      const table = tableOf(session);
      const rows = session.rows();
      return [...table.filter(query).positions.subarray(start, end)].map((at) => table.keyOf(rows[at]!));
    },
    async position({ uri, key, index, ...query }) {
      const session = await sessionOf(uri);
      if (session === undefined) return null;
      const table = tableOf(session);
      const rows = session.rows();
      const row = key === undefined ? rows[index ?? -1] : table.rowOf(key);
      if (row === undefined) return null;
      return { position: table.filter(query).positions.indexOf(row.index), key: table.keyOf(row) };
    },
    async values({ uri, facet, search, ...query }) {
      const session = await sessionOf(uri);
      if (session === undefined) return [];
      const { interners, filter } = tableOf(session);
      const tally = filter(query).tallies[FACETS.indexOf(facet)]!;
      return facetValues(tally, interners, facet, search, query.filter.facets[facet] ?? []).slice(0, MOST_ROWS);
    },
    async detail(params) {
      const found = await find(params);
      return found === undefined ? null : detailOf(found.session, found.row, params.key);
    },
    async place({ pointer, ...params }) {
      const found = await find(params);
      if (found === undefined) return null;
      const { session, row } = found;
      const [first] = pointer === undefined ? openFindings(session, row) : [];
      const { uri } = session;
      if (first !== undefined) return { uri, index: row.index, pointer: first.pointer, range: toRange(first) };
      const span = spanOfPointer(row.text, pointer ?? '') ?? { start: 0, end: 1 };
      const at = pointer === undefined ? { start: 0, end: 0 } : span;
      return { uri, index: row.index, pointer: pointer ?? '', range: rangeIn(row, at) };
    },
    async step(params) {
      const shown = await shownBy(params.uri);
      const inside = shown && stepInside(shown.session, params);
      if (inside !== undefined) return inside;
      const session = await sessionOf(shown?.file.uri ?? params.uri);
      if (session === undefined) return null;
      if (shown === undefined) return stepOf(session, tableOf(session), params);
      const row = session.row(shown.row.index) ?? shown.row;
      const edge = rangeIn(row, { start: 0, end: row.text.length })[params.by > 0 ? 'end' : 'start'];
      return stepOf(session, tableOf(session), { ...params, position: edge });
    },
    async chosen(uri, keys) {
      const session = await sessionOf(uri);
      if (session === undefined) return undefined;
      const table = tableOf(session);
      return { session, rows: [...new Set(keys.flatMap((key) => table.rowOf(key) ?? []))] };
    },
    looked(uri) {
      const kept = lists.get(uri);
      if (kept === undefined) return;
      kept.table.looked();
      kept.timer ??= setTimeout(
        () => {
          kept.timer = undefined;
          changed(uri);
        },
        Math.max(CHANGED_MS, 10 * kept.cost),
      );
    },
  };
}

function listOf(
  session: Session,
  table: RecordTable,
  { filter, order, offset, limit, selection = [] }: RecordListParams,
): Omit<RecordList, 'epoch' | 'open'> {
  const rows = table.refresh(session);
  const filtered = table.filter({ filter, order });
  const { positions, counts } = filtered;
  const start = Math.max(0, Math.min(offset, positions.length));
  const window = positions.subarray(start, start + Math.min(limit, MOST_ROWS));
  return {
    kind: 'list',
    uri: session.uri,
    revision: table.revision,
    records: rows.length,
    matched: positions.length,
    counts,
    facets: facetStates(filtered, filter, table.interners),
    columns: filledColumns(table.interners, table.named > 0),
    file: session.fileFindings().map(detailFinding),
    progress: { checked: table.checked, solutions: table.solutions, running: session.busy },
    offset: start,
    rows: [...window].map((position) => table.listed(position)),
    selection: stillListed(table, positions, selection),
  };
}

function stillListed(table: RecordTable, positions: Uint32Array, keys: readonly number[]): readonly number[] {
  if (keys.length === 0) return [];
  const listed = new Set(positions);
  return keys.filter((key) => listed.has(table.rowOf(key)?.index ?? -1));
}

function detailOf(session: Session, row: Row, key: number): RecordDetail {
  const record = row.checked?.record;
  const outcome = row.checked && session.checker?.outcome(row.checked, row.run);
  const answer = record?.answer ?? record?.gold;
  return {
    key,
    index: row.index,
    id: record?.id ?? null,
    question: record?.question === undefined ? null : shorten(record.question, QUESTION),
    answer: answer === undefined || answer === null ? null : shorten(textOf(answer), QUESTION),
    solution: outcome === undefined ? null : lensText(outcome, session.isRunning(row) ? 'running' : 'idle').slice(2),
    failed: outcome?.verdict === 'mismatch' || outcome?.verdict === 'error',
    findings: openFindings(session, row).map(detailFinding),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function detailFinding({ fingerprint, code, severity, message, pointer, fixes }: Finding): DetailFinding {
  return {
    fingerprint,
    code,
    severity,
    message: shorten(message, QUESTION),
    pointer,
    fixes: fixes.map(({ title, safe }) => ({ title, safe })),
  };
}
