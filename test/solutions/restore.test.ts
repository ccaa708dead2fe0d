import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { ATTACKS } from './attacks.ts';
import type { Compared, Given } from './restore-probe.ts';
import { builtSandbox, readCases, ROOT, STATE } from './sandbox.ts';

/** Writes values of every size across the ends of pages, and stretches, all within memory of its own. */
const WRITES = `
import ctypes, random
def solution():
    random.seed(SEED)
    kinds = [getattr(ctypes, 'c_' + name) for name in ('uint8', 'uint16', 'uint32', 'uint64', 'float', 'double')]
    space = ctypes.create_string_buffer(SIZE)
    start = ctypes.addressof(space) + 4096 & ~4095
    for _ in range(300):
        at = start + random.randrange(SIZE // 4096 - 2) * 4096 + random.choice((0, 1, 2044, 4089, 4090, 4093, 4095))
        random.choice(kinds).from_address(at).value = 1 + random.randrange(200)
    for _ in range(20):
        at = start + random.randrange(SIZE - 50_000)
        ctypes.memset(at, random.randrange(256), random.randrange(20_000))
        ctypes.memmove(at, start + random.randrange(10_000), random.randrange(9_000))
    return 1
`;

const given = (): Given[] => {
  const step = process.env['SOAK'] ? 1 : 10;
  const sampled = [
    ...readCases<Given>('values.json'),
    ...readCases<Given>('escapes.json'),
    ...ATTACKS.map(({ name, body }) => ({
      name,
      source: `def solution():\n${body.replace(/^/gm, '    ')}\n`,
    })),
    ...readCases<Given>('bulk_4000.jsonl').filter((_, at) => at % 20 === 0),
  ].filter((_, at) => at % step === 0);
  const seeds = Array.from({ length: process.env['SOAK'] ? 200 : 10 }, (_, at) => String(at));
  return [
    ...sampled,
    { name: 'state', source: STATE },
    {
      name: 'growth',
      source: 'def solution():\n    x = bytearray(60_000_000)\n    x[:] = b"a" * 60_000_000\n    return len(x)',
    },
    { name: 'after growth', source: 'def solution():\n    return len([str(i) for i in range(200_000)])' },
    { name: 'long', source: `def solution():\n    return 1\n# ${'long '.repeat(60_000)}` },
    { name: 'deep', source: 'def solution():\n    f = lambda n: n and f(n - 1)\n    return f(900)' },
    { name: 'too deep', source: 'def solution():\n    return solution()' },
    { name: 'time', source: 'def solution():\n    while True: pass' },
    ...seeds.map((seed) => ({
      name: `writes ${seed}`,
      source: WRITES.replace('SEED', seed).replaceAll('SIZE', Number(seed) % 2 ? '200_000' : '9_000_000'),
    })),
  ];
};

describe('the heap', () => {
  it('is byte for byte what it was, whatever ran, and put back by notes alone', async function () {
    this.timeout(process.env['SOAK'] ? 20 * 60_000 : 60_000);
    const { childPath } = await builtSandbox();
    const sources = given();
    const compared = JSON.parse(
      execFileSync(process.execPath, [join(ROOT, 'test', 'solutions', 'restore-probe.ts'), dirname(childPath)], {
        input: JSON.stringify(sources),
        encoding: 'utf8',
        maxBuffer: 1 << 24,
        stdio: ['pipe', 'pipe', 'ignore'],
      }),
    ) as Compared;
    assert.deepEqual(compared.changed, []);
    assert.ok(compared.byNotes > sources.length / 2, `${compared.byNotes} of ${sources.length}`);
  });
});
