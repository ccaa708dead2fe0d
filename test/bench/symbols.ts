import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { STATUS } from '../../schemas/protocol.ts';
import type { StatusParams } from '../../schemas/protocol.ts';
import { median } from './ratio.ts';
import type { Ratio } from './ratio.ts';
import { sciegqaLines } from './records.ts';

const SERVER = join(import.meta.dirname, '../../dist/server.cjs');
const ROUNDS = 9;

interface Times {
  /** Time for one record, in ms. */
  readonly symbols: number;
  readonly search: number;
}

/** The outline of a file that was checked, and a search for a record of it, per record. */
async function times(records: number): Promise<Times> {
  const folder = mkdtempSync(join(tmpdir(), 'auditable-qa-bench-'));
  const path = join(folder, 'train.jsonl');
  const text = `${sciegqaLines(records).join('\n')}\n`;
  writeFileSync(path, text);
  const uri = pathToFileURL(path).href;
  const server = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const settled = new Promise<void>((resolve) => {
    connection.onNotification(STATUS, (status: StatusParams) => {
      if (status.records === records && !status.running) resolve();
    });
  });
  connection.onUnhandledNotification(() => undefined);
  connection.listen();
  try {
    await connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } },
      initializationOptions: { trusted: false },
    });
    await connection.sendNotification('initialized', {});
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'jsonl', version: 1, text },
    });
    await settled;
    const symbols = await perRecord(records, async () => {
      const found = await connection.sendRequest<unknown[]>('textDocument/documentSymbol', { textDocument: { uri } });
      if (found.length !== records) throw new Error(`${found.length} symbols of ${records} records.`);
    });
    const search = await perRecord(records, () => connection.sendRequest('workspace/symbol', { query: 'largest' }));
    return { symbols, search };
  } finally {
    connection.dispose();
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function perRecord(records: number, ask: () => Promise<unknown>): Promise<number> {
  await ask();
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await ask();
    all.push((performance.now() - start) / records);
  }
  return median(all);
}

export async function symbolRatios(): Promise<Ratio[]> {
  const large = await times(30_780);
  const small = await times(300);
  const ratio = (what: keyof Times, name: string): Ratio => ({
    name: `${name} of 30,780 records ÷ of 300, per record`,
    ratio: large[what] / small[what],
    goal: 1.5,
    ms: large[what] * 30_780,
    referenceMs: small[what] * 300,
  });
  return [ratio('symbols', 'outline'), ratio('search', 'search by question')];
}
