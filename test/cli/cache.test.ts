import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { docmath, layFolder, reportOf, runCli } from './run.ts';

const LINES = Array.from({ length: 30 }, (_, i) =>
  docmath(`r-${i}`, { python_solution: `def solution():\n    a = 100\n    b = ${i}\n    return a + b` }),
);

/** Times tell where a result is from: one that is run again takes another time. */
async function timesOf(folder: string, ...args: string[]): Promise<readonly number[]> {
  const report = reportOf(await runCli(['run', 'a.jsonl', '--format', 'json', ...args], { cwd: folder }));
  const { results = [] } = report.files[0]!;
  assert.deepEqual(
    results.map(({ value }) => value),
    LINES.map((_, i) => String(100 + i)),
  );
  return results.map(({ ms }) => ms);
}

describe('auditable-qa --cache', () => {
  it('gives results to processes that come later, whole ones only, from several writers', async () => {
    const { folder, remove } = await layFolder({ 'a.jsonl': LINES.join('\n') });
    try {
      const cache = ['--cache', 'shared/cache'];
      const [one, two] = await Promise.all([timesOf(folder, ...cache), timesOf(folder, ...cache)]);
      const again = await timesOf(folder, ...cache);
      assert.ok(again.every((ms, i) => ms === one[i] || ms === two[i]));
      const at = path.join(folder, 'shared/cache/solutions');
      const segments = await readdir(at);
      assert.equal(segments.length, 2);
      for (const name of segments) {
        const text = await readFile(path.join(at, name), 'utf8');
        // Another result under each checksum, and a line that was cut.
        await writeFile(path.join(at, name), text.replace(/"repr":"1/g, '"repr":"9').slice(0, -20));
      }
      await timesOf(folder, ...cache);
    } finally {
      await remove();
    }
  });

  it('is told where it is no folder', async () => {
    const { folder, remove } = await layFolder({ 'a.jsonl': LINES[0]!, file: '' });
    try {
      const { code, stderr } = await runCli(['check', 'a.jsonl'], { cwd: folder, env: { AUDITABLE_QA_CACHE: 'file' } });
      assert.equal(code, 2);
      assert.match(stderr, /The cache file /);
    } finally {
      await remove();
    }
  });
});
