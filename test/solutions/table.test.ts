import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { RunResult, SolutionRunner } from '../../server/src/core/ports.ts';
import { assertClean, openRunner, solve, STATE } from './sandbox.ts';

/** Entries of the interpreter's table of functions; a few more than there are. */
const SLOTS = 11_900;
/** All of them take minutes. */
const STEP = process.env['SOAK'] ? 1 : 120;
const BATCH = 20;

/** Makes the built-in `len` call another function of the table, by writing into the interpreter's memory. */
const callSlot = (slot: number): string => `
import ctypes
def solution():
    method = ctypes.c_uint32.from_address(id(len) + 8).value
    ctypes.c_uint32.from_address(method + 4).value = ${slot}
    return len([1, 2, 3])
`;

/** What Python itself prints: a value as at its prompt, and notes on errors that it cannot raise. */
const PRINTED =
  /^(?:(?:\[1, 2, 3\]|'None'|Exception ignored .*|Traceback \(most recent call last\):| {2}File "<solution>", line \d+, in solution|\w*Error: .*)\n)*$/;

describe('the table of functions', () => {
  let runner: SolutionRunner;
  const losses: string[] = [];
  before(async () => (runner = await openRunner({ log: (line) => losses.push(line) })));
  after(() => runner.dispose());

  it(`holds nothing that leads out (${Math.floor(SLOTS / STEP)} entries called)`, async () => {
    const clean = await solve(runner, STATE);
    const kinds = new Map<string, number>();
    for (let first = 1; first < SLOTS; first += BATCH * STEP) {
      const slots = Array.from({ length: BATCH }, (_, at) => first + at * STEP).filter((slot) => slot < SLOTS);
      const runs = slots.map((slot) => solve(runner, callSlot(slot), { timeoutMs: 1500 }));
      const next = solve(runner, `${STATE}# ${first}`);
      const results: RunResult[] = await Promise.all(runs);
      assertClean(await next, clean, `entries from ${first}`);
      for (const { error, stdout } of results) {
        kinds.set(error?.kind ?? 'value', (kinds.get(error?.kind ?? 'value') ?? 0) + 1);
        assert.match(stdout, PRINTED);
      }
      assert.deepEqual(
        readdirSync('/tmp').filter((name) => name.startsWith('pw_')),
        [],
      );
    }
    const unexplained = losses.filter((line) => !line.includes('SIGKILL'));
    assert.deepEqual(unexplained, []);
    assert.ok((kinds.get('crash') ?? 0) > 0 && (kinds.get('value') ?? 0) > 0, 'the table was really called into');
    if (process.env['SOAK']) console.log('     ', Object.fromEntries(kinds));
  }).timeout(STEP === 1 ? 60 * 60_000 : 120_000);
});
