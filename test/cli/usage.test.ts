import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { RULES } from '../../server/src/core/rules/registry.ts';
import { PROGRAM, runCli } from './run.ts';

describe('auditable-qa, usage', () => {
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [['check'], /missing required argument 'paths'/],
    [['chekc', '.'], /unknown command 'chekc'\n.*check/],
    [['check', '.', '--fromat', 'json'], /unknown option '--fromat'\n.*--format/],
    [['check', '.', '--format', 'xml'], /Allowed choices are text, json/],
    [
      ['check', '.', '--rule', 'box/out-of-pages=error'],
      /There is no rule box\/out-of-pages\. Did you mean box\/out-of-page\?/,
    ],
    [['check', '.', '--rule', 'box/out-of-page=fatal'], /fatal is no severity/],
    [['check', '.', '--rule', 'box/out-of-page'], /CODE=SEVERITY/],
    [['check', '.', '--profile', 'sciegq'], /no profile sciegq\. Did you mean sciegqa\?/],
    [['check', '.', '--max-findings', 'many'], /whole number/],
    [['check', '.', '--jobs', '0'], /from 1 to 64/],
    [['run', '.', '--pages', 'off'], /unknown option '--pages'/],
    [['explain', 'answer/mismatc'], /There is no rule answer\/mismatc\. Did you mean answer\/mismatch\?/],
    [['explain'], /missing required argument 'code'/],
    [['run', '.', '--format', 'sarif'], /Allowed choices are text, json\./],
    [['run', '.', '--baseline', 'b.json'], /unknown option '--baseline'/],
    [['baseline', '-'], /standard input has no name/],
    [['stats'], /missing required argument 'paths'/],
    [['lsp'], /--stdio/],
  ];
  for (const [args, expected] of refused) {
    it(`refuses ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await runCli(args);
      assert.match(stderr, expected);
      assert.equal(stdout, '');
      assert.equal(code, 2);
    });
  }

  it('helps', async () => {
    const { code, stdout } = await runCli(['check', '--help']);
    assert.match(stdout, /--max-findings <n>/);
    assert.match(stdout, /--shard <i\/n>/);
    assert.equal(code, 0);
  });

  it('tells its version', async () => {
    const { code, stdout } = await runCli(['--version']);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal(code, 0);
  });

  it('explains a rule', async () => {
    const { code, stdout } = await runCli(['explain', 'box/out-of-page']);
    const rule = RULES.find((one) => one.code === 'box/out-of-page');
    assert.ok(rule);
    for (const part of [rule.title, 'Severity: error', rule.why.trim(), 'Fires on', 'Stays quiet on']) {
      assert.ok(stdout.includes(part), part);
    }
    assert.equal(code, 0);
  });

  it('tells in words that its output cannot be written, and fails', function () {
    if (!existsSync('/dev/full')) this.skip();
    const full = openSync('/dev/full', 'w');
    try {
      const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'rules'], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      assert.deepEqual([status, stderr], [2, 'auditable-qa: what is printed cannot be written: the disk is full\n']);
    } finally {
      closeSync(full);
    }
  });

  it('lists all rules', async () => {
    const { code, stdout } = await runCli(['rules']);
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
      RULES.map((rule) => rule.code),
    );
    assert.equal(code, 0);
    const { stdout: json } = await runCli(['rules', '--format', 'json']);
    const { rules } = JSON.parse(json) as { rules: { code: string; severity: string; default: string }[] };
    assert.equal(rules.length, RULES.length);
    assert.ok(rules.every((rule) => rule.code && rule.severity && rule.default));
  });
});
