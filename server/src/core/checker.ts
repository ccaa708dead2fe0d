import type { RuleLevel, Severity } from '../../../schemas/report.ts';
import type { SolutionOutcome } from '../../../schemas/protocol.ts';
import type { Finding, LocalFinding, OtherFile, Position, RecordRef, RelatedPlace, Span } from './finding.ts';
import { createHashCounter } from './hash-index.ts';
import { hashNumber, hashText } from './hash.ts';
import type { CheckedText, Checker, Collection, Found, PagesRead, PlaceElsewhere, RecordFacts } from './pipeline.ts';
import { pagesWanted } from './page/wanted.ts';
import type { DocumentFacts, RunError, RunRequest, RunResult } from './ports.ts';
import { documentRequest } from './profile/locations.ts';
import { OUTPUT_LIMIT } from './profile/types.ts';
import type { FileSettings } from './profile/types.ts';
import { runProgram } from './programs/run.ts';
import { toCanonical } from './record/canonical.ts';
import { withContext } from './record/external.ts';
import { adderOf, isLate, rulesAcross } from './rules/across.ts';
import { applyPrecedence, SILENCING } from './rules/precedence.ts';
import { appliesTo, defaultLevel, RULES } from './rules/registry.ts';
import type { DatasetMemory, RecordInput, Report, Rule } from './rules/types.ts';
import { analyseSolution } from './solution/analyse.ts';
import { acceptLists } from './solution/list-result.ts';
import { judge } from './solution/verdict.ts';
import { positionIn, spanInString, spanOfPointer } from './text/offsets.ts';
import { withOuter } from './text/nested.ts';
import { endOfFirstKey } from './text/visit.ts';
import { parseRecordText } from './text/parse.ts';
import { withColumnsOfFile } from './text/place.ts';
import type { FileFault, RecordSlot } from './text/types.ts';
import { traceOf } from './trace/trace.ts';
import { placeFix } from './edit/edits.ts';
import { fixOfTextFault, placeRepair } from './edit/text-fixes.ts';

/** The pipeline for the records of one file; see `Checker`. Holds no state but what follows from the settings. */
export function createChecker(settings: FileSettings): Checker {
  const levels = new Map<string, RuleLevel>(
    RULES.map((rule) => [rule.code, settings.rules[rule.code] ?? defaultLevel(rule)]),
  );
  // A rule that silences others runs even when it is off: what it says is then not said by another either.
  const active = RULES.filter(
    (rule) => (levels.get(rule.code) !== 'off' || SILENCING.has(rule.code)) && appliesTo(rule, settings.profile),
  );
  // Rules report into the list of the record at hand; one reporter per rule spares a closure per record and rule.
  let sink: LocalFinding[] = [];
  const reporterOf = (rule: Rule): Report => {
    return (finding) => sink.push({ code: rule.code, ...finding });
  };
  const groups = groupsOf(active, reporterOf);
  const runRules = active.flatMap((rule) => ('checkRun' in rule ? [{ rule, report: reporterOf(rule) }] : []));
  const traceRules = active.flatMap((rule) => ('checkTrace' in rule ? [{ rule, report: reporterOf(rule) }] : []));
  const pageRules = active.flatMap((rule) => {
    const checkPage = 'checkPage' in rule ? rule.checkPage?.bind(rule) : undefined;
    return checkPage === undefined ? [] : [{ checkPage, report: reporterOf(rule) }];
  });
  const readsPages = active.some(({ needs }) => needs === 'page');
  const sizeRules = active.flatMap((rule) => ('checkSize' in rule ? [{ rule, report: reporterOf(rule) }] : []));

  // What they say depends on a context that may arrive later, with the document.
  const isContextRule = ({ code }: Rule): boolean => code.startsWith('evidence/');
  const contextGroups = groupsOf(active.filter(isContextRule), reporterOf);
  const contextCodes = new Set(active.filter(isContextRule).map(({ code }) => code));

  function checkText(text: string, outer?: RecordSlot['outer']): CheckedText {
    const parsed = parseRecordText(text);
    const findings: LocalFinding[] = [];
    for (const fault of parsed.faults) findings.push({ pointer: '', ...fault, ...fixOfTextFault(fault, text) });
    if (parsed.value === undefined) return { text, parsed, record: undefined, solution: undefined, findings };
    const record = toCanonical(withOuter(parsed.value, outer), settings.profile);
    const source = record.solution;
    const solution =
      source === undefined || source.trim() === ''
        ? undefined
        : analyseSolution(source, {
            entryPoint: settings.profile.entryPoint,
            allowedImports: settings.solutions.allowedImports,
            hasPackages: settings.solutions.runner === 'python',
          });
    const { nonFinite, isAscii, hasDecimals } = parsed;
    const input: RecordInput = { record, settings, solution, nonFinite, text, isAscii, hasDecimals };
    sink = findings;
    checkRecord(groups, input);
    const computed = settings.solutions.runner === 'off' ? undefined : runProgram(record, settings);
    const checked =
      computed === undefined
        ? { text, parsed, record, solution, findings }
        : { text, parsed, record, solution, findings, computed };
    latest = checked;
    inputOfLatest = input;
    return checked;
  }

  // A record that is checked is mostly collected next.
  let latest: CheckedText | undefined;
  let inputOfLatest: RecordInput | undefined;

  function inputOf(checked: CheckedText, document?: DocumentFacts): RecordInput | undefined {
    if (checked === latest && document === undefined) return inputOfLatest;
    const { solution, text } = checked;
    const { nonFinite, isAscii, hasDecimals } = checked.parsed;
    const record = checked.record && withContext(checked.record, document);
    return record && { record, settings, solution, nonFinite, text, isAscii, hasDecimals };
  }

  function runRequest(checked: CheckedText): RunRequest | undefined {
    if (checked.solution?.runnable !== true || settings.solutions.runner === 'off') return undefined;
    const { timeoutMs, memoryMb } = settings.solutions;
    return {
      source: checked.solution.source,
      entryPoint: settings.profile.entryPoint,
      limits: { timeoutMs, memoryMb, outputLimit: OUTPUT_LIMIT },
      ...(settings.solutions.runner === 'python' && { engine: 'python' }),
    };
  }

  /** What the record alone shows; once its context has come from a file of its own, what it shows with it. */
  function earlyFindings(checked: CheckedText, input: RecordInput | undefined): LocalFinding[] {
    if (input === undefined || input.record === checked.record) return [...checked.findings];
    const found = checked.findings.filter(({ code }) => !contextCodes.has(code));
    sink = found;
    checkRecord(contextGroups, input);
    return found;
  }

  function runOf(checked: CheckedText, run: RunResult | undefined): RunResult | undefined {
    return checked.computed ?? (run && acceptLists(run, settings.profile));
  }

  function locals(checked: CheckedText, facts: RecordFacts): LocalFinding[] {
    const input = inputOf(checked, facts.document);
    const run = runOf(checked, facts.run);
    const found = earlyFindings(checked, input);
    sink = found;
    if (input !== undefined && run !== undefined) {
      for (const { rule, report } of runRules) rule.checkRun({ ...input, run }, report);
    }
    if (input !== undefined && traceRules.length > 0) {
      const trace = traceOf(input.record === checked.record ? checked : { ...checked, record: input.record });
      if (trace !== undefined) {
        for (const { rule, report } of traceRules) rule.checkTrace({ ...input, trace, run }, report);
      }
    }
    if (input !== undefined && facts.document !== undefined) {
      for (const { rule, report } of sizeRules) rule.checkSize({ ...input, document: facts.document }, report);
    }
    if (facts.pageFindings !== undefined) found.push(...facts.pageFindings);
    return applyPrecedence(found, input?.record.source);
  }

  function checkPages(checked: CheckedText, document: DocumentFacts, { pages, documentText }: PagesRead) {
    const input = inputOf(checked);
    if (input === undefined || !readsPages) return { findings: [], wantsText: false };
    const faultyBoxes = new Set<string>();
    for (const { code, pointer } of locals(checked, { document })) {
      if (code.startsWith('box/') && levels.get(code) === 'error') faultyBoxes.add(pointer);
    }
    const found: LocalFinding[] = [];
    let wantsText = false;
    const wantText = (): void => void (wantsText = true);
    sink = found;
    for (const { checkPage, report } of pageRules) {
      checkPage({ ...input, document, pages, documentText, wantText, faultyBoxes }, report);
    }
    return { findings: found, wantsText: wantsText && documentText === undefined };
  }

  function severityOf({ code, severity }: LocalFinding): Severity | undefined {
    const level = levels.get(code);
    if (level === undefined) throw new Error(`No rule has the code ${code}`);
    if (level === 'off') return undefined;
    return severity === undefined || RANK[level] < RANK[severity] ? level : severity;
  }

  function place(finding: LocalFinding, slot: RecordSlot, checked: CheckedText, ordinal: number): Finding | undefined {
    const severity = severityOf(finding);
    if (severity === undefined) return undefined;
    const span = spanOf(finding, checked);
    const key = ordinal === 0 ? keyOf(checked) : `${keyOf(checked)}#${ordinal}`;
    const placed: Finding = {
      code: finding.code,
      severity,
      message: finding.code.startsWith('file/') ? withColumnsOfFile(finding.message, slot.column) : finding.message,
      record: refOf(slot, checked),
      recordKey: key,
      pointer: finding.pointer,
      start: positionIn(slot, span.start),
      end: positionIn(slot, span.end),
      fingerprint: hashText(finding.code, key, finding.pointer, finding.found ?? ''),
      fixes: (finding.fixes ?? []).flatMap((fix) => placeFix(fix, checked.text) ?? []),
      related: (finding.related ?? []).flatMap((related) => {
        if (related.file !== undefined) return [placeElsewhere(related, related.file)];
        // Places in other records are laid by the shell that still has them.
        if (related.recordIndex !== undefined && related.recordIndex !== slot.index) return [];
        const place = spanOfPointer(checked.text, related.pointer) ?? headOf(checked.text);
        return [{ ...related, start: positionIn(slot, place.start), end: positionIn(slot, place.end) }];
      }),
    };
    if (finding.found !== undefined) founds.set(placed, finding.found);
    return placed;
  }

  function findings(slot: RecordSlot, checked: CheckedText, facts: RecordFacts, ordinal = 0): Finding[] {
    const quiet = checked.findings.length === 0 && facts.run === undefined && facts.document === undefined;
    // What is cited can be traced without a solution too.
    const untraced = checked.solution === undefined && checked.computed === undefined && !checked.record?.context;
    if (quiet && untraced) return [];
    const placed = locals(checked, facts).flatMap((finding) => place(finding, slot, checked, ordinal) ?? []);
    return placed.length > 1 ? placed.sort(byPlace) : placed;
  }

  function collect(dataset?: DatasetMemory): Collection {
    const rules = rulesAcross(active, dataset);
    const reducers = rules.map((rule) => rule.reduce(settings, dataset));
    const adders = rules.map((rule, i) => adderOf(rule, reducers[i]!));
    return {
      codes: rules.map(({ code }) => code),
      add(slot, checked, facts) {
        const input = inputOf(checked);
        if (input === undefined) return;
        for (const add of adders) add(input, slot, facts.document);
      },
      digest(checked, facts) {
        const input = inputOf(checked);
        if (input === undefined) return [];
        const items: [number, unknown][] = [];
        for (let i = 0; i < rules.length; i++) {
          const item = rules[i]!.digest(input, facts.document);
          if (item !== undefined) items.push([i, item]);
        }
        return items;
      },
      reduce(at, items) {
        for (const [rule, item] of items) reducers[rule]?.add(item, at);
      },
      end() {
        const found: Found[] = [];
        for (const [i, { code }] of rules.entries()) {
          reducers[i]!.end((index, finding) => found.push({ index, code, finding }));
        }
        return found;
      },
      place({ code, finding }, slot, checked, ordinal = 0, facts) {
        const input = checked && inputOf(checked);
        if (isLate(finding) && input === undefined) return undefined;
        const worded = isLate(finding) ? finding.say(input!, facts?.document) : finding;
        const local = { code, ...worded };
        const isInRecord = slot !== undefined && checked !== undefined;
        const placed = isInRecord ? place(local, slot, checked, ordinal) : placeInFile(local, START, START);
        return placed && { finding: placed, elsewhere: placesElsewhere(local, slot?.index) };
      },
    };
  }

  function placeInFile(finding: LocalFinding, start: Position, end: Position): Finding | undefined {
    const severity = severityOf(finding);
    if (severity === undefined) return undefined;
    const { code, message, pointer } = finding;
    const fingerprint = hashText(code, '', pointer, finding.found ?? '');
    return { code, severity, message, record: null, pointer, start, end, fingerprint, fixes: [], related: [] };
  }

  function fileFindings(faults: readonly FileFault[]): Finding[] {
    return faults.flatMap((fault) => {
      const start = { line: fault.line, column: fault.startColumn };
      const end = { line: fault.line, column: fault.endColumn };
      const placed = placeInFile({ ...fault, pointer: '' }, start, end);
      if (placed === undefined) return [];
      return fault.repair === undefined ? placed : { ...placed, fixes: [placeRepair(fault.repair)] };
    });
  }

  return {
    settings,
    checkText,
    runRequest,
    documentRequest: (checked) => checked.record && documentRequest(checked.record, settings),
    pagesWanted: (checked, document) =>
      checked.record === undefined || !readsPages ? [] : pagesWanted(checked.record, settings, document),
    checkPages,
    outcome: (checked, run) => outcomeOf(checked, runOf(checked, run), settings),
    findings,
    collect,
    fileFindings,
  };
}

function errorOf({ kind, type, message, line }: RunError): NonNullable<SolutionOutcome['error']> {
  const returned = kind === 'badReturn' || kind === 'notFinite';
  return { type, message, line: line ?? null, ...(returned && { returned }) };
}

function placesElsewhere({ related }: LocalFinding, own: number | undefined): readonly PlaceElsewhere[] {
  return (related ?? []).flatMap((place) => {
    const { recordIndex } = place;
    return recordIndex === undefined || recordIndex === own ? [] : [{ ...place, recordIndex }];
  });
}

function placeElsewhere(related: RelatedPlace, { start }: OtherFile): Finding['related'][number] {
  return { ...related, start, end: { line: start.line, column: start.column + 1 } };
}

/** Rules on the record alone that share what they ask first. */
interface RuleGroup {
  readonly asks: ((input: RecordInput) => boolean) | undefined;
  /**
   * Nearly all records are good, so the time goes into calling. The rules' own objects differ in shape, which makes each
   * lookup in them slow; these do not.
   */
  readonly rules: { readonly check: (input: RecordInput, report: Report) => void; readonly report: Report }[];
}

function groupsOf(rules: readonly Rule[], reporterOf: (rule: Rule) => Report): readonly RuleGroup[] {
  const groups = new Map<RuleGroup['asks'], RuleGroup>();
  for (const rule of rules) {
    if (!('checkRecord' in rule)) continue;
    let group = groups.get(rule.asks);
    if (group === undefined) groups.set(rule.asks, (group = { asks: rule.asks, rules: [] }));
    group.rules.push({ check: rule.checkRecord, report: reporterOf(rule) });
  }
  return [...groups.values()];
}

function checkRecord(groups: readonly RuleGroup[], input: RecordInput): void {
  for (const { asks, rules } of groups) {
    if (asks !== undefined && !asks(input)) continue;
    for (const { check, report } of rules) check(input, report);
  }
}

const RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

const START: Position = { line: 0, column: 0 };

export function byPlace(a: Finding, b: Finding): number {
  return (
    a.start.line - b.start.line ||
    a.start.column - b.start.column ||
    a.end.line - b.end.line ||
    a.end.column - b.end.column ||
    (a.code < b.code ? -1 : a.code > b.code ? 1 : 0)
  );
}

const founds = new WeakMap<Finding, string>();

/** What a finding of `Checker.findings` found: part of its fingerprint. */
export function foundOf(finding: Finding): string {
  return founds.get(finding) ?? '';
}

/** A finding that was placed without knowing that its record's key has come before, and `found` of it. */
export function withOrdinal(finding: Finding, found: string, ordinal: number): Finding {
  if (ordinal === 0 || finding.recordKey === undefined) return finding;
  const recordKey = `${finding.recordKey}#${ordinal}`;
  return { ...finding, recordKey, fingerprint: hashText(finding.code, recordKey, finding.pointer, found) };
}

/** A record's key: its id, else a hash of question and document. Repeats are told apart by an ordinal in file order. */
export function keyOf(checked: Pick<CheckedText, 'record' | 'text'>): string {
  const record = checked.record;
  if (record === undefined) return `text:${hashText(checked.text)}`;
  if (record.id !== undefined) return `id:${record.id}`;
  return `hash:${hashText(record.question ?? '', record.document ?? '')}`;
}

/** The key as a number of 53 bits: for tables, and to part records among several that check them. */
export function keyNumberOf({ record, text }: Pick<CheckedText, 'record' | 'text'>): number {
  if (record === undefined) return hashNumber(text);
  const { id } = record;
  return id === undefined ? hashNumber(record.question ?? '', record.document ?? '') : hashNumber(id);
}

/** Counts how often a key has come already; call once per record, in file order. */
export function createOrdinals(): (checked: Pick<CheckedText, 'record' | 'text'>) => number {
  const timesSeen = createHashCounter();
  return (checked) => timesSeen(keyNumberOf(checked));
}

export function refOf(slot: RecordSlot, checked: CheckedText): RecordRef {
  return { index: slot.index, line: slot.line + 1, id: checked.record?.id ?? null };
}

/** Range of a finding inside its record's text. A fault of the whole record stands on its head, not on a line of a megabyte. */
function spanOf(finding: LocalFinding, checked: CheckedText): Span {
  if (finding.span !== undefined) return finding.span;
  if (finding.pointer === '') return headOf(checked.text);
  const value = spanOfPointer(checked.text, finding.pointer, finding.onKey);
  if (value === undefined) return headOf(checked.text);
  if (finding.inString === undefined) return value;
  return spanInString(checked.text, value, finding.inString);
}

/** The opening brace with the first key. */
function headOf(text: string): Span {
  return { start: 0, end: endOfFirstKey(text) ?? Math.min(1, text.length) };
}

function outcomeOf(
  checked: CheckedText,
  run: RunResult | undefined,
  settings: FileSettings,
): SolutionOutcome | undefined {
  const { record, solution } = checked;
  if (record === undefined || (solution === undefined && record.program === undefined)) return undefined;
  const gold = typeof record.gold === 'number' ? record.gold : null;
  if (run === undefined) {
    return { value: null, type: null, gold, verdict: 'skipped', error: null, stdout: '', ms: 0 };
  }
  const { value, error } = run;
  return {
    value: value?.repr ?? null,
    type: value?.kind ?? null,
    gold,
    verdict: judge(run, record.gold, settings).verdict,
    error: error === undefined ? null : errorOf(error),
    stdout: run.stdout,
    ms: run.ms,
  };
}
