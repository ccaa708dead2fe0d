/** The built language server over a file of records, for benches: as an editor meets it, without an editor. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import { STATUS } from '../../schemas/protocol.ts';
import type { StatusParams } from '../../schemas/protocol.ts';
import { median } from './ratio.ts';

const SERVER = join(import.meta.dirname, '../../dist/server.cjs');
const ROUNDS = 15;

export interface OpenFile {
  readonly connection: MessageConnection;
  readonly uri: string;
  readonly lines: readonly string[];
}

/** Opens a file with these lines and calls back once everything about it is known. Solutions are not run. */
export async function withOpenFile<T>(lines: readonly string[], use: (file: OpenFile) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'auditable-qa-bench-'));
  const path = join(folder, 'train.jsonl');
  const text = `${lines.join('\n')}\n`;
  writeFileSync(path, text);
  const uri = pathToFileURL(path).href;
  const server = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const settled = new Promise<void>((resolve) => {
    connection.onNotification(STATUS, (status: StatusParams) => {
      if (status.records === lines.length && !status.running) resolve();
    });
  });
  connection.onUnhandledNotification(() => undefined);
  connection.listen();
  try {
    await connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {
        textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true }, hover: {}, completion: {} },
      },
      initializationOptions: { trusted: false },
    });
    await connection.sendNotification('initialized', {});
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'jsonl', version: 1, text },
    });
    await settled;
    return await use({ connection, uri, lines });
  } finally {
    connection.dispose();
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Median time of a request, in ms, after a first one. */
export async function timeOf(ask: () => Promise<unknown>): Promise<number> {
  await ask();
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await ask();
    all.push(performance.now() - start);
  }
  return median(all);
}
