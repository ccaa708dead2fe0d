/** The language server in an editor that is not VS Code: Neovim's own client, over standard input and output. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureNeovim } from '../../scripts/neovim.mjs';
import { docmath, fileOf } from './records.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.js');
const SCRIPT = join(import.meta.dirname, 'neovim.lua');
const LIMIT_MS = 90_000;

interface Session {
  readonly failed?: string;
  readonly messages: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The text under the finding that is fixed. */
  readonly underlined: string;
  readonly hover: string;
  readonly offered: readonly string[];
  readonly lines: readonly string[];
  readonly lenses: number;
  readonly lens: string;
  readonly stopped: boolean;
}

/** Runs the session on a file of these lines; ends Neovim where it does not end itself. */
async function session(nvim: string, lines: readonly string[], wish: object): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), 'auditable-qa-neovim-'));
  try {
    const file = join(folder, 'records.jsonl');
    const out = join(folder, 'results.json');
    writeFileSync(file, fileOf(lines));
    const child = spawn(nvim, ['--clean', '--headless', '-n', file, '-c', `luafile ${SCRIPT}`], {
      cwd: folder,
      env: {
        ...process.env,
        XDG_STATE_HOME: folder,
        XDG_CACHE_HOME: folder,
        AUDITABLE_QA_SERVER: JSON.stringify([process.execPath, CLI, 'lsp', '--stdio']),
        AUDITABLE_QA_OUT: out,
        AUDITABLE_QA_WISH: JSON.stringify(wish),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(limit);
    const results = JSON.parse(readFileSync(out, 'utf8')) as Session;
    assert.equal(results.failed, undefined, `${results.failed}\n${JSON.stringify(results)}\n${said}`);
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the language server in Neovim', function () {
  this.timeout(LIMIT_MS + 600_000);
  let nvim: string;
  before(async function () {
    try {
      nvim = await ensureNeovim();
    } catch (error) {
      console.log(`    ${(error as Error).message}`);
      this.skip();
    }
  });

  it('shows findings and a hover, and a code action repairs the file', async () => {
    // Text beyond ASCII before the value: Neovim counts columns in bytes.
    const lines = docmath(
      { question: 'Größe in € 𝄞: what was the change?', ground_truth: '1,350' },
      { python_solution: 'def solution():\n    return totl\n' },
    );
    const results = await session(nvim, lines, {
      codes: ['answer/number-as-text', 'solution/raises'],
      fix: 'answer/number-as-text',
      title: 'Write the number 1350',
    });
    assert.equal(results.underlined, '"1,350"');
    assert.match(results.hover, /The gold is text that reads as a number/);
    assert.ok(results.offered.includes('Write the number 1350'), results.offered.join('; '));
    assert.equal(results.lines[0], lines[0]!.replace('"1,350"', '1350'));
    assert.equal(results.lines[1], lines[1]);
    assert.ok(results.after.includes('solution/raises'));
    // One lens for each solution: those that open documents of the extension are not offered.
    assert.equal(results.lenses, 2);
    assert.match(results.lens, /^▶ /);
    assert.match(results.messages.join('\n'), /^Record 1: /m);
    assert.equal(results.stopped, true);
  });
});
