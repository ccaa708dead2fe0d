/** Accepted findings in the editor: which ones are left out, the faults of their file, and the action that accepts one. */
import { basename } from 'node:path';
import { CodeActionKind } from 'vscode-languageserver/node';
import type { CodeAction, Diagnostic } from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import type { AcceptedLine } from '../../../schemas/acceptance.ts';
import { ACCEPT_COMMAND } from '../../../schemas/protocol.ts';
import type { AcceptParams, AcceptResult } from '../../../schemas/protocol.ts';
import type { RuleLevel } from '../../../schemas/report.ts';
import { acceptanceFindings, acceptedIn, staleAcceptances } from '../core/acceptance/accepted.ts';
import type { AcceptedList, LookedAt } from '../core/acceptance/accepted.ts';
import type { Finding } from '../core/finding.ts';
import { acceptedPath } from '../node/acceptance.ts';
import type { AcceptedFiles } from '../node/acceptance.ts';
import { toDiagnostic } from './session/diagnostics.ts';
import type { DiagnosticContext } from './session/diagnostics.ts';
import type { Session } from './session/session.ts';

export interface Acceptances {
  /** Fingerprints that are accepted in a record file. Reads the file beside it. */
  of(path: string): Promise<ReadonlySet<string>>;
  /** An open record file was looked at as a whole. */
  looked(path: string, looked: LookedAt, rules: Readonly<Record<string, RuleLevel>>): void;
  closed(path: string): void;
}

export interface AcceptanceHost {
  readonly files: AcceptedFiles;
  publish(uri: string, diagnostics: Diagnostic[]): void;
  readonly diagnostics: Omit<DiagnosticContext, 'uri'>;
}

/** What is known of one file of accepted findings, while a record file beside it is open. */
interface Beside {
  list: AcceptedList;
  /** Names of the record files beside it. */
  names: readonly string[];
  readonly open: Set<string>;
  readonly looked: Map<string, LookedAt>;
  rules: Readonly<Record<string, RuleLevel>>;
  /** Diagnostics as they were published. */
  told: string;
}

const NOTHING: AcceptedList = { entries: [], faults: [] };

export function createAcceptances({ files, publish, diagnostics }: AcceptanceHost): Acceptances {
  const besides = new Map<string, Beside>();

  function tell(at: string, beside: Beside): void {
    const uri = URI.file(at).toString();
    const looked = new Map(beside.names.map((name) => [name, beside.looked.get(name)]));
    const faults = [...beside.list.faults, ...staleAcceptances(beside.list, looked)];
    const found = acceptanceFindings(faults, beside.rules).map((one) => toDiagnostic(one, { ...diagnostics, uri }));
    const told = JSON.stringify(found);
    if (told === beside.told) return;
    beside.told = told;
    publish(uri, found);
  }

  return {
    async of(path) {
      const at = acceptedPath(path);
      const accepted = await files.beside(path);
      let beside = besides.get(at);
      if (accepted === undefined && beside === undefined) return new Set();
      if (beside === undefined) {
        beside = { list: NOTHING, names: [], open: new Set(), looked: new Map(), rules: {}, told: '[]' };
        besides.set(at, beside);
      }
      beside.open.add(path);
      // What was found was matched with the lines as they were.
      if (beside.list !== accepted?.list) beside.looked.clear();
      beside.list = accepted?.list ?? NOTHING;
      beside.names = await files.recordFiles(at);
      tell(at, beside);
      return acceptedIn(beside.list, basename(path));
    },
    looked(path, looked, rules) {
      const at = acceptedPath(path);
      const beside = besides.get(at);
      if (beside === undefined) return;
      beside.looked.set(basename(path), looked);
      beside.rules = rules;
      tell(at, beside);
    },
    closed(path) {
      const at = acceptedPath(path);
      const beside = besides.get(at);
      if (beside === undefined) return;
      beside.open.delete(path);
      if (beside.open.size > 0) return;
      besides.delete(at);
      if (beside.told !== '[]') publish(URI.file(at).toString(), []);
    },
  };
}

/** The action that accepts a finding: the client asks for the reason. */
export function acceptAction(uri: string, finding: Finding, diagnostic: Diagnostic): CodeAction {
  const title = `Accept this finding (${finding.code})…`;
  const asked: Omit<AcceptParams, 'reason'> = { uri, fingerprint: finding.fingerprint };
  return {
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnostic],
    command: { title, command: ACCEPT_COMMAND, arguments: [asked] },
  };
}

/** Adds the line of a finding to the file beside. `today`: as in ISO 8601. */
export async function accept(
  session: Session,
  { fingerprint, reason, by }: AcceptParams,
  files: AcceptedFiles,
  today: string,
): Promise<AcceptResult> {
  const finding = findingOf(session, fingerprint);
  const uri = URI.file(acceptedPath(session.path)).toString();
  if (finding === undefined) return { uri, problem: 'The finding is not there any more.' };
  return acceptAll(session, [finding], { reason, ...(by !== undefined && { by }) }, files, today);
}

/** The same for several findings of one file, with one reason and in one write. */
export async function acceptAll(
  session: Session,
  findings: readonly Finding[],
  { reason, by }: Pick<AcceptParams, 'reason' | 'by'>,
  files: AcceptedFiles,
  today: string,
): Promise<AcceptResult> {
  const at = acceptedPath(session.path);
  const uri = URI.file(at).toString();
  if (reason.trim() === '') return { uri, problem: 'A finding is accepted with a reason.' };
  const lines = findings.map(({ code, recordKey, pointer, fingerprint }): AcceptedLine => ({
    file: basename(session.path),
    code,
    record: recordKey ?? null,
    pointer,
    fingerprint,
    reason: reason.trim(),
    ...(by !== undefined && { by }),
    at: today,
  }));
  const problem = await files.append(at, ...lines);
  return { uri, problem: problem === undefined ? null : `${basename(at)} ${problem}.` };
}

function findingOf(session: Session, fingerprint: string): Finding | undefined {
  const isIt = (finding: Finding): boolean => finding.fingerprint === fingerprint;
  const ofFile = session.fileFindings().find(isIt);
  if (ofFile !== undefined) return ofFile;
  for (const row of session.rowsFinding((one) => one.fingerprint === fingerprint)) {
    const found = session.findingsOf(row).find(isIt);
    if (found !== undefined) return found;
  }
  return undefined;
}
