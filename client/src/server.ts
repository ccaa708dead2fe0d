import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  InlayHintRequest,
  LanguageClient,
  State,
  TransportKind,
} from 'vscode-languageclient/node';
import type { LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import type { InitializationOptions, StatusParams } from '../../schemas/protocol.ts';
import { SERVER_OPTIONS, SETTINGS_SECTION, STATUS, TRUST_GRANTED } from '../../schemas/protocol.ts';
import { SELECTOR } from './ids.ts';
import { createRestartPolicy } from './restart-policy.ts';

export interface Server {
  readonly output: vscode.LogOutputChannel;
  readonly onDidChangeStatus: vscode.Event<StatusParams>;
  /** Another server runs than before: what it was asked for must be asked anew. */
  readonly onDidStart: vscode.Event<void>;
  start(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Asks the server; null where it is not there or has no answer. */
  request<R>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<R | null>;
  notify(method: string, params: unknown): void;
  onNotification<P>(method: string, handler: (params: P) => void): vscode.Disposable;
  /** Whether values stand beside the solution of a document. Something else may take their place. */
  showValues(uri: vscode.Uri, shown: boolean): void;
}

/** The language server in a process of its own; ended ones are started again, told once. */
export function createServer(context: vscode.ExtensionContext): Server {
  const output = vscode.window.createOutputChannel('Auditable QA', { log: true });
  const status = new vscode.EventEmitter<StatusParams>();
  const started = new vscode.EventEmitter<void>();
  const policy = createRestartPolicy(Date.now);
  const module = context.asAbsolutePath('dist/server.cjs');
  const serverOptions: ServerOptions = {
    run: { module, transport: TransportKind.ipc, options: { execArgv: [...SERVER_OPTIONS] } },
    debug: {
      module,
      transport: TransportKind.ipc,
      options: { execArgv: [...SERVER_OPTIONS, '--nolazy', '--inspect=6029'] },
    },
  };

  /** What the running server was told of trust when it started. */
  let startedTrusted = false;
  const withoutValues = new Set<string>();
  const clientOptions: LanguageClientOptions = {
    documentSelector: SELECTOR,
    middleware: {
      provideInlayHints: (document, range, token, next) =>
        withoutValues.has(document.uri.toString()) ? [] : next(document, range, token),
    },
    diagnosticCollectionName: 'Auditable QA',
    outputChannel: output,
    synchronize: { configurationSection: SETTINGS_SECTION },
    progressOnInitialization: false,
    initializationOptions: (): InitializationOptions => ({
      trusted: (startedTrusted = vscode.workspace.isTrusted),
      cacheFolder: context.globalStorageUri.fsPath,
      asks: true,
    }),
    initializationFailedHandler: (error) => {
      output.error(`The language server did not start: ${String(error)}`);
      const message = policy.failedToStart();
      if (message !== undefined) void tell(message);
      return false;
    },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        const { restart, message } = policy.ended();
        output.error('The language server ended unexpectedly.');
        if (message !== undefined) void tell(message);
        return { action: restart ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
      },
    },
  };

  async function tell(message: string): Promise<void> {
    const show = 'Show output';
    const answer = await vscode.window.showWarningMessage(`Auditable QA: ${message}`, show);
    if (answer === show) output.show();
  }

  const client = new LanguageClient('auditableQa', 'Auditable QA', serverOptions, clientOptions);
  client.onNotification(STATUS, (params: StatusParams) => status.fire(params));

  /** The client keeps one handler for each method; here several parts of the extension listen. */
  const listeners = new Map<string, vscode.EventEmitter<unknown>>();

  function listenersOf(method: string): vscode.EventEmitter<unknown> {
    const known = listeners.get(method);
    if (known !== undefined) return known;
    const emitter = new vscode.EventEmitter<unknown>();
    listeners.set(method, emitter);
    context.subscriptions.push(
      emitter,
      client.onNotification(method, (params: unknown) => emitter.fire(params)),
    );
    return emitter;
  }

  let starting: Promise<void> = Promise.resolve();
  const server: Server = {
    output,
    onDidChangeStatus: status.event,
    onDidStart: started.event,
    start: () => (starting = client.start()),
    restart() {
      policy.reset();
      return (starting = client.restart());
    },
    stop: () => (client.needsStop() ? client.stop() : Promise.resolve()),
    async request<R>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<R | null> {
      try {
        await starting;
        if (!client.isRunning()) return null;
        // Without a token the argument must be left out: `undefined` would be sent as a parameter of its own.
        return await (token === undefined
          ? client.sendRequest<R | null>(method, params)
          : client.sendRequest<R | null>(method, params, token));
      } catch (error) {
        if (!(error instanceof vscode.CancellationError)) output.warn(`${method}: ${String(error)}`);
        return null;
      }
    },
    notify(method, params) {
      if (client.isRunning()) void client.sendNotification(method, params);
    },
    onNotification: (method, handler) => listenersOf(method).event((params) => handler(params as never)),
    showValues(uri, shown) {
      const key = uri.toString();
      if (shown === !withoutValues.has(key)) return;
      if (shown) withoutValues.delete(key);
      else withoutValues.add(key);
      const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === key);
      const hints = document && client.getFeature(InlayHintRequest.method).getProvider(document);
      hints?.onDidChangeInlayHints.fire();
    },
  };
  context.subscriptions.push(
    output,
    status,
    started,
    client.onDidChangeState(({ newState }) => {
      if (newState !== State.Running) return;
      // Granted while it started, when it could not be told.
      if (vscode.workspace.isTrusted && !startedTrusted) server.notify(TRUST_GRANTED, {});
      started.fire();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server.notify(TRUST_GRANTED, {})),
  );
  return server;
}
