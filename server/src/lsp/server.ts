import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  CodeActionKind,
  CodeLensRefreshRequest,
  DidChangeWatchedFilesNotification,
  MessageType,
  SemanticTokensRefreshRequest,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import type {
  Connection,
  InitializeParams,
  InitializeResult,
  WorkspaceFoldersChangeEvent,
} from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import { DISK_CHANGED, SHOWN_FROM_DISK } from '../../../schemas/disk.ts';
import type { DiskChangedParams, ShownFromDiskParams } from '../../../schemas/disk.ts';
import {
  FIX_ON_DISK,
  LARGE_FILE_BYTES,
  LENS_COMMANDS,
  SETTINGS_SECTION,
  STATUS,
  TRUST_GRANTED,
} from '../../../schemas/protocol.ts';
import { RECORD_FILES_CHANGED, RECORD_LIST_CHANGED } from '../../../schemas/records.ts';
import type { RecordListChangedParams } from '../../../schemas/records.ts';
import { SOLUTION_RESULTS, SOLUTIONS_CHANGED } from '../../../schemas/solutions.ts';
import type { SolutionResultsParams, SolutionsChangedParams } from '../../../schemas/solutions.ts';
import { VIEW_CHANGED } from '../../../schemas/views.ts';
import type { ViewChangedParams } from '../../../schemas/views.ts';
import { isConfigurationFile } from '../core/profile/settings.ts';
import type { TextEdit } from '../core/edit/types.ts';
import { baseName } from '../core/profile/paths.ts';
import type { FileForm } from '../core/text/types.ts';
import { FIX_ALL } from './features/code-actions.ts';
import { isAcceptedFile } from '../node/acceptance.ts';
import { accept, createAcceptances } from './acceptance.ts';
import { COMPLETION_CAPABILITIES, registerCompletion } from './features/completion.ts';
import { configurationDiagnostics } from './configuration-file.ts';
import { createBulkEditing } from './bulk/bulk-edits.ts';
import { registerBulkRequests } from './bulk/bulk-requests.ts';
import { createDatasets } from './session/datasets.ts';
import { registerDiskRequests } from './disk/disk-requests.ts';
import { createShownFromDisk } from './disk/shown-from-disk.ts';
import { createDiskWriter } from './disk/writer.ts';
import { describe, guardedNotification } from './guard.ts';
import { NAVIGATION_CAPABILITIES, registerNavigation } from './features/navigation.ts';
import { createOutlineRefresh, OUTLINE_OPTIONS } from './features/outline-refresh.ts';
import { createRecordActions } from './records/record-actions.ts';
import { createRecordFiles } from './records/record-files.ts';
import { createRecordNames } from './features/record-names.ts';
import { registerRecordRequests } from './records/record-requests.ts';
import { createRecordView } from './records/record-view.ts';
import { registerRequests } from './requests.ts';
import { createProgress } from './progress.ts';
import { createFiles } from './session/files.ts';
import { registerChanges } from './evidence/changes.ts';
import type { ChangeServices } from './evidence/changes.ts';
import { registerConvert } from './evidence/convert.ts';
import { registerCrop } from './evidence/crop.ts';
import { registerDocumentPages } from './evidence/document-pages.ts';
import { registerPagePicture } from './evidence/page-picture.ts';
import { registerPageRegions } from './evidence/page-regions.ts';
import { registerSearch } from './evidence/search.ts';
import { createRunCache } from './runtime.ts';
import type { ServerRuntime } from './runtime.ts';
import { LEGEND } from './features/semantic-tokens.ts';
import { createSession } from './session/session.ts';
import type { Row } from './session/rows.ts';
import type { Session, SessionHost } from './session/session.ts';
import { readOptions, readSettings } from './settings.ts';
import type { Settings } from '../../../schemas/protocol.ts';
import { INLAY_CAPABILITIES, refreshInlayValues, registerSolutionRequests } from './solutions/solution-requests.ts';
import { createSolutionLists } from './solutions/solution-list.ts';
import { registerSolutionLists } from './solutions/solution-list-requests.ts';
import { createSolutionSteps } from './solutions/solution-steps.ts';
import { createTable } from './session/table.ts';
import { tell } from './tell.ts';
import { registerViewRequests } from './views/view-requests.ts';
import { createViews, isView } from './views/views.ts';
import { createTextStore } from './session/text-store.ts';
import type { TextStore } from './session/text-store.ts';

export interface ServerOptions {
  readonly version: string;
  /** Address of the folder with the rules' pages, ending in `/`; absent: codes have no links. */
  readonly rulePages?: string;
}

const REFRESH_MS = 200;
const WATCH_MS = 200;
const RECORD_FILES = '**/*.{jsonl,ndjson,json}';
const DOCUMENT_FILES = '**/*.{pdf,png,jpg,jpeg,webp,tif,tiff}';
const IS_DOCUMENT = /\.(?:pdf|png|jpe?g|webp|tiff?)$/i;

/** The language server on a connection. It is given its runtime: it knows no process and no file of its own accord. */
export function startServer(connection: Connection, runtime: ServerRuntime, options: ServerOptions): void {
  const sessions = new Map<string, Session>();
  const configurations = new Map<string, TextStore>();
  const runs = createRunCache();
  const log = (message: string): void => connection.console.error(message);
  let capabilities: InitializeParams['capabilities'] = {};
  /** Absolute paths. */
  let folders: readonly string[] = [];
  let trusted = false;
  let asks = false;
  let cacheFolder: string | undefined;
  let largeBytes = LARGE_FILE_BYTES;
  let settings = readSettings(undefined);
  let ready: Promise<void> = Promise.resolve();
  let toldCrash = false;

  const rulePageOf = (code: string): string | undefined =>
    options.rulePages === undefined ? undefined : `${options.rulePages}${code}.md`;

  function mayRun(automatic: boolean): boolean {
    const { run } = settings.solutions;
    return trusted && (automatic ? run === 'automatic' : run !== 'off');
  }

  const diagnostics: SessionHost['diagnostics'] = {
    rulePage: rulePageOf,
    get related() {
      return capabilities.textDocument?.publishDiagnostics?.relatedInformation === true;
    },
    get links() {
      return capabilities.textDocument?.publishDiagnostics?.codeDescriptionSupport === true;
    },
  };

  /** Whether the outline is registered when the client is ready, and again when more is known. */
  const watches = (): boolean => capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
  const takesOutlines = (): boolean => capabilities.textDocument?.documentSymbol?.dynamicRegistration === true;
  const outline = createOutlineRefresh(connection, takesOutlines, log);

  const datasets = createDatasets({ runtime, log });

  /** Names of the profiles that files have been told to have: editors ask for tokens before a profile is known. */
  const profiles = new Map<string, string>();
  const tokensChanged = later(REFRESH_MS, () => {
    if (capabilities.workspace?.semanticTokens?.refreshSupport !== true) return;
    connection.sendRequest(SemanticTokensRefreshRequest.type).catch((error: unknown) => log(String(error)));
  });

  const host: SessionHost = {
    runtime,
    datasets,
    acceptances: createAcceptances({
      files: runtime.accepted,
      publish: (uri, found) => void connection.sendDiagnostics({ uri, diagnostics: found }),
      diagnostics,
    }),
    runs,
    log,
    mayRun,
    crashed(reason) {
      log(reason);
      if (toldCrash) return;
      toldCrash = true;
      tell(connection, MessageType.Warning, `Auditable QA: ${reason} It is started again when it is needed.`);
    },
    ready: () => ready,
    settings: () => settings,
    overrides: () => ({
      rules: settings.rules,
      ...(settings.solutions.runner === 'python' && { solutions: 'python' as const }),
      ...(settings.solutions.run === 'off' && { solutions: 'off' as const }),
    }),
    publish(uri, version, diagnostics) {
      void connection.sendDiagnostics({ uri, version, diagnostics });
    },
    status(params) {
      views.fileLooked(params.uri);
      listLooked(params.uri);
      outline.looked(params);
      void connection.sendNotification(STATUS, params);
      const name = params.profile?.name;
      if (profiles.get(params.uri) === name) return;
      if (name === undefined) profiles.delete(params.uri);
      else profiles.set(params.uri, name);
      tokensChanged();
    },
    lensesChanged: later(REFRESH_MS, () => {
      if (capabilities.workspace?.inlayHint?.refreshSupport === true) refreshInlayValues(connection, log);
      if (capabilities.workspace?.codeLens?.refreshSupport !== true) return;
      connection.sendRequest(CodeLensRefreshRequest.type).catch((error: unknown) => log(String(error)));
    }),
    diagnostics,
  };

  const shownFromDisk = createShownFromDisk((params) => void connection.sendNotification(STATUS, params));
  const files = createFiles({
    open: (uri) => sessions.get(uri),
    pathOf,
    formOf: (path) => (isConfigurationFile(path) || isAcceptedFile(path) ? undefined : formOf(path, '')),
    readText: (path) => runtime.readText(path),
    isLarge: async (path) => ((await runtime.sizeOf(path)) ?? 0) > largeBytes,
    large: {
      runtime,
      cacheFolder: () => cacheFolder && join(cacheFolder, 'record-index'),
      progress: createProgress(connection, () => capabilities.window?.workDoneProgress === true, log),
      isLarge: (size) => size > largeBytes,
    },
    host,
    looked(uri) {
      views.fileLooked(uri);
      listLooked(uri);
    },
    status: (params) => shownFromDisk.told(params),
    gone(uri) {
      views.fileReplaced(uri);
      listLooked(uri);
    },
    log,
  });

  const disk = createDiskWriter({
    disk: () => runtime.disk(cacheFolder),
    pathOf,
    open: (uri) => sessions.get(uri),
    async written(uri, how) {
      const open = sessions.get(uri);
      if (open !== undefined) return open.reload();
      const { patches, before, after } = how ?? {};
      if (patches && before && after && (await files.patched(uri, patches, before, after))) return;
      await files.changed(uri);
    },
    changed: (uri, history) =>
      void connection.sendNotification(DISK_CHANGED, { uri, ...history } satisfies DiskChangedParams),
    log,
  });
  const rewriteRow = (session: Session, row: Row, edits: readonly TextEdit[], title: string) =>
    disk.edit(session, { rows: new Map([[row, edits]]), repairs: [] }, title);

  const views = createViews({
    files,
    isOpen: (uri) => sessions.has(uri),
    host,
    changed: (uri) => void connection.sendNotification(VIEW_CHANGED, { uri } satisfies ViewChangedParams),
    rewrite: rewriteRow,
  });

  const names = createRecordNames({
    folders: () => folders,
    runtime,
    formOf: (path) => (isConfigurationFile(path) || isAcceptedFile(path) ? undefined : formOf(path, '')),
    log,
  });

  const epoch = randomUUID();
  const recordView = createRecordView({
    files,
    epoch,
    isOpen: (uri) => sessions.has(uri),
    async shownBy(uri) {
      const session = isView(uri) ? views.session(uri) : undefined;
      const record = session && (await views.recordOf(uri));
      return session && record && { session, ...record };
    },
    changed: (uri) => void connection.sendNotification(RECORD_LIST_CHANGED, { uri } satisfies RecordListChangedParams),
  });
  const recordFiles = createRecordFiles({
    folders: () => folders,
    open: () => sessions.values(),
    loaded: () => files.loaded(),
    tableOf: recordView.tableOf,
    runtime,
    formOf: (path) => (isConfigurationFile(path) || isAcceptedFile(path) ? undefined : formOf(path, '')),
    told: () => void connection.sendNotification(RECORD_FILES_CHANGED),
    log,
  });
  const recordActions = createRecordActions({
    view: recordView,
    isOpen: (uri) => sessions.has(uri),
    rewrite: disk.edit,
    accepted: runtime.accepted,
    today: () => new Date().toISOString().slice(0, 10),
  });
  const solutionLists = createSolutionLists({
    files,
    epoch,
    tableOf: recordView.tableOf,
    cannotRun() {
      if (!trusted) return 'Solutions are run in trusted workspaces only.';
      return mayRun(false) ? undefined : `The setting ${SETTINGS_SECTION}.solutions.run says that no solution is run.`;
    },
    changed: (uri) => void connection.sendNotification(SOLUTIONS_CHANGED, { uri } satisfies SolutionsChangedParams),
    results: (params: SolutionResultsParams) => void connection.sendNotification(SOLUTION_RESULTS, params),
  });
  function listLooked(uri: string): void {
    recordView.looked(uri);
    recordFiles.looked();
    solutionLists.looked(uri);
  }

  /** Of an open file, or of a document that shows one record. */
  const sessionOf = (uri: string): Session | undefined => (isView(uri) ? views.session(uri) : sessions.get(uri));

  /** The same, and of a file that no editor has open, once its configuration is known. */
  async function settledSession(uri: string): Promise<Session | undefined> {
    if (!isView(uri)) return files.session(uri);
    const session = views.session(uri);
    await session?.settled();
    return session;
  }

  function* allSessions(): Generator<Session> {
    yield* sessions.values();
    yield* files.loaded();
    yield* views.sessions();
  }

  connection.onInitialize((params): InitializeResult => {
    ({ capabilities } = params);
    folders = foldersOf(params);
    const given = readOptions(params.initializationOptions);
    ({ trusted, asks = false, cacheFolder, largeFileBytes: largeBytes = LARGE_FILE_BYTES } = given);
    return {
      serverInfo: { name: 'auditable-qa', version: options.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        hoverProvider: true,
        ...NAVIGATION_CAPABILITIES,
        ...(!takesOutlines() && { documentSymbolProvider: OUTLINE_OPTIONS }),
        ...COMPLETION_CAPABILITIES,
        ...INLAY_CAPABILITIES,
        codeLensProvider: { resolveProvider: true },
        codeActionProvider: {
          codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite, FIX_ALL],
          resolveProvider: true,
        },
        // The extension has a command of that name itself.
        executeCommandProvider: { commands: asks ? [FIX_ON_DISK] : [FIX_ON_DISK, LENS_COMMANDS.run] },
        semanticTokensProvider: { legend: LEGEND, full: true, range: true },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  });

  connection.onInitialized(
    guardedNotification('initialized', log, () => {
      if (capabilities.workspace?.configuration === true) ready = fetchSettings();
      outline.start();
      if (capabilities.workspace?.workspaceFolders === true) {
        connection.workspace.onDidChangeWorkspaceFolders(guardedNotification('workspaceFolders', log, foldersChanged));
      }
      if (watches()) {
        const watchers = [RECORD_FILES, DOCUMENT_FILES].map((globPattern) => ({ globPattern }));
        return connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }).then(() => undefined);
      }
      return undefined;
    }),
  );

  function foldersChanged({ added, removed }: WorkspaceFoldersChangeEvent): void {
    const gone = new Set(removed.flatMap(({ uri }) => pathOf(uri) ?? []));
    const come = added.flatMap(({ uri }) => pathOf(uri) ?? []);
    folders = [...new Set([...folders.filter((folder) => !gone.has(folder)), ...come])];
    names.reset();
    recordFiles.reset();
  }

  function use(given: Settings): void {
    settings = given;
    runtime.usePython(given.solutions.python === '' ? undefined : given.solutions.python);
  }

  async function fetchSettings(): Promise<void> {
    try {
      use(readSettings(await connection.workspace.getConfiguration(SETTINGS_SECTION)));
    } catch (error) {
      log(`The settings could not be read, the defaults hold: ${String(error)}`);
    }
  }

  connection.onDidChangeConfiguration(
    guardedNotification('didChangeConfiguration', log, async (params) => {
      if (capabilities.workspace?.configuration === true) await (ready = fetchSettings());
      else use(readSettings((params.settings as Record<string, unknown> | null)?.[SETTINGS_SECTION]));
      for (const session of allSessions()) session.settingsChanged();
      host.lensesChanged();
    }),
  );

  connection.onNotification(
    TRUST_GRANTED,
    guardedNotification('trustGranted', log, () => {
      trusted = true;
      for (const session of allSessions()) session.settingsChanged();
      host.lensesChanged();
    }),
  );

  connection.onNotification(
    SHOWN_FROM_DISK,
    guardedNotification<ShownFromDiskParams>('shownFromDisk', log, ({ uri }) => {
      shownFromDisk.show(uri);
      return uri === null ? undefined : files.session(uri).then(() => undefined);
    }),
  );

  connection.onDidOpenTextDocument(
    guardedNotification('didOpen', log, ({ textDocument: { uri, text, version, languageId } }) => {
      if (isView(uri)) return views.opened(uri, text, version);
      const path = pathOf(uri);
      if (path === undefined) return;
      if (isConfigurationFile(path)) {
        configurations.set(uri, createTextStore(text, version));
        checkConfiguration(uri);
        return;
      }
      const form = formOf(path, languageId);
      if (form === undefined || isAcceptedFile(path)) return;
      sessions.get(uri)?.close();
      const session = createSession({ uri, path, form, table: createTable(text, version, form) }, host);
      sessions.set(uri, session);
      files.drop(uri);
      return session.reload().then(() => {
        views.fileReplaced(uri);
        listLooked(uri);
      });
    }),
  );

  connection.onDidChangeTextDocument(
    guardedNotification('didChange', log, ({ textDocument: { uri, version }, contentChanges }) => {
      if (isView(uri)) return views.edited(uri, contentChanges, version);
      sessions.get(uri)?.change(contentChanges, version);
      const configuration = configurations.get(uri);
      if (configuration === undefined) return;
      configuration.apply(contentChanges, version);
      checkConfiguration(uri);
    }),
  );

  connection.onDidSaveTextDocument(
    guardedNotification('didSave', log, ({ textDocument: { uri } }) => {
      if (configurations.has(uri) || isAcceptedFile(pathOf(uri) ?? '')) configurationsChanged();
      else datasets.diskChanged(pathOf(uri) ?? '');
      // Nobody tells of documents: they are looked at again now and then.
      if (!watches()) documentsChanged();
      return sessions.get(uri)?.reload();
    }),
  );

  connection.onDidCloseTextDocument(
    guardedNotification('didClose', log, ({ textDocument: { uri } }) => {
      profiles.delete(uri);
      if (isView(uri)) return views.closed(uri);
      sessions.get(uri)?.close();
      if (sessions.delete(uri)) {
        views.fileReplaced(uri);
        listLooked(uri);
      }
      if (configurations.delete(uri)) void connection.sendDiagnostics({ uri, diagnostics: [] });
    }),
  );

  function checkConfiguration(uri: string): void {
    const store = configurations.get(uri);
    if (store === undefined) return;
    const diagnostics = configurationDiagnostics(store.text(), rulePageOf);
    void connection.sendDiagnostics({ uri, version: store.version, diagnostics });
  }

  const notReloaded = (error: unknown): void => log(`A file could not be looked at again: ${describe(error)}`);
  const configurationsChanged = later(WATCH_MS, () => {
    datasets.reset();
    names.reset();
    recordFiles.reset();
    for (const session of allSessions()) session.reload().catch(notReloaded);
  });
  const documentsChanged = later(WATCH_MS, () => {
    for (const session of allSessions()) session.documentsChanged();
  });

  connection.onDidChangeWatchedFiles(
    guardedNotification('didChangeWatchedFiles', log, ({ changes }) => {
      for (const { uri } of changes) {
        const path = pathOf(uri);
        if (path === undefined) continue;
        if (isConfigurationFile(path) || isAcceptedFile(path)) configurationsChanged();
        else if (IS_DOCUMENT.test(path)) documentsChanged();
        else {
          datasets.diskChanged(path);
          names.changed(path);
          recordFiles.changed(path);
          disk.looked(uri);
          sessions.get(uri)?.reload().catch(notReloaded);
          files
            .changed(uri)
            .then((isKnown) => {
              if (!isKnown && !sessions.has(uri)) views.fileReplaced(uri);
            })
            .catch(notReloaded);
          solutionLists.diskChanged(uri);
        }
      }
    }),
  );

  connection.onShutdown(async () => {
    for (const session of allSessions()) session.close();
    sessions.clear();
    datasets.dispose();
    await runtime.dispose();
  });

  registerNavigation(connection, {
    log,
    session: sessionOf,
    sessions: allSessions,
    views,
    runtime,
    names,
    outline,
    client: () => ({
      links: capabilities.textDocument?.definition?.linkSupport === true,
      trees: capabilities.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true,
      commands: asks,
      foldingLimit: capabilities.textDocument?.foldingRange?.rangeLimit,
    }),
  });
  registerCompletion(connection, {
    log,
    session: sessionOf,
    views,
    runtime,
    snippets: () => capabilities.textDocument?.completion?.completionItem?.snippetSupport === true,
  });
  registerSolutionRequests(connection, {
    log,
    session: sessionOf,
    steps: createSolutionSteps({ runner: runtime.runner, mayRun }),
    trusted: () => trusted,
    views,
    runtime,
  });
  registerSolutionLists(connection, log, solutionLists);
  registerViewRequests(connection, log, views);
  registerSearch(connection, {
    log,
    files,
    views,
    runtime,
    isOpen: (uri) => sessions.has(uri),
    rewrite: rewriteRow,
  });
  registerDocumentPages(connection, { log, runtime, session: settledSession });
  registerPagePicture(connection, { log, runtime, session: settledSession });
  registerCrop(connection, { log, runtime, session: settledSession });
  registerPageRegions(connection, { log, runtime, session: settledSession, recordOf: (uri) => views.recordOf(uri) });
  const changeServices: ChangeServices = {
    log,
    runtime,
    session: settledSession,
    recordOf: (uri) => views.recordOf(uri),
    isOpen: (uri) => sessions.has(uri),
    disk,
  };
  registerChanges(connection, changeServices);
  registerConvert(connection, changeServices);
  registerDiskRequests(connection, log, disk);
  registerBulkRequests(connection, {
    log,
    runtime,
    pathOf,
    editing: createBulkEditing({ view: recordView, disk, isOpen: (uri) => sessions.has(uri) }),
  });
  registerRecordRequests(connection, { log, view: recordView, files: recordFiles, actions: recordActions });
  registerRequests(connection, {
    log,
    runtime,
    session: sessionOf,
    settled: settledSession,
    fileOf: async (uri) => (isView(uri) ? (await views.recordOf(uri))?.file : undefined),
    configuration(uri) {
      const store = configurations.get(uri);
      return store && { text: store.text(), version: store.version };
    },
    settings: () => settings,
    trusted: () => trusted,
    rulePage: rulePageOf,
    lensesChanged: host.lensesChanged,
    actionClient: () => ({
      versions: capabilities.workspace?.workspaceEdit?.documentChanges === true,
      resolves: capabilities.textDocument?.codeAction?.resolveSupport?.properties.includes('edit') === true,
      disabled: capabilities.textDocument?.codeAction?.disabledSupport === true,
      asks,
    }),
    async accept(session, params) {
      const result = await accept(session, params, runtime.accepted, new Date().toISOString().slice(0, 10));
      if (result.problem === null) await session.reload();
      return result;
    },
    async rewrite(session, changes, title) {
      const problem = await disk.edit(session, changes, title);
      if (problem === undefined) return undefined;
      tell(connection, MessageType.Warning, `Auditable QA: ${baseName(session.path)} ${problem}.`);
      return undefined;
    },
  });
  connection.listen();
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
  return uris.flatMap((uri) => pathOf(uri) ?? []);
}

function pathOf(uri: string): string | undefined {
  const parsed = URI.parse(uri);
  return parsed.scheme === 'file' ? parsed.fsPath : undefined;
}

/** How records lie in a file: told by its name, else by the language the editor gives it. */
function formOf(path: string, languageId: string): FileForm | undefined {
  if (/\.(?:jsonl|ndjson)$/i.test(path)) return 'lines';
  if (/\.json$/i.test(path)) return 'json';
  return languageId === 'jsonl' ? 'lines' : languageId === 'json' ? 'json' : undefined;
}

/** Calls once, `ms` after the first of several calls. */
function later(ms: number, call: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      call();
    }, ms);
  };
}
