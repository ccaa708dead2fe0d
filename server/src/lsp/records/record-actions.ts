/** What is done to several records at once: fixes with a look at what they change, acceptance, runs. */
import { basename } from 'node:path';
import type { RunAllResult } from '../../../../schemas/protocol.ts';
import type {
  AcceptAllParams,
  AcceptAllResult,
  Chosen,
  CodeChoice,
  FixApplyParams,
  FixApplyResult,
  FixParams,
  FixPlan,
  PlannedChange,
  RecordKeysOf,
  RunRecordsParams,
} from '../../../../schemas/records.ts';
import { fixRecord } from '../../core/edit/choose.ts';
import { fixWithOthers } from '../../core/edit/conversions.ts';
import type { FileRepair, TextEdit } from '../../core/edit/types.ts';
import type { Finding } from '../../core/finding.ts';
import { countCodes } from '../../core/list/summary.ts';
import type { Cancel } from '../../core/ports.ts';
import { nameOf } from '../../core/schema/words.ts';
import { pointerAt } from '../../core/text/offsets.ts';
import type { AcceptedFiles } from '../../node/acceptance.ts';
import { acceptAll } from '../acceptance.ts';
import { changesOf, editsOfChanges, hazardOf, isEmpty, isOfDisk } from '../features/code-actions.ts';
import type { Changes } from '../features/code-actions.ts';
import { shorten } from '../features/markdown.ts';
import { openFindings } from './record-list.ts';
import type { RecordView } from './record-view.ts';
import { isAnyGone, isLaid, slotWith } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

export interface RecordActions {
  codes(params: RecordKeysOf, cancel: Cancel): Promise<readonly CodeChoice[]>;
  plan(params: FixParams): Promise<FixPlan>;
  apply(params: FixApplyParams): Promise<FixApplyResult>;
  accept(params: AcceptAllParams): Promise<AcceptAllResult>;
  run(params: RunRecordsParams, cancel: Cancel): Promise<RunAllResult>;
}

export interface RecordActionsHost {
  readonly view: RecordView;
  isOpen(uri: string): boolean;
  /** Writes changes into the file on disk; text: why it could not, to stand after the file's name. `title`: what to undo. */
  rewrite(session: Session, changes: Changes, title: string): Promise<string | undefined>;
  readonly accepted: AcceptedFiles;
  /** As in ISO 8601. */
  today(): string;
}

const SHOWN_CHANGES = 200;
const AROUND = 24;
const SHOWN_TEXT = 160;
const RUNS_AT_ONCE = 16;
/** Work on all records is cut into slices of so many ms, so that requests get their turn. */
const SLICE_MS = 25;
const GONE = 'The file cannot be read any more.';
const NOTHING = 'There is nothing to fix any more.';
const CHANGED = 'The file was changed at the same time: nothing was done.';

export function createRecordActions(host: RecordActionsHost): RecordActions {
  const { view, isOpen } = host;

  async function changesFor({ uri, chosen }: FixParams): Promise<{ session: Session; changes: Changes } | undefined> {
    const found = await view.chosen(uri, chosen.kind === 'records' ? chosen.keys : []);
    if (found === undefined) return undefined;
    const { session, rows } = found;
    const changes =
      chosen.kind === 'finding'
        ? changesOf(session, { uri, kind: 'finding', fingerprint: chosen.fingerprint, fix: chosen.fix })
        : await changesOfRecords(session, rows, new Set(chosen.codes), nextTurn);
    return { session, changes };
  }

  const goesToDisk = (session: Session, changes: Changes): boolean =>
    !isOpen(session.uri) || hazardOf(session) !== undefined || isOfDisk(changes);

  return {
    async codes({ uri, keys }, cancel) {
      const found = await view.chosen(uri, keys);
      return found === undefined ? [] : await codesOf(found.session, found.rows, cancel);
    },

    async plan(params) {
      const found = await changesFor(params);
      if (found === undefined) return { records: 0, total: 0, changes: [], onDisk: false, problem: GONE };
      const { session, changes } = found;
      const hazard = hazardOf(session);
      return {
        records: changes.rows.size,
        ...plannedChanges(changes, SHOWN_CHANGES),
        onDisk: goesToDisk(session, changes),
        problem: hazard?.kind === 'refused' ? hazard.reason : isEmpty(changes) ? NOTHING : null,
      };
    },

    async apply({ dirty, ...params }) {
      const found = await changesFor(params);
      if (found === undefined) return { kind: 'problem', message: GONE };
      const { session, changes } = found;
      const hazard = hazardOf(session);
      if (hazard?.kind === 'refused') return { kind: 'problem', message: hazard.reason };
      if (isEmpty(changes)) return { kind: 'problem', message: NOTHING };
      // Others had their turn while the changes were looked for.
      if (isAnyGone(session, changes.rows.keys())) return { kind: 'problem', message: CHANGED };
      if (!goesToDisk(session, changes)) {
        return { kind: 'edits', version: session.version, edits: editsOfChanges(session, changes) };
      }
      if (dirty) return { kind: 'problem', message: `${basename(session.path)} has unsaved changes: save it first.` };
      const problem = await host.rewrite(session, changes, titleOf(changes));
      if (problem !== undefined) return { kind: 'problem', message: `${basename(session.path)} ${problem}.` };
      return { kind: 'written' };
    },

    async accept({ uri, chosen, reason, by }) {
      const found = await view.chosen(uri, chosen.kind === 'records' ? chosen.keys : []);
      if (found === undefined) return { accepted: 0, problem: GONE };
      const { session, rows } = found;
      const findings =
        chosen.kind === 'records' ? await findingsOf(session, rows, chosen) : byFingerprint(session, chosen);
      if (findings.length === 0) return { accepted: 0, problem: 'The findings are not there any more.' };
      const given = { reason, ...(by !== undefined && { by }) };
      const { problem } = await acceptAll(session, findings, given, host.accepted, host.today());
      if (problem === null) await session.reload();
      return { accepted: problem === null ? findings.length : 0, problem };
    },

    async run({ uri, keys }, cancel) {
      const nothing = { run: 0, passed: 0, failed: 0, skipped: 0 };
      const found = await view.chosen(uri, keys ?? []);
      if (found === undefined) return nothing;
      const done = keys === undefined ? found.session.runAll(cancel) : runRows(found.session, found.rows, cancel);
      view.looked(uri);
      const result = await done;
      view.looked(uri);
      return result;
    },
  };
}

/** None where it was cancelled. */
async function codesOf(session: Session, rows: readonly Row[], cancel: Cancel): Promise<readonly CodeChoice[]> {
  const all: Pick<Finding, 'code' | 'severity'>[] = [];
  const fixes = new Map<string, { fixable: number; safe: number }>();
  for await (const row of inSlices(rows, nextTurn)) {
    if (cancel.aborted) return [];
    // Of records of large files it is known whether they break rules; their texts are not read for it.
    if (row.gone || (row.found !== undefined && session.openCodes(row).length === 0)) continue;
    const findings = openFindings(session, row);
    for (const finding of findings) {
      const { code, severity } = finding;
      all.push({ code, severity });
      const fix = fixWithOthers(finding, findings);
      if (fix === undefined) continue;
      const { fixable, safe } = fixes.get(code) ?? { fixable: 0, safe: 0 };
      fixes.set(code, { fixable: fixable + 1, safe: safe + (fix.safe ? 1 : 0) });
    }
  }
  return countCodes(all).findings.map((count) => ({ ...count, fixable: 0, safe: 0, ...fixes.get(count.code) }));
}

/** Gives others their turn; hears how far the work is, of 1. What it throws ends the work. */
type Turn = (part: number) => Promise<void>;

const nextTurn: Turn = () => new Promise((resolve) => setImmediate(resolve));

/** The rows one after the other, with turns for others between them now and then. */
async function* inSlices(rows: readonly Row[], turn: Turn): AsyncGenerator<Row> {
  let end = performance.now() + SLICE_MS;
  for (const [at, row] of rows.entries()) {
    if (performance.now() > end) {
      await turn(at / rows.length);
      end = performance.now() + SLICE_MS;
    }
    yield row;
  }
}

/** The fixes of these rules, in these records, that need no choice. */
async function changesOfRecords(
  session: Session,
  rows: readonly Row[],
  codes: ReadonlySet<string>,
  turn: Turn,
): Promise<Changes> {
  const changed = new Map<Row, readonly TextEdit[]>();
  for await (const row of inSlices(rows, turn)) {
    if (row.gone || !mayHave(row, codes)) continue;
    const edits = fixesOfRecord(session, row, codes);
    if (edits.length > 0) changed.set(row, edits);
  }
  return { rows: changed, repairs: [] };
}

/** Again and again until none is left. */
function fixesOfRecord(session: Session, row: Row, codes: ReadonlySet<string>): readonly TextEdit[] {
  const { checker } = session;
  if (checker === undefined) return [];
  if (!isLaid(row)) session.rowAt({ line: row.line, character: row.column });
  let round: readonly Finding[] = [];
  const again = (text: string): readonly Finding[] => {
    round =
      text === row.text
        ? openFindings(session, row)
        : checker
            .findings(slotWith(row, text), checker.checkText(text, row.outer), {}, row.ordinal)
            .filter((finding) => !session.isAccepted(finding));
    return round.filter(({ code }) => codes.has(code));
  };
  return fixRecord(row.text, again, (finding) => fixWithOthers(finding as Finding, round));
}

function titleOf({ rows, repairs }: Changes): string {
  const [row] = rows.keys();
  const [repair] = repairs;
  if (row === undefined && repair !== undefined && repairs.length === 1) return repairText(repair);
  if (row === undefined) return 'Repair the file';
  return rows.size === 1 ? `Fix record ${row.index + 1}` : `Fix ${rows.size.toLocaleString('en')} records`;
}

/** The fixes of a rule in all records, and in the file, that need no choice. */
export async function changesOfRule(session: Session, code: string, turn: Turn): Promise<Changes> {
  await turn(0);
  const { rows } = await changesOfRecords(session, session.rows(), new Set([code]), turn);
  const repairs = session
    .fileFindings()
    .filter((finding) => finding.code === code)
    .flatMap((finding) => fixWithOthers(finding, [])?.file ?? []);
  return { rows, repairs };
}

/** Of many changes the first ones, and how many there are. */
function plannedChanges({ rows, repairs }: Changes, most: number): Pick<FixPlan, 'total' | 'changes'> {
  const ofFile = repairs.map((repair): PlannedChange => {
    return { index: null, id: null, place: repairText(repair), lead: '', removed: '', added: '', tail: '' };
  });
  const ofRecords: PlannedChange[] = [];
  let total = ofFile.length;
  for (const [row, edits] of rows) {
    const room = most - ofFile.length - ofRecords.length;
    ofRecords.push(...edits.slice(0, Math.max(0, room)).map((edit) => plannedChange(row, edit)));
    total += edits.length;
  }
  return { total, changes: [...ofFile, ...ofRecords] };
}

function plannedChange(row: Row, { span, text }: TextEdit): PlannedChange {
  const pointer = pointerAt(row.text, span.start) ?? '';
  return {
    index: row.index,
    id: row.checked?.record?.id ?? null,
    place: pointer === '' ? 'record' : nameOf(pointer),
    lead: row.text.slice(Math.max(0, span.start - AROUND), span.start),
    removed: shorten(row.text.slice(span.start, span.end), SHOWN_TEXT),
    added: shorten(text, SHOWN_TEXT),
    tail: row.text.slice(span.end, span.end + AROUND),
  };
}

export function repairText(repair: FileRepair): string {
  switch (repair.kind) {
    case 'byteOrderMark':
      return `Remove the byte order mark on line ${repair.line + 1}`;
    case 'lineEnds':
      return 'Make all line ends alike';
    case 'blankLines':
      return `Remove ${repair.count === 1 ? 'the blank line' : `${repair.count} blank lines`} at line ${repair.line + 1}`;
  }
}

async function findingsOf(
  session: Session,
  rows: readonly Row[],
  { codes }: Extract<Chosen, { readonly kind: 'records' }>,
): Promise<readonly Finding[]> {
  const wanted = new Set(codes);
  const found: Finding[] = [];
  for await (const row of inSlices(rows, nextTurn)) {
    if (!row.gone && mayHave(row, wanted))
      found.push(...openFindings(session, row).filter(({ code }) => wanted.has(code)));
  }
  return found;
}

/** Of records of large files it is known which rules they break; their texts are not read for it. */
function mayHave(row: Row, codes: ReadonlySet<string>): boolean {
  return row.found?.some(({ code }) => codes.has(code)) !== false;
}

function byFingerprint(session: Session, { fingerprints }: { readonly fingerprints: readonly string[] }): Finding[] {
  const wanted = new Set(fingerprints);
  const fits = ({ fingerprint }: Finding): boolean => wanted.delete(fingerprint);
  const found = session.fileFindings().filter(fits);
  for (const row of session.rowsFinding((one) => wanted.has(one.fingerprint))) {
    if (wanted.size === 0) break;
    found.push(...session.findingsOf(row).filter(fits));
  }
  return found;
}

async function runRows(session: Session, rows: readonly Row[], cancel: Cancel): Promise<RunAllResult> {
  const result = { run: 0, passed: 0, failed: 0, skipped: 0 };
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < rows.length && !cancel.aborted) {
      const row = rows[next++]!;
      const outcome = await session.run(row);
      if (outcome === undefined) continue;
      if (outcome.value === null && outcome.error === null) result.skipped++;
      else {
        result.run++;
        if (row.passed) result.passed++;
        else result.failed++;
      }
    }
  };
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, work));
  return result;
}
