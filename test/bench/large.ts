/**
 * Files that VS Code hands to no extension, of the sizes in which they come: the list opened, the first record and the last one, and
 * the memory of the server's process until everything was checked.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import { SERVER_OPTIONS } from '../../schemas/protocol.ts';
import type { RecordDetail, RecordList, RecordListParams, RecordListResult } from '../../schemas/records.ts';
import { FILE_ORDER, NO_FILTER, RECORD_DETAIL, RECORD_LIST, RECORD_LIST_CHANGED } from '../../schemas/records.ts';
import type { ViewReadResult, ViewRefResult } from '../../schemas/views.ts';
import { VIEW_FORGET, VIEW_READ, VIEW_REF, VIEW_SCHEME } from '../../schemas/views.ts';
import { median } from './ratio.ts';
import type { Ratio } from './ratio.ts';

const SERVER = join(import.meta.dirname, '../../dist/server.cjs');
const PARAGRAPH = 'The company’s revenue rose to 12,345 thousand dollars in the fiscal year, as the table shows. ';
const ROUNDS = 9;
const MOST_MB = 300;

/** DocMath-Eval's shape, about so many bytes each. */
function recordOf(at: number, bytes: number, indent: number): string {
  const paragraphs = Array.from({ length: Math.max(1, Math.round(bytes / 960)) }, (_, one) =>
    `${one}: ${PARAGRAPH}`.padEnd(950, `${PARAGRAPH}${at} `),
  );
  const record = {
    question_id: `large-${at}`,
    source: 'bench',
    question: `What is ${at} thousand dollars plus ${at + 1} thousand dollars, in thousands?`,
    paragraphs,
    table_evidence: [],
    paragraph_evidence: [0],
    python_solution: `def solution():\n    first = ${at}\n    second = ${at + 1}\n    return first + second`,
    ground_truth: 2 * at + 1,
  };
  return JSON.stringify(record, null, indent);
}

/** `bytes`: of each record. */
export function writeLargeFile(path: string, records: number, bytes: number): void {
  const isArray = path.endsWith('.json');
  const file = openSync(path, 'w');
  if (isArray) writeSync(file, '[\n');
  for (let at = 0; at < records; at++) {
    writeSync(file, `${recordOf(at, bytes, isArray ? 1 : 0)}${isArray && at < records - 1 ? ',' : ''}\n`);
  }
  if (isArray) writeSync(file, ']\n');
  closeSync(file);
}

interface Asked {
  readonly connection: MessageConnection;
  readonly uri: string;
  changed(): Promise<void>;
}

async function list({ connection, uri }: Asked): Promise<RecordList> {
  const params: RecordListParams = { uri, filter: NO_FILTER, order: FILE_ORDER, offset: 0, limit: 100 };
  const found = await connection.sendRequest<RecordListResult>(RECORD_LIST, params);
  if (found.kind !== 'list') throw new Error(found.message);
  return found;
}

/** The record's document, as the editor opens it, in ms. */
async function openRecord({ connection, uri: file }: Asked, index: number): Promise<number> {
  const start = performance.now();
  const found = await connection.sendRequest<ViewRefResult>(VIEW_REF, { file, index, kind: 'record' });
  const uri = `${VIEW_SCHEME}:/bench/${found.title}?${encodeURIComponent(JSON.stringify(found.ref))}`;
  const shown = await connection.sendRequest<ViewReadResult>(VIEW_READ, { uri });
  if (shown.kind !== 'text') throw new Error(shown.message);
  const ms = performance.now() - start;
  await connection.sendNotification(VIEW_FORGET, { uri });
  return ms;
}

/** In MB: the most that a process ever had in memory. */
function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function measure(path: string, what: string, records: number): Promise<Ratio[]> {
  const server = spawn(process.execPath, [...SERVER_OPTIONS, SERVER, '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  let wake = (): void => undefined;
  const asked: Asked = {
    connection,
    uri: pathToFileURL(path).href,
    changed: () => new Promise((resolve) => (wake = resolve)),
  };
  connection.onNotification(RECORD_LIST_CHANGED, () => wake());
  connection.onUnhandledNotification(() => undefined);
  connection.listen();
  try {
    await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    await connection.sendNotification('initialized', {});
    const start = performance.now();
    const first = await list(asked);
    const opened = performance.now() - start;
    if (first.records !== records) throw new Error(`${what}: ${first.records} records`);
    await openRecord(asked, 0);
    const indexedMb = peakOf(server.pid!);
    let slowest = 0;
    for (let found = first; found.progress.running || found.progress.checked < records;) {
      await asked.changed();
      const before = performance.now();
      found = await list(asked);
      slowest = Math.max(slowest, performance.now() - before);
    }
    const checked = performance.now() - start - opened;
    const [one, last]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      one.push(await openRecord(asked, 0));
      last.push(await openRecord(asked, records - 1));
    }
    const { rows } = await list(asked);
    const detail = await connection.sendRequest<RecordDetail>(RECORD_DETAIL, { uri: asked.uri, key: rows[0]!.key });
    if (detail.id !== 'large-0') throw new Error(`${what}: the first record is ${String(detail.id)}`);
    const mb = peakOf(server.pid!);
    const told = `indexed ${(opened / 1000).toFixed(1)} s, checked ${(checked / 1000).toFixed(1)} s, slowest list ${slowest.toFixed(0)} ms`;
    return [
      {
        name: `${what}: the last record opened ÷ the first one (${median(last).toFixed(1)} ÷ ${median(one).toFixed(1)} ms; ${told})`,
        ratio: median(last) / median(one),
        goal: 1.5,
      },
      {
        name: `${what}: memory of the server ÷ ${MOST_MB} MB (${mb.toFixed(0)} MB at most, ${indexedMb.toFixed(0)} MB when the list was there)`,
        ratio: mb / MOST_MB,
        goal: 1,
      },
    ];
  } finally {
    connection.dispose();
    server.kill();
  }
}

export async function largeRatios(): Promise<Ratio[]> {
  const folder = mkdtempSync(join(tmpdir(), 'auditable-qa-large-'));
  try {
    const lines = join(folder, 'train.jsonl');
    writeLargeFile(lines, 30_780, 9_700);
    const ofLines = await measure(lines, '300 MB of JSONL with 30,780 records', 30_780);
    rmSync(lines);
    const array = join(folder, 'long.json');
    writeLargeFile(array, 220, 1_000_000);
    return [...ofLines, ...(await measure(array, '220 MB of an array with records of 1 MB', 220))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
