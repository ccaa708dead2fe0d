/** Sessions of the command line that the documentation shows are what the program really prints, in a copy of examples/. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { filedPages } from '../../scripts/site/pages.ts';
import { BUILT, PROJECT, runCli } from './run.ts';

const SESSION = /^```console\n(.*?)^```$/gms;

const sessions = filedPages().flatMap(({ page, markdown }) => {
  const blocks = [...markdown.matchAll(SESSION)].map(([, block = '']) => block);
  return blocks.length === 0 ? [] : [{ page, blocks }];
});

/** The session again: each line after `$ ` is run, and what it prints takes the place of what stood there. */
async function replay(block: string, cwd: string): Promise<string> {
  let text = '';
  for (const [, line = ''] of block.matchAll(/^\$ (.*)$/gm)) {
    const [program, ...args] = line.split(' ');
    assert.equal(program, 'auditable-qa', line);
    const { code, stdout, stderr } = await runCli(args, { cwd });
    assert.ok(code === 0 || code === 1, `${line} ends with ${code}: ${stderr}`);
    text += `$ ${line}\n${stdout}${stderr}`;
  }
  return text;
}

describe('sessions in the documentation', () => {
  it('are there', () => assert.ok(sessions.length > 0));
  for (const { page, blocks } of sessions)
    it(`are what is printed: ${page} (UPDATE_SNAPSHOTS=1 rewrites them)`, async function () {
      this.timeout(180_000);
      const folder = mkdtempSync(path.join(os.tmpdir(), 'auditable-qa-docs-'));
      try {
        cpSync(path.join(PROJECT, 'examples'), folder, { recursive: true });
        const printed: string[] = [];
        for (const block of blocks) printed.push(await replay(block, folder));
        if (process.env['UPDATE_SNAPSHOTS'] !== undefined) {
          const file = path.join(PROJECT, page);
          let at = 0;
          const updated = readFileSync(file, 'utf8').replace(SESSION, () => `\`\`\`console\n${printed[at++]}\`\`\``);
          writeFileSync(file, updated);
        }
        assert.deepEqual(printed, blocks);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});

describe('Python in the recipes', () => {
  const blocks = filedPages()
    .filter(({ page }) => page === 'docs/recipes.md' || page === 'docs/clusters.md')
    .flatMap(({ markdown }) => [...markdown.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = '']) => code));
  const python = spawnSync('python3', ['--version']).status === 0;

  it('is valid', function () {
    if (!python) this.skip();
    assert.ok(blocks.length >= 5);
    const program =
      'import json, sys\nfor at, code in enumerate(json.load(sys.stdin)): compile(code, f"sample {at}", "exec")';
    const { status, stderr } = spawnSync('python3', ['-c', program], {
      input: JSON.stringify(blocks),
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });

  it('finds what the command line finds, by shards and by records', function () {
    this.timeout(180_000);
    if (!python || process.platform === 'win32') this.skip();
    const folder = mkdtempSync(path.join(os.tmpdir(), 'auditable-qa-recipes-'));
    try {
      cpSync(path.join(PROJECT, 'examples/papers'), path.join(folder, 'papers'), { recursive: true });
      writeFileSync(path.join(folder, 'auditable.py'), blocks[0] ?? '');
      const program = path.join(folder, 'auditable-qa');
      writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${BUILT}" "$@"\n`, { mode: 0o755 });
      const script = [
        'import json, os',
        'from auditable import check_records, check_shard, run',
        'os.chdir("papers")',
        'whole = json.loads(run(["check", "papers.jsonl", "--format", "json"]))["files"][0]["findings"]',
        'with open("papers.jsonl", encoding="utf-8") as file: found = check_records(file)',
        'for number in (1, 2):',
        '    with open(f"{number}.json", "w", encoding="utf-8") as file: file.write(check_shard(number, 2, ["papers.jsonl"]))',
        'merged = json.loads(run(["merge-reports", "1.json", "2.json", "--format", "json"]))["files"][0]["findings"]',
        'assert len(whole) > 3 and merged == whole',
        'assert [one["fingerprint"] for all in found for one in all] == [one["fingerprint"] for one in whole]',
        'assert len(found) == 21 and [at for at, all in enumerate(found) if all] == [one["record"]["index"] for one in whole]',
      ].join('\n');
      const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
      const { status, stderr } = spawnSync('python3', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
