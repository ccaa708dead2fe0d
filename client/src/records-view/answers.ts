/** What the page of the Records view asks: passed on to the language server, but for what changes something in the editor. */
import * as vscode from 'vscode';
import type { RecordQuestion, RecordQuestions } from '../../../schemas/records-page.ts';
import type {
  AcceptAllParams,
  AcceptAllResult,
  CodeChoice,
  FixApplyParams,
  FixApplyResult,
  FixParams,
  RecordKeysOf,
  RunRecordsParams,
} from '../../../schemas/records.ts';
import {
  ACCEPT_ALL,
  FACET_VALUES,
  FIX_APPLY,
  FIX_PLAN,
  RECORD_CODES,
  RECORD_DETAIL,
  RECORD_FILES,
  RECORD_KEYS,
  RECORD_LIST,
  RECORD_POSITION,
  RUN_RECORDS,
} from '../../../schemas/records.ts';
import type { RunAllResult } from '../../../schemas/protocol.ts';
import { saveAccepted } from '../acceptance.ts';
import { replaceIn } from '../edits.ts';
import type { Server } from '../server.ts';

const METHODS: Readonly<Record<Exclude<RecordQuestion, 'fix' | 'codes'>, string>> = {
  files: RECORD_FILES,
  list: RECORD_LIST,
  keys: RECORD_KEYS,
  position: RECORD_POSITION,
  values: FACET_VALUES,
  detail: RECORD_DETAIL,
  plan: FIX_PLAN,
  accept: ACCEPT_ALL,
  run: RUN_RECORDS,
};

/** Runs of more records than this can be cancelled in a notification. */
const FEW = 10;
/** The text may change between the question and the edit. */
const TRIES = 4;

export function answer(server: Server, question: RecordQuestion, params: unknown): Promise<unknown> {
  switch (question) {
    case 'fix':
      return fix(server, params as FixParams);
    case 'accept':
      return accept(server, params as AcceptAllParams);
    case 'run':
      return run(server, params as RunRecordsParams);
    case 'codes':
      return codes(server, params as RecordKeysOf);
    default:
      return server.request(METHODS[question], params);
  }
}

async function fix(server: Server, params: FixParams): Promise<RecordQuestions['fix']['result'] | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const document = openDocument(params.uri);
    const asked: FixApplyParams = { ...params, dirty: document?.isDirty ?? false };
    const result = await server.request<FixApplyResult>(FIX_APPLY, asked);
    if (result === null) return null;
    if (result.kind === 'written') return { problem: null };
    if (result.kind === 'problem') return { problem: result.message };
    if (document === undefined || document.version !== result.version) continue;
    if (await replaceIn(document, result.edits)) return { problem: null };
  }
  return { problem: 'The file was changed at the same time: nothing was fixed.' };
}

/** What the page asked before, it does not wait for any more. */
let askedForCodes: vscode.CancellationTokenSource | undefined;

async function codes(server: Server, params: RecordKeysOf): Promise<readonly CodeChoice[] | null> {
  askedForCodes?.cancel();
  const own = new vscode.CancellationTokenSource();
  askedForCodes = own;
  const found = await server.request<readonly CodeChoice[]>(RECORD_CODES, params, own.token);
  return own.token.isCancellationRequested ? null : found;
}

async function accept(server: Server, params: AcceptAllParams): Promise<AcceptAllResult | null> {
  await saveAccepted(params.uri);
  return server.request<AcceptAllResult>(ACCEPT_ALL, params);
}

async function run(server: Server, params: RunRecordsParams): Promise<RunAllResult | null> {
  if (!vscode.workspace.isTrusted) return null;
  if (params.keys !== undefined && params.keys.length <= FEW) return server.request<RunAllResult>(RUN_RECORDS, params);
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: 'Running solutions', cancellable: true },
    (_progress, token) => server.request<RunAllResult>(RUN_RECORDS, params, token),
  );
}

export function openDocument(uri: string): vscode.TextDocument | undefined {
  const wanted = vscode.Uri.parse(uri, true).toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === wanted);
}
