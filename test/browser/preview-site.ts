/** The built preview on a loopback server: the host's own document and policy, with a stand-in for the editor's API. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { previewHtml, previewPolicy } from '../../client/src/preview/html.ts';
import type { FromPage, PageQuestion, PageQuestions, ShownEvidence, ToPage } from '../../schemas/page.ts';
import { buildPreview } from '../../scripts/build-preview.mjs';
import type { Theme } from './themes.ts';
import { DARK } from './themes.ts';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist/preview');
export const SHOTS = join(ROOT, 'artifacts/browser');

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.tif': 'image/tiff',
  '.pdf': 'application/pdf',
  '.wasm': 'application/wasm',
};

/** What the page would find in a webview. It keeps what is posted, the state across reloads, and every breach of the policy. */
const STAND_IN = `
  window.posted = [];
  window.breaches = [];
  window.answers = JSON.parse(sessionStorage.getItem('answers') ?? '{}');
  document.addEventListener('securitypolicyviolation', (event) => {
    window.breaches.push(event.violatedDirective + ' ' + event.blockedURI);
  });
  window.acquireVsCodeApi = () => ({
    postMessage(message) {
      window.posted.push(structuredClone(message));
      void window.heard?.(message);
      if (message.type === 'ask' && message.question in window.answers) {
        const { answer, problem } = window.answers[message.question];
        window.postMessage({ type: 'answer', id: message.id, answer, problem }, '*');
      }
    },
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
  });
`;

declare global {
  interface Window {
    posted: FromPage[];
    breaches: string[];
    answers: Partial<Record<PageQuestion, StandInAnswer>>;
    /** Where a test wants to answer by itself: called with each message. */
    heard?: (message: FromPage) => Promise<void>;
  }
}

/** What the stand-in answers to every question of a kind; questions without one are never answered. */
export interface StandInAnswer {
  readonly answer?: unknown;
  readonly problem?: string;
}

export interface Site {
  /** Address of a document put there with `put`. */
  put(name: string, bytes: Uint8Array): string;
  remove(name: string): void;
  /** How often a document was asked for. */
  asked(name: string): number;
  open(browser: Browser, options?: OpenOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly deviceScaleFactor?: number;
  readonly timeoutMs?: number;
  /** Leaves `worker-src` out of the policy: the way in which a worker never starts. */
  readonly withoutWorker?: boolean;
}

export interface OpenPage {
  readonly page: Page;
  /** Everything the console said at error level, and uncaught errors. */
  readonly complaints: string[];
  send(message: ToPage): Promise<void>;
  show(evidence: ShownEvidence | null, message?: string): Promise<void>;
  /** From now on, and over reloads. */
  answer<Q extends PageQuestion>(question: Q, answer: PageQuestions[Q]['answer']): Promise<void>;
  posted(): Promise<FromPage[]>;
  breaches(): Promise<string[]>;
  setTheme(theme: Theme): Promise<void>;
  close(): Promise<void>;
}

function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  root.removeAttribute('style');
  for (const [name, value] of Object.entries(theme.variables)) {
    root.style.setProperty(`--vscode-${name}`, value);
  }
  document.body.className = theme.bodyClass;
  document.body.dataset['vscodeThemeKind'] = theme.kind;
}

async function openPage(browser: Browser, origin: string, options: OpenOptions): Promise<OpenPage> {
  const { theme = DARK, width = 720, height = 900, deviceScaleFactor = 1 } = options;
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') {
      complaints.push(`${message.text()} ${message.location().url}`);
    }
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const query = new URLSearchParams();
  if (options.timeoutMs !== undefined) {
    query.set('timeoutMs', String(options.timeoutMs));
  }
  if (options.withoutWorker) {
    query.set('withoutWorker', '1');
  }
  await page.goto(`${origin}/?${query}`);
  const ready = (): Promise<unknown> =>
    page.waitForFunction(() => window.posted.some((message) => message.type === 'ready'));
  await ready();
  await page.evaluate(applyTheme, theme);
  const send = (message: ToPage): Promise<void> => page.evaluate((data) => window.postMessage(data, '*'), message);
  return {
    page,
    complaints,
    send,
    show: (evidence, message) => send({ type: 'show', evidence, ...(message === undefined ? {} : { message }) }),
    answer: (question, answer) =>
      page.evaluate(
        ([name, value]) => {
          window.answers[name] = { answer: value };
          sessionStorage.setItem('answers', JSON.stringify(window.answers));
        },
        [question, answer] as const,
      ),
    posted: () => page.evaluate(() => window.posted),
    breaches: () => page.evaluate(() => window.breaches),
    setTheme: (next) => page.evaluate(applyTheme, next),
    close: () => context.close(),
  };
}

/** Once for all tests of a run. */
let built: Promise<unknown> | undefined;

export async function startSite(): Promise<Site> {
  await (built ??= buildPreview());
  await mkdir(SHOTS, { recursive: true });
  const documents = new Map<string, Uint8Array>();
  const asked = new Map<string, number>();
  let origin = '';

  function documentPage(query: URLSearchParams): { policy: string; text: string } {
    const nonce = randomBytes(16).toString('base64');
    const timeout = query.get('timeoutMs');
    const parts = {
      cspSource: origin,
      nonce,
      script: `${origin}/dist/preview.js`,
      style: `${origin}/dist/preview.css`,
      resources: `${origin}/dist/pdfjs/`,
      ...(timeout === null ? {} : { timeoutMs: Number(timeout) }),
    };
    let policy = previewPolicy(parts);
    let text = previewHtml(parts).replace('<title>', `<script nonce="${nonce}">${STAND_IN}</script>\n<title>`);
    if (query.has('withoutWorker')) {
      policy = policy.replace('worker-src blob:; ', '');
      text = text.replace('worker-src blob:; ', '');
    }
    return { policy, text };
  }

  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin);
    const answer = (status: number, type: string, body: Uint8Array | string, headers = {}): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers });
      response.end(body);
    };
    if (url.pathname === '/') {
      const { policy, text } = documentPage(url.searchParams);
      answer(200, 'text/html; charset=utf-8', text, { 'content-security-policy': policy });
    } else if (url.pathname.startsWith('/dist/')) {
      const path = join(DIST, normalize(url.pathname.slice('/dist'.length)));
      readFile(path).then(
        (bytes) => answer(200, TYPES[extname(path)] ?? 'application/octet-stream', bytes),
        () => answer(404, 'text/plain', 'not there'),
      );
    } else {
      const name = decodeURIComponent(url.pathname.slice('/documents/'.length));
      asked.set(name, (asked.get(name) ?? 0) + 1);
      const bytes = documents.get(name);
      if (bytes) {
        answer(200, TYPES[extname(name)] ?? 'application/octet-stream', bytes);
      } else {
        answer(url.pathname === '/favicon.ico' ? 204 : 404, 'text/plain', '');
      }
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    put(name, bytes) {
      documents.set(name, bytes);
      return `${origin}/documents/${encodeURIComponent(name)}`;
    },
    remove: (name) => documents.delete(name),
    asked: (name) => asked.get(name) ?? 0,
    open: (browser, options = {}) => openPage(browser, origin, options),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
