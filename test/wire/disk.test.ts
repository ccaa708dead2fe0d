import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DiskChangedParams, DiskHistory, DiskUndoResult } from '../../schemas/disk.ts';
import { DISK_CHANGED, DISK_HISTORY, REDO_ON_DISK, UNDO_ON_DISK } from '../../schemas/disk.ts';
import type { ViewSaveResult } from '../../schemas/views.ts';
import { VIEW_CHANGED, VIEW_SAVE } from '../../schemas/views.ts';
import { docmath, fileOf } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';
import { openView } from './view-documents.ts';

const LINES = docmath({}, {}, {});
const TEXT = fileOf(LINES);

describe('changes on disk over stdio', () => {
  let folder: string;
  let file: string;
  let uri: string;
  let server: WireServer;
  let heard: (() => void) | undefined;
  let told: (DiskHistory & { readonly uri: string })[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'auditable-qa-wire-disk-'));
    file = join(folder, 'set.jsonl');
    uri = pathToFileURL(file).href;
    writeFileSync(file, TEXT);
    await start();
  });
  afterEach(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    server = await startServer({ trusted: false, cacheFolder: join(folder, 'cache') });
    told = [];
    server.connection.onNotification(DISK_CHANGED, (params: DiskChangedParams) => {
      told.push(params);
      heard?.();
    });
  }

  /** Ends when nothing can be undone or made again any more. */
  const ended = (): Promise<void> =>
    new Promise((resolve) => {
      heard = () => {
        if ((told.at(-1)?.undo ?? told.at(-1)?.redo) === null) resolve();
      };
    });

  const ask = (method: string): Promise<DiskUndoResult> => server.connection.sendRequest(method, { uri });
  const onDisk = (): string => readFileSync(file, 'utf8');

  /** Saves another question of a record, from its document. */
  async function change(index: number, from: string, to: string): Promise<void> {
    const shown = await openView(server, uri, index, 'record');
    const text = shown.text.replace(from, to);
    assert.notEqual(text, shown.text);
    const result = await server.connection.sendRequest<ViewSaveResult>(VIEW_SAVE, {
      uri: shown.uri,
      text,
      base: onDisk().split('\n')[index],
      dirty: false,
    });
    assert.equal(result.kind, 'written', JSON.stringify(result));
  }

  it('are undone and made again; who shows the record hears of it', async () => {
    await change(1, 'variant 1', 'variant one');
    const changed = TEXT.replace('variant 1', 'variant one');
    assert.equal(onDisk(), changed);
    assert.deepEqual(told.at(-1), { uri, undo: 'Edit record 2', redo: null });
    const heardOfRecord = new Promise((resolve) => server.connection.onNotification(VIEW_CHANGED, resolve));
    const undone = await ask(UNDO_ON_DISK);
    assert.deepEqual(undone, { kind: 'done', title: 'Edit record 2', record: 1, undo: null, redo: 'Edit record 2' });
    assert.equal(onDisk(), TEXT);
    assert.deepEqual(told.at(-1), { uri, undo: null, redo: 'Edit record 2' });
    await heardOfRecord;
    assert.equal((await ask(REDO_ON_DISK)).kind, 'done');
    assert.equal(onDisk(), changed);
    assert.deepEqual(await ask(REDO_ON_DISK), {
      kind: 'problem',
      message: 'set.jsonl has no change that was taken back: nothing was changed.',
      undo: 'Edit record 2',
      redo: null,
    });
  });

  it('are undone by another server, and not when somebody else changed the file', async () => {
    await change(0, 'variant 0', 'variant none');
    await change(2, 'variant 2', 'variant two');
    await server.stop();
    await start();
    assert.deepEqual(await server.connection.sendRequest(DISK_HISTORY, { uri }), { undo: 'Edit record 3', redo: null });
    assert.equal((await ask(UNDO_ON_DISK)).kind, 'done');
    assert.equal(onDisk(), TEXT.replace('variant 0', 'variant none'));
    const theirs = onDisk().replace('variant 1', 'variant I');
    writeFileSync(file, theirs);
    const end = ended();
    await server.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
    await end;
    const refused = await ask(UNDO_ON_DISK);
    assert.deepEqual(refused, {
      kind: 'problem',
      message: 'set.jsonl was changed by something else since “Edit record 1”: nothing was changed.',
      undo: null,
      redo: null,
    });
    assert.equal(onDisk(), theirs);
  });

  it('are not undone under an editor that shows what is not saved', async () => {
    await change(0, 'variant 0', 'variant none');
    await server.open(uri, onDisk());
    await server.status(uri, ({ profile }) => profile !== null);
    await server.edit(uri, 2, 0, 0, 0, ' ');
    const refused = await ask(UNDO_ON_DISK);
    assert.match(refused.kind === 'problem' ? refused.message : '', /is not on disk as it is in the editor: save it/);
    await server.edit(uri, 3, 0, 0, 1, '');
    assert.equal((await ask(UNDO_ON_DISK)).kind, 'done');
    assert.equal(onDisk(), TEXT);
  });
});
