/** Quick fixes, all fixes of one rule in a file, and all safe ones (`source.fixAll.auditableQA`). */
import { CodeActionKind } from 'vscode-languageserver/node';
import type {
  CodeAction,
  CodeActionParams,
  Diagnostic,
  TextEdit as LspEdit,
  WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { FixTarget } from '../../../../schemas/protocol.ts';
import { FIX_EVERYWHERE_COMMAND, FIX_ON_DISK } from '../../../../schemas/protocol.ts';
import { chosenFix, fixRecord } from '../../core/edit/choose.ts';
import { fixWithOthers, MISMATCH, WHOLE_FILE } from '../../core/edit/conversions.ts';
import { mergeEdits } from '../../core/edit/edits.ts';
import type { FileRepair, TextEdit } from '../../core/edit/types.ts';
import type { Finding, PlacedFix } from '../../core/finding.ts';
import { acceptAction } from '../acceptance.ts';
import { conversionFixes, offersAt, offersOf } from './conversions.ts';
import type { Offer } from './conversions.ts';
import { SOURCE } from '../session/diagnostics.ts';
import { editsIn } from '../ranges.ts';
import { slotWith } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

export const FIX_ALL = 'source.fixAll.auditableQA';

export interface ActionClient {
  /** Whether edits may name the version they are for. */
  readonly versions: boolean;
  /** Whether edits may be made when an action is chosen. */
  readonly resolves: boolean;
  /** Whether an action that cannot be taken may be shown with the reason. */
  readonly disabled: boolean;
  /** Whether it carries out commands that ask the user. */
  readonly asks: boolean;
}

/** What one action changes. */
export interface Changes {
  readonly rows: ReadonlyMap<Row, readonly TextEdit[]>;
  readonly repairs: readonly FileRepair[];
}

/** What the client sends back to have an action's edit made: the actions of a rule and of a file are made when chosen. */
interface ActionData {
  readonly target: FixTarget;
}

export function codeActions(session: Session, params: CodeActionParams, client: ActionClient): CodeAction[] {
  const { only, diagnostics } = params.context;
  const actions: CodeAction[] = [];
  if (wants(only, CodeActionKind.QuickFix)) {
    const codes = new Set<string>();
    for (const diagnostic of diagnostics) {
      const finding = findingOf(session, diagnostic);
      if (finding === undefined) continue;
      const row = finding.record === null ? undefined : session.row(finding.record.index);
      finding.fixes.forEach((fix, at) => {
        // What a document does not show is not to be changed from there.
        if (row?.lens !== undefined && row.lens.edits(fix.edits) === undefined) return;
        actions.push(quickFix(session, finding, fix, at, diagnostic, client));
      });
      if (finding.fixes.length > 0) codes.add(finding.code);
    }
    // What arrived a moment ago may have left records without their findings, and they would not be counted.
    if (codes.size > 0) session.checkAll();
    const converting = conversionActions(session, diagnostics, client);
    actions.push(...converting);
    if (client.asks) actions.push(...acceptActions(session, diagnostics));
    for (const code of codes) {
      // Boxes that are read in different ways are not converted together.
      if (code === MISMATCH && converting.length > 0) continue;
      const all = allOfRule(session, code, diagnostics, client);
      if (all === undefined) continue;
      actions.push(all);
      if (client.asks && session.shows === 'file' && all.disabled === undefined)
        actions.push(lookAtAll(session, code, all));
    }
  }
  if (wants(only, CodeActionKind.RefactorRewrite) && !diagnostics.some(({ code }) => code === WHOLE_FILE)) {
    for (const offer of offersAt(session, params.range.start)) {
      actions.push(...offered(session, offer, { title: offer.title, kind: CodeActionKind.RefactorRewrite }, client));
    }
  }
  // Asked for only: on saving, and in the menu of source actions.
  if (only !== undefined && wants(only, FIX_ALL)) {
    const target = { uri: session.uri, kind: 'safe' } as const;
    const changes = changesOf(session, target);
    // A save under way would undo what is written to the disk meanwhile.
    if (!isEmpty(changes) && hazardOf(session) === undefined) {
      actions.push({ title: 'Fix all that is safe', kind: FIX_ALL, edit: editOf(session, changes, client) });
    }
  }
  return actions;
}

/** What the findings let be converted together, each once. */
function conversionActions(session: Session, diagnostics: readonly Diagnostic[], client: ActionClient): CodeAction[] {
  const titles = new Set<string>();
  return diagnostics.flatMap((diagnostic) => {
    if (diagnostic.code !== MISMATCH && diagnostic.code !== WHOLE_FILE) return [];
    const finding = findingOf(session, diagnostic);
    const offers = finding === undefined ? [] : offersOf(session, finding);
    return offers.flatMap((offer) => {
      if (titles.has(offer.title)) return [];
      titles.add(offer.title);
      const action = { title: offer.title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic] };
      return offered(session, offer, action, client);
    });
  });
}

function offered(session: Session, offer: Offer, action: CodeAction, client: ActionClient): CodeAction[] {
  if (offer.disabled === undefined) return [carriedOut(session, action, offer.target, undefined, client)];
  return client.disabled ? [{ ...action, disabled: { reason: offer.disabled } }] : [];
}

function acceptActions(session: Session, diagnostics: readonly Diagnostic[]): CodeAction[] {
  return diagnostics.flatMap((diagnostic) => {
    const finding = findingOf(session, diagnostic);
    return finding === undefined ? [] : acceptAction(session.uri, finding, diagnostic);
  });
}

/** Makes the edit of an action that was left open. */
export function resolveAction(action: CodeAction, session: Session, client: ActionClient): CodeAction {
  const { target } = action.data as ActionData;
  return { ...action, edit: editOf(session, changesOf(session, target), client) };
}

export function uriOfAction(action: CodeAction): string | undefined {
  return (action.data as ActionData | undefined)?.target.uri;
}

/** What is to be changed now; nothing where the finding is gone. */
export function changesOf(session: Session, target: FixTarget): Changes {
  session.checkAll();
  if (target.kind === 'safe') return safeChanges(session);
  if (target.kind === 'conversion') return collect(conversionFixes(session, target));
  const groups: (PlacedFix & { readonly row: Row | undefined })[] = [];
  const isMeant = ({ code, fingerprint }: Pick<Finding, 'code' | 'fingerprint'>): boolean =>
    target.kind === 'rule' ? code === target.code : fingerprint === target.fingerprint;
  for (const [row, findings] of findingsByRow(session, isMeant)) {
    for (const finding of findings) {
      const fix =
        target.kind === 'rule'
          ? finding.code === target.code
            ? fixWithOthers(finding, findings)
            : undefined
          : finding.fingerprint === target.fingerprint
            ? finding.fixes[target.fix]
            : undefined;
      if (fix !== undefined) groups.push({ ...fix, row });
    }
  }
  return collect(groups);
}

/** What taking the changes of a target back is called. */
export function titleOf(session: Session, target: FixTarget): string {
  switch (target.kind) {
    case 'finding': {
      for (const [, findings] of findingsByRow(session, ({ fingerprint }) => fingerprint === target.fingerprint)) {
        const found = findings.find(({ fingerprint }) => fingerprint === target.fingerprint);
        if (found !== undefined) return found.fixes[target.fix]?.title ?? `Fix ${found.code}`;
      }
      return 'Fix a finding';
    }
    case 'rule':
      return `Fix all ${target.code}`;
    case 'conversion':
      return `Convert the boxes of the ${target.scope}`.replace('boxes of the box', 'box');
    case 'safe':
      return 'Fix all that is safe';
  }
}

function collect(groups: readonly (PlacedFix & { readonly row: Row | undefined })[]): Changes {
  const byRow = new Map<Row, PlacedFix[]>();
  const repairs: FileRepair[] = [];
  for (const { row, ...fix } of groups) {
    if (fix.file !== undefined) repairs.push(fix.file);
    else if (row !== undefined) byRow.set(row, [...(byRow.get(row) ?? []), fix]);
  }
  const rows = new Map([...byRow].map(([row, fixes]) => [row, mergeEdits(fixes).edits] as const));
  return { rows, repairs };
}

/** Safe fixes of every record, until none is left; what only the disk shows is not among them. */
function safeChanges(session: Session): Changes {
  const { checker } = session;
  const rows = new Map<Row, readonly TextEdit[]>();
  const repairs: FileRepair[] = [];
  for (const [row, findings] of findingsByRow(session)) {
    if (row === undefined) {
      const safe = findings.flatMap((finding) => chosenFix(finding, false)?.file ?? []);
      repairs.push(...safe.filter((repair) => isInText(repair)));
      continue;
    }
    if (checker === undefined || !findings.some(({ fixes }) => fixes.some(({ safe }) => safe))) continue;
    const again = (text: string): readonly Finding[] =>
      text === row.text
        ? findings
        : checker
            .findings(slotWith(row, text), checker.checkText(text, row.outer), {}, row.ordinal)
            .filter((finding) => !session.isAccepted(finding));
    rows.set(
      row,
      fixRecord(row.text, again, (finding) => chosenFix(finding, false)),
    );
  }
  return { rows, repairs };
}

/** `fits`: one of the record's findings that is wanted; of a large file no other record is read. */
function* findingsByRow(
  session: Session,
  fits: (found: Pick<Finding, 'code' | 'fingerprint'>) => boolean = () => true,
): Generator<readonly [Row | undefined, readonly Finding[]]> {
  yield [undefined, session.fileFindings()];
  for (const row of session.rowsFinding(fits)) {
    const findings = session.findingsOf(row);
    if (findings.length > 0) yield [row, findings];
  }
}

export function isEmpty({ rows, repairs }: Changes): boolean {
  return rows.size === 0 && repairs.length === 0;
}

function wants(only: readonly string[] | undefined, kind: string): boolean {
  return only === undefined || only.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
}

/** The finding that a diagnostic shows, by its fingerprint, near the place where the diagnostic is. */
function findingOf(session: Session, { source, data, code, message, range }: Diagnostic): Finding | undefined {
  if (source !== SOURCE) return undefined;
  const fingerprint = (data as { fingerprint?: unknown } | null | undefined)?.fingerprint;
  // Some clients give back only what they show.
  const isIt = (finding: Finding): boolean =>
    typeof fingerprint === 'string'
      ? finding.fingerprint === fingerprint
      : finding.code === code && finding.message === message && finding.start.line === range.start.line;
  const row = session.rowAt(range.start);
  const near = row === undefined ? [] : session.findingsOf(row);
  const found = [...near, ...session.fileFindings()].filter(isIt);
  return found.find(({ start }) => start.line === range.start.line) ?? found[0] ?? elsewhereOn(session, range, isIt);
}

/** Some clients give back columns in bytes: the finding is in another record of the line. */
function elsewhereOn(
  session: Session,
  { start: { line } }: Diagnostic['range'],
  isIt: (finding: Finding) => boolean,
): Finding | undefined {
  for (const row of session.rows()) {
    const found = row.line === line ? session.findingsOf(row).find(isIt) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function quickFix(
  session: Session,
  finding: Finding,
  fix: PlacedFix,
  at: number,
  diagnostic: Diagnostic,
  client: ActionClient,
): CodeAction {
  const action: CodeAction = { title: fix.title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic] };
  if (at === 0 && (fix.safe || finding.fixes.length === 1)) action.isPreferred = fix.safe;
  const row = finding.record === null ? undefined : session.row(finding.record.index);
  const target = { uri: session.uri, kind: 'finding', fingerprint: finding.fingerprint, fix: at } as const;
  const changes = collect([{ ...fix, row }]);
  return carriedOut(session, action, target, () => changes, client);
}

/** The same with a look at what changes before. */
function lookAtAll({ uri }: Session, code: string, { diagnostics = [] }: CodeAction): CodeAction {
  const title = `Look at all fixes of ${code} in this file…`;
  const command = { title, command: FIX_EVERYWHERE_COMMAND, arguments: [uri, code] };
  return { title, kind: CodeActionKind.QuickFix, diagnostics, command };
}

/** All fixes of a rule that need no choice, where there are several. */
function allOfRule(
  session: Session,
  code: string,
  diagnostics: readonly Diagnostic[],
  client: ActionClient,
): CodeAction | undefined {
  let count = 0;
  let safe = true;
  for (const [, findings] of findingsByRow(session)) {
    for (const finding of findings) {
      const fix = finding.code === code ? fixWithOthers(finding, findings) : undefined;
      if (fix === undefined) continue;
      count++;
      safe &&= fix.safe;
    }
  }
  if (count < 2) return undefined;
  const title = `Fix all ${count} ${code} in this file${safe ? '' : ' (look at each: it changes what records say)'}`;
  const own = diagnostics.filter((diagnostic) => diagnostic.code === code);
  const action: CodeAction = { title, kind: CodeActionKind.QuickFix, diagnostics: own };
  const target = { uri: session.uri, kind: 'rule', code } as const;
  return carriedOut(session, action, target, undefined, client);
}

/** As an edit of the open text where saving that changes nothing else; else by the server, on disk; else with the reason. */
function carriedOut(
  session: Session,
  action: CodeAction,
  target: FixTarget,
  changes: (() => Changes) | undefined,
  client: ActionClient,
): CodeAction {
  const hazard = hazardOf(session);
  if (hazard?.kind === 'refused') return client.disabled ? { ...action, disabled: { reason: hazard.reason } } : action;
  const made = changes?.();
  if (hazard !== undefined || (made !== undefined && isOfDisk(made))) {
    return { ...action, command: { title: action.title, command: FIX_ON_DISK, arguments: [target] } };
  }
  if (made === undefined && client.resolves) return { ...action, data: { target } satisfies ActionData };
  return { ...action, edit: editOf(session, made ?? changesOf(session, target), client) };
}

type Hazard = { readonly kind: 'refused'; readonly reason: string } | { readonly kind: 'onDisk' };

/** What saving the file from an editor would change beside an edit. */
export function hazardOf(session: Session): Hazard | undefined {
  const codes = session.diskFaults().map(({ code }) => code);
  if (codes.includes('file/encoding')) {
    const reason =
      'The file holds bytes that are not UTF-8: saving it would replace them for good. Repair the encoding first.';
    return { kind: 'refused', reason };
  }
  return codes.includes('file/mixed-line-endings') ? { kind: 'onDisk' } : undefined;
}

/** Whether the open text shows what is to be repaired: editors keep the mark at a file's start and mixed line ends to themselves. */
function isInText(repair: FileRepair): boolean {
  return repair.kind === 'blankLines' || (repair.kind === 'byteOrderMark' && repair.line > 0);
}

/** Changes as edits of the open text; what only the disk shows is left out. */
export function editsOfChanges(session: Session, { rows, repairs }: Changes): LspEdit[] {
  const edits: LspEdit[] = [...repairs].flatMap(repairEdits);
  for (const [row, own] of rows) {
    edits.push(...(editsIn(row, own, session.text) ?? []));
  }
  return edits;
}

/** Whether the open text does not show all that is to be changed. */
export function isOfDisk({ repairs }: Changes): boolean {
  return repairs.some((repair) => !isInText(repair));
}

function editOf(session: Session, changes: Changes, { versions }: ActionClient): WorkspaceEdit {
  const { uri, version } = session;
  const edits = editsOfChanges(session, changes);
  return versions ? { documentChanges: [{ textDocument: { uri, version }, edits }] } : { changes: { [uri]: edits } };
}

function repairEdits(repair: FileRepair): LspEdit[] {
  if (!isInText(repair) || repair.kind === 'lineEnds') return [];
  const { line } = repair;
  const [start, end] =
    repair.kind === 'blankLines'
      ? [
          { line, character: 0 },
          { line: line + repair.count, character: 0 },
        ]
      : [
          { line, character: repair.column },
          { line, character: repair.column + 1 },
        ];
  return [{ range: { start, end }, newText: '' }];
}
