/** The panel that shows the page: loading it, what it may read, and what it is told. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { FromPage, ShownEvidence, ToPage } from '../../../schemas/page.ts';
import { previewHtml } from './html.ts';
import { resourceRoots, withFolders } from './resources.ts';

export const PREVIEW_VIEW_TYPE = 'auditableQa.evidence';

export interface PanelHandlers {
  /** The page listens, for the first time or again. */
  ready(): void;
  receive(message: Exclude<FromPage, { readonly type: 'ready' }>): void;
  disposed(): void;
}

export interface PreviewPanel {
  readonly webview: vscode.Webview;
  readonly visible: boolean;
  readonly column: vscode.ViewColumn | undefined;
  /** Of the page that listens now: one that was let go gets no answers, and another numbers its questions anew. */
  readonly generation: number;
  title: string;
  /** Lets the page read these documents; it is loaded anew where it could not so far. */
  allow(recordFile: string, documents: readonly vscode.Uri[]): void;
  /** Dropped where the page does not listen. */
  post(message: ToPage): void;
  /** What is shown; a page that comes back later gets it, too. Where only the cursor moved, only that is told. */
  show(evidence: ShownEvidence | null, message: string): void;
  /** Nothing but the evidence, as soon as the page listens. */
  showEvidenceOnly(): void;
  setOptions(options: Extract<ToPage, { type: 'options' }>): void;
  /** Brings it to the front, without the focus. */
  reveal(): void;
  /** Gives it the focus; settled when it has it. */
  focus(): Promise<void>;
  dispose(): void;
}

/** How long the focus is waited for. */
const FOCUS_MS = 1000;

export function newWebview(): vscode.WebviewPanel {
  const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const options = { enableScripts: true, enableFindWidget: false, retainContextWhenHidden: false };
  return vscode.window.createWebviewPanel(PREVIEW_VIEW_TYPE, 'Evidence', place, options);
}

/** Takes a panel into use, a new one or one of a window that was reloaded. */
export function createPanel(
  extension: vscode.Uri,
  panel: vscode.WebviewPanel,
  handlers: PanelHandlers,
  options: Extract<ToPage, { type: 'options' }>,
): PreviewPanel {
  const dist = vscode.Uri.joinPath(extension, 'dist', 'preview');
  const { webview } = panel;
  let ready = false;
  let generation = 0;
  let roots = resourceRoots(dist);
  let shown: Extract<ToPage, { type: 'show' }> = { type: 'show', evidence: null, message: 'Reading the record …' };
  /** Everything in `shown` but the cursor, to tell whether anything changed. */
  let content = '';
  let evidenceOnly = false;

  function post(message: ToPage): void {
    if (ready) void webview.postMessage(message);
  }

  function load(): void {
    const address = (...path: string[]): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, ...path)).toString();
    ready = false;
    webview.options = { enableScripts: true, localResourceRoots: roots };
    webview.html = previewHtml({
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64'),
      script: address('preview.js'),
      style: address('preview.css'),
      resources: `${address('pdfjs')}/`,
    });
  }

  function listens(): void {
    ready = true;
    generation += 1;
    if (evidenceOnly) post({ type: 'evidenceOnly' });
    evidenceOnly = false;
    post(options);
    post(shown);
    handlers.ready();
  }

  function focus(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        for (const listener of listeners) listener.dispose();
        resolve();
      };
      // Somebody may have gone elsewhere at the same moment.
      const timer = setTimeout(end, FOCUS_MS);
      const listeners = [
        panel.onDidChangeViewState(() => {
          if (panel.active) end();
        }),
        panel.onDidDispose(end),
      ];
      panel.reveal(undefined, false);
    });
  }

  panel.iconPath = {
    light: vscode.Uri.joinPath(dist, 'icon-light.svg'),
    dark: vscode.Uri.joinPath(dist, 'icon-dark.svg'),
  };
  webview.onDidReceiveMessage((message: FromPage) => {
    if (message.type === 'ready') listens();
    else handlers.receive(message);
  });
  panel.onDidChangeViewState(() => {
    // A hidden page is let go; it says `ready` again when it comes back.
    ready = ready && panel.visible;
  });
  panel.onDidDispose(() => {
    ready = false;
    handlers.disposed();
  });
  load();

  return {
    webview,
    get visible() {
      return panel.visible;
    },
    get column() {
      return panel.viewColumn;
    },
    get generation() {
      return generation;
    },
    set title(title: string) {
      panel.title = title;
    },
    get title() {
      return panel.title;
    },
    allow(recordFile, documents) {
      const wider = withFolders(roots, recordFile, documents);
      if (wider.length === roots.length) return;
      roots = wider;
      load();
    },
    post,
    show(evidence, message) {
      const now = JSON.stringify([{ ...evidence, cursor: null, cursorAt: null, version: null }, message]);
      const same = now === content && evidence !== null && evidence.version === shown.evidence?.version;
      shown = { type: 'show', evidence, ...(message === '' ? {} : { message }) };
      content = now;
      post(same ? { type: 'cursor', pointer: evidence.cursor, at: evidence.cursorAt ?? null } : shown);
    },
    showEvidenceOnly() {
      evidenceOnly = !ready;
      post({ type: 'evidenceOnly' });
    },
    setOptions(changed) {
      options = changed;
      post(options);
    },
    reveal: () => panel.reveal(undefined, true),
    focus,
    dispose: () => panel.dispose(),
  };
}
