import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { BUILT, docmath, finished, layFolder, PROGRAM, PROJECT, runCli } from './run.ts';
import type { Ran } from './run.ts';
import { assertSarif } from './sarif.ts';
import type { Sarif } from './sarif.ts';

interface Step {
  readonly name: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly uses?: string;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}
interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly files: string;
}

/** The parser that mocha reads its own configuration with. */
const { load } = createRequire(createRequire(import.meta.url).resolve('mocha/package.json'))('js-yaml') as {
  load(text: string): unknown;
};
const readYaml = (name: string): unknown => load(readFileSync(path.join(PROJECT, name), 'utf8'));

const SOUND = `${docmath('a')}\n`;
const FAULTY = `${docmath('b', { ground_truth: '150' })}\n`;

describe('action.yml', () => {
  const { inputs, runs } = readYaml('action.yml') as Action;
  const check = runs.steps.find(({ name }) => name === 'Check');

  it('is a composite action whose inputs reach the shell as variables only', () => {
    assert.equal(runs.using, 'composite');
    for (const { name, shell, run, uses } of runs.steps) {
      assert.equal(shell, 'bash', name);
      assert.equal(uses, undefined);
      assert.doesNotMatch(run ?? '', /\$\{\{/);
    }
    const used = Object.values(check?.env ?? {}).map((value) => /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1]);
    assert.deepEqual(
      used.toSorted(),
      Object.keys(inputs)
        .filter((name) => name !== 'working-directory')
        .toSorted(),
    );
    for (const { description } of Object.values(inputs)) assert.ok(description.length > 10);
  });

  describe('its command line', () => {
    let folder: string;
    let remove: () => Promise<void>;
    before(function () {
      if (PROGRAM === BUILT) return;
      console.log('      dist/cli.js is missing: skipped');
      this.skip();
    });
    afterEach(() => remove());

    /** As the runner starts the step. */
    const step = async (given: Readonly<Record<string, string>>): Promise<Ran> => {
      const variables = Object.entries(check?.env ?? {}).map(([variable, value]) => {
        const name = /inputs\.([\w-]+)/.exec(value)?.[1] ?? '';
        return [variable, given[name] ?? inputs[name]?.default ?? ''];
      });
      const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', check?.run ?? ''], {
        cwd: folder,
        env: {
          ...process.env,
          ...(Object.fromEntries(variables) as Record<string, string>),
          GITHUB_ACTION_PATH: PROJECT,
          GITHUB_WORKSPACE: folder,
          GITHUB_STEP_SUMMARY: '',
        },
      });
      child.stdin.end();
      return finished(child);
    };

    it('annotates, and fails where there are errors', async () => {
      ({ folder, remove } = await layFolder({ 'a.jsonl': SOUND, 'with blank/b.jsonl': FAULTY }));
      const args = '--solutions=off\n--pages=off\n';
      const failed = await step({ args });
      assert.equal(failed.stderr, '');
      assert.match(failed.stdout, /^::error file=with blank\/b\.jsonl,line=1,/);
      assert.equal(failed.code, 1);
      const passed = await step({ args, paths: 'a.jsonl\r\n' });
      assert.match(passed.stdout, /^1 file, 1 record: 0 errors/);
      assert.equal(passed.code, 0);
    });

    it('writes a SARIF file beside, and takes paths for paths', async () => {
      ({ folder, remove } = await layFolder({
        'with blank/b.jsonl': FAULTY,
        '--help': 'x',
        '$(touch pwned).jsonl': SOUND,
      }));
      const ran = await step({
        args: '--solutions=off',
        format: 'text',
        sarif: 'out file.sarif',
        paths: 'with blank\n$(touch pwned).jsonl',
      });
      assert.match(ran.stdout, /answer\/number-as-text/);
      assert.equal(ran.code, 1);
      assertSarif(JSON.parse(await readFile(path.join(folder, 'out file.sarif'), 'utf8')) as Sarif);
      assert.ok(!existsSync(path.join(folder, 'pwned')));
      const missing = await step({ sarif: 'x.sarif', paths: 'missing.jsonl' });
      assert.equal(missing.code, 2);
    });
  });
});

describe('.pre-commit-hooks.yaml', () => {
  const hooks = readYaml('.pre-commit-hooks.yaml') as readonly Hook[];

  it('has one hook, for files of lines', () => {
    assert.deepEqual(
      hooks.map(({ id }) => id),
      ['auditable-qa'],
    );
    const files = new RegExp(hooks[0]!.files);
    assert.ok(files.test('data/a.jsonl') && !files.test('package.json'));
  });

  it('its command line takes the names of the files behind it', async () => {
    const { folder, remove } = await layFolder({
      'a.jsonl': FAULTY,
      'auditable-qa.accepted.jsonl': '',
      'auditable-qa.json': '{"datasets":[{"files":["*.jsonl"],"solutions":{"runner":"off"}}]}',
    });
    try {
      const [name, ...args] = hooks[0]!.entry.split(' ');
      assert.equal(name, 'auditable-qa');
      const ran = await runCli([...args, 'a.jsonl', 'auditable-qa.accepted.jsonl'], { cwd: folder });
      assert.match(ran.stdout, /answer\/number-as-text/);
      assert.equal(ran.stderr, '');
      assert.equal(ran.code, 1);
    } finally {
      await remove();
    }
  });
});
