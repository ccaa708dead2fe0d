/** `convert`, `split`, `merge`: what they write, what they refuse, and that a killed one leaves no half file. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { addBulkCommands } from '../../server/src/cli/bulk-commands.ts';
import type { Shell } from '../../server/src/cli/job.ts';
import { UsageError } from '../../server/src/cli/usage.ts';
import { docmath, finished, layFolder, PROJECT, runCli, start } from './run.ts';
import type { Ran } from './run.ts';

const ODD = '{"id": "a", "n": 1.0, "e": 1e3, "s": "\\u20ac \\/ €", "n": 2}';

describe('convert, split and merge', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const lay = async (files: Readonly<Record<string, string | Buffer>>): Promise<void> => {
    ({ folder, remove } = await layFolder(files));
  };
  afterEach(() => remove());

  const text = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  const run = (...args: string[]): Promise<Ran> => runHere(args, folder);

  describe('convert', () => {
    it('goes both ways and back to the same bytes', async () => {
      const array = `[\n${ODD},\n${docmath('b')}\n]\n`;
      await lay({ 'data.json': array });
      const there = await run('convert', 'data.json', '--to', 'jsonl');
      assert.deepEqual(
        [there.code, there.stdout, there.stderr],
        [0, '', 'auditable-qa: data.jsonl: 2 records written\n'],
      );
      assert.equal(text('data.jsonl'), `${ODD}\n${docmath('b')}\n`);
      const back = await run('convert', 'data.jsonl', '--to', 'json', '-o', 'back.json');
      assert.equal(back.code, 0, back.stderr);
      assert.equal(text('back.json'), array);
    });

    it('never writes over a file without --force, not even over its own source', async () => {
      await lay({ 'data.json': `[${ODD}]`, 'data.jsonl': 'mine' });
      const refused = await run('convert', 'data.json', '--to', 'jsonl');
      assert.deepEqual(
        [refused.code, refused.stderr],
        [2, 'auditable-qa: data.jsonl: exists already; --force replaces it\n'],
      );
      assert.equal(text('data.jsonl'), 'mine');
      assert.equal((await run('convert', 'data.json', '--to', 'jsonl', '--force')).code, 0);
      assert.equal(text('data.jsonl'), ODD);
      const onto = await run('convert', 'data.json', '--to', 'jsonl', '-o', 'data.json', '--force');
      assert.equal(onto.code, 0, onto.stderr);
      assert.equal(text('data.json'), ODD);
      assert.deepEqual(readdirSync(folder).sort(), ['data.json', 'data.jsonl']);
    });

    it('tells what cannot be read, with file, line and record, and writes nothing', async () => {
      await lay({
        'data.jsonl': `${ODD}\n{"id": "b",\n${ODD}\n[1]\n`,
        'latin.jsonl': Buffer.from([0x7b, 0xe9, 0x7d, 0x0a]),
      });
      const { code, stderr } = await run('convert', 'data.jsonl', '--to', 'json');
      assert.equal(code, 2);
      const lines = stderr.trimEnd().split('\n');
      assert.match(lines[0]!, /^auditable-qa: data\.jsonl:2: Not valid JSON .* \[record 2\]$/);
      assert.match(lines[1]!, /^auditable-qa: data\.jsonl:4: .* \[record 4\]$/);
      assert.equal(lines[2], 'auditable-qa: data.jsonl: nothing is written: 2 faults must be repaired first');
      const latin = await run('convert', 'latin.jsonl', '--to', 'json');
      assert.deepEqual(
        [latin.code, latin.stderr],
        [2, 'auditable-qa: latin.jsonl: holds bytes that are not UTF-8; they would be lost\n'],
      );
      const missing = await run('convert', 'none.json', '--to', 'jsonl');
      assert.deepEqual([missing.code, missing.stderr], [2, 'auditable-qa: none.json: does not exist\n']);
      assert.deepEqual(readdirSync(folder).sort(), ['data.jsonl', 'latin.jsonl']);
    });

    it('works in a pipe', async () => {
      await lay({});
      const { code, stdout, stderr } = await runCli(['convert', '-', '--to', 'jsonl'], {
        input: `[\n  ${ODD}\n]\n`,
        cwd: folder,
      });
      assert.deepEqual([code, stdout, stderr], [0, `${ODD}\n`, '']);
    });

    it('leaves no half file where it is killed, and works the next time', async () => {
      const many = Array.from({ length: 6000 }, (_, at) => docmath(`q-${at}`)).join(',\n');
      await lay({ 'data.json': `[\n${many}\n]\n` });
      const { size } = statSync(path.join(folder, 'data.json'));
      const seen: string[] = [];
      for (const [part, signal] of [
        [0.01, 'SIGKILL'],
        [Math.random(), 'SIGKILL'],
        [0.3, 'SIGTERM'],
      ] as const) {
        const outcome = await killedAt(folder, part * size, signal);
        seen.push(outcome);
        if (outcome === 'done') assert.equal(text('data.jsonl').split('\n').length, 6001);
        else assert.ok(!existsSync(path.join(folder, 'data.jsonl')));
        // Who is asked to stop takes its unfinished work away.
        const left = readdirSync(folder).filter((name) => name.endsWith('.tmp'));
        if (signal === 'SIGTERM' || outcome === 'done') assert.deepEqual(left, []);
        await remove();
        await lay({ 'data.json': `[\n${many}\n]\n` });
      }
      assert.ok(seen.includes('killed'), seen.join());
      assert.equal((await run('convert', 'data.json', '--to', 'jsonl')).code, 0);
    });
  });

  describe('split', () => {
    const lines = ['dev', 'test', undefined, 'dev'].map((split, at) =>
      JSON.stringify({ id: `q-${at}`, ...(split !== undefined && { split }), n: at }),
    );

    it('by a value, with the records as they are', async () => {
      await lay({ 'data.jsonl': `${lines.join('\n')}\n` });
      const { code, stdout, stderr } = await run('split', 'data.jsonl', '--by', 'split', '-o', 'parts');
      assert.equal(code, 0, stderr);
      assert.equal(
        stdout,
        'parts/data.dev.jsonl: 2 records\nparts/data.test.jsonl: 1 record\nparts/data.no-split.jsonl: 1 record\n',
      );
      assert.equal(text('parts/data.dev.jsonl'), `${lines[0]}\n${lines[3]}\n`);
      assert.equal(text('parts/data.no-split.jsonl'), `${lines[2]}\n`);
    });

    it('by number, in the layout of an array', async () => {
      const pretty = JSON.stringify([{ id: 1 }, { id: 2 }, { id: 3 }], null, 2);
      await lay({ 'data.json': `${pretty}\n`, 'parts/other.txt': '' });
      const { code, stderr } = await run('split', 'data.json', '--count', '2', '-o', 'parts');
      assert.equal(code, 0, stderr);
      assert.equal(text('parts/data.1.json'), `${JSON.stringify([{ id: 1 }, { id: 2 }], null, 2)}\n`);
      assert.equal(text('parts/data.2.json'), `${JSON.stringify([{ id: 3 }], null, 2)}\n`);
      assert.deepEqual(readdirSync(path.join(folder, 'parts')).sort(), ['data.1.json', 'data.2.json', 'other.txt']);
      const again = await run('split', 'data.json', '--count', '2', '-o', 'parts');
      assert.deepEqual(
        [again.code, again.stderr],
        [2, 'auditable-qa: parts/data.1.json: exists already; --force replaces it\n'],
      );
      assert.equal((await run('split', 'data.json', '--count', '2', '-o', 'parts', '--force')).code, 0);
    });

    it('by a list of ids, and says which of them there are not', async () => {
      await lay({ 'data.jsonl': [docmath('a'), docmath('b'), docmath('c')].join('\n'), 'ids.txt': 'c\r\nnone\r\na' });
      const { code, stderr } = await run('split', 'data.jsonl', '--ids', 'ids.txt', '-o', 'parts');
      assert.equal(code, 1);
      assert.match(stderr, /^auditable-qa: data\.jsonl: 1 id of the list not found: none$/m);
      assert.equal(text('parts/data.listed.jsonl'), `${docmath('a')}\n${docmath('c')}`);
      assert.equal(text('parts/data.others.jsonl'), docmath('b'));
    });

    it('refuses what no record has, what cannot be read, and no or two ways', async () => {
      await lay({ 'data.jsonl': `${lines.join('\n')}\n`, 'broken.jsonl': `${lines[0]}\n{\n` });
      const none = await run('split', 'data.jsonl', '--by', 'splt', '-o', 'parts');
      assert.deepEqual([none.code, none.stderr], [2, 'auditable-qa: data.jsonl: has no record with a value in splt\n']);
      const broken = await run('split', 'broken.jsonl', '--count', '1', '-o', 'parts');
      assert.equal(broken.code, 2);
      assert.match(broken.stderr, /^auditable-qa: broken\.jsonl:2: /);
      assert.equal((await run('split', 'data.jsonl', '-o', 'parts')).code, 2);
      assert.equal((await run('split', 'data.jsonl', '--by', 'split', '--count', '2', '-o', 'parts')).code, 2);
      assert.deepEqual(readdirSync(folder).sort(), ['broken.jsonl', 'data.jsonl']);
    });
  });

  describe('merge', () => {
    beforeEach(() =>
      lay({
        'a.jsonl': `\ufeff${docmath('é-1')}\r\n${docmath('é-2', { ground_truth: 150.5 })}\r\n`,
        'b.json': JSON.stringify(
          [docmath('é-1'), docmath('é-2'), docmath('é-3')].map((one) => JSON.parse(one) as object),
          null,
          2,
        ),
      }),
    );

    it('stops at conflicts, and shows both places and what differs', async () => {
      const { code, stdout, stderr } = await run('merge', 'a.jsonl', 'b.json', '-o', 'all.jsonl');
      assert.equal(code, 1);
      assert.match(
        stdout,
        /^a\.jsonl:2 and b\.json:\d+: record “é-2” differs in 1 value\n {4}\/ground_truth: 150\.5 → 150\n$/,
      );
      assert.match(
        stderr,
        /^auditable-qa: nothing is written: 1 conflict; --on-conflict first, last or keep-both settles them$/m,
      );
      assert.ok(!existsSync(path.join(folder, 'all.jsonl')));
    });

    it('settles them as it is told', async () => {
      const ids = (name: string): unknown[] =>
        text(name)
          .trimEnd()
          .split(/\r?\n/)
          .map((line) => JSON.parse(line) as { question_id: string; ground_truth: number })
          .map(({ question_id: id, ground_truth: gold }) => [id, gold]);
      for (const [how, expected] of [
        [
          'first',
          [
            ['é-1', 150],
            ['é-2', 150.5],
            ['é-3', 150],
          ],
        ],
        [
          'last',
          [
            ['é-1', 150],
            ['é-2', 150],
            ['é-3', 150],
          ],
        ],
        [
          'keep-both',
          [
            ['é-1', 150],
            ['é-2', 150.5],
            ['é-4', 150],
            ['é-3', 150],
          ],
        ],
      ] as const) {
        const { code, stderr } = await run('merge', 'a.jsonl', 'b.json', '-o', `${how}.jsonl`, '--on-conflict', how);
        assert.equal(code, 0, stderr);
        assert.deepEqual(ids(`${how}.jsonl`), expected);
        assert.match(stderr, /1 repeated record left out, 1 conflict /);
      }
      // The first file's spelling and line ends.
      assert.ok(text('first.jsonl').startsWith(`${docmath('é-1')}\r\n${docmath('é-2', { ground_truth: 150.5 })}\r\n`));
    });

    it('writes an array in the layout of the first one, over one of the files where it is forced', async () => {
      writeFileSync(path.join(folder, 'c.json'), JSON.stringify([JSON.parse(docmath('é-9'))], null, 2));
      const refused = await run('merge', 'b.json', 'c.json', '-o', 'b.json');
      assert.equal(refused.code, 2);
      const { code, stderr } = await run('merge', 'b.json', 'c.json', '-o', 'b.json', '--force');
      assert.equal(code, 0, stderr);
      const expected = ['é-1', 'é-2', 'é-3', 'é-9'].map((id) => JSON.parse(docmath(id)) as object);
      assert.equal(text('b.json'), JSON.stringify(expected, null, 2));
      assert.deepEqual(readdirSync(folder).sort(), ['a.jsonl', 'b.json', 'c.json']);
    });

    it('names the file that cannot be merged', async () => {
      writeFileSync(path.join(folder, 'c.jsonl'), `${docmath('x')}\n{"a":\n${docmath('y')}\n`);
      const { code, stderr } = await run('merge', 'b.json', 'c.jsonl', '-o', 'all.jsonl');
      assert.equal(code, 2);
      assert.match(stderr, /^auditable-qa: c\.jsonl:2: Not valid JSON/);
      assert.equal((await run('merge', 'b.json', 'b.json', '-o', 'all.jsonl')).code, 2);
    });
  });
});

/** Without a process for each: what the commands write is collected. */
async function runHere(args: readonly string[], cwd: string): Promise<Ran> {
  const ran = { code: 0, stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => Promise.resolve(void (ran[name] += text)),
    closed: new AbortController().signal,
    colors: false,
  });
  const shell: Shell = {
    out: output('stdout'),
    err: output('stderr'),
    cwd,
    stop: new AbortController().signal,
    installation: { distFolder: path.join(PROJECT, 'dist') },
  };
  const program = new Command('auditable-qa').exitOverride().configureOutput({ writeErr: () => undefined });
  addBulkCommands(program, shell, (code) => (ran.code = code));
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof CommanderError)) throw error;
    return { ...ran, code: 2, stderr: `${ran.stderr}auditable-qa: ${error.message}\n` };
  }
  return ran;
}

/** Converts `data.json` and kills that as soon as so many bytes are written. */
async function killedAt(folder: string, bytes: number, signal: NodeJS.Signals): Promise<'killed' | 'done'> {
  const child = start(['convert', 'data.json', '--to', 'jsonl'], { cwd: folder });
  const watcher = watch(folder, (_, name) => {
    if (name === null || !name.endsWith('.tmp')) return;
    const at = path.join(folder, name);
    // Once: a second Ctrl-C ends the program without its tidying up.
    if ((statSync(at, { throwIfNoEntry: false })?.size ?? 0) < bytes || child.killed) return;
    child.kill(signal);
  });
  const { code } = await finished(child);
  watcher.close();
  return code === 0 ? 'done' : 'killed';
}
