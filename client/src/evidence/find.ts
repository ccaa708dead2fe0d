/** "Find evidence": a list of what in the record has some words or a number, while one types; choosing one cites it. */
import * as vscode from 'vscode';
import type { FoundPlace, SearchItem, SearchParams, SearchResult, ShowFoundParams } from '../../../schemas/search.ts';
import { SEARCH, SHOW_FOUND } from '../../../schemas/search.ts';
import { COMMANDS } from '../ids.ts';
import { documentOf } from '../large/documents.ts';
import { showInEditor } from '../preview/record-file.ts';
import { recordOf } from '../records.ts';
import type { Server } from '../server.ts';
import { openView } from '../views/open.ts';
import { cite } from './citing.ts';
import type { RecordAddress } from './citing.ts';
import { emptyText, firstQuery, itemText } from './item.ts';
import { createLook } from './look.ts';

/** Typing comes in bursts: one search when it pauses, in ms. */
const PAUSE_MS = 80;
/** A look at what the arrow keys pass is not worth more than that, in ms. */
const LOOK_MS = 120;

interface Entry extends vscode.QuickPickItem {
  /** Absent: the entry only says something. */
  readonly found?: SearchItem;
}

const SHOW: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('go-to-file'),
  tooltip: 'Show where it stands',
};
const REMOVE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: 'Remove the citation',
};

export function registerFindEvidence(context: vscode.ExtensionContext, server: Server): void {
  context.subscriptions.push(
    vscode.commands.registerCommand(COMMANDS.findEvidence, async (uri?: unknown, index?: unknown) => {
      const record = await recordOf(server, uri, index);
      if (record === null) {
        vscode.window.setStatusBarMessage('Put the cursor into a record to find evidence in it.', 5000);
        return;
      }
      openList(server, record, queryOfEditor(record));
    }),
  );
}

function queryOfEditor({ uri }: RecordAddress): string {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.toString() !== uri) return '';
  const { document, selection } = editor;
  return firstQuery(document.getText(selection), document.lineAt(selection.active).text, selection.active.character);
}

function openList(server: Server, record: RecordAddress, query: string): void {
  const list = vscode.window.createQuickPick<Entry>();
  const look = createLook();
  list.title = `Find evidence in record ${(record.index + 1).toLocaleString('en')}`;
  list.placeholder = 'Words or a number: 1,350 also finds 1350 and 1.35 million';
  list.keepScrollPosition = true;
  list.matchOnDetail = true;
  // The order is that of the search. VS Code has no name for this yet; without it, matching labels come first.
  Object.assign(list, { sortByLabel: false });
  let asked = new vscode.CancellationTokenSource();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lookTimer: ReturnType<typeof setTimeout> | undefined;
  let looked = 0;

  function searchSoon(ms: number): void {
    clearTimeout(timer);
    asked.cancel();
    asked = new vscode.CancellationTokenSource();
    const { token } = asked;
    list.busy = true;
    timer = setTimeout(() => void search(token), ms);
  }

  async function search(token: vscode.CancellationToken): Promise<void> {
    const params: SearchParams = { ...record, query: list.value };
    const result = await server.request<SearchResult>(SEARCH, params, token);
    if (token.isCancellationRequested) return;
    show(result);
    if (result?.pending === true) {
      const whole = await server.request<SearchResult>(SEARCH, { ...params, withPages: true }, token);
      if (token.isCancellationRequested) return;
      show(whole);
    }
    list.busy = false;
  }

  function show(result: SearchResult | null): void {
    const given = result ?? { ...NO_ANSWER };
    const active = list.activeItems[0]?.found;
    list.items =
      given.items.length === 0
        ? [{ ...emptyText(given, list.value), alwaysShow: true }]
        : given.items.map((found): Entry => {
            const buttons = found.cited && found.citable ? [SHOW, REMOVE] : [SHOW];
            return { ...itemText(found), alwaysShow: true, buttons, found };
          });
    // What the pages add does not move the choice.
    const same = active && list.items.find(({ found }) => isSame(found, active));
    if (same !== undefined) list.activeItems = [same];
  }

  async function placeOf({ target, inString }: SearchItem): Promise<FoundPlace | null> {
    const params: ShowFoundParams = { ...record, target, inString };
    return server.request<FoundPlace>(SHOW_FOUND, params);
  }

  function lookSoon(): void {
    clearTimeout(lookTimer);
    lookTimer = setTimeout(() => {
      const found = list.activeItems[0]?.found;
      const turn = ++looked;
      if (found === undefined || found.kind === 'page') return;
      void placeOf(found).then((place) => {
        if (turn === looked && place?.kind === 'text') look.at(place.uri, place.range);
      });
    }, LOOK_MS);
  }

  async function showPlace(found: SearchItem): Promise<void> {
    try {
      if (found.page !== null) {
        await vscode.commands.executeCommand(COMMANDS.previewEvidence, record.uri, record.index, found.page);
        return;
      }
      const place = await placeOf(found);
      if (place?.kind === 'text') {
        look.keep();
        const document = await documentOf(place.uri);
        if (document === null) await showInOwnDocument(found);
        else await showInEditor(document, place.range, undefined);
      } else if (place?.kind === 'pdf') {
        await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(place.uri, true), { preview: true });
      } else {
        vscode.window.setStatusBarMessage(`No document shows ${found.name}.`, 5000);
      }
    } catch (error) {
      void vscode.window.showWarningMessage(error instanceof Error ? error.message : String(error));
    }
  }

  /** Where VS Code has no document of the file. */
  async function showInOwnDocument({ target, inString }: SearchItem): Promise<void> {
    const editor = await openView(server, 'record', record, { preserveFocus: true, preview: false });
    if (editor === undefined) return;
    const params: ShowFoundParams = { uri: editor.document.uri.toString(), index: record.index, target, inString };
    const place = await server.request<FoundPlace>(SHOW_FOUND, params);
    if (place?.kind === 'text') await showInEditor(editor.document, place.range, undefined);
  }

  async function choose(found: SearchItem): Promise<void> {
    list.hide();
    if (!found.cited) return cite(server, record, found.target, false);
    const entries = [
      ...(found.citable ? [{ label: '$(trash) Remove the citation', remove: true }] : []),
      { label: '$(go-to-file) Show where it stands', remove: false },
    ];
    const chosen = await vscode.window.showQuickPick(entries, { title: `${found.name} is cited already` });
    if (chosen === undefined) return;
    if (chosen.remove) await cite(server, record, found.target, true);
    else await showPlace(found);
  }

  list.onDidChangeValue(() => searchSoon(PAUSE_MS));
  list.onDidChangeActive(lookSoon);
  list.onDidTriggerItemButton(({ item: { found }, button }) => {
    if (found === undefined) return;
    if (button === REMOVE) {
      list.hide();
      void cite(server, record, found.target, true);
    } else void showPlace(found);
  });
  list.onDidAccept(() => {
    const found = list.selectedItems[0]?.found;
    if (found !== undefined) void choose(found);
  });
  list.onDidHide(() => {
    clearTimeout(timer);
    clearTimeout(lookTimer);
    looked++;
    asked.cancel();
    look.end();
    list.dispose();
  });
  list.value = query;
  list.show();
  searchSoon(0);
}

const NO_ANSWER: SearchResult = {
  items: [],
  blocks: 0,
  pages: 0,
  pending: false,
  problem: 'The language server does not answer.',
};

function isSame(one: SearchItem | undefined, other: SearchItem): boolean {
  return one?.target.kind === other.target.kind && one.target.at === other.target.at;
}
