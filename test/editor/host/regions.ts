/** Evidence corrected from the preview, inside the extension host: what stands in the document afterwards, and how it is undone. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ChangeAnswer, PageQuestion, PageQuestions } from '../../../schemas/page.ts';
import type { EvidenceRegion, EvidenceView } from '../../../schemas/protocol.ts';
import type { EvidenceChange } from '../../../schemas/regions.ts';
import { activated, closeAll, openSettled, textOf } from './files.ts';

interface Preview {
  readonly shown: EvidenceView | null;
  readonly onDidShow: vscode.Event<EvidenceView | null>;
  ask<Q extends PageQuestion>(question: Q, ask: PageQuestions[Q]['ask']): Promise<PageQuestions[Q]['answer']>;
}

const record = (query: string): string =>
  `{"query": "${query}", "answer": "41 m",  "doc_name": "field-report", "evidence_page": [2], "bbox": [[[300, 600, 2100, 1500], [300, 400, 2250, 700], [450, 1800, 1950, 2700]]], "subimg_type": [["table", "text", "image"]], "category": "cs"}`;
const LINES = ['a', 'b', 'c'].map(record);
const TEXT = `${LINES.join('\n')}\n`;
/** Pixels of a page at 300 dpi. */
const PAGE = { width: 2550, height: 3300 };

/** A place by its edges in pixels. */
const place = (left: number, top: number, right: number, bottom: number) => ({
  left: left / PAGE.width,
  top: top / PAGE.height,
  width: (right - left) / PAGE.width,
  height: (bottom - top) / PAGE.height,
});

let count = 0;

describe('regions that are corrected in the preview', () => {
  let preview: Preview;
  before(async () => {
    const { exports } = await activated();
    ({ preview } = exports as unknown as { preview: Preview });
  });
  afterEach(closeAll);

  /** Settled when the page is shown what is wanted. */
  function shown(wanted: (view: EvidenceView) => boolean): Promise<EvidenceView> {
    return new Promise((resolve) => {
      const look = (view: EvidenceView | null): void => {
        if (view === null || !wanted(view)) return;
        listener.dispose();
        resolve(view);
      };
      const listener = preview.onDidShow(look);
      look(preview.shown);
    });
  }

  const regionsOf = (view: EvidenceView): readonly EvidenceRegion[] => view.pages.flatMap(({ regions }) => regions);
  const shows = (document: vscode.TextDocument, index?: number) =>
    shown(
      (view) =>
        view.uri === document.uri.toString() &&
        view.version === document.version &&
        (index === undefined || view.index === index) &&
        regionsOf(view).length > 0,
    );

  /** Opens a file, and the preview with one of its records. */
  async function open(index: number, text = TEXT, extension = 'jsonl'): Promise<vscode.TextDocument> {
    const { document } = await openSettled(`sciegqa-regions-${++count}.${extension}`, text);
    await vscode.commands.executeCommand('auditableQa.previewEvidence', document.uri.toString(), index);
    await shows(document, index);
    return document;
  }

  function shownUri(): string {
    assert.ok(preview.shown !== null);
    return preview.shown.uri;
  }

  function change(change: EvidenceChange, view = preview.shown): Promise<ChangeAnswer> {
    assert.ok(view !== null);
    return preview.ask('change', { uri: view.uri, index: view.index, version: view.version, change });
  }

  async function done(answer: Promise<ChangeAnswer>): Promise<Extract<ChangeAnswer, { done: true }>> {
    const given = await answer;
    assert.ok(given.done, given.done ? '' : given.problem);
    return given;
  }

  async function insert(document: vscode.TextDocument, before: string, text: string, line: number): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    const at = document.lineAt(line).text.indexOf(before);
    assert.ok(at >= 0);
    edit.insert(document.uri, new vscode.Position(line, at), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  const isPanelActive = (): boolean =>
    vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
  /** Which tab is active is told a moment after what made it so. */
  async function panelIsActive(): Promise<void> {
    const limit = Date.now() + 10_000;
    while (!isPanelActive()) {
      assert.ok(Date.now() < limit, 'the panel is active');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('have their numbers changed and nothing else, before the page gets its answer, and are shown so at once', async () => {
    const document = await open(1);
    const answer = await done(change({ kind: 'place', pointer: '/bbox/0/0', place: place(310, 620, 2110, 1520) }));
    assert.equal(answer.pointer, '/bbox/0/0');
    assert.equal(
      document.getText(),
      TEXT.replace(LINES[1]!, LINES[1]!.replace('[300, 600, 2100, 1500]', '[310, 620, 2110, 1520]')),
    );
    assert.equal(document.isDirty, true);
    assert.equal(await textOf(document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1)), TEXT);
    const view = await shows(document, 1);
    assert.match(regionsOf(view)[0]!.text, /310, 620/);
  });

  it('keep the indentation of a JSON array', async () => {
    const text = JSON.stringify(
      LINES.map((line) => JSON.parse(line) as unknown),
      null,
      2,
    );
    const document = await open(2, text, 'json');
    await done(change({ kind: 'remove', pointer: '/bbox/0/1' }));
    const wanted = LINES.map((line) => JSON.parse(line) as { bbox: number[][][]; subimg_type: string[][] });
    wanted[2]!.bbox[0]!.splice(1, 1);
    wanted[2]!.subimg_type[0]!.splice(1, 1);
    assert.equal(document.getText(), JSON.stringify(wanted, null, 2));
  });

  it('are changed in the document of a record where that is shown', async () => {
    const file = await open(0);
    await vscode.commands.executeCommand('auditableQa.editRecord', file.uri.toString(), 1);
    const view = vscode.window.activeTextEditor?.document;
    assert.equal(view?.uri.scheme, 'auditable-qa');
    await shows(view);
    const before = view.getText();
    await done(change({ kind: 'numbers', pointer: '/bbox/0/2', numbers: [451, 1801, 1951, 2701] }));
    assert.notEqual(view.getText(), before);
    assert.ok(view.getText().includes('451'));
    assert.equal(view.isDirty, true);
    assert.equal(file.getText(), TEXT);
    await done(preview.ask('undo', { uri: shownUri(), redo: false }));
    assert.equal(view.getText(), before);
  });

  it('are changed one after the other, each the one that was meant', async () => {
    const document = await open(1);
    const [view] = [preview.shown];
    const answers = await Promise.all([
      change({ kind: 'remove', pointer: '/bbox/0/0' }, view),
      change({ kind: 'numbers', pointer: '/bbox/0/2', numbers: [1, 2, 3, 4] }, view),
      change({ kind: 'remove', pointer: '/bbox/0/1' }, view),
      change({ kind: 'label', pointer: '/bbox/0/2', label: 'table' }, view),
      change({ kind: 'remove', pointer: '/bbox/0/0' }, view),
    ]);
    assert.deepEqual(
      answers.map(({ done }) => done),
      [true, true, true, true, false],
    );
    const { bbox, subimg_type } = JSON.parse(document.lineAt(1).text) as Record<string, unknown>;
    assert.deepEqual(bbox, [[[1, 2, 3, 4]]]);
    assert.deepEqual(subimg_type, [['table']]);
  });

  it('are changed although the file is typed in, and what was typed stays', async () => {
    const document = await open(1);
    const view = preview.shown;
    const typing = (async () => {
      for (let i = 0; i < 5; i++) await insert(document, '"answer"', ' ', 0);
    })();
    await done(change({ kind: 'numbers', pointer: '/bbox/0/0', numbers: [1, 2, 3, 4] }, view));
    await typing;
    assert.equal(document.lineAt(0).text, LINES[0]!.replace('"answer"', '     "answer"'));
    assert.equal(document.lineAt(1).text, LINES[1]!.replace('300, 600, 2100, 1500', '1, 2, 3, 4'));
  });

  it('are left alone where another record stands there by now', async () => {
    const document = await open(1);
    const view = preview.shown;
    const edit = new vscode.WorkspaceEdit();
    edit.delete(document.uri, new vscode.Range(0, 0, 1, 0));
    assert.ok(await vscode.workspace.applyEdit(edit));
    const answer = await change({ kind: 'remove', pointer: '/bbox/0/0' }, view);
    assert.equal(answer.done, false);
    assert.equal(document.getText(), `${LINES[1]}\n${LINES[2]}\n`);
  });

  it('are undone and done again from the panel, which keeps its focus', async () => {
    const document = await open(1);
    await vscode.commands.executeCommand('auditableQa.previewEvidence', document.uri.toString(), 1);
    await done(change({ kind: 'numbers', pointer: '/bbox/0/0', numbers: [1, 2, 3, 4] }));
    const changed = document.getText();
    await done(preview.ask('undo', { uri: shownUri(), redo: false }));
    assert.equal(document.getText(), TEXT);
    await panelIsActive();
    await shows(document, 1);
    assert.match(regionsOf(preview.shown!)[0]!.text, /300, 600/);
    await done(preview.ask('undo', { uri: shownUri(), redo: true }));
    assert.equal(document.getText(), changed);
    await panelIsActive();
    await done(preview.ask('undo', { uri: shownUri(), redo: false }));
    const nothing = await preview.ask('undo', { uri: shownUri(), redo: false });
    assert.ok(!nothing.done && /nothing to undo/.test(nothing.problem));
  });

  it('stay in view when what is undone was of theirs, and give way to another record', async () => {
    const document = await open(2);
    await done(change({ kind: 'numbers', pointer: '/bbox/0/0', numbers: [1, 2, 3, 4] }));
    await insert(document, '"answer"', ' ', 0);
    await done(preview.ask('undo', { uri: shownUri(), redo: false }));
    await shows(document, 0);
    await done(preview.ask('undo', { uri: shownUri(), redo: false }));
    await shows(document, 2);
    assert.equal(document.getText(), TEXT);
  });

  it('are changed in a file that no editor shows, and undone there', async () => {
    const document = await open(1);
    const [group] = vscode.window.tabGroups.all;
    const tab = group?.tabs.find(({ input }) => input instanceof vscode.TabInputText);
    assert.ok(tab !== undefined);
    await vscode.window.tabGroups.close(tab);
    const view = preview.shown!;
    await done(change({ kind: 'numbers', pointer: '/bbox/0/0', numbers: [1, 2, 3, 4] }, view));
    const now = await vscode.workspace.openTextDocument(document.uri);
    assert.equal(now.lineAt(1).text, LINES[1]!.replace('300, 600, 2100, 1500', '1, 2, 3, 4'));
    assert.equal(now.isDirty, true);
    const after = await done(preview.ask('undo', { uri: shownUri(), redo: false }));
    assert.equal(after.title, 'Undo');
    assert.equal(now.getText(), TEXT);
    await panelIsActive();
  });

  it('stay in view while the cursor is in another record', async () => {
    const document = await open(
      2,
      JSON.stringify(
        LINES.map((line) => JSON.parse(line) as unknown),
        null,
        2,
      ),
      'json',
    );
    const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
    assert.ok(editor !== undefined);
    await done(change({ kind: 'remove', pointer: '/bbox/0/0' }));
    await shows(document, 2);
    assert.equal(preview.shown?.index, 2);
  });

  it('get an answer while the language server is started anew', async () => {
    const document = await open(1);
    const asking = change({ kind: 'numbers', pointer: '/bbox/0/0', numbers: [1, 2, 3, 4] });
    const restarted = vscode.commands.executeCommand('auditableQa.restartServer');
    const answer = await asking;
    await restarted;
    if (!answer.done) {
      assert.match(answer.problem, /\.$/);
      await shown((view) => view.uri === document.uri.toString());
      await done(change({ kind: 'numbers', pointer: '/bbox/0/0', numbers: [1, 2, 3, 4] }));
    }
    assert.equal(document.lineAt(1).text, LINES[1]!.replace('300, 600, 2100, 1500', '1, 2, 3, 4'));
  });

  it('have their document’s pages at addresses of the page', async () => {
    await open(1);
    const { pages, problem } = await preview.ask('documentPages', { uri: shownUri(), index: 1 });
    assert.equal(problem, null);
    assert.deepEqual(
      pages.map(({ number, source }) => [number, source.kind, source.pageIndex]),
      [
        [1, 'pdf', 0],
        [2, 'pdf', 1],
        [3, 'pdf', 2],
      ],
    );
    for (const { source } of pages) assert.match(source.url ?? '', /^https:.*field-report\.pdf$/);
  });

  it('are not proposed by a service that is not set', async () => {
    await open(1);
    const service = { png: 'iVBORw0KGgo=', width: 1, height: 1 };
    const { proposals, problem } = await preview.ask('propose', { uri: shownUri(), index: 1, page: 2, service });
    assert.deepEqual(proposals, []);
    assert.equal(problem, 'No region service is set.');
  });
});
