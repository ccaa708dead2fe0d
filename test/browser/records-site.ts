/** The page of the Records view on a loopback server, with the server's own list behind it and a stand-in for the editor. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { recordsHtml, recordsPolicy } from '../../client/src/records-view/html.ts';
import type { FromRecordsPage, RecordQuestions, ToRecordsPage } from '../../schemas/records-page.ts';
import type { RecordFile } from '../../schemas/records.ts';
import { buildRecords } from '../../scripts/build-records.mjs';
import type { RecordActions } from '../../server/src/lsp/records/record-actions.ts';
import { createRecordActions } from '../../server/src/lsp/records/record-actions.ts';
import type { RecordView } from '../../server/src/lsp/records/record-view.ts';
import { createRecordView } from '../../server/src/lsp/records/record-view.ts';
import { createCancel } from '../../server/src/lsp/cancel.ts';
import type { Session } from '../../server/src/lsp/session/session.ts';
import { sessionOfLines } from '../support/record-session.ts';
import { SHOTS } from './preview-site.ts';
import type { Theme } from './themes.ts';
import { DARK } from './themes.ts';

const DIST = join(import.meta.dirname, '../../dist/records');
const TYPES: Readonly<Record<string, string>> = { 'records.js': 'text/javascript', 'records.css': 'text/css' };

/** It keeps what is posted but for questions, and the state across reloads. */
const STAND_IN = `
  window.posted = [];
  window.breaches = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    window.breaches.push(event.violatedDirective + ' ' + event.blockedURI);
  });
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => {
      if (message.type !== 'ask') return void window.posted.push(structuredClone(message));
      window.answer(message.question, message.params).then((result) =>
        window.postMessage({ type: 'answer', id: message.id, result }, '*'));
    },
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
  });
`;

export interface RecordsSite {
  open(browser: Browser, options?: { theme?: Theme; width?: number; height?: number }): Promise<RecordsPage>;
  /** What was asked to be fixed and accepted. */
  readonly asked: { readonly question: string; readonly params: unknown }[];
  readonly view: RecordView;
  readonly uris: readonly string[];
  close(): Promise<void>;
}

export interface RecordsPage {
  readonly page: Page;
  readonly complaints: string[];
  send(message: ToRecordsPage): Promise<void>;
  posted(): Promise<FromRecordsPage[]>;
  breaches(): Promise<string[]>;
  setTheme(theme: Theme): Promise<void>;
  close(): Promise<void>;
}

/** Runs in the page. */
function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  root.removeAttribute('style');
  for (const [name, value] of Object.entries(theme.variables)) root.style.setProperty(`--vscode-${name}`, value);
  document.body.className = theme.bodyClass;
  document.body.dataset['vscodeThemeKind'] = theme.kind;
}

/** `files`: lines by absolute path. */
export async function startRecordsSite(files: Readonly<Record<string, readonly string[]>>): Promise<RecordsSite> {
  await buildRecords();
  await mkdir(SHOTS, { recursive: true });
  const sessions = new Map<string, Session>();
  const asked: { question: string; params: unknown }[] = [];
  const view: RecordView = createRecordView({
    epoch: randomBytes(4).toString('hex'),
    files: {
      session: (uri) => Promise.resolve(sessions.get(uri)),
      atHand: (uri) => sessions.get(uri),
      problem: () => 'No profile fits the file.',
    },
    isOpen: () => true,
    shownBy: () => Promise.resolve(undefined),
    changed: () => undefined,
  });
  await Promise.all(
    Object.entries(files).map(async ([path, lines]) => {
      const { session, checked } = await sessionOfLines(path, lines, ({ uri }) => view.looked(uri));
      sessions.set(session.uri, session);
      await checked;
    }),
  );
  const actions: RecordActions = createRecordActions({
    view,
    isOpen: () => true,
    rewrite: () => Promise.resolve('may not be written'),
    accepted: {
      beside: () => Promise.resolve(undefined),
      recordFiles: () => Promise.resolve([]),
      append: () => Promise.resolve(undefined),
    },
    today: () => '2031-01-01',
  });
  const recordFiles = (): RecordFile[] =>
    [...sessions.values()].map((session) => {
      const { summaries, counts } = view.tableOf(session);
      const name = session.path.slice(1);
      return {
        uri: session.uri,
        name,
        open: true,
        profile: 'SciEGQA',
        records: summaries.length,
        counts,
        solutions: false,
      };
    });
  const answers: { [Q in keyof RecordQuestions]: (params: RecordQuestions[Q]['params']) => unknown } = {
    files: () => ({ files: recordFiles(), looking: false }),
    list: view.list,
    keys: view.keys,
    position: view.position,
    values: view.values,
    detail: view.detail,
    codes: (params) => actions.codes(params, createCancel()),
    plan: actions.plan,
    fix: () => ({ problem: null }),
    accept: actions.accept,
    run: () => ({ run: 1, passed: 1, failed: 0, skipped: 0 }),
  };

  let origin = '';
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin);
    const name = pathname.slice('/dist/'.length);
    if (pathname === '/') {
      const parts = {
        cspSource: origin,
        nonce: randomBytes(16).toString('base64'),
        script: `${origin}/dist/records.js`,
        style: `${origin}/dist/records.css`,
      };
      const standIn = `<script nonce="${parts.nonce}">${STAND_IN}</script>\n<title>`;
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': recordsPolicy(parts),
      });
      response.end(recordsHtml(parts).replace('<title>', standIn));
    } else if (TYPES[name] !== undefined) {
      void readFile(join(DIST, name)).then((bytes) => {
        response.writeHead(200, { 'content-type': TYPES[name] });
        response.end(bytes);
      });
    } else {
      response.writeHead(pathname === '/favicon.ico' ? 204 : 404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    asked,
    view,
    uris: [...sessions.keys()],
    async open(browser, { theme = DARK, width = 1200, height = 320 } = {}) {
      const context = await browser.newContext({ viewport: { width, height } });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.exposeFunction('answer', (question: keyof RecordQuestions, params: never) => {
        if (question === 'fix' || question === 'accept' || question === 'run') asked.push({ question, params });
        return answers[question](params);
      });
      const send = (message: ToRecordsPage): Promise<void> =>
        page.evaluate((data) => window.postMessage(data, '*'), message);
      // After a reload too.
      page.on('load', () => {
        void (async () => {
          await page.evaluate(applyTheme, theme);
          await send({ type: 'start', preferred: null, trusted: true });
        })().catch(() => undefined);
      });
      await page.goto(origin);
      return {
        page,
        complaints,
        send,
        posted: () => page.evaluate(() => window.posted as unknown as FromRecordsPage[]),
        breaches: () => page.evaluate(() => window.breaches),
        setTheme: (next) => page.evaluate(applyTheme, next),
        close: () => context.close(),
      };
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const session of sessions.values()) session.close();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
