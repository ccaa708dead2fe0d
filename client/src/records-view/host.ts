/**
 * The host of the Records view: hands the page what the language server says, does in the editor what is chosen there, and knows
 * which list it shows.
 */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { FromRecordsPage, RecordAction, ToRecordsPage } from '../../../schemas/records-page.ts';
import type { RecordListChangedParams, RecordQuery } from '../../../schemas/records.ts';
import { RECORD_FILES_CHANGED, RECORD_LIST_CHANGED } from '../../../schemas/records.ts';
import { COMMANDS, LANGUAGES } from '../ids.ts';
import { activeWithoutDocument } from '../large/documents.ts';
import type { Server } from '../server.ts';
import { answer } from './answers.ts';
import { doDeed } from './deeds.ts';
import { recordsHtml } from './html.ts';

export const RECORDS_VIEW = 'auditableQa.records';

export interface RecordsView {
  /** The list that the page shows; null: it is hidden, or shows none. */
  readonly showing: RecordQuery | null;
  readonly onDidChangeShowing: vscode.Event<void>;
  /** Brings the view to the front with a record; `index` 0-based, null: the file only. */
  show(uri: string | null, index: number | null): Promise<void>;
  act(action: RecordAction): void;
  /** The page says what bulk work is asked for, and on which records. */
  readonly onBulk: vscode.Event<BulkRequest>;
}

export type BulkRequest = Extract<FromRecordsPage, { readonly type: 'bulk' }>;

/** While solutions run, status arrives often. */
const STATUS_MS = 1000;

export function registerRecordsView(context: vscode.ExtensionContext, server: Server): RecordsView {
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist', 'records');
  let view: vscode.WebviewView | undefined;
  let ready = false;
  let showing: RecordQuery | null = null;
  const didChangeShowing = new vscode.EventEmitter<void>();
  const bulk = new vscode.EventEmitter<BulkRequest>();
  /** What is to be shown as soon as the page listens. */
  let wanted: Extract<ToRecordsPage, { readonly type: 'show' }> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function post(message: ToRecordsPage): void {
    if (ready) void view?.webview.postMessage(message);
  }

  function start(): void {
    post({ type: 'start', preferred: activeRecordFile(), trusted: vscode.workspace.isTrusted });
  }

  function load(webview: vscode.Webview): void {
    const address = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
    ready = false;
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    const nonce = randomBytes(16).toString('base64');
    const { cspSource } = webview;
    webview.html = recordsHtml({ cspSource, nonce, script: address('records.js'), style: address('records.css') });
  }

  function receive(message: FromRecordsPage): void {
    switch (message.type) {
      case 'ready':
        ready = true;
        start();
        if (wanted !== undefined) post(wanted);
        wanted = undefined;
        break;
      case 'ask':
        void answer(server, message.question, message.params)
          .catch((error: unknown) => {
            server.output.warn(`Records view, ${message.question}: ${String(error)}`);
            return null;
          })
          .then((result) => post({ type: 'answer', id: message.id, result }));
        break;
      case 'do':
        doDeed(server, message).catch((error: unknown) => {
          void vscode.window.showWarningMessage(error instanceof Error ? error.message : String(error));
        });
        break;
      case 'bulk':
        bulk.fire(message);
        break;
      case 'explain':
        void vscode.commands.executeCommand(COMMANDS.explainRule, message.code);
        break;
      case 'copy':
        void vscode.env.clipboard.writeText(message.text);
        break;
      case 'showing':
        showing = message.query;
        didChangeShowing.fire();
        break;
      case 'log':
        server.output[message.level === 'warning' ? 'warn' : message.level](message.message);
        break;
    }
  }

  context.subscriptions.push(
    bulk,
    vscode.window.registerWebviewViewProvider(RECORDS_VIEW, {
      resolveWebviewView(resolved) {
        view = resolved;
        resolved.onDidDispose(() => {
          if (view !== resolved) return;
          view = undefined;
          ready = false;
        });
        resolved.webview.onDidReceiveMessage(receive);
        load(resolved.webview);
      },
    }),
    server.onNotification<RecordListChangedParams>(RECORD_LIST_CHANGED, ({ uri }) =>
      post({ type: 'listChanged', uri }),
    ),
    server.onNotification(RECORD_FILES_CHANGED, () => post({ type: 'filesChanged' })),
    server.onDidStart(() => {
      post({ type: 'filesChanged' });
      if (showing !== null) post({ type: 'listChanged', uri: showing.uri });
    }),
    // A server that was started anew has been asked for no list yet, and tells of none.
    server.onDidChangeStatus(({ uri }) => {
      if (uri !== showing?.uri) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        post({ type: 'listChanged', uri });
      }, STATUS_MS);
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(start),
    didChangeShowing,
    { dispose: () => clearTimeout(timer) },
  );

  return {
    get showing() {
      return view?.visible === true ? showing : null;
    },
    onDidChangeShowing: didChangeShowing.event,
    onBulk: bulk.event,
    async show(uri, index) {
      const message = uri === null ? undefined : ({ type: 'show', uri, index } as const);
      if (!ready) wanted = message;
      await vscode.commands.executeCommand(`${RECORDS_VIEW}.focus`);
      if (ready && message !== undefined) {
        wanted = undefined;
        post(message);
      }
    },
    act: (action) => post({ type: 'act', action }),
  };
}

function activeRecordFile(): string | null {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) return activeWithoutDocument()?.toString() ?? null;
  if (document.uri.scheme !== 'file') return null;
  return (LANGUAGES as readonly string[]).includes(document.languageId) ? document.uri.toString() : null;
}
