/** What the preview is about: it follows the cursor of the record files, and keeps what it shows up to date. */
import * as vscode from 'vscode';
import type { EvidenceParams, EvidenceView, StatusParams } from '../../../schemas/protocol.ts';
import { EVIDENCE } from '../../../schemas/protocol.ts';
import type { CoordinateReading } from '../../../schemas/regions.ts';
import { DISK_CHANGED } from '../../../schemas/disk.ts';
import type { DiskChangedParams } from '../../../schemas/disk.ts';
import { documentOf } from '../large/documents.ts';
import { isRecordDocument } from '../records.ts';
import type { Server } from '../server.ts';
import { isViewAddress } from '../views/open.ts';
import type { PreviewPanel } from './panel.ts';
import { nameOf, titleOf, visibleEditor } from './record-file.ts';
import { documentsOf, toShown } from './resources.ts';
import { createSnapshots } from './snapshots.ts';
import type { Snapshots } from './snapshots.ts';

/** What the panel is about. A record named by a command stays shown until the cursor of its file moves. */
export interface Wanted {
  readonly uri: string;
  /** 0-based; null: the record under the cursor. */
  readonly index: number | null;
  /** Value of the named record that is to be shown: a page, a box, a block. */
  readonly pointer?: string;
}

export interface Follower extends vscode.Disposable {
  /** Set without being shown at once. */
  wanted: Wanted | null;
  /** What the page shows, or will once it listens. */
  readonly shown: EvidenceView | null;
  readonly snapshots: Snapshots;
  readonly onDidShow: vscode.Event<EvidenceView | null>;
  /** Shows it at once; settled when the page was told. */
  want(wanted: Wanted | null): Promise<void>;
  refresh(): Promise<void>;
  /** Boxes are shown as if read so until another record is shown; null: as declared. */
  read(reading: CoordinateReading | null): Promise<void>;
  /** Edits and cursors that `work` moves are not followed. */
  quietly<T>(work: () => Promise<T>): Promise<T>;
  /** The panel was closed. */
  clear(): void;
}

/** Typing and cursor keys come in bursts: one request when they pause, in ms. */
const PAUSE_MS = 120;
/** While solutions run, status arrives often: at most one request per this many ms. */
const STATUS_MS = 250;

export function createFollower(server: Server, panelNow: () => PreviewPanel | null): Follower {
  const statuses = new Map<string, StatusParams>();
  const snapshots = createSnapshots();
  const didShow = new vscode.EventEmitter<EvidenceView | null>();
  let wanted: Wanted | null = null;
  let shown: EvidenceView | null = null;
  let tried: { readonly uri: string; readonly index: number; readonly reading: CoordinateReading } | null = null;
  let latest = 0;
  let quiet = 0;
  let missed = false;
  let timer: ReturnType<typeof setTimeout> | null = null;

  /** The snapshot goes to the page as a whole; where only the cursor moved, only the cursor. */
  function display(view: EvidenceView | null, message: string): void {
    const panel = panelNow();
    if (panel === null) return;
    if (view !== null) {
      panel.allow(view.uri, documentsOf(view.pages));
      snapshots.add(view);
      if (tried !== null && (tried.uri !== view.uri || tried.index !== view.index)) tried = null;
    }
    shown = view;
    panel.title = view === null ? 'Evidence' : `Evidence: ${titleOf(view.uri)}`;
    panel.show(view && toShown(view, panel.webview), message);
    didShow.fire(view);
  }

  /** null: no record there, or no answer. */
  function request(params: EvidenceParams): Promise<EvidenceView | null> {
    const reading = tried?.uri === params.uri ? tried.reading : undefined;
    return server.request<EvidenceView>(EVIDENCE, { ...params, ...(reading && { reading }) });
  }

  /** A named record is asked for by its index, unless the cursor is in it: then the answer says what it stands in. */
  async function evidence({ uri, index, pointer }: Wanted): Promise<EvidenceView | null> {
    if (pointer !== undefined && index !== null) {
      const named = await request({ uri, index });
      return named && { ...named, cursor: pointer, cursorAt: null };
    }
    const active = visibleEditor(uri)?.selection.active;
    const position = active && { line: active.line, character: active.character };
    const under = position && (await request({ uri, position }));
    if (index === null) return under ?? (position ? null : request({ uri, index: shownIndex(uri) }));
    return under?.index === index ? under : request({ uri, index });
  }

  /** Where no editor shows the file any more, its record stays. */
  function shownIndex(uri: string): number {
    return shown?.uri === uri ? shown.index : 0;
  }

  async function ask(target: Wanted): Promise<{ view: EvidenceView | null; trouble: string }> {
    try {
      await documentOf(target.uri);
      return { view: await evidence(target), trouble: '' };
    } catch (error) {
      return { view: null, trouble: error instanceof Error ? error.message : String(error) };
    }
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

  async function refresh(): Promise<void> {
    const target = wanted;
    if (target === null || panelNow()?.visible !== true) return;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    latest += 1;
    const asked = latest;
    let { view, trouble } = await ask(target);
    if (asked !== latest) return;
    if (view !== null && tried !== null && tried.index !== view.index) {
      // Another record: it is shown as declared.
      tried = null;
      ({ view, trouble } = await ask(target));
      if (asked !== latest) return;
    }
    if (view !== null) {
      display(view, '');
      if (view.trace?.pending === true) void completeNumbers(view, asked);
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
    const whole = await request({ uri, index, withPages: true });
    if (whole !== null && asked === latest && whole.version === view.version) {
      display({ ...whole, cursor: view.cursor, cursorAt: view.cursorAt ?? null }, '');
    }
  }

  /** `restart`: wait for a pause; else the request that is already due is enough. */
  function schedule(ms: number, restart: boolean): void {
    if (panelNow() === null || (timer !== null && !restart)) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      void refresh();
    }, ms);
  }

  /** Another file is followed only if it is one of records: the last record stays while one looks elsewhere. */
  function follow(editor: vscode.TextEditor): void {
    const uri = editor.document.uri.toString();
    if (quiet > 0 || panelNow() === null || !isRecordDocument(editor.document)) return;
    if (shown !== null && shown.uri !== uri && !isViewAddress(uri) && !statuses.get(uri)?.profile) return;
    wanted = { uri, index: null };
    schedule(PAUSE_MS, true);
  }

  const listeners = [
    didShow,
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
      // Without a kind: the text before the cursor has changed, and nobody went anywhere.
      if (kind === undefined && textEditor.document.uri.toString() !== wanted?.uri) return;
      if (textEditor === vscode.window.activeTextEditor || textEditor.document.uri.toString() === wanted?.uri) {
        follow(textEditor);
      }
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor && editor.document.uri.toString() !== wanted?.uri) follow(editor);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.toString() !== wanted?.uri) return;
      if (quiet > 0) missed = true;
      else schedule(PAUSE_MS, true);
    }),
    server.onNotification<DiskChangedParams>(DISK_CHANGED, ({ uri }) => {
      if (uri !== wanted?.uri) return;
      if (quiet > 0) missed = true;
      else schedule(PAUSE_MS, true);
    }),
    server.onDidStart(() => schedule(STATUS_MS, false)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => snapshots.forget(uri.toString())),
    server.onDidChangeStatus((status) => {
      statuses.set(status.uri, status);
      if (status.uri === wanted?.uri) schedule(STATUS_MS, false);
    }),
  ];

  return {
    get wanted() {
      return wanted;
    },
    set wanted(target) {
      wanted = target;
    },
    get shown() {
      return shown;
    },
    snapshots,
    onDidShow: didShow.event,
    want(target) {
      wanted = target;
      return refresh();
    },
    refresh,
    read(reading) {
      tried = shown === null || reading === null ? null : { uri: shown.uri, index: shown.index, reading };
      return refresh();
    },
    async quietly(work) {
      quiet += 1;
      try {
        return await work();
      } finally {
        quiet -= 1;
        if (quiet === 0 && missed) schedule(PAUSE_MS, true);
        missed &&= quiet > 0;
      }
    },
    clear() {
      shown = null;
      tried = null;
      latest += 1;
    },
    dispose() {
      if (timer !== null) clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
    },
  };
}
