/** Files that are not taken into memory, made large by a low limit: all that is told of them is what is told of others. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type {
  ListedRecord,
  RecordDetail,
  RecordList,
  RecordListParams,
  RecordListResult,
} from '../../schemas/records.ts';
import { FILE_ORDER, NO_FILTER, RECORD_DETAIL, RECORD_LIST, RECORD_LIST_CHANGED } from '../../schemas/records.ts';
import type { ViewKind, ViewReadResult, ViewRefResult } from '../../schemas/views.ts';
import { VIEW_READ, VIEW_REF, VIEW_SCHEME } from '../../schemas/views.ts';
import { docmath, fileOf, putDocument, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';

interface Side {
  readonly server: WireServer;
  changes: number;
  wake: () => void;
}

async function start(largeFileBytes?: number): Promise<Side> {
  const server = await startServer({
    settings: { solutions: { run: 'automatic' } },
    ...(largeFileBytes !== undefined && { largeFileBytes }),
  });
  const side: Side = { server, changes: 0, wake: () => undefined };
  server.connection.onNotification(RECORD_LIST_CHANGED, () => {
    side.changes++;
    side.wake();
  });
  return side;
}

async function ask({ server }: Side, uri: string, more: Partial<RecordListParams> = {}): Promise<RecordListResult> {
  const params: RecordListParams = { uri, filter: NO_FILTER, order: FILE_ORDER, offset: 0, limit: 400, ...more };
  return server.connection.sendRequest<RecordListResult>(RECORD_LIST, params);
}

/** Asks again whenever the server says that the list has changed. */
async function settled(side: Side, uri: string, fits: (list: RecordList) => boolean = () => true): Promise<RecordList> {
  for (;;) {
    const seen = side.changes;
    const list = await ask(side, uri);
    assert.equal(list.kind, 'list', JSON.stringify(list));
    const isSettled = list.kind === 'list' && !list.progress.running && list.progress.checked === list.records;
    if (isSettled && fits(list)) return list;
    if (side.changes === seen) await new Promise<void>((resolve) => (side.wake = resolve));
  }
}

const plain = ({ key, ...row }: ListedRecord): Omit<ListedRecord, 'key'> => {
  assert.equal(typeof key, 'number');
  return row;
};

/** What is told of the file beside its rows. */
const said = ({ records, matched, counts, facets, columns, file, progress }: RecordList): object => ({
  records,
  matched,
  counts,
  facets,
  columns,
  file,
  progress,
});

async function detail({ server }: Side, uri: string, key: number): Promise<RecordDetail> {
  const found = await server.connection.sendRequest<RecordDetail | null>(RECORD_DETAIL, { uri, key });
  assert.ok(found);
  return { ...found, key: 0 };
}

async function read({ server }: Side, file: string, index: number, kind: ViewKind): Promise<ViewReadResult> {
  const found = await server.connection.sendRequest<ViewRefResult | null>(VIEW_REF, { file, index, kind });
  assert.ok(found);
  const path = fileURLToPath(file);
  const uri = `${VIEW_SCHEME}:${path}/${found.title}?${encodeURIComponent(JSON.stringify(found.ref))}`;
  return server.connection.sendRequest<ViewReadResult>(VIEW_READ, { uri });
}

describe('large files', () => {
  let large: Side;
  let other: Side;
  beforeEach(async () => {
    [large, other] = await Promise.all([start(0), start()]);
  });
  afterEach(() => Promise.all([large.server.stop(), other.server.stop()]));

  /** Writes the same file for both servers and compares all that is told of it. */
  async function compare(name: string, content: string, last: number): Promise<RecordList> {
    const uris = [large, other].map(({ server }) => {
      putDocument(server);
      return server.write(name, content);
    });
    const [one, two] = await Promise.all([settled(large, uris[0]!), settled(other, uris[1]!)]);
    assert.deepEqual(one.rows.map(plain), two.rows.map(plain));
    assert.deepEqual(said(one), said(two));
    for (const [at, { key, solution }] of one.rows.entries()) {
      assert.deepEqual(await detail(large, uris[0]!, key), await detail(other, uris[1]!, two.rows[at]!.key));
      if (at !== 0 && at !== last) continue;
      for (const kind of solution === null ? (['record'] as const) : (['record', 'solution'] as const)) {
        const shown = await read(large, uris[0]!, at, kind);
        assert.equal(shown.kind, 'text', JSON.stringify(shown));
        assert.deepEqual(shown, await read(other, uris[1]!, at, kind));
      }
    }
    return one;
  }

  it('JSONL is listed, checked across its records, detailed and shown as any other file', async () => {
    const lines = docmath(
      {},
      { question: ' What was it?' },
      { ground_truth: 7 },
      {},
      { question: 'Wie hoch war der Umsatz in Tausend € 😀?' },
      { python_solution: 'def solution():\n    return 1 / 0\n' },
    );
    lines.push(lines[3]!, '{"question_id": "cut', '');
    const list = await compare('set.jsonl', fileOf(lines), 6);
    assert.equal(list.records, 8);
    assert.ok(list.rows.some(({ findings }) => findings.some(({ code }) => code.startsWith('dataset/'))));
  });

  it('so are an array with CRLF and a mark at its start, and records with documents', async () => {
    const records = sciegqa({}, { answer: ' North' }, { evidence_page: [9] }, { query: 'Größe? 😀' });
    const pretty = records.map((text) => JSON.stringify(JSON.parse(text), null, 2));
    await compare('set.json', `\ufeff[\n${pretty.join(',\n')}\n]\n`.replaceAll('\n', '\r\n'), 3);
  });

  it('another version on disk is followed, record by record', async () => {
    const lines = docmath({}, {}, {});
    const uri = large.server.write('set.jsonl', fileOf(lines));
    const before = await settled(large, uri);
    const fresh = docmath({}, { question: 'What else?' }, {});
    writeFileSync(fileURLToPath(uri), fileOf(['', fresh[2]!, fresh[1]!, fresh[0]!]));
    const after = await settled(large, uri, ({ rows }) => rows.some(({ question }) => question === 'What else?'));
    assert.deepEqual(
      after.rows.map(({ id }) => id),
      ['wire-2', 'wire-1', 'wire-0'],
    );
    assert.deepEqual([after.rows[0]!.key, after.rows[2]!.key], [before.rows[2]!.key, before.rows[0]!.key]);
    assert.notEqual(after.rows[1]!.key, before.rows[1]!.key);
  });
});
