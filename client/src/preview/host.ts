/**
 * The evidence preview's host: one panel beside the editor that follows the cursor of the record files, hands the page
 * snapshots of what the server knows, and turns what is chosen there into selections in the editor.
 */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { FromPage, ToPage } from '../../../schemas/page.ts';
import type {
  EvidenceParams,
  EvidenceView,
  LocateParams,
  ProtocolRange,
  RecordParams,
  StatusParams,
  TextSpan,
} from '../../../schemas/protocol.ts';
import { COMMANDS } from '../ids.ts';
import { isRecordDocument } from '../records.ts';
import { isViewAddress } from '../views/open.ts';
import { previewHtml } from './html.ts';
import { covers, resourceRoots, toShown } from './resources.ts';
import { columnFor, nameOf, openRecordFile, showInEditor, titleOf } from './record-file.ts';

export interface PreviewServices {
  /** null: no record there, or no answer. */
  evidence(params: EvidenceParams): Promise<EvidenceView | null>;
  locate(params: LocateParams): Promise<ProtocolRange | null>;
  /** The record in its file that a document of one record shows. */
  recordInFile(address: string): Promise<RecordParams | null>;
  /** Opens the next or previous record in the same way as such a document shows its own. */
  stepView(
    address: string,
    step: 1 | -1,
    options: vscode.TextDocumentShowOptions,
  ): Promise<vscode.TextEditor | undefined>;
  readonly onDidChangeStatus: vscode.Event<StatusParams>;
  /** Where the page's complaints go; without it they are dropped. */
  readonly log?: (level: 'error' | 'warning' | 'info', message: string) => void;
}

export const PREVIEW_VIEW_TYPE = 'auditableQa.evidence';

/** Typing and cursor keys come in bursts: one request when they pause, in ms. */
const PAUSE_MS = 120;
/** While solutions run, status arrives often: at most one request per this many ms. */
const STATUS_MS = 250;

/** What the panel is about. A record named by a command stays shown until the cursor of its file moves. */
interface Wanted {
  readonly uri: string;
  /** 0-based; null: the record under the cursor. */
  readonly index: number | null;
  /** Value of the named record that is to be shown: a page, a box, a block. */
  readonly pointer?: string;
}

interface Panel {
  readonly webview: vscode.WebviewPanel;
  /** The page said that it listens. */
  ready: boolean;
  roots: readonly vscode.Uri[];
  /** What the page shows, or will once it is ready. */
  message: Extract<ToPage, { type: 'show' }>;
  /** The page is to show nothing but the evidence as soon as it listens. */
  evidenceOnly: boolean;
  /** Everything in `message` but the cursor, to tell whether anything changed. */
  content: string;
}

function visibleEditor(uri: string): vscode.TextEditor | undefined {
  const shows = (editor: vscode.TextEditor | undefined): boolean => editor?.document.uri.toString() === uri;
  const active = vscode.window.activeTextEditor;
  return shows(active) ? active : vscode.window.visibleTextEditors.find(shows);
}

/** The file that the active tab shows, also where VS Code gives extensions no document of it. */
function activeTabUri(): string | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText ? input.uri.toString() : undefined;
}

/** A record as commands, code lenses and links name it: `(uri, index, pointer?)` or `{ uri, index }`. */
function namedRecord(first: unknown, second?: unknown, third?: unknown): Wanted | null {
  if (typeof first === 'string') {
    const index = typeof second === 'number' ? second : null;
    return { uri: first, index, ...(typeof third === 'string' && { pointer: third }) };
  }
  if (typeof first === 'object' && first !== null && 'uri' in first && typeof first.uri === 'string') {
    return { uri: first.uri, index: 'index' in first && typeof first.index === 'number' ? first.index : null };
  }
  return null;
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function registerPreview(context: vscode.ExtensionContext, services: PreviewServices): void {
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist', 'preview');
  const statuses = new Map<string, StatusParams>();
  let panel: Panel | null = null;
  let wanted: Wanted | null = null;
  let shown: EvidenceView | null = null;
  let latest = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;

  function post(message: ToPage): void {
    if (panel?.ready) {
      void panel.webview.webview.postMessage(message);
    }
  }

  function load(target: Panel): void {
    const { webview } = target.webview;
    const address = (...path: string[]): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, ...path)).toString();
    target.ready = false;
    webview.options = { enableScripts: true, localResourceRoots: target.roots };
    webview.html = previewHtml({
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64'),
      script: address('preview.js'),
      style: address('preview.css'),
      resources: `${address('pdfjs')}/`,
    });
  }

  function adopt(webview: vscode.WebviewPanel): void {
    const adopted: Panel = {
      webview,
      ready: false,
      roots: resourceRoots(dist, null),
      message: { type: 'show', evidence: null, message: 'Reading the record …' },
      evidenceOnly: false,
      content: '',
    };
    panel = adopted;
    webview.iconPath = {
      light: vscode.Uri.joinPath(dist, 'icon-light.svg'),
      dark: vscode.Uri.joinPath(dist, 'icon-dark.svg'),
    };
    webview.webview.onDidReceiveMessage((message: FromPage) => receive(message));
    webview.onDidChangeViewState(() => {
      // A hidden page is let go; it says `ready` again when it comes back.
      adopted.ready = adopted.ready && webview.visible;
    });
    webview.onDidDispose(() => {
      panel = null;
      shown = null;
      latest += 1;
    });
    load(adopted);
  }

  function whyNothing(uri: string): string {
    const status = statuses.get(uri);
    const name = nameOf(uri);
    if (status === undefined) {
      return `${name} has not been read yet, or is not a dataset file that a profile fits.`;
    }
    if (status.profile === null) {
      return `${name} is not a dataset file that a profile fits, so it has no evidence to show.`;
    }
    return 'There is no readable record under the cursor.';
  }

  /** The snapshot goes to the page as a whole; where only the cursor moved, only the cursor. */
  function display(view: EvidenceView | null, message: string): void {
    if (panel === null) {
      return;
    }
    if (view !== null && !covers(panel.roots, view)) {
      panel.roots = resourceRoots(dist, view);
      load(panel);
    }
    const evidence = view && toShown(view, panel.webview.webview);
    const content = JSON.stringify([{ ...evidence, cursor: null, version: null }, message]);
    const same = content === panel.content;
    panel.message = { type: 'show', evidence, ...(message === '' ? {} : { message }) };
    panel.content = content;
    shown = view;
    panel.webview.title = view === null ? 'Evidence' : `Evidence: ${titleOf(view.uri)}`;
    post(same && view !== null ? { type: 'cursor', pointer: view.cursor } : panel.message);
  }

  /** A named record is asked for by its index, unless the cursor is in it: then the answer says what it stands in. */
  async function evidence({ uri, index, pointer }: Wanted): Promise<EvidenceView | null> {
    if (pointer !== undefined && index !== null) {
      const named = await services.evidence({ uri, index });
      return named && { ...named, cursor: pointer };
    }
    const active = visibleEditor(uri)?.selection.active;
    const position = active && { line: active.line, character: active.character };
    const under = position && (await services.evidence({ uri, position }));
    if (index === null) {
      return under ?? (position ? null : services.evidence({ uri, index: 0 }));
    }
    return under?.index === index ? under : services.evidence({ uri, index });
  }

  async function ask(target: Wanted): Promise<{ view: EvidenceView | null; trouble: string }> {
    try {
      await openRecordFile(target.uri);
      return { view: await evidence(target), trouble: '' };
    } catch (error) {
      return { view: null, trouble: errorText(error) };
    }
  }

  async function refresh(): Promise<void> {
    const target = wanted;
    if (panel === null || target === null || !panel.webview.visible) {
      return;
    }
    latest += 1;
    const asked = latest;
    const { view, trouble } = await ask(target);
    if (asked !== latest || panel === null) {
      return;
    }
    if (view !== null) {
      display(view, '');
      if (view.trace?.pending === true) {
        await completeNumbers(view, asked);
      }
    } else if (shown !== null && trouble === '' && isViewAddress(target.uri) && !statuses.has(target.uri)) {
      // Just opened: the server tells when it has looked at it.
    } else if (shown !== null && shown.uri === target.uri) {
      display(shown, `${trouble === '' ? whyNothing(target.uri) : trouble} This is what was last shown.`);
    } else {
      display(null, trouble === '' ? whyNothing(target.uri) : trouble);
    }
  }

  /** Numbers on pages come when the pages are read; by then the panel may be about something else. */
  async function completeNumbers(view: EvidenceView, asked: number): Promise<void> {
    const { uri, index } = view;
    const whole = await services.evidence({ uri, index, withPages: true }).catch(() => null);
    if (whole !== null && asked === latest && whole.version === view.version) {
      display({ ...whole, cursor: view.cursor }, '');
    }
  }

  /** `restart`: wait for a pause; else the request that is already due is enough. */
  function schedule(ms: number, restart: boolean): void {
    if (panel === null || (timer !== null && !restart)) {
      return;
    }
    if (timer !== null) {
      clearTimeout(timer);
    }
    timer = setTimeout(() => {
      timer = null;
      void refresh();
    }, ms);
  }

  /** Another file is followed only if it is one of records: the last record stays while one looks elsewhere. */
  function follow(editor: vscode.TextEditor): void {
    const uri = editor.document.uri.toString();
    if (panel === null || !isRecordDocument(editor.document)) {
      return;
    }
    if (shown !== null && shown.uri !== uri && !isViewAddress(uri) && !statuses.get(uri)?.profile) {
      return;
    }
    wanted = { uri, index: null };
    schedule(PAUSE_MS, true);
  }

  async function select(index: number, pointer: string, inString?: TextSpan): Promise<void> {
    if (shown === null) {
      return;
    }
    try {
      const place = await placeOf({ uri: shown.uri, index, pointer, ...(inString && { inString }) });
      if (place === null) {
        vscode.window.setStatusBarMessage('This place is not in the file any more.', 4000);
        return;
      }
      await showInEditor(place.document, place.range, panel?.webview.viewColumn);
    } catch (error) {
      void vscode.window.showWarningMessage(errorText(error));
    }
  }

  /** A document of one record may not show all of it: what it does not show is shown in the file. */
  async function placeOf(
    params: LocateParams,
  ): Promise<{ readonly document: vscode.TextDocument; readonly range: ProtocolRange } | null> {
    const document = await openRecordFile(params.uri);
    const range = await services.locate(params);
    if (range !== null) {
      return { document, range };
    }
    const record = await services.recordInFile(params.uri);
    return record === null ? null : placeOf({ ...params, ...record });
  }

  async function stepRecord(step: 1 | -1): Promise<void> {
    if (shown === null) {
      return;
    }
    const { uri, records } = shown;
    if (isViewAddress(uri)) {
      const column = visibleEditor(uri)?.viewColumn ?? columnFor(vscode.Uri.parse(uri), panel?.webview.viewColumn);
      const opened = await services.stepView(uri, step, { viewColumn: column, preserveFocus: true });
      if (opened !== undefined) {
        wanted = { uri: opened.document.uri.toString(), index: null };
        await refresh();
      }
      return;
    }
    const index = Math.min(records - 1, Math.max(0, shown.index + step));
    wanted = { uri, index };
    const editor = visibleEditor(uri);
    const range = editor ? await services.locate({ uri, index, pointer: '' }) : null;
    if (editor && range) {
      const start = new vscode.Position(range.start.line, range.start.character);
      editor.selection = new vscode.Selection(start, start);
      editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
    await refresh();
  }

  async function openDocument(number: number): Promise<void> {
    const source = shown?.pages.find((page) => page.number === number)?.source;
    if (source && source.kind !== 'missing') {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(source.path), { preview: true });
    }
  }

  function receive(message: FromPage): void {
    switch (message.type) {
      case 'ready':
        if (panel !== null) {
          panel.ready = true;
          if (panel.evidenceOnly) {
            showEvidenceOnly(panel);
          }
          post(panel.message);
          void refresh();
        }
        break;
      case 'select':
        void select(message.index, message.pointer, message.inString);
        break;
      case 'record':
        void stepRecord(message.step);
        break;
      case 'openDocument':
        void openDocument(message.page);
        break;
      case 'log':
        services.log?.(message.level, message.message);
        break;
    }
  }

  function showEvidenceOnly(target: Panel): void {
    target.evidenceOnly = !target.ready;
    post({ type: 'evidenceOnly' });
  }

  function open(first: unknown, second: unknown, third: unknown): void {
    const uri = vscode.window.activeTextEditor?.document.uri.toString() ?? activeTabUri();
    wanted = namedRecord(first, second, third) ?? (uri === undefined ? wanted : { uri, index: null });
    if (panel === null) {
      const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      const options = { enableScripts: true, enableFindWidget: true, retainContextWhenHidden: false };
      adopt(vscode.window.createWebviewPanel(PREVIEW_VIEW_TYPE, 'Evidence', place, options));
    } else {
      panel.webview.reveal(undefined, true);
      void refresh();
    }
    if (wanted === null) {
      display(null, 'Open a dataset file (JSONL or JSON) and put the cursor into a record.');
    }
  }

  context.subscriptions.push(
    vscode.commands.registerCommand(COMMANDS.previewEvidence, open),
    vscode.commands.registerCommand(COMMANDS.evidenceOnly, (first?: unknown, second?: unknown, third?: unknown) => {
      open(first, second, third);
      if (panel !== null) {
        showEvidenceOnly(panel);
      }
    }),
    vscode.window.registerWebviewPanelSerializer(PREVIEW_VIEW_TYPE, {
      deserializeWebviewPanel(webview: vscode.WebviewPanel, state: unknown) {
        wanted = namedRecord(state);
        adopt(webview);
        return Promise.resolve();
      },
    }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === vscode.window.activeTextEditor || textEditor.document.uri.toString() === wanted?.uri) {
        follow(textEditor);
      }
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor && editor.document.uri.toString() !== wanted?.uri) {
        follow(editor);
      }
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() === wanted?.uri) {
        schedule(PAUSE_MS, true);
      }
    }),
    services.onDidChangeStatus((status) => {
      statuses.set(status.uri, status);
      if (status.uri === wanted?.uri) {
        schedule(STATUS_MS, false);
      }
    }),
    { dispose: () => panel?.webview.dispose() },
  );
}
