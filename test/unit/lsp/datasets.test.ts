import assert from 'node:assert/strict';
import { createDigest } from '../../../server/src/core/dataset.ts';
import type { FileDigest } from '../../../server/src/core/dataset.ts';
import { createDatasets, LIMIT_BYTES } from '../../../server/src/lsp/session/datasets.ts';
import type { DatasetMember } from '../../../server/src/lsp/session/datasets.ts';
import type { DatasetMemory } from '../../../server/src/core/rules/types.ts';
import type { DatasetFiles } from '../../../server/src/node/dataset-files.ts';
import { settingsOf } from '../rules/support.ts';

const FOLDER = '/data';
const settings = { ...settingsOf('docmath-eval'), entry: 0, configurationFolder: FOLDER };
const EMPTY: FileDigest = createDigest(settings, { file: '', path: '' }).end();

describe('other files of a dataset, read in the background', () => {
  function start(bytes: Readonly<Record<string, number>>) {
    const reads: { readonly file: string; readonly at: number }[] = [];
    const logged: string[] = [];
    let lists = 0;
    const versions = new Map(Object.entries(bytes));
    const datasetFiles: DatasetFiles = {
      ofEntry() {
        lists += 1;
        return Promise.resolve([...versions.keys()].map((path) => ({ path, real: path })));
      },
      version(file) {
        const size = versions.get(file);
        return Promise.resolve(size === undefined ? undefined : { bytes: size, text: String(size) });
      },
      async digest(file, _name, _resolve, pause) {
        await pause();
        reads.push({ file, at: performance.now() });
        return { ...EMPTY, kept: new Map() };
      },
    };
    const runtime = { datasetFiles, settingsOf: () => Promise.resolve(settings) };
    const datasets = createDatasets({ runtime, log: (line) => logged.push(line) });
    return { datasets, reads, logged, versions, lists: () => lists };
  }

  /** A member, and its memory once it is told the next time. */
  function member(path: string): { readonly member: DatasetMember; next(): Promise<DatasetMemory> } {
    let resolve: (memory: DatasetMemory) => void = () => undefined;
    return {
      member: { path, settings, revision: () => 1, rows: () => [], told: (memory) => resolve(memory) },
      next: () => new Promise((done) => (resolve = done)),
    };
  }

  it('are those before the last open one, each read once as long as it does not change', async () => {
    const { datasets, reads, versions, lists } = start({ '/data/a': 1, '/data/b': 2, '/data/c': 3 });
    const b = member('/data/b');
    datasets.join(b.member);
    const memory = await b.next();
    assert.deepEqual([memory.file, memory.path, memory.readOnly], ['b', '/data/b', true]);
    assert.deepEqual(
      reads.map(({ file }) => file),
      ['/data/a'],
    );
    versions.set('/data/a', 4);
    datasets.diskChanged('/data/a');
    await b.next();
    const d = member('/data/d');
    datasets.join(d.member);
    await d.next();
    assert.deepEqual(
      reads.map(({ file }) => file),
      ['/data/a', '/data/a', '/data/c'],
    );
    assert.equal(lists(), 1);
    datasets.diskChanged('/data/new');
    versions.set('/data/bb', 5);
    await d.next();
    assert.equal(lists(), 2);
    datasets.dispose();
  });

  it('wait while somebody types', async () => {
    const { datasets, reads } = start({ '/data/a': 1, '/data/b': 2 });
    const b = member('/data/b');
    datasets.join(b.member);
    let last = 0;
    const typing = setInterval(() => {
      datasets.typed('/data/b');
      last = performance.now();
    }, 50);
    setTimeout(() => clearInterval(typing), 900);
    await b.next();
    assert.ok(reads[0]!.at > last + 400, `${reads[0]!.at - last} ms after the last keystroke`);
    datasets.dispose();
  });

  it('are not read beyond a size, which is told once', async () => {
    const { datasets, reads, logged } = start({ '/data/a': 10, '/data/b': LIMIT_BYTES, '/data/c': 1, '/data/d': 1 });
    const d = member('/data/d');
    datasets.join(d.member);
    await d.next();
    assert.deepEqual(
      reads.map(({ file }) => file),
      ['/data/a'],
    );
    assert.equal(logged.length, 1);
    assert.match(logged[0]!, /more than 256 MB .*: b and the files behind it are not compared/);
    datasets.dispose();
  });

  it('are forgotten when nobody has one of them open', async () => {
    const { datasets, reads } = start({ '/data/a': 1, '/data/b': 2 });
    const [one, two] = [member('/data/b'), member('/data/b')];
    datasets.join(one.member);
    datasets.leave('/data/b');
    void one.next().then(() => assert.fail('A file that is not open was told.'));
    datasets.join(two.member);
    await two.next();
    assert.equal(reads.length, 1);
    datasets.dispose();
  });
});
