import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import type { Diagnostic } from 'vscode-languageserver/node';
import type { ViewKind } from '../../../../schemas/views.ts';
import type { RunAllResult, Settings, SolutionOutcome, StatusParams } from '../../../../schemas/protocol.ts';
import { saysUnseen, wholeOf } from '../../core/acceptance/whole.ts';
import { byPlace, createChecker } from '../../core/checker.ts';
import type { Finding } from '../../core/finding.ts';
import { floodFinding, floodKey, isFlood, withoutFloods } from '../../core/floods.ts';
import type { CheckedText, Checker } from '../../core/pipeline.ts';
import type { Cancel, CitedPage, DocumentFacts, PageFacts } from '../../core/ports.ts';
import type { SettingsArgs } from '../../core/profile/settings.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import { parseRecordText } from '../../core/text/parse.ts';
import type { FileFault, FileForm } from '../../core/text/types.ts';
import { comparesFiles } from '../../core/dataset.ts';
import type { DatasetMemory } from '../../core/rules/types.ts';
import type { Acceptances } from '../acceptance.ts';
import { createCollector } from './collector.ts';
import type { Collector } from './collector.ts';
import { countFindings, toDiagnostics } from './diagnostics.ts';
import type { Counts, DiagnosticContext } from './diagnostics.ts';
import { createFacts } from './facts.ts';
import { createLargeCollector } from './large-collector.ts';
import type { LargeCollector } from './large-collector.ts';
import { LargeRow } from './large-row.ts';
import type { LargeRecords, LargeTable } from './large-table.ts';
import { layRow } from './lay.ts';
import type { FactServices } from './facts.ts';
import type { Datasets } from './datasets.ts';
import { describe } from '../guard.ts';
import type { Log } from '../guard.ts';
import { drop, isChecked, isLaid, isRecord, isRunnable, placed, rowAt } from './rows.ts';
import type { FoundBrief, Row } from './rows.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Table } from './table.ts';

/** What a session needs of the server around it. */
export interface SessionHost extends FactServices {
  readonly runtime: ServerRuntime;
  readonly log: Log;
  /** Settled when the editor's settings are known. */
  ready(): Promise<void>;
  settings(): Settings;
  overrides(): NonNullable<SettingsArgs['overrides']>;
  publish(uri: string, version: number, diagnostics: Diagnostic[]): void;
  status(params: StatusParams): void;
  /** What code lenses show has changed. */
  lensesChanged(): void;
  /** Of a large file: how far its records are checked, 0 to 1; undefined: they are. */
  progress?(share: number | undefined): void;
  readonly acceptances: Acceptances;
  readonly datasets: Pick<Datasets, 'join' | 'leave' | 'typed'>;
  readonly diagnostics: Omit<DiagnosticContext, 'uri'>;
}

/** One open document: its records, what is known of them, and its diagnostics. */
export interface Session {
  readonly uri: string;
  readonly path: string;
  readonly version: number;
  /** undefined while no profile fits. */
  readonly checker: Checker | undefined;
  /** In step with the text; rows that were not checked yet have no `checked`. */
  rows(): readonly Row[];
  /** By its 0-based index in the file. */
  row(index: number): Row | undefined;
  /** How many records the file has. */
  records(): number;
  /** Findings of one record, those of rules across the file too, accepted ones left out. */
  findingsOf(row: Row): Finding[];
  /** Those of rules across the file alone, accepted ones too. */
  acrossOf(row: Row): readonly Finding[];
  /**
   * Records with a finding that fits, accepted ones too, in the order of the file. Of a large file no other record is read from the disk.
   */
  rowsFinding(fits: (found: Pick<FoundBrief, 'code' | 'fingerprint'>) => boolean): Iterable<Row>;
  /** Whether there are any of those. */
  hasAcross(row: Row): boolean;
  /** Whether somebody decided to leave a finding. */
  isAccepted(finding: Finding): boolean;
  /** Whether a record's finding is told once for the whole file, among `fileFindings`. */
  isFlood(finding: Finding): boolean;
  /** Counts up whenever other findings may be accepted, or told once for the whole file. */
  readonly judgement: number;
  /** Something is still being computed. */
  readonly busy: boolean;
  /** Findings that belong to no record. */
  fileFindings(): readonly Finding[];
  /** Faults that only the bytes on disk show. */
  diskFaults(): readonly FileFault[];
  readonly form: FileForm;
  /** Present where the file is not in memory: its records are read from the disk. */
  readonly large?: LargeRecords;
  /**
   * What is kept of a record's findings, those of rules across the file too, that nobody accepted and that are not told once for the
   * whole file: for loops over all records, of any file.
   */
  openCodes(row: Row): readonly Pick<FoundBrief, 'code' | 'severity'>[];
  /** Somebody asks: what runs in the background lets them go first. */
  attend(): void;
  /** What the document shows of its file. */
  readonly shows: 'file' | ViewKind;
  /** Whole text with LF as the line end. */
  text(): string;
  /** The row at a position, or the next one; its findings are in step with its text. */
  rowAt(position: { readonly line: number; readonly character: number }): Row | undefined;
  /** Checks what was not checked yet, so that findings of all rows are in step with the text. */
  checkAll(): void;
  change(changes: readonly TextDocumentContentChangeEvent[], version: number): void;
  /** Looks again at configuration, profile and bytes on disk. */
  reload(): Promise<void>;
  /** Settled when the last look at configuration and profile is done, or the session is closed before its first one. */
  settled(): Promise<void>;
  /** Documents or page images have changed on disk. */
  documentsChanged(): void;
  /** Settings or trust have changed. */
  settingsChanged(): void;
  /** Checks a row now if it was not checked yet, and reads what is still open about its document. */
  complete(row: Row, cancel?: Cancel): Promise<void>;
  /** What stands on pages, by number; those that cannot be read are left out. */
  readPages(document: DocumentFacts, pages: readonly CitedPage[]): Promise<ReadonlyMap<number, PageFacts>>;
  run(row: Row): Promise<SolutionOutcome | undefined>;
  runAll(cancel: Cancel): Promise<RunAllResult>;
  /** Whether the row's solution is being run. */
  isRunning(row: Row): boolean;
  close(): void;
}

/** What an editor's text does not show: other faults are found in that text, where they are up to date. */
function isHiddenInText({ code, line, startColumn }: FileFault): boolean {
  if (code === 'file/byte-order-mark') return line === 0 && startColumn === 0;
  return code === 'file/encoding' || code === 'file/mixed-line-endings';
}

/** Work on the server's thread is cut into slices of so many ms, so that requests get their turn. */
const SLICE_MS = 25;
const TYPING_MS = 60;
const TYPING_LIMIT_MS = 400;
const TYPING_REST_MS = 200;
const ARRIVAL_MS = 150;
const COLLECT_MS = 250;
const RECOGNISE_MS = 400;
/** Files up to so many records are looked at as a whole on every keystroke. */
const SMALL = 1000;
const SAMPLES = 1000;
/** Of a large file so many UTF-16 units are looked at for the profile, at most. */
const SAMPLES_LENGTH = 4_000_000;
/** Of a large file: how often it is told how far the pass is, and how long a pass waits for whoever asks for records. */
const STATUS_MS = 250;
const ATTEND_MS = 40;

/** What a session is about. */
export interface SessionSubject {
  readonly uri: string;
  /** The file that the records stand in. */
  readonly path: string;
  readonly form: FileForm;
  readonly table: Table | LargeTable;
  /** Present where the document shows one record of the file and not the file. */
  readonly part?: Part;
}

/** What a document that shows one record takes from the file: it is not to be looked at as a file of one record. */
export interface Part {
  readonly kind: ViewKind;
  /** undefined while no profile fits the file. */
  settings(): FileSettings | undefined;
  /** What rules across the file found on the record, laid in `row`. */
  across(row: Row): readonly Finding[];
  /** Whether the document shows the value at a pointer. */
  covers(pointer: string): boolean;
  /** How many records the file has. */
  records(): number;
}

export function createSession({ uri, path, form, table, part }: SessionSubject, host: SessionHost): Session {
  const facts = createFacts(host, {
    arrived(what) {
      if (what === 'document') collector.invalidate();
      schedule(arrivalPause());
    },
    idle: () => schedule(0),
  });
  let checker: Checker | undefined;
  /** What is known of the files before this one in its `datasets` entry; undefined until it is. */
  let memory: DatasetMemory | undefined;
  const large = 'large' in table ? table : undefined;
  let collector = newCollector();
  let diskFaults: readonly FileFault[] = [];
  /** As they were published last, accepted ones too. */
  let floods: readonly Finding[] = [];
  let floodKeys: ReadonlySet<string> = new Set();
  let judgement = 0;
  /** Fingerprints. */
  let accepted: ReadonlySet<string> = new Set();
  let closed = false;
  let loading = 0;
  let timer: NodeJS.Timeout | undefined;
  let timerDue = Infinity;
  let typingSince: number | undefined;
  let collectTimer: NodeJS.Timeout | undefined;
  let recogniseTimer: NodeJS.Timeout | undefined;
  let published = false;
  /** Rows are left to be checked. */
  let unfinished = false;
  let lastLenses = '';
  /** How long the last look took. */
  let lastMs = 0;

  let attendUntil = 0;
  let statusDue = 0;
  /** Of a large file: a pass over all its records is due. */
  let passDue = true;

  function newCollector(): Collector | LargeCollector {
    if (large === undefined) return createCollector(table, () => memory);
    const check = (row: Row): void => {
      if (!isChecked(row) && checker !== undefined) checkRow(row, checker);
    };
    return createLargeCollector(large, () => memory, { check, lay: (row) => void (checker && lay(row, checker)) });
  }

  function schedule(delay: number): void {
    const due = performance.now() + delay;
    if (closed || (timer !== undefined && timerDue <= due)) return;
    scheduleAt(due);
  }

  /** What arrives is shown in batches; where showing takes long, in larger ones. */
  const arrivalPause = (): number => Math.max(ARRIVAL_MS, 10 * lastMs);

  function scheduleAt(due: number): void {
    clearTimeout(timer);
    timerDue = due;
    timer = setTimeout(tick, Math.max(0, due - performance.now()));
  }

  /** Typing puts the next look off, but not for ever. */
  function typed(): void {
    const now = performance.now();
    typingSince ??= now;
    scheduleAt(Math.min(now + TYPING_MS, typingSince + TYPING_LIMIT_MS));
    facts.rest(TYPING_REST_MS);
    clearTimeout(collectTimer);
    collectTimer = undefined;
  }

  function tick(): void {
    timer = undefined;
    timerDue = Infinity;
    typingSince = undefined;
    const start = performance.now();
    try {
      work();
      lastMs = performance.now() - start;
    } catch (error) {
      unfinished = false;
      host.log(`Checking ${path} failed: ${describe(error)}`);
    }
  }

  function work(): void {
    if (closed || checker === undefined) return;
    if (large !== undefined) return workOnLarge(large.large, checker);
    const rows = table.rows();
    unfinished = !checkRows(rows, checker);
    if (unfinished) {
      sendStatus();
      setImmediate(tick);
      return;
    }
    if (part !== undefined) {
      facts.want(rows, checker);
      publish();
      return;
    }
    if (rows.length <= SMALL) {
      collector.collectNow(checker);
      checkRows(rows, checker);
    } else if (!collector.current(facts.documentsBusy)) collectSoon();
    facts.want(rows, checker);
    publish();
  }

  /**
   * A slice of the work on a file whose records are not kept: the first pass checks and compares them in one, so that each is
   * read once; later ones check what has changed first.
   */
  function workOnLarge({ passing }: LargeRecords, using: Checker): void {
    const wait = attendUntil - performance.now();
    if (wait > 0) return schedule(wait);
    unfinished = !passing(() => (!passDue || collector.collect(using, SLICE_MS)) && checkRows(table.rows(), using));
    if (unfinished) {
      tellProgress();
      setImmediate(tick);
      return;
    }
    passDue = false;
    host.progress?.(undefined);
    if (!collector.current(facts.documentsBusy)) collectSoon();
    facts.want(table.rows(), using);
    tally(using);
  }

  function tellProgress(): void {
    const now = performance.now();
    if (now < statusDue) return;
    statusDue = now + STATUS_MS;
    if ('share' in collector) host.progress?.(collector.share);
    sendStatus();
  }

  /** As `publish`, of what is kept; what is told of all records is told to whoever asks. */
  function tally(using: Checker): void {
    const counts: Counts = { error: 0, warning: 0, info: 0 };
    const rows = table.rows();
    const told = new Map<string, { count: number; severity: FoundBrief['severity'] }>();
    const found = new Set<string>();
    let allSeen = true;
    let records = 0;
    for (const row of rows) {
      if (isRecord(row)) records++;
      for (const one of briefsOf(row)) {
        if (accepted.has(one.fingerprint)) found.add(one.fingerprint);
        allSeen &&= !saysUnseen(one);
        if (one.flood === undefined || accepted.has(one.fingerprint)) continue;
        const known = told.get(one.flood);
        if (known === undefined) told.set(one.flood, { count: 1, severity: one.severity });
        else known.count++;
      }
    }
    const flooding = [...told].filter(([, { count }]) => isFlood(count, records));
    if (flooding.length !== floodKeys.size || flooding.some(([key]) => !floodKeys.has(key))) judgement++;
    floodKeys = new Set(flooding.map(([key]) => key));
    floods = flooding.map(([message, { count, severity }]) =>
      floodFinding({ severity, message }, count, records, using.settings),
    );
    for (const row of rows) for (const { severity } of openCodes(row)) counts[severity]++;
    for (const finding of fileFindings()) {
      counts[finding.severity]++;
      if (accepted.has(finding.fingerprint)) found.add(finding.fingerprint);
    }
    sendStatus(counts);
    if (!isBusy()) tellAccepted(found, allSeen, using.settings);
  }

  /** What is kept of all findings of a record of a large file. */
  function briefsOf(row: Row): readonly FoundBrief[] {
    const own = row.found ?? [];
    const across = 'briefsOf' in collector ? collector.briefsOf(row) : [];
    return across.length === 0 ? own : [...own, ...across];
  }

  function openCodes(row: Row): readonly Pick<FoundBrief, 'code' | 'severity'>[] {
    if (large === undefined) {
      return [...open([...placed(row), ...acrossOf(row)])].filter((finding) => !isTold(finding));
    }
    const all = briefsOf(row);
    if (accepted.size === 0 && floodKeys.size === 0) return all;
    return all.filter(({ fingerprint, flood }) => !accepted.has(fingerprint) && !floodKeys.has(flood ?? ''));
  }

  const isTold = (finding: Finding): boolean => floodKeys.size > 0 && floodKeys.has(floodKey(finding) ?? '');

  /** false: time is up and rows are left. */
  function checkRows(rows: readonly Row[], using: Checker): boolean {
    const end = performance.now() + SLICE_MS;
    for (const row of rows) {
      if (isChecked(row) && isLaid(row)) continue;
      if (performance.now() > end) return false;
      lay(row, using);
    }
    return true;
  }

  function checkRow(row: Row, using: Checker): CheckedText {
    const checked = using.checkText(row.text, row.outer);
    row.checked = checked;
    facts.recall(row, using);
    return checked;
  }

  function lay(row: Row, using: Checker): void {
    const checked = row.checked ?? checkRow(row, using);
    if (row instanceof LargeRow) {
      row.verdict = using.outcome(checked, row.run)?.verdict ?? null;
      facts.noted(row, checked, using);
    }
    row.findings = layRow(row, checked, using);
    if (part !== undefined) {
      // Where a text block is at fault, that is told, and not what JSON makes of it.
      const hasFaults = table.faults().length > 0;
      row.findings = row.findings.filter(
        ({ code, pointer }) => part.covers(pointer) && !(hasFaults && code === 'file/invalid-json'),
      );
    }
    row.laidLine = row.line;
    row.laidIndex = row.index;
  }

  function recogniseSoon(): void {
    clearTimeout(recogniseTimer);
    recogniseTimer = setTimeout(() => void reload(), RECOGNISE_MS);
  }

  function collectSoon(): void {
    if (collectTimer !== undefined) return;
    collectTimer = setTimeout(collectSlice, COLLECT_MS);
  }

  function collectSlice(): void {
    collectTimer = undefined;
    if (closed || checker === undefined) return;
    // The next slice of work has it in hand.
    if (large !== undefined) {
      passDue = true;
      return schedule(0);
    }
    try {
      if (!collector.collect(checker, SLICE_MS)) {
        collectTimer = setTimeout(collectSlice, 0);
        return;
      }
    } catch (error) {
      host.log(`Checking ${path} as a whole failed: ${describe(error)}`);
      return;
    }
    schedule(0);
  }

  function open<F extends readonly Finding[]>(findings: F): F | Finding[] {
    return accepted.size === 0 ? findings : findings.filter(({ fingerprint }) => !accepted.has(fingerprint));
  }

  const acrossOf = (row: Row): readonly Finding[] => (part === undefined ? collector.ofRow(row) : part.across(row));

  const faultsOfText = (): readonly FileFault[] =>
    part === undefined ? (large === undefined ? [...diskFaults, ...collector.faults] : table.faults()) : table.faults();

  /** File-wide findings, then each record's; accepted ones too. */
  function* groups(): Generator<readonly Finding[]> {
    if (checker === undefined) return;
    yield checker.fileFindings(faultsOfText());
    yield collector.ofFile();
    for (const row of table.rows()) {
      const own = placed(row);
      const across = acrossOf(row);
      if (across.length > 0) yield [...own, ...across].sort(byPlace);
      else if (own.length > 0) yield own;
    }
  }

  function publish(): void {
    const counts: Counts = { error: 0, warning: 0, info: 0 };
    const found = [...groups()];
    const all = gatherFloods(found.map(open));
    for (const group of all) countFindings(group, counts);
    const limit = host.settings().maxDiagnostics;
    host.publish(uri, table.version, toDiagnostics(all, counts, limit, { ...host.diagnostics, uri }));
    published = true;
    sendStatus(counts);
    if (!isBusy() && part === undefined) tellAcceptances([...found, floods]);
  }

  /** What nearly all records lack is told once, at the start of the file. */
  function gatherFloods(found: readonly (readonly Finding[])[]): readonly (readonly Finding[])[] {
    floods = [];
    if (checker === undefined || part !== undefined) return found;
    const records = (): number => table.rows().filter(isRecord).length;
    const gathered = withoutFloods(found, records, checker.settings);
    if (gathered.keys.size !== floodKeys.size || [...gathered.keys].some((key) => !floodKeys.has(key))) judgement++;
    floodKeys = gathered.keys;
    if (gathered.floods.length === 0) return found;
    ({ floods } = gathered);
    return [open(floods), ...gathered.groups];
  }

  /** Once everything was looked at, accepted findings that are gone can be told. */
  function tellAcceptances(groups: readonly (readonly Finding[])[]): void {
    if (checker === undefined) return;
    const found = new Set<string>();
    let allSeen = true;
    for (const group of groups) {
      for (const finding of group) {
        if (accepted.has(finding.fingerprint)) found.add(finding.fingerprint);
        allSeen &&= !saysUnseen(finding);
      }
    }
    tellAccepted(found, allSeen, checker.settings);
  }

  function tellAccepted(found: ReadonlySet<string>, allSeen: boolean, settings: FileSettings): void {
    const ran = table.rows().every((row) => row.run !== undefined || !isRunnable(row));
    const across = memory !== undefined || !comparesFiles(settings);
    const whole = wholeOf({ settings, ran: ran && settings.solutions.runner !== 'off', looked: true, allSeen, across });
    host.acceptances.looked(path, { found, whole }, settings.rules);
  }

  const isBusy = (): boolean =>
    checker !== undefined && (unfinished || facts.busy || timer !== undefined || collectTimer !== undefined);

  function sendStatus(counts: Counts = { error: 0, warning: 0, info: 0 }): void {
    const profile = checker?.settings.profile;
    const solutions = { done: 0, total: 0, passed: 0 };
    let records = 0;
    const rows = checker === undefined ? [] : table.rows();
    for (const row of rows) {
      if (isRecord(row)) records++;
      if (!isRunnable(row)) continue;
      solutions.total++;
      if (row.run !== undefined) solutions.done++;
      if (row.passed) solutions.passed++;
    }
    host.status({
      uri,
      profile: profile ? { name: profile.name, title: profile.title, reason: checker?.settings.reason ?? '' } : null,
      records,
      counts,
      solutions,
      running: isBusy(),
    });
    const lenses = `${solutions.done}/${solutions.total}/${rows.length > SMALL ? counts.error + counts.warning + counts.info : 0}`;
    if (lenses !== lastLenses) {
      lastLenses = lenses;
      host.lensesChanged();
    }
  }

  function silence(): void {
    if (published) host.publish(uri, table.version, []);
    published = false;
    sendStatus();
  }

  /** Everything that was found under other settings goes. */
  function use(settings: FileSettings | undefined): void {
    if (JSON.stringify(settings) === JSON.stringify(checker?.settings)) {
      if (checker === undefined) sendStatus();
      else schedule(0);
      return;
    }
    checker = settings && createChecker(settings);
    large?.large.use(checker);
    table.nest(settings?.profile.records);
    facts.reset();
    memory = undefined;
    collector = newCollector();
    passDue = true;
    if (part === undefined) compareWithOthers(settings);
    for (const row of table.rows()) {
      row.cancel?.abort();
      row.cancel = undefined;
      row.checked = undefined;
      row.run = undefined;
      row.document = undefined;
      row.pageFindings = undefined;
      row.findings = undefined;
    }
    if (checker === undefined) silence();
    else schedule(0);
  }

  function compareWithOthers(settings: FileSettings | undefined): void {
    if (settings === undefined || !comparesFiles(settings)) {
      host.datasets.leave(path);
      return;
    }
    host.datasets.join({
      path,
      settings,
      revision: () => table.revision,
      rows: () => table.rows(),
      told(known) {
        if (closed || checker?.settings !== settings) return;
        memory = known;
        collector.restart();
        schedule(0);
      },
    });
  }

  let tellFirst = (): void => undefined;
  let reloading = new Promise<void>((resolve) => (tellFirst = resolve));

  function reload(): Promise<void> {
    reloading = lookAgain();
    // Whoever waits for the first look is told even where that fails.
    reloading.then(tellFirst, tellFirst);
    return reloading;
  }

  async function lookAgain(): Promise<void> {
    const turn = ++loading;
    await host.ready();
    if (closed) return;
    if (part !== undefined) {
      const known = await host.acceptances.of(path);
      if (closed || turn !== loading) return;
      judgement++;
      accepted = known;
      use(part.settings());
      return;
    }
    const samples = await samplesOf(table.rows());
    if (closed || turn !== loading) return;
    const [settings, faults, known] = await Promise.all([
      host.runtime.settingsOf(path, samples, host.overrides()),
      // Of a large file the index knows them.
      large === undefined ? host.runtime.fileFaults(path) : [...table.faults()],
      host.acceptances.of(path),
    ]);
    if (closed || turn !== loading) return;
    judgement++;
    accepted = known;
    diskFaults = faults.filter(isHiddenInText);
    use('profile' in settings ? settings : undefined);
  }

  async function samplesOf(rows: readonly Row[]): Promise<readonly unknown[]> {
    const samples: unknown[] = [];
    let length = 0;
    let end = performance.now() + SLICE_MS;
    let before: Row['outer'];
    for (const row of rows.slice(0, SAMPLES)) {
      const { outer } = row;
      // What a nested record lies in tells of the profile, once for all that lie in it.
      if (outer !== undefined && outer === before) continue;
      before = outer;
      samples.push(outer?.value ?? parseRecordText(row.text).value);
      if (large === undefined) continue;
      length += (outer ?? row).text.length;
      if (length > SAMPLES_LENGTH) break;
      if (performance.now() < end) continue;
      await new Promise((resolve) => setImmediate(resolve));
      end = performance.now() + SLICE_MS;
    }
    return samples;
  }

  function runnable(row: Row): boolean {
    return checker !== undefined && isRunnable(row);
  }

  async function runAll(cancel: Cancel): Promise<RunAllResult> {
    const result = { run: 0, passed: 0, failed: 0, skipped: 0 };
    const using = checker;
    if (using === undefined) return result;
    if (large === undefined) checkAll(using);
    else await checkAllInSlices(using, cancel);
    await facts.runAll(table.rows().filter(runnable), using, cancel);
    for (const row of table.rows()) {
      if (row.brief === undefined ? row.checked?.solution === undefined : row.brief.solution !== 'python') continue;
      if (row.run === undefined) result.skipped++;
      else {
        result.run++;
        if (row.passed) result.passed++;
        else result.failed++;
      }
    }
    return result;
  }

  async function checkAllInSlices(using: Checker, cancel: Cancel): Promise<void> {
    const isWanted = (): boolean => !closed && !cancel.aborted && checker === using && large !== undefined;
    while (isWanted() && large?.large.passing(() => checkRows(table.rows(), using)) === false) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  function checkAll(using: Checker): void {
    for (const row of table.rows()) if (!isChecked(row) || !isLaid(row)) lay(row, using);
  }

  function fileFindings(): readonly Finding[] {
    if (checker === undefined) return [];
    return open([...checker.fileFindings(faultsOfText()), ...collector.ofFile(), ...floods]);
  }

  return {
    uri,
    path,
    shows: part?.kind ?? 'file',
    get version() {
      return table.version;
    },
    get checker() {
      return checker;
    },
    rows: () => table.rows(),
    row: (index) => (part === undefined ? table.rows()[index] : table.rows().find((row) => row.index === index)),
    records: () => part?.records() ?? table.rows().length,
    isAccepted: ({ fingerprint }) => accepted.has(fingerprint),
    isFlood: isTold,
    get judgement() {
      return judgement;
    },
    get busy() {
      return isBusy();
    },
    acrossOf,
    *rowsFinding(fits) {
      for (const row of table.rows()) {
        if (large !== undefined ? briefsOf(row).some(fits) : placed(row).some(fits) || acrossOf(row).some(fits))
          yield row;
      }
    },
    hasAcross: (row) => ('briefsOf' in collector ? collector.briefsOf(row) : acrossOf(row)).length > 0,
    findingsOf: (row) => [...open([...placed(row), ...acrossOf(row)])].sort(byPlace),
    fileFindings,
    diskFaults: () => diskFaults,
    form,
    ...(large !== undefined && { large: large.large }),
    openCodes,
    attend() {
      if (large === undefined) return;
      attendUntil = performance.now() + ATTEND_MS;
    },
    text: () => table.text(),
    rowAt({ line, character }) {
      const row = rowAt(table.rows(), line, character);
      if (checker !== undefined && row !== undefined && !isLaid(row)) lay(row, checker);
      return row;
    },
    checkAll() {
      // A large file is gone through in the background; what is known so far is what there is.
      if (checker === undefined || large !== undefined) return;
      checkAll(checker);
      // Rules across the file speak of the text that they saw last.
      if (part === undefined && table.rows().length <= SMALL) collector.collectNow(checker);
    },
    change(changes, version) {
      table.change(changes, version);
      if (part === undefined) host.datasets.typed(path);
      // A file without a profile may get one as it is written.
      if (checker === undefined) recogniseSoon();
      else typed();
    },
    reload,
    settled: () => reloading,
    documentsChanged() {
      facts.forgetDocuments(table.rows());
      schedule(ARRIVAL_MS);
    },
    settingsChanged() {
      void reload();
    },
    async complete(row, cancel) {
      if (checker === undefined) return;
      if (!isChecked(row) || !isLaid(row)) lay(row, checker);
      await facts.readDocument(row, checker, cancel);
      // What was read may say something else.
      if (checker !== undefined && !row.gone && !isLaid(row)) lay(row, checker);
    },
    readPages: async (document, pages) =>
      (await host.runtime.documents.readPages?.(document, pages)) ?? new Map<number, PageFacts>(),
    async run(row) {
      const using = checker;
      if (using === undefined) return undefined;
      if (!isChecked(row)) lay(row, using);
      await facts.run(row, using);
      return row.checked && using.outcome(row.checked, row.run);
    },
    runAll,
    isRunning: (row) => facts.isRunning(row),
    close() {
      closed = true;
      tellFirst();
      clearTimeout(timer);
      clearTimeout(collectTimer);
      clearTimeout(recogniseTimer);
      for (const row of table.rows()) drop(row);
      if (published) host.publish(uri, table.version, []);
      if (part !== undefined) return;
      host.acceptances.closed(path);
      host.datasets.leave(path);
    },
  };
}
