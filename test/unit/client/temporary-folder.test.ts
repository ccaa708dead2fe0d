import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import {
  knownTemporaryFolder,
  newTemporaryFolder,
  removeLeftovers,
  solutionFileName,
} from '../../../client/src/views/temporary-folder.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2032-05-01T12:00:00Z');

describe('the folder of temporary files', () => {
  const before = process.env['TMPDIR'];
  let root: string;
  beforeEach(function () {
    if (process.platform === 'win32') this.skip();
    root = mkdtempSync(join(tmpdir(), 'auditable-qa-unit-'));
    process.env['TMPDIR'] = root;
  });
  afterEach(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(root, { recursive: true, force: true });
  });

  const age = (folder: string, hours: number): void => {
    const at = new Date(NOW - hours * HOUR_MS);
    utimesSync(folder, at, at);
  };

  async function leftover(hours: number, noted: string, onDisk: string): Promise<string> {
    const folder = await newTemporaryFolder();
    const file = await folder.newPlace('a.py');
    writeFileSync(file, onDisk);
    await folder.note([
      { name: `${basename(dirname(file))}/a.py`, view: 'auditable-qa:/a', record: '{}', text: noted },
    ]);
    age(folder.path, hours);
    return folder.path;
  }

  it('is for the user alone', async () => {
    const { path } = await newTemporaryFolder();
    assert.equal(lstatSync(path).mode & 0o777, 0o700);
    assert.equal((await knownTemporaryFolder(path))?.path, path);
  });

  it('is not taken over where it is open to others, a link, or another one', async () => {
    const { path } = await newTemporaryFolder();
    const link = `${path}-link`;
    symlinkSync(path, link);
    assert.equal(await knownTemporaryFolder(link), undefined);
    chmodSync(path, 0o755);
    assert.equal(await knownTemporaryFolder(path), undefined);
    mkdirSync(join(root, 'other'), { mode: 0o700 });
    assert.equal(await knownTemporaryFolder(join(root, 'other')), undefined);
    assert.equal(await knownTemporaryFolder(join(root, 'gone')), undefined);
  });

  it('goes a day after its last use, unless it holds what is in no record', async () => {
    const old = await leftover(25, 'x = 1\n', 'x = 1\n');
    const fresh = await leftover(23, 'x = 1\n', 'x = 1\n');
    const unsaved = await leftover(25, 'x = 1\n', 'x = 2\n');
    const ancient = await leftover(31 * 24, 'x = 1\n', 'x = 2\n');
    const own = await leftover(25, 'x = 1\n', 'x = 1\n');
    await removeLeftovers(own, NOW);
    assert.deepEqual(
      [old, fresh, unsaved, ancient, own].map((folder) => existsSync(folder)),
      [false, true, true, false, true],
    );
  });

  it('names files after the record, with no name that a system takes for something else', () => {
    assert.equal(solutionFileName('wells-0'), 'wells-0.py');
    assert.equal(solutionFileName('con'), 'record con.py');
    assert.equal(solutionFileName('..'), 'record.py');
    assert.equal(solutionFileName('.hidden'), 'hidden.py');
  });

  it('has a new place for each file, and leaves what others have put there', async () => {
    const folder = await newTemporaryFolder();
    const [one, two] = [await folder.newPlace('a.py'), await folder.newPlace('a.py')];
    assert.notEqual(one, two);
    assert.equal(basename(one), 'a.py');
    for (const file of [one, two]) writeFileSync(file, '');
    mkdirSync(join(dirname(one), '__pycache__'));
    writeFileSync(join(dirname(two), 'other.txt'), '');
    await folder.remove(one);
    await folder.remove(two);
    assert.deepEqual(
      [dirname(one), two, join(dirname(two), 'other.txt')].map((file) => existsSync(file)),
      [false, false, true],
    );
  });
});
