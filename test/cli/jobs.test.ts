import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { solvedLines } from '../bench/solved-records.ts';
import { finished, layFolder, runCli, start } from './run.ts';

/** Lines that are long enough together for threads to be started, with findings of all kinds. */
function longLines(count: number, solutions: number, padding: number): string {
  const text = 'The line was sold. '.repeat(padding);
  const lines = [...solvedLines({ count, solutions, seed: 11 })].map((line, i) => {
    if (i % 97 === 5) return '{"question_id": "set-4", "question": ';
    const record = JSON.parse(line) as { paragraphs: string[]; question_id: string };
    record.paragraphs.push(text);
    // Every one of its fingerprints depends on how often the id has come before.
    if (i % 31 === 7) Object.assign(record, { question_id: 'same', paragraph_evidence: [99] });
    return JSON.stringify(record);
  });
  return `${lines.join('\n')}\n\n`;
}

describe('auditable-qa check --jobs', () => {
  let folder: string;
  let remove: () => Promise<void>;
  before(async () => {
    ({ folder, remove } = await layFolder({
      'long.jsonl': longLines(130, 10, 1900),
      'auditable-qa.json': JSON.stringify({ datasets: [{ files: ['*.jsonl'] }] }),
    }));
  });
  after(() => remove());

  it('prints the same whatever their number', async () => {
    const [one, three] = await Promise.all(
      ['1', '3'].map((jobs) => runCli(['check', 'long.jsonl', '--format', 'sarif', '--jobs', jobs], { cwd: folder })),
    );
    assert.equal(one?.code, 1);
    assert.match(one.stdout, /dataset\/duplicate-id/);
    assert.match(one.stdout, /evidence\/index-out-of-range/);
    assert.deepEqual(three, one);
  });

  it('checks what is nested too deep to be handed to another thread', async () => {
    const element = (at: number): string => {
      const deep = at % 40 === 3 ? `, "deep": ${'[{"a": '.repeat(3000)}1${'}]'.repeat(3000)}` : '';
      const text = 'Some text about it. '.repeat(400);
      const question = `{"uid": "q${at}", "question": "What was the revenue in 2019?", "answer": ["${at}"], "derivation": "", "answer_type": "span", "scale": ""}`;
      return `{"table": {"uid": "t${at}", "table": [["", "2019"], ["Revenue", "${at}"]]}, "paragraphs": [{"uid": "p${at}", "order": 1, "text": "${text}"}]${deep}, "questions": [${question}]}`;
    };
    await writeFile(
      path.join(folder, 'tat.json'),
      `[${Array.from({ length: 550 }, (_, at) => element(at)).join(',\n')}]\n`,
    );
    const [one, two] = await Promise.all(
      ['1', '2'].map((jobs) => runCli(['check', 'tat.json', '--profile', 'tat-qa', '--jobs', jobs], { cwd: folder })),
    );
    assert.match(one!.stdout, /550 records/);
    assert.deepEqual(two, one);
  });

  it('ends at Ctrl-C with all threads', async () => {
    const child = start(['check', path.join(folder, 'long.jsonl'), '-', '--jobs', '2'], { cwd: folder });
    // Standard input comes first, and it is never over.
    const ended = finished(child);
    child.stdin.write(longLines(130, 0, 1900), () => child.kill('SIGINT'));
    assert.equal((await ended).code, 130);
  });
});
