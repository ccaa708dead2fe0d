import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { BUILTIN_PROFILES } from '../../../server/src/core/profile/builtin.ts';
import { recogniseProfile } from '../../../server/src/core/profile/recognise.ts';
import { DOCMATH, MMLONGBENCH, SCIEGQA } from './records.ts';
import { needSharedRecords } from './shared-data.ts';

function nameOf(samples: readonly unknown[]): string | undefined {
  const found = recogniseProfile(samples, BUILTIN_PROFILES);
  return 'profile' in found ? found.profile.name : undefined;
}

const REAL_FILES: Readonly<Record<string, string | undefined>> = {
  'docmath-eval/testmini_703.jsonl': 'docmath-eval',
  'docmath-eval/full_shape_119_reconstructed.jsonl': 'docmath-eval',
  'docmath-eval/full_shape_119_reconstructed.json': 'docmath-eval',
  'sciegqa/benchmark_v2.jsonl': 'sciegqa',
  'sciegqa/2311.07631.jsonl': 'sciegqa',
  'sciegqa/SciEGQA-Bench.demo3.jsonl': 'sciegqa',
  'sciegqa/views/bbox_docvqa_document.jsonl': 'sciegqa',
  'sciegqa/views/crop_demo.jsonl': 'sciegqa',
  'sciegqa/views/page_demo.jsonl': 'sciegqa',
  'sciegqa/views/pred_bbox_demo.jsonl': 'sciegqa',
  'sciegqa/views/pred_bbox_crop_demo.jsonl': 'sciegqa',
  'mmlongbench-doc/samples.json': 'mmlongbench-doc',
  'financemath/validation.json': 'financemath',
  'findver/testmini.json': 'findver',
  'findver/financial_reports/LNBY-2024-02-05_10-Q.json': undefined,
  'finqa/dev_200.json': 'finqa',
  'tat-qa/tatqa_dataset_dev.json': 'tat-qa',
  'financebench/financebench_open_source.jsonl': 'financebench',
  'financebench/financebench_document_information.jsonl': undefined,
};

describe('recognition of profiles', () => {
  for (const [path, expected] of Object.entries(REAL_FILES)) {
    it(`${path}: ${expected ?? 'none'}`, function () {
      const records = needSharedRecords(this, path);
      assert.equal(nameOf(records.map(({ value }) => value)), expected);
    });
  }

  for (const [path, expected] of Object.entries(REAL_FILES)) {
    it(`${path}: no other profile fits it as well`, function () {
      if (expected === undefined) return;
      const samples = needSharedRecords(this, path).map(({ value }) => value);
      const others = BUILTIN_PROFILES.filter(({ name }) => name !== expected);
      const keysOf = (found: ReturnType<typeof recogniseProfile>): number =>
        'profile' in found ? found.reason.split(/, | and /).length : 0;
      assert.ok(keysOf(recogniseProfile(samples, others)) < keysOf(recogniseProfile(samples, BUILTIN_PROFILES)));
    });
  }

  it('tells by which keys', () => {
    const found = recogniseProfile([SCIEGQA], BUILTIN_PROFILES);
    assert.equal('profile' in found && found.reason, 'recognised from query, doc_name, evidence_page and bbox');
  });

  it('takes minimal and training-style records', () => {
    assert.equal(nameOf([{ question_id: 'a', question: 'Q', ground_truth: 1 }]), 'docmath-eval');
    assert.equal(
      nameOf([{ question_id: 'a', question: 'Q', python_solution: '', ground_truth: null }]),
      'docmath-eval',
    );
    const { query, answer, doc_name, evidence_page, bbox, subimg_type } = SCIEGQA;
    assert.equal(nameOf([{ query, answer, doc_name, evidence_page, bbox, subimg_type }]), 'sciegqa');
    assert.equal(nameOf([{ question: query, answer, doc_name, evidence_page, bbox }]), 'sciegqa');
    assert.equal(nameOf([MMLONGBENCH]), 'mmlongbench-doc');
  });

  it('lets a broken or odd record pass', () => {
    assert.equal(nameOf([undefined, { note: 'x' }, SCIEGQA, SCIEGQA]), 'sciegqa');
    assert.equal(nameOf([undefined, 'text', [1], null, DOCMATH]), 'docmath-eval');
    assert.equal(nameOf([{ a: 1 }, { a: 2 }, { a: 3 }, DOCMATH]), undefined);
  });

  const foreign: Readonly<Record<string, unknown>> = {
    'nothing at all': undefined,
    'a log line': { level: 'info', time: 1, msg: 'started' },
    'a question with a gold text': { question: 'Q', answer: 'A', contexts: ['c'], ground_truth: 'Paris' },
    'a numbered question with a gold text': { question_id: 7, question: 'Q', ground_truth: 'Paris' },
    'a table with paragraphs': { table: [['a']], paragraphs: ['p'] },
    'a message of a chat': { messages: [{ role: 'user', content: 'Q' }] },
    'a claim': { id: 1, claim: 'c', evidence: [1], label: 'SUPPORTS' },
    'a squad entry': { title: 't', paragraphs: [{ context: 'c', qas: [] }] },
    'a detection': { image: 'a.png', bbox: [1, 2, 3, 4], category: 'cat' },
    'a configuration': { datasets: [{ files: ['*.jsonl'], profile: 'sciegqa' }] },
  };
  for (const [name, value] of Object.entries(foreign)) {
    it(`stays silent on ${name}`, () => assert.equal(nameOf([value]), undefined));
  }

  for (const file of ['package.json', 'tsconfig.base.json', 'package-lock.json']) {
    it(`stays silent on ${file}`, () => {
      const value: unknown = JSON.parse(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'));
      assert.deepEqual(recogniseProfile([value], BUILTIN_PROFILES), { nearest: undefined, missing: [] });
    });
  }

  it('names the nearest profile and what it lacks', () => {
    const found = recogniseProfile([{ query: 'Q', doc_name: 'd', evidence_page: [1] }], BUILTIN_PROFILES);
    assert.ok('nearest' in found);
    assert.equal(found.nearest?.name, 'sciegqa');
    assert.deepEqual(found.missing, ['bbox']);
  });

  it('an own profile is recognised by its own keys', () => {
    const own = { ...BUILTIN_PROFILES[0]!, name: 'ours', recognise: [['frage', 'antwort']] };
    assert.equal('profile' in recogniseProfile([{ frage: 'Q', antwort: 1 }], [own]), true);
    assert.equal('profile' in recogniseProfile([{ frage: 'Q' }], [own]), false);
  });
});
