/**
 * The built preview with a real language server behind it: what the page asks is answered as the editor answers it, on a text document in
 * memory, which is undone and done again as an editor's.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Browser } from 'playwright-core';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { ChangeAnswer, FromPage, PageQuestions, PageSourceUrl, ShownEvidence } from '../../schemas/page.ts';
import type { EvidenceParams, EvidenceView, PageSource } from '../../schemas/protocol.ts';
import { EVIDENCE } from '../../schemas/protocol.ts';
import type { ChangeEvidenceResult, DocumentPagesResult, EvidenceChange } from '../../schemas/regions.ts';
import { CHANGE_EVIDENCE, DOCUMENT_PAGES, FIT_REGION, PROPOSE_REGIONS, REGION_TEXT } from '../../schemas/regions.ts';
import type { WireServer } from '../wire/server.ts';
import type { OpenOptions, OpenPage, Site } from './preview-site.ts';

type Ask = Extract<FromPage, { type: 'ask' }>;

export interface LivePage {
  readonly open: OpenPage;
  text(): string;
  /** What the page has asked to be changed, in order. */
  changes(): readonly EvidenceChange[];
  /** The next `change` is answered so, and nothing is done. */
  refuse(problem: string): void;
  /** Holds answers and snapshots back until the returned function is called. */
  hold(): () => void;
  /** Somebody types in the text editor. */
  type(edit: (text: string) => string): Promise<void>;
  /** Snapshots that were sent. */
  shown(): readonly ShownEvidence[];
  /** Resolves when no change is on its way. */
  settled(): Promise<void>;
}

export interface LiveOptions extends OpenOptions {
  /** Below the server's folder. */
  readonly file: string;
  readonly text: string;
  readonly index?: number;
}

/** `open`: of a record of a file that is opened in `server`; pages are served by `site`. */
export async function openLive(
  browser: Browser,
  site: Site,
  server: WireServer,
  options: LiveOptions,
): Promise<LivePage> {
  const { connection } = server;
  const uri = server.write(options.file, options.text);
  let document = TextDocument.create(uri, 'jsonl', 1, options.text);
  let index = options.index ?? 0;
  let cursor: string | null = null;
  const changes: EvidenceChange[] = [];
  const shown: ShownEvidence[] = [];
  let refusal: string | null = null;
  let held: Promise<void> = Promise.resolve();
  let busy: Promise<unknown> = Promise.resolve();
  const undoable: string[] = [];
  let redoable: string[] = [];

  await server.open(uri, options.text);
  await server.status(uri, (status) => !status.running && status.profile !== null);

  async function addressOf(source: PageSource): Promise<PageSourceUrl> {
    if (source.kind === 'missing') {
      return source;
    }
    const url = site.put(basename(source.path), await readFile(source.path));
    return source.kind === 'pdf' ? { kind: 'pdf', url, pageIndex: source.pageIndex } : { kind: 'image', url };
  }

  async function withAddresses<P extends { readonly source: PageSource }>(
    pages: readonly P[],
  ): Promise<(Omit<P, 'source'> & { readonly source: PageSourceUrl })[]> {
    return Promise.all(pages.map(async (page) => ({ ...page, source: await addressOf(page.source) })));
  }

  async function show(): Promise<void> {
    const ask: EvidenceParams = { uri, index };
    const view = await connection.sendRequest<EvidenceView | null>(EVIDENCE, ask);
    if (view === null) {
      throw new Error('There is no such record.');
    }
    const evidence: ShownEvidence = { ...view, cursor, pages: await withAddresses(view.pages) };
    await held;
    shown.push(evidence);
    await open.show(evidence);
  }

  async function setText(text: string): Promise<void> {
    const version = document.version + 1;
    document = TextDocument.create(uri, 'jsonl', version, text);
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
  }

  async function change(ask: PageQuestions['change']['ask']): Promise<ChangeAnswer> {
    changes.push(ask.change);
    if (refusal !== null) {
      const problem = refusal;
      refusal = null;
      await held;
      return { done: false, problem };
    }
    const result = await connection.sendRequest<ChangeEvidenceResult>(CHANGE_EVIDENCE, ask);
    if (result.kind === 'written') throw new Error('The file is open, and was written all the same.');
    if (result.kind !== 'edits') {
      return { done: false, problem: result.kind === 'stale' ? 'The document has changed.' : result.message };
    }
    if (result.edits.length > 0) {
      undoable.push(document.getText());
      redoable = [];
      await setText(TextDocument.applyEdits(document, [...result.edits]));
      index = result.index;
      cursor = result.pointer ?? cursor;
    }
    await show();
    const isSame = result.edits.length === 0;
    return { done: true, pointer: result.pointer, title: result.title, ...(isSame && { unchanged: true }) };
  }

  async function undo(redo: boolean): Promise<ChangeAnswer> {
    const [from, to] = redo ? [redoable, undoable] : [undoable, redoable];
    const text = from.pop();
    if (text === undefined) {
      return { done: false, problem: `There is nothing to ${redo ? 'do again' : 'undo'}.` };
    }
    to.push(document.getText());
    await setText(text);
    await show();
    return { done: true, pointer: null, title: redo ? 'Redo' : 'Undo' };
  }

  async function answer({ question, ask }: Ask): Promise<unknown> {
    switch (question) {
      case 'change':
        return change(ask as PageQuestions['change']['ask']);
      case 'undo':
        return undo((ask as PageQuestions['undo']['ask']).redo);
      case 'fit':
        return connection.sendRequest(FIT_REGION, ask);
      case 'propose':
        return connection.sendRequest(PROPOSE_REGIONS, ask);
      case 'regionText':
        return connection.sendRequest(REGION_TEXT, ask);
      case 'documentPages': {
        const found = await connection.sendRequest<DocumentPagesResult>(DOCUMENT_PAGES, ask);
        return { ...found, pages: await withAddresses(found.pages) };
      }
      default:
        throw new Error(`Nobody answers ${question} here.`);
    }
  }

  async function respond(message: Ask): Promise<void> {
    const { id } = message;
    const response = await answer(message).then(
      (given) => ({ answer: given }),
      (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }),
    );
    await held;
    await open.send({ type: 'answer', id, ...response });
  }

  const open = await site.open(browser, options);
  await open.page.exposeFunction('heard', (message: FromPage) => {
    if (message.type === 'ask') {
      busy = Promise.all([busy, respond(message)]);
    } else if (message.type === 'select') {
      cursor = message.pointer;
    }
  });
  await show();

  return {
    open,
    text: () => document.getText(),
    changes: () => changes,
    refuse(problem) {
      refusal = problem;
    },
    hold() {
      let release = (): void => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    async type(edit) {
      undoable.push(document.getText());
      redoable = [];
      await setText(edit(document.getText()));
      await show();
    },
    shown: () => shown,
    async settled() {
      await open.page.waitForSelector('.region-bar:not([aria-busy])', { state: 'attached' });
      await busy;
    },
  };
}
