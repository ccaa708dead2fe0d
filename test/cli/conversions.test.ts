/** `fix` on boxes in other coordinates than declared: a whole file, or none of it. */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { layFolder, PROJECT, runCli } from './run.ts';

const SMALL = [
  [118, 182, 824, 955],
  [119, 183, 823, 954],
  [120, 184, 822, 953],
];

function record(n: number, box: readonly number[], more: object = {}): string {
  return JSON.stringify({
    query: `Which row of the table has total number ${n}?`,
    answer: 'North',
    doc_name: 'demo-doc',
    evidence_page: [2],
    bbox: [[box]],
    subimg_type: [['table']],
    category: 'cs',
    ...more,
  });
}

describe('fix of coordinates', function () {
  this.timeout(120_000);
  let folder: string;
  let remove: () => Promise<void>;
  afterEach(() => remove());

  async function lay(lines: readonly string[]): Promise<void> {
    ({ folder, remove } = await layFolder({ 'data.jsonl': `${lines.join('\n')}\n` }));
    copyFileSync(path.join(PROJECT, 'test/cases/documents/demo-doc.pdf'), path.join(folder, 'demo-doc.pdf'));
  }
  const text = (): string => readFileSync(path.join(folder, 'data.jsonl'), 'utf8');
  const boxes = (): unknown[] =>
    text()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { bbox: unknown[][] }).bbox[0]![0]);
  const fix = (rule: string) => runCli(['fix', 'data.jsonl', '--write', '--rule', rule], { cwd: folder });

  it('writes all boxes of the file that fit the vote, and nothing the second time', async () => {
    const wide = [300, 600, 2100, 1500];
    const lines = [
      ...Array.from({ length: 40 }, (_, n) => record(n, SMALL[n % 3]!)),
      record(40, wide),
      record(41, wide),
    ];
    await lay(lines);
    // Not without being asked for.
    const safe = await runCli(['fix', 'data.jsonl', '--write'], { cwd: folder });
    assert.equal(safe.stdout, '', safe.stderr);
    const { stdout, stderr } = await fix('box/coordinate-space');
    assert.equal(stdout, 'data.jsonl: 40 fixes (box/coordinate-space 40)\n', stderr);
    assert.deepEqual(boxes().slice(0, 3), [
      [301, 601, 2101, 3151],
      [303, 604, 2099, 3148],
      [306, 607, 2096, 3145],
    ]);
    assert.deepEqual(boxes().slice(40), [wide, wide]);
    assert.equal(
      text().replace(/"bbox":\[\[\[[^\]]*/g, ''),
      `${lines.join('\n')}\n`.replace(/"bbox":\[\[\[[^\]]*/g, ''),
    );
    const checked = await runCli(['check', 'data.jsonl', '--format', 'json'], { cwd: folder });
    assert.ok(!checked.stdout.includes('box/'), checked.stdout);
    const after = text();
    await fix('box/coordinate-space');
    assert.equal(text(), after);
  });

  it('writes nothing where a page is not known, and says so', async () => {
    const lines = [...SMALL.map((box, n) => record(n, box)), record(3, SMALL[0]!, { evidence_page: [9] })];
    await lay(lines);
    const { stdout, stderr } = await fix('box/coordinate-space');
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /data\.jsonl: boxes are not converted: the sizes of the pages of 1 record are not known, and the file would be half converted/,
    );
    assert.equal(text(), `${lines.join('\n')}\n`);
  });

  it('makes boxes agree with their relative twins, and leaves mixed records alone', async () => {
    const twin = [118, 182, 824, 455];
    const other = [118, 500, 824, 900];
    const two = { subimg_type: [['table', 'text']], rel_bbox: [[twin, other]] };
    const at150 = [150, 300, 1050, 751];
    const lines = [
      record(0, at150, { rel_bbox: [[twin]] }),
      record(1, twin, { rel_bbox: [[twin]] }),
      record(2, at150, { bbox: [[at150, other]], ...two }),
      record(3, [301, 601, 2101, 1502], { rel_bbox: [[twin]] }),
    ];
    await lay(lines);
    const { stdout, stderr } = await fix('box/mismatch');
    assert.equal(stdout, 'data.jsonl: 2 fixes (box/mismatch 2)\n', stderr);
    assert.deepEqual(boxes(), [[300, 600, 2100, 1502], [301, 601, 2101, 1502], at150, [301, 601, 2101, 1502]]);
    const after = text();
    await fix('box/mismatch');
    assert.equal(text(), after);
    assert.equal(text().split('\n')[2], lines[2]);
  });
});
