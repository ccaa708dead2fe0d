import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DiskChangedParams, DiskHistory, DiskUndoResult } from '../../schemas/disk.ts';
import { DISK_CHANGED, DISK_HISTORY, REDO_ON_DISK, SHOWN_FROM_DISK, UNDO_ON_DISK } from '../../schemas/disk.ts';
import type { EvidenceView, StatusParams } from '../../schemas/protocol.ts';
import { EVIDENCE, STATUS } from '../../schemas/protocol.ts';
import type { ChangeEvidenceResult } from '../../schemas/regions.ts';
import { CHANGE_EVIDENCE } from '../../schemas/regions.ts';
import type { ViewSaveResult } from '../../schemas/views.ts';
import { VIEW_CHANGED, VIEW_SAVE } from '../../schemas/views.ts';
import { docmath, DOCUMENTS, fileOf, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';
import { openView } from './view-documents.ts';

const LINES = docmath({}, {}, {});
const TEXT = fileOf(LINES);

function describeFiles(what: string, largeFileBytes?: number): void {
  describe(`changes on disk over stdio, of files that are ${what}`, () => {
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
      server = await startServer({
        trusted: false,
        cacheFolder: join(folder, 'cache'),
        ...(largeFileBytes !== undefined && { largeFileBytes }),
      });
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

    describe('of evidence, where the client has no document of the file', () => {
      const FILE = fileOf(sciegqa({}, { bbox: [[[300, 600, 2100, 1500]]] }, {}));
      beforeEach(() => {
        file = join(folder, 'boxes.jsonl');
        uri = pathToFileURL(file).href;
        writeFileSync(file, FILE);
        writeFileSync(join(folder, 'demo-doc.pdf'), readFileSync(join(DOCUMENTS, 'demo-doc.pdf')));
      });
      const viewOf = (index: number): Promise<EvidenceView> => server.connection.sendRequest(EVIDENCE, { uri, index });
      const change = (asked: object): Promise<ChangeEvidenceResult> =>
        server.connection.sendRequest(CHANGE_EVIDENCE, { uri, index: 1, onDisk: true, ...asked });

      it('are written, shown by the next snapshot and taken back', async () => {
        const { version, pages } = await viewOf(1);
        const { pointer, left, top, width, height } = pages[0]!.regions[0]!;
        const place = { left, top, width, height: height - 100 / 3300 };
        const asked = { version, change: { kind: 'place', pointer, place } };
        const result = await change(asked);
        assert.ok(result.kind === 'written', JSON.stringify(result));
        assert.deepEqual(
          [result.uri, result.index, result.pointer, result.title],
          [uri, 1, pointer, 'Resize region 1'],
        );
        assert.notEqual(result.version, version);
        const [first, second, third] = FILE.split('\n');
        assert.equal(
          onDisk(),
          [first, second!.replaceAll('1500', '1400').replaceAll('454.545455', '424.242424'), third, ''].join('\n'),
        );
        const now = await viewOf(1);
        assert.equal(now.version, result.version);
        assert.deepEqual(now.pages[0]!.regions[0]!.numbers, [300, 600, 2100, 1400]);
        assert.deepEqual(await change(asked), { kind: 'stale' });
        const same = await change({ version: now.version, change: { kind: 'place', pointer, place } });
        assert.ok(same.kind === 'written' && same.unchanged, JSON.stringify(same));
        const undone = await ask(UNDO_ON_DISK);
        assert.deepEqual(undone.kind === 'done' && [undone.title, undone.record], ['Resize region 1', 1]);
        assert.equal(onDisk(), FILE);
        assert.deepEqual((await viewOf(1)).pages[0]!.regions[0]!.numbers, [300, 600, 2100, 1500]);
      });

      it('add a record behind another one', async () => {
        const { version, pages } = await viewOf(1);
        const added = { kind: 'record', page: pages[0]!.number, place: null, label: null, text: 'forty' };
        const result = await change({ version, change: added });
        assert.ok(result.kind === 'written', JSON.stringify(result));
        assert.equal(result.index, 2);
        const lines = onDisk().split('\n');
        assert.deepEqual(lines.toSpliced(2, 1).join('\n'), FILE);
        assert.equal((JSON.parse(lines[2]!) as { answer: string }).answer, 'forty');
      });

      it('are edits all the same where an editor has it open', async () => {
        await server.open(uri, FILE);
        const { version, pages } = await viewOf(1);
        const { pointer } = pages[0]!.regions[0]!;
        const result = await change({ version, change: { kind: 'label', pointer, label: 'image' } });
        assert.equal(result.kind, 'edits', JSON.stringify(result));
        assert.equal(onDisk(), FILE);
      });

      it('are refused where the file is not as it was read', async () => {
        const { version, pages } = await viewOf(1);
        const { pointer } = pages[0]!.regions[0]!;
        const theirs = FILE.replaceAll('[300,600,2100,1500]', '[301,600,2100,1500]');
        writeFileSync(file, theirs);
        const result = await change({ version, change: { kind: 'label', pointer, label: 'image' } });
        const message = 'boxes.jsonl has changed on disk since it was read; check it again.';
        // A file that is read record by record is looked at whenever something is asked: the snapshot is an old one.
        const refused = largeFileBytes === 0 ? { kind: 'stale' } : { kind: 'problem', message };
        assert.deepEqual(result, refused);
        assert.equal(onDisk(), theirs);
        const now = await viewOf(1);
        assert.deepEqual(now.pages[0]!.regions[0]!.numbers, [301, 600, 2100, 1500]);
        const again = await change({ version: now.version, change: { kind: 'label', pointer, label: 'image' } });
        assert.equal(again.kind, 'written', JSON.stringify(again));
      });
    });

    it('have a status told, of the file that the client shows without a document', async () => {
      await server.connection.sendNotification(SHOWN_FROM_DISK, { uri });
      const shown = await server.status(uri, ({ profile, running }) => profile !== null && !running);
      assert.equal(shown.records, 3);
      const heardOf = new Promise<StatusParams>((resolve) => server.connection.onNotification(STATUS, resolve));
      await server.connection.sendNotification(SHOWN_FROM_DISK, { uri: null });
      await server.connection.sendNotification(SHOWN_FROM_DISK, { uri });
      assert.equal((await heardOf).records, 3);
      assert.deepEqual(server.published, []);
    });

    it('are undone by another server, and not when somebody else changed the file', async () => {
      await change(0, 'variant 0', 'variant none');
      await change(2, 'variant 2', 'variant two');
      await server.stop();
      await start();
      assert.deepEqual(await server.connection.sendRequest(DISK_HISTORY, { uri }), {
        undo: 'Edit record 3',
        redo: null,
      });
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
}

describeFiles('held in memory');
describeFiles('read record by record', 0);
