/** Sessions of the command line that the documentation shows are what the program really prints, in a copy of examples/. */
import assert from 'node:assert/strict';
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
    const { code, stdout, stderr } = await runCli(args, { cwd, script: BUILT });
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
