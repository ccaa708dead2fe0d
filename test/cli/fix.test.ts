/** `fix`: what it shows, what it writes, what it refuses. */
import assert from 'node:assert/strict';
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { docmath, layFolder, runCli } from './run.ts';

const FENCED = '```python\ndef solution():\n    return 100 + 50\n```';

/** Three safe repairs, one to be chosen, and odd spelling all over. */
function oddFile(): string {
  const lines = [
    docmath('a').replaceAll(',"', ' ,  "'),
    docmath('b', { python_solution: FENCED }).replace('dollars', '\\u0064ollars \\/'),
    docmath('c', { paragraph_evidence: ['0'], ground_truth: '150.0' }),
    docmath('d', { paragraph_evidence: [0, 0] }),
  ];
  return `\ufeff${lines[0]}\r\n${lines[1]}\r\n\r\n${lines[2]}\r\n${lines[3]}`;
}

function repairedFile(): string {
  return oddFile()
    .replace('\ufeff', '')
    .replace('\r\n\r\n', '\r\n')
    .replace(JSON.stringify(FENCED), JSON.stringify('def solution():\n    return 100 + 50'))
    .replace('["0"]', '[0]')
    .replace('"150.0"', '150.0');
}

describe('fix', () => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ folder, remove } = await layFolder({ 'data.jsonl': oddFile() }));
  });
  afterEach(() => remove());

  const at = (name: string): string => path.join(folder, name);
  const text = (name = 'data.jsonl'): string => readFileSync(at(name), 'utf8');

  it('shows a diff that leads to what --write writes, and touches nothing', async () => {
    const { code, stdout, stderr } = await runCli(['fix', 'data.jsonl'], { cwd: folder });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^5 fixes in 1 file, not written: --write does that; no error is left\.$/m);
    assert.equal(text(), oddFile());
    assert.deepEqual(readdirSync(folder), ['data.jsonl']);
    assert.equal(patched(oddFile(), stdout), repairedFile());
    assert.match(stdout, /^--- a\/data\.jsonl\n\+\+\+ b\/data\.jsonl\n@@ -1,/);
  });

  it('writes only the bytes of what is repaired, and nothing the second time', async () => {
    const first = await runCli(['fix', 'data.jsonl', '--write'], { cwd: folder });
    assert.equal(first.code, 0, first.stderr);
    assert.equal(
      first.stdout,
      'data.jsonl: 5 fixes (answer/number-as-text 1, file/blank-line 1, file/byte-order-mark 1, schema/type 1, solution/code-fence 1)\n',
    );
    assert.equal(text(), repairedFile());
    const { mtimeMs } = statSync(at('data.jsonl'));
    const second = await runCli(['fix', 'data.jsonl', '--write'], { cwd: folder });
    assert.equal(second.stdout, '');
    assert.match(second.stderr, /^Nothing to fix; no error is left\.$/m);
    assert.equal(statSync(at('data.jsonl')).mtimeMs, mtimeMs);
    assert.deepEqual(readdirSync(folder), ['data.jsonl']);
  });

  it('with a rule makes its only fix too, and no other', async () => {
    const args = ['fix', 'data.jsonl', '--rule', 'evidence/duplicate-index', '--write'];
    const { code, stdout } = await runCli(args, { cwd: folder });
    // The errors of the other rules stay.
    assert.equal(code, 1);
    assert.equal(stdout, 'data.jsonl: 1 fix (evidence/duplicate-index 1)\n');
    assert.equal(text(), oddFile().replace('[0,0]', '[0]'));
  });

  it('leaves the choice between several fixes to people', async () => {
    writeFileSync(at('data.jsonl'), `${docmath('a', { ground_truth: 150_000 })}\n`);
    const { code, stdout, stderr } = await runCli(['fix', '.', '--rule', 'answer/mismatch'], { cwd: folder });
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^Nothing to fix; 1 error left\.$/m);
  });

  it('makes mixed line ends those that most lines have', async () => {
    const lines = ['a', 'b', 'c'].map((id) => docmath(id));
    writeFileSync(at('data.jsonl'), `${lines[0]}\r\n${lines[1]}\n${lines[2]}\r\n`);
    await runCli(['fix', 'data.jsonl', '--write', '--rule', 'file/mixed-line-endings'], { cwd: folder });
    assert.equal(text(), `${lines.join('\r\n')}\r\n`);
  });

  it('repairs records of an array where they lie', async () => {
    const record = JSON.parse(docmath('c', { paragraph_evidence: ['0'] })) as unknown;
    const array = JSON.stringify([record], null, 2);
    writeFileSync(at('array.json'), array);
    await runCli(['fix', 'array.json', '--write'], { cwd: folder });
    assert.equal(text('array.json'), array.replace('"0"', '0'));
  });

  it('repairs records that lie inside elements', async () => {
    const question = (uid: string, key = 'derivation') => ({
      uid,
      order: 1,
      question: `How many halls has the house ${uid}?`,
      answer: ['3'],
      [key]: '',
      answer_type: 'span',
      answer_from: 'text',
      rel_paragraphs: ['1'],
      req_comparison: false,
      scale: '',
    });
    const element = (uid: string, key?: string) => ({
      table: { uid: `t-${uid}`, table: [['Hall', 'Rows']] },
      paragraphs: [{ uid: `p-${uid}`, order: 1, text: 'The house has 3 halls.' }],
      questions: [question(`${uid}1`), question(`${uid}2`, key)],
    });
    const nested = JSON.stringify([element('a'), element('b', 'derivatoin')], null, 1);
    writeFileSync(at('nested.json'), nested);
    const args = ['fix', 'nested.json', '--profile', 'tat-qa', '--rule', 'schema/unknown-key', '--write'];
    const { stdout, stderr } = await runCli(args, { cwd: folder });
    assert.equal(stdout, 'nested.json: 1 fix (schema/unknown-key 1)\n', stderr);
    assert.equal(text('nested.json'), nested.replace('derivatoin', 'derivation'));
  });

  it('keeps the mode, and follows a link to what it names', async () => {
    chmodSync(at('data.jsonl'), 0o640);
    symlinkSync('data.jsonl', at('link.jsonl'));
    const { code } = await runCli(['fix', 'link.jsonl', '--write'], { cwd: folder });
    assert.equal(code, 0);
    assert.ok(lstatSync(at('link.jsonl')).isSymbolicLink());
    assert.equal(text(), repairedFile());
    assert.equal(statSync(at('data.jsonl')).mode & 0o777, 0o640);
  });

  it('does not rewrite bytes that are not UTF-8', async () => {
    const bytes = Buffer.from(oddFile());
    bytes[bytes.indexOf('spring')] = 0xf6;
    writeFileSync(at('data.jsonl'), bytes);
    const { code, stderr } = await runCli(['fix', 'data.jsonl', '--write'], { cwd: folder });
    assert.equal(code, 2);
    assert.match(stderr, /data\.jsonl: holds bytes that are not UTF-8; they would be lost/);
    assert.ok(readFileSync(at('data.jsonl')).equals(bytes));
  });

  it('fixes in a pipe: the diff, or with --write what the file would be, also where nothing is to be fixed', async () => {
    const input = oddFile();
    const [diff, piped] = await Promise.all([
      runCli(['fix', '-'], { cwd: folder, input }),
      runCli(['fix', '-', '--write'], { cwd: folder, input }),
    ]);
    assert.match(diff.stdout, /^--- .*<stdin>\n/);
    const { code, stderr } = await runCli(['fix', 'data.jsonl', '--write'], { cwd: folder });
    assert.equal(piped.stdout, text());
    assert.equal(piped.code, code);
    assert.ok(piped.stderr.endsWith(stderr), piped.stderr);
    assert.deepEqual(readdirSync(folder), ['data.jsonl']);
    const again = await runCli(['fix', '-', '--write'], { cwd: folder, input: piped.stdout });
    assert.equal(again.stdout, piped.stdout);
    const array = `[\n  ${docmath('a', { paragraph_evidence: ['0'] })}\n]\n`;
    const ofArray = await runCli(['fix', '-', '--write'], { cwd: folder, input: array });
    assert.equal(ofArray.stdout, array.replace('["0"]', '[0]'));
  });

  it('tells what it cannot do', async () => {
    writeFileSync(at('other.jsonl'), '{"hello":"world"}\n');
    for (const [args, message] of [
      [['fix', '-', 'data.jsonl'], /Standard input is fixed alone/],
      [['fix', '-'], /<stdin>: /],
      [
        ['fix', 'data.jsonl', '--rule', 'box/corner-ordr'],
        /There is no rule box\/corner-ordr\. Did you mean box\/corner-order\?/,
      ],
      [['fix', 'missing.jsonl'], /missing\.jsonl: does not exist/],
      [['fix', 'other.jsonl'], /other\.jsonl: /],
    ] as const) {
      const { code, stderr } = await runCli(args, { cwd: folder });
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });

  it('lists the fixes in the JSON report', async () => {
    const { stdout } = await runCli(['check', 'data.jsonl', '--format', 'json'], { cwd: folder });
    const { files } = JSON.parse(stdout) as { files: { findings: { code: string; fixes: unknown }[] }[] };
    const fixes = Object.fromEntries(files[0]!.findings.map((finding) => [finding.code, finding.fixes]));
    assert.deepEqual(fixes['evidence/duplicate-index'], [{ title: 'Remove the repeated 0', safe: false }]);
    assert.deepEqual(fixes['file/byte-order-mark'], [{ title: 'Remove the byte order mark', safe: true }]);
  });
});

/** What `patch` makes of a text and a unified diff without context. */
function patched(text: string, diff: string): string {
  const old = text.split(/(?<=\n)/);
  const lines = diff.split('\n').slice(2, -1);
  let result = '';
  let at = 0;
  for (const [i, line] of lines.entries()) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (hunk !== null) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      result += old.slice(at, start).join('');
      at = start;
    } else if (line.startsWith('-')) {
      const ended = lines[i + 1]?.startsWith('\\') === true ? '' : '\n';
      assert.equal(old[at++], line.slice(1) + ended);
    } else if (line.startsWith('+')) {
      result += line.slice(1) + (lines[i + 1]?.startsWith('\\') === true ? '' : '\n');
    }
  }
  return result + old.slice(at).join('');
}
