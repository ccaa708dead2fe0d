import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import { median } from './ratio.ts';
import type { Ratio } from './ratio.ts';
import { sciegqaLines } from './records.ts';

const SERVER = join(import.meta.dirname, '../../dist/server.cjs');
const KEYSTROKES = 30;

interface Published {
  readonly uri: string;
  readonly diagnostics: readonly { readonly code: string }[];
}

/** Time from a keystroke that breaks (then mends) a record in the middle of the file to the diagnostics that say so. */
async function keystrokes(records: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'auditable-qa-bench-'));
  const path = join(folder, 'train.jsonl');
  const lines = sciegqaLines(records);
  writeFileSync(path, `${lines.join('\n')}\n`);
  const uri = pathToFileURL(path).href;
  const server = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const published = listen(connection, uri);
  connection.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) => items.map(() => null));
  connection.onUnhandledNotification(() => undefined);
  connection.listen();
  try {
    await connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'bench' }],
      capabilities: {},
      initializationOptions: { trusted: false },
    });
    await connection.sendNotification('initialized', {});
    const text = `${lines.join('\n')}\n`;
    const line = records >> 1;
    const character = (lines[line] as string).indexOf('"answer"') + 2;
    const opened = published(() => true);
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'jsonl', version: 1, text },
    });
    await opened;
    const times: number[] = [];
    for (let version = 2; version < 2 + KEYSTROKES; version++) {
      const breaks = version % 2 === 0;
      const told = published((codes) => codes.includes('schema/required') === breaks);
      const start = performance.now();
      const at = { line, character };
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [
          breaks
            ? { range: { start: at, end: at }, text: 'x' }
            : { range: { start: at, end: { line, character: character + 1 } }, text: '' },
        ],
      });
      await told;
      times.push(performance.now() - start);
    }
    return median(times);
  } finally {
    connection.dispose();
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves with the first diagnostics of the file that the test accepts. */
function listen(
  connection: MessageConnection,
  uri: string,
): (accepts: (codes: readonly string[]) => boolean) => Promise<void> {
  let waiting: { accepts: (codes: readonly string[]) => boolean; resolve: () => void } | undefined;
  connection.onNotification('textDocument/publishDiagnostics', (params: Published) => {
    if (params.uri !== uri || waiting?.accepts(params.diagnostics.map(({ code }) => code)) !== true) return;
    const { resolve } = waiting;
    waiting = undefined;
    resolve();
  });
  return (accepts) => new Promise((resolve) => (waiting = { accepts, resolve }));
}

export async function keystrokeRatios(): Promise<Ratio[]> {
  const large = await keystrokes(30_780);
  const small = await keystrokes(300);
  return [
    {
      name: 'keystroke to diagnostics in 30,780 records ÷ in 300',
      ratio: large / small,
      goal: 2,
      ms: large,
      referenceMs: small,
    },
  ];
}
