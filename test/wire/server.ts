/** The language server as an editor meets it: a process of its own, spoken to over its standard input and output. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import type { StatusParams } from '../../schemas/protocol.ts';
import { STATUS } from '../../schemas/protocol.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUILT = join(ROOT, 'dist/server.cjs');
const SOURCE = join(ROOT, 'server/src/lsp/main.ts');

export interface Diagnostic {
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly severity: number;
  readonly code: string;
  readonly message: string;
  readonly source: string;
  readonly codeDescription?: { readonly href: string };
  readonly relatedInformation?: readonly { readonly location: { readonly uri: string }; readonly message: string }[];
  readonly data?: { readonly fingerprint: string };
}

export interface Published {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly Diagnostic[];
}

export interface StartOptions {
  readonly trusted?: boolean;
  /** `auditableQa` settings. */
  readonly settings?: unknown;
  readonly capabilities?: object;
  /** The client carries out commands that ask the user. */
  readonly asks?: boolean;
  /** Files above this size, in bytes, are read from the disk record by record. */
  readonly largeFileBytes?: number;
  /** For caches that outlive the server. */
  readonly cacheFolder?: string;
}

export interface WireServer {
  readonly connection: MessageConnection;
  readonly process: ChildProcess;
  readonly folder: string;
  /** What the server says it can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Everything the server wrote to its log and to the user. */
  readonly logged: string[];
  readonly shown: string[];
  readonly published: Published[];
  readonly refreshes: number;
  settings: unknown;
  /** Writes a file below the folder; gives its URI. */
  write(path: string, content: string | Uint8Array): string;
  open(uri: string, text: string, languageId?: string): Promise<void>;
  /** Replaces characters of one line. */
  edit(uri: string, version: number, line: number, from: number, to: number, text: string): Promise<void>;
  /** The first diagnostics of a file that fit, of those published from now on, or last before. */
  diagnostics(uri: string, fits: (diagnostics: readonly Diagnostic[], version?: number) => boolean): Promise<Published>;
  status(uri: string, fits: (status: StatusParams) => boolean): Promise<StatusParams>;
  until<T>(what: string, look: () => T | undefined): Promise<T>;
  stop(): Promise<void>;
}

const CAPABILITIES = {
  workspace: { configuration: true, codeLens: { refreshSupport: true } },
  textDocument: { publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true } },
};

/** Waits for events only; what does not come within this time is a failure. */
const LIMIT_MS = 50_000;

export async function startServer(options: StartOptions = {}): Promise<WireServer> {
  const folder = mkdtempSync(join(tmpdir(), 'auditable-qa-wire-'));
  const entry = existsSync(BUILT) && process.env['AUDITABLE_QA_UNBUILT'] === undefined ? BUILT : SOURCE;
  const child = spawn(process.execPath, [entry, '--stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const logged: string[] = [];
  const shown: string[] = [];
  const published: Published[] = [];
  const statuses: StatusParams[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => [...waiting].forEach((look) => look());
  let refreshes = 0;
  let settings = options.settings ?? null;
  child.stderr.on('data', (data: Buffer) => logged.push(data.toString()));

  connection.onNotification('textDocument/publishDiagnostics', (params: Published) => {
    published.push(params);
    wake();
  });
  connection.onNotification(STATUS, (params: StatusParams) => {
    statuses.push(params);
    wake();
  });
  connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
    logged.push(message);
    wake();
  });
  connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
    shown.push(message);
    wake();
  });
  connection.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) => items.map(() => settings));
  connection.onRequest('workspace/codeLens/refresh', () => {
    refreshes++;
    wake();
    return null;
  });
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();

  function until<T>(what: string, look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(check);
        const last = JSON.stringify(published.at(-1))?.slice(0, 2000);
        reject(new Error(`${what} did not come. Last published: ${last}. Log: ${logged.join('\n').slice(-2000)}`));
      }, LIMIT_MS);
      const check = (): void => {
        const found = look();
        if (found === undefined) return;
        clearTimeout(timer);
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  }

  const died = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${logged.join('')}`)));
  });
  died.catch(() => undefined);
  const initialized = connection.sendRequest<{ capabilities: Readonly<Record<string, unknown>> }>('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'wire' }],
    capabilities: options.capabilities ?? CAPABILITIES,
    initializationOptions: {
      trusted: options.trusted ?? true,
      asks: options.asks ?? false,
      ...(options.cacheFolder !== undefined && { cacheFolder: options.cacheFolder }),
      ...(options.largeFileBytes !== undefined && { largeFileBytes: options.largeFileBytes }),
    },
  });
  const { capabilities } = await Promise.race([initialized, died]);
  await connection.sendNotification('initialized', {});

  return {
    connection,
    process: child,
    folder,
    capabilities,
    logged,
    shown,
    published,
    get refreshes() {
      return refreshes;
    },
    get settings() {
      return settings;
    },
    set settings(value) {
      settings = value;
    },
    write(path, content) {
      const at = join(folder, path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, content);
      return pathToFileURL(at).href;
    },
    open: (uri, text, languageId = 'jsonl') =>
      connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } }),
    edit: (uri, version, line, from, to, text) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ range: { start: { line, character: from }, end: { line, character: to } }, text }],
      }),
    diagnostics: (uri, fits) =>
      until(`diagnostics of ${uri}`, () => {
        const last = published.findLast((one) => one.uri === uri);
        return last !== undefined && fits(last.diagnostics, last.version) ? last : undefined;
      }),
    status: (uri, fits) =>
      until(`status of ${uri}`, () => {
        const last = statuses.findLast((one) => one.uri === uri);
        return last !== undefined && fits(last) ? last : undefined;
      }),
    until,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        await connection.sendRequest('shutdown');
        await connection.sendNotification('exit');
        await ended;
      }
      connection.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where the `nth` (0-based) occurrence of a text stands in a line. */
export function columns(line: string, text: string, nth = 0): { from: number; to: number } {
  let from = -1;
  for (let i = 0; i <= nth; i++) from = line.indexOf(text, from + 1);
  if (from === -1) throw new Error(`${text} is not in the line`);
  return { from, to: from + text.length };
}
