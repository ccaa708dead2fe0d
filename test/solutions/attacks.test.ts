import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { homedir, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { RunResult, SolutionRunner } from '../../server/src/core/ports.ts';
import { ATTACKS } from './attacks.ts';
import { assertClean, openRunner, readCases, solve, STATE } from './sandbox.ts';

const CANARY = 'canary-5b1d7c';
const MARK = 'mark-90e2aa';
/** Enough for an honest import on a busy machine, and short for what never ends. */
const LIMITS = { timeoutMs: 1500, memoryMb: 128 };
/** The child's own grace, the watch's step, and a busy machine. */
const LONGEST_MS = LIMITS.timeoutMs + 8000;

interface Snippet {
  readonly name: string;
  readonly source: string;
}

function traces(): string[] {
  return readdirSync('/tmp').filter((name) => name.startsWith('pw_'));
}

describe('attacks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-canary-'));
  const canaryFile = join(folder, 'secret.txt');
  const connections: string[] = [];
  const losses: string[] = [];
  let listener: Server;
  let runner: SolutionRunner;
  let clean: RunResult;

  before(async () => {
    process.env['SANDBOX_CANARY'] = CANARY;
    writeFileSync(canaryFile, CANARY);
    listener = createServer((socket) => {
      connections.push(String(socket.remotePort));
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    runner = await openRunner({ log: (line) => losses.push(line) });
    clean = await solve(runner, STATE);
    assertClean(clean, clean, 'nothing');
  });
  after(async () => {
    await runner.dispose();
    await new Promise((resolve) => listener.close(resolve));
    rmSync(folder, { recursive: true, force: true });
    delete process.env['SANDBOX_CANARY'];
  });

  /** Runs one attempt and the solution after it. */
  async function attempt({ name, source }: Snippet): Promise<RunResult> {
    const port = String((listener.address() as AddressInfo).port);
    const text = source
      .replaceAll('CANARY_FILE', canaryFile)
      .replaceAll('CANARY_PORT', port)
      .replaceAll('18999', port)
      .replaceAll('CANARY_MARK', MARK)
      .replaceAll('PARENT', String(process.pid));
    const started = performance.now();
    const [result, next] = await Promise.all([solve(runner, text, LIMITS), solve(runner, `${STATE}# ${name}`)]);
    assert.ok(performance.now() - started < 2 * LONGEST_MS, `${name} took too long`);
    assertClean(next, clean, name);
    assert.ok((result.value === undefined) !== (result.error === undefined), name);
    const said = JSON.stringify(result);
    for (const secret of [
      CANARY,
      hostname(),
      process.cwd(),
      ...(homedir().length > 5 ? [homedir()] : []),
      process.execPath,
    ]) {
      assert.ok(!said.includes(secret), `${name} tells ${secret}`);
    }
    assert.ok(said.length < 400_000, `${name} says too much`);
    assert.deepEqual(traces(), [], name);
    assert.deepEqual(connections, [], name);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    return result;
  }

  const shared = (file: string): Snippet[] => readCases<Snippet>(file);

  describe('at the host', () => {
    before(() => assert.deepEqual(traces(), [], 'left over from before'));
    for (const snippet of shared('escapes.json')) {
      it(snippet.name, () => attempt(snippet));
    }
  });

  describe('at the limits', () => {
    for (const snippet of shared('resources.json')) {
      it(snippet.name, async () => {
        const { error } = await attempt(snippet);
        assert.notEqual(error?.kind, 'crash', JSON.stringify(error));
      });
    }
  });

  describe('of our own', () => {
    for (const { name, body } of ATTACKS) {
      it(name, () => attempt({ name, source: `def solution():\n    ${body.replaceAll('\n', '\n    ')}\n` }));
    }
  });

  it('left no file and took no process that had not to be given up', () => {
    assert.ok(existsSync(canaryFile));
    const unexplained = losses.filter((line) => !line.includes('SIGKILL'));
    assert.deepEqual(unexplained, []);
  });
});
