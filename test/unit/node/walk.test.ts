import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findRecordFiles, isOwnFile } from '../../../server/src/node/files/walk.ts';

let folder: string;
const at = (...parts: string[]): string => path.join(folder, ...parts);

async function lay(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  }
}
const shown = async (...paths: string[]): Promise<string[]> =>
  (await findRecordFiles(paths, folder)).files.map((file) => file.shown);

describe('record files of paths', () => {
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'auditable-qa-walk-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('walks folders in a fixed order and leaves out what is no record file', async () => {
    await lay({
      'b.jsonl': '',
      'a/z.ndjson': '',
      'a/c.JSON': '',
      'a/readme.md': '',
      'node_modules/p/x.json': '',
      '.git/config.json': '',
      'auditable-qa.json': '',
      'auditable-qa.baseline.json': '',
      'a/auditable-qa.json': '',
    });
    assert.deepEqual(await shown('.'), ['a/c.JSON', 'a/z.ndjson', 'b.jsonl']);
    assert.equal(isOwnFile('/x/auditable-qa.json'), true);
    assert.equal(isOwnFile('/x/auditable-qa-records.json'), false);
  });

  it('keeps the order of the paths and gives no file twice', async () => {
    await lay({ 'a.jsonl': '', 'b.jsonl': '', 'd/c.jsonl': '', 'notes.txt': '' });
    assert.deepEqual(await shown('notes.txt', 'b.jsonl', 'd', '.', 'a.jsonl'), [
      'notes.txt',
      'b.jsonl',
      'd/c.jsonl',
      'a.jsonl',
    ]);
  });

  it('follows .gitignore files, the innermost first, up to the root of the repository', async () => {
    await lay({
      '.gitignore': 'out/\n*.tmp.json\n/data/skip.jsonl\n',
      'data/skip.jsonl': '',
      'data/keep.jsonl': '',
      'data/x.tmp.json': '',
      'data/deep/.gitignore': '!y.tmp.json\nlocal.json\n',
      'data/deep/y.tmp.json': '',
      'data/deep/local.json': '',
      'out/a.jsonl': '',
    });
    execFileSync('git', ['init', '-q', folder]);
    assert.deepEqual(await shown('.'), ['data/deep/y.tmp.json', 'data/keep.jsonl']);
    assert.deepEqual(await shown('data'), ['data/deep/y.tmp.json', 'data/keep.jsonl']);
    assert.deepEqual(await shown('out'), ['out/a.jsonl'], 'an ignored folder that is named is walked');
    assert.deepEqual(await shown('data/skip.jsonl'), ['data/skip.jsonl'], 'an ignored file that is named is checked');
  });

  it('cuts link loops and prefers a file’s own place to links', async () => {
    await lay({ 'z/a.jsonl': '', 'z/deep/b.jsonl': '' });
    await symlink(at('z'), at('z', 'deep', 'loop'));
    await symlink(at('z'), at('a-link'));
    await symlink(at('z', 'a.jsonl'), at('aa.jsonl'));
    await symlink('self', at('self'));
    assert.deepEqual(await shown('.'), ['z/a.jsonl', 'z/deep/b.jsonl']);
  });

  it('follows links to record files outside the folder', async () => {
    await lay({ 'in/x.txt': '', 'elsewhere/a.jsonl': '', 'elsewhere/d/b.jsonl': '' });
    await symlink(at('elsewhere', 'd'), at('in', 'd'));
    await symlink(at('elsewhere', 'a.jsonl'), at('in', 'a.jsonl'));
    assert.deepEqual(await shown('in'), ['in/a.jsonl', 'in/d/b.jsonl']);
  });

  it('tells what cannot be used and goes on', async () => {
    await lay({ 'a.jsonl': '' });
    execFileSync('mkfifo', [at('pipe')]);
    await symlink(at('gone.jsonl'), at('dangling.jsonl'));
    const { files, problems } = await findRecordFiles(['missing.jsonl', 'pipe', '.'], folder);
    assert.deepEqual(
      files.map((file) => file.shown),
      ['a.jsonl'],
    );
    assert.deepEqual(problems, [
      { shown: 'missing.jsonl', message: 'does not exist' },
      { shown: 'pipe', message: 'is neither a file nor a folder' },
      { shown: 'dangling.jsonl', message: 'does not exist' },
    ]);
  });

  it('tells a folder that may not be read', async function () {
    if (process.getuid?.() === 0) {
      console.log('      root may read everything: skipped');
      this.skip();
    }
    await lay({ 'shut/a.jsonl': '', 'b.jsonl': '' });
    await chmod(at('shut'), 0);
    const { files, problems } = await findRecordFiles(['.'], folder);
    await chmod(at('shut'), 0o755);
    assert.equal(files.length, 1);
    assert.deepEqual(problems, [{ shown: 'shut', message: 'may not be read (permission denied)' }]);
  });
});
