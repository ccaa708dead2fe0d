import assert from 'node:assert/strict';
import type { ProfileDefinition } from '../../../schemas/configuration.ts';
import { builtinProfile } from '../../../server/src/core/profile/builtin.ts';
import { defineProfile } from '../../../server/src/core/profile/definition.ts';
import { settingsFor } from '../../../server/src/core/profile/settings.ts';
import type { FileSettings, Profile } from '../../../server/src/core/profile/types.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import { collectorOf, isAcross, isLate } from '../../../server/src/core/rules/across.ts';
import { schemaRules } from '../../../server/src/core/rules/schema.ts';
import type { RecordInput } from '../../../server/src/core/rules/types.ts';
import { DOCMATH, MMLONGBENCH, SCIEGQA } from '../profile/records.ts';
import { needSharedRecords } from '../profile/shared-data.ts';

type Value = Readonly<Record<string, unknown>>;

interface Found {
  readonly index: number | null;
  readonly code: string;
  readonly pointer: string;
  readonly message: string;
}

/** All schema findings of the records of one file. */
function findingsOf(texts: readonly string[], profile: Profile, nonFinite: readonly string[] = []): Found[] {
  const base = settingsFor({ filePath: '/sets/a.jsonl', samples: [SCIEGQA] });
  assert.ok('profile' in base);
  const settings: FileSettings = { ...base, profile };
  const found: Found[] = [];
  const collectors = schemaRules.filter(isAcross).map((rule) => collectorOf(rule, settings));
  texts.forEach((text, index) => {
    const record = toCanonical(JSON.parse(text) as Value, profile);
    const input: RecordInput = { record, settings, solution: undefined, nonFinite, text };
    for (const rule of schemaRules) {
      if ('checkRecord' in rule)
        rule.checkRecord(input, (finding) => found.push({ index, code: rule.code, ...finding }));
    }
    for (const { add } of collectors) add(input, { index, line: index, column: 0 });
  });
  for (const { code, end } of collectors) {
    end((index, finding) => {
      assert.ok(!isLate(finding));
      found.push({ index, code, ...finding });
    });
  }
  return found;
}

/** `code pointer` of one record. */
function codesOf(record: Value | string, name = 'sciegqa', nonFinite: readonly string[] = []): string[] {
  const text = typeof record === 'string' ? record : JSON.stringify(record);
  return findingsOf([text], builtinProfile(name)!, nonFinite).map(({ code, pointer }) => `${code} ${pointer}`);
}

function messageOf(record: Value, name = 'sciegqa'): string {
  const found = findingsOf([JSON.stringify(record)], builtinProfile(name)!);
  assert.equal(found.length, 1, JSON.stringify(found));
  return found[0]!.message;
}

describe('schema of records', () => {
  it('has nothing to say about good records', () => {
    assert.deepEqual(codesOf(DOCMATH, 'docmath-eval'), []);
    assert.deepEqual(codesOf(SCIEGQA), []);
    assert.deepEqual(codesOf(MMLONGBENCH, 'mmlongbench-doc'), []);
  });

  it('takes hidden gold and training-style records', () => {
    assert.deepEqual(codesOf({ ...DOCMATH, python_solution: null, ground_truth: null }, 'docmath-eval'), []);
    assert.deepEqual(codesOf({ ...SCIEGQA, answer: null }), []);
    const { query, answer, doc_name, evidence_page, bbox } = SCIEGQA;
    assert.deepEqual(codesOf({ query, answer, doc_name, evidence_page, bbox, subimg_type: [['unknown']] }), []);
  });

  it('schema/required: names the field and the key that may be meant', () => {
    assert.deepEqual(codesOf({}), new Array(5).fill('schema/required '));
    const { query, ...rest } = SCIEGQA;
    assert.match(messageOf(rest), /no query \(or question\)\.$/);
    const [required, unknown] = findingsOf([JSON.stringify({ ...rest, qurey: query })], builtinProfile('sciegqa')!);
    assert.match(required!.message, /key qurey may be meant as query/);
    assert.match(unknown!.message, /Did you mean query/);
    assert.deepEqual(codesOf({ ...rest, question: query }), []);
  });

  const faults: readonly (readonly [string, Value, readonly string[]])[] = [
    ['null where a value is required', { ...SCIEGQA, evidence_page: null }, ['schema/type /evidence_page']],
    ['null in optional fields', { ...SCIEGQA, category: null, rel_bbox: null }, []],
    ['a page as text', { ...SCIEGQA, evidence_page: ['6'] }, ['schema/type /evidence_page/0']],
    ['pages as text', { ...SCIEGQA, evidence_page: '6' }, ['schema/type /evidence_page']],
    ['a page with a fraction', { ...SCIEGQA, evidence_page: [9.11] }, ['schema/type /evidence_page/0']],
    ['a box as text', { ...SCIEGQA, bbox: '<bbox>' }, ['schema/type /bbox']],
    ['a number as text in a box', { ...SCIEGQA, bbox: [[[1, 2, '3', 4]]] }, ['schema/type /bbox/0/0/2']],
    ['three numbers', { ...SCIEGQA, bbox: [[[1, 2, 3]]] }, ['schema/constraint /bbox/0/0']],
    ['five relative numbers', { ...SCIEGQA, rel_bbox: [[[1, 2, 3, 4, 5]]] }, ['schema/constraint /rel_bbox/0/0']],
    ['three, one of them text', { ...SCIEGQA, bbox: [[[1, '2', 3]]] }, ['schema/constraint /bbox/0/0']],
    ['a label as text', { ...SCIEGQA, subimg_type: 'image' }, ['schema/type /subimg_type']],
    ['an unknown label', { ...SCIEGQA, subimg_type: [['Table']] }, ['schema/enum /subimg_type/0/0']],
    ['an unknown category', { ...SCIEGQA, category: 'bio' }, ['schema/enum /category']],
    ['an answer that is a number', { ...SCIEGQA, answer: 5 }, ['schema/type /answer']],
    ['a document that is a number', { ...SCIEGQA, doc_name: 2311.07631 }, ['schema/type /doc_name']],
    ['a blank question', { ...SCIEGQA, query: ' \n' }, ['schema/constraint /query']],
    ['an id that is a list', { ...SCIEGQA, sciegqa_id: [1] }, ['schema/type /sciegqa_id']],
    ['an id that is a number', { ...SCIEGQA, bbox_docvqa_id: 1 }, []],
  ];
  for (const [name, record, expected] of faults) {
    it(`${name}: ${expected.join() || 'nothing'}`, () => assert.deepEqual(codesOf(record), expected));
  }

  it('schema/type of the other profiles', () => {
    const math = (patch: Value): string[] => codesOf({ ...DOCMATH, ...patch }, 'docmath-eval');
    assert.deepEqual(math({ ground_truth: 'What?' }), ['schema/type /ground_truth']);
    assert.deepEqual(math({ ground_truth: true }), ['schema/type /ground_truth']);
    assert.deepEqual(math({ table_evidence: ['1', 1.5, -1] }), [
      'schema/type /table_evidence/0',
      'schema/type /table_evidence/1',
    ]);
    assert.deepEqual(math({ paragraphs: ['a', ['b']] }), ['schema/type /paragraphs/1']);
    assert.deepEqual(math({ python_solution: ['def'] }), ['schema/type /python_solution']);
    const long = (patch: Value): string[] => codesOf({ ...MMLONGBENCH, ...patch }, 'mmlongbench-doc');
    assert.deepEqual(long({ evidence_pages: '[2, "x"]' }), ['schema/type /evidence_pages']);
    assert.deepEqual(long({ evidence_pages: '2, 3' }), ['schema/type /evidence_pages']);
    assert.deepEqual(long({ answer_format: 'int' }), ['schema/enum /answer_format']);
  });

  it('says what was found, what is expected and what to write', () => {
    assert.match(
      messageOf({ ...SCIEGQA, evidence_page: ['6'] }),
      /evidence_page\[0\] is the text "6"; .*whole number.* Write 6 without quotes/,
    );
    assert.match(messageOf({ ...SCIEGQA, evidence_page: '6' }), /Write \[6\]\./);
    assert.match(messageOf({ ...SCIEGQA, evidence_page: [9.11] }), /9\.11; .*Two pages are written 9, 11/);
    assert.match(messageOf({ ...SCIEGQA, subimg_type: 'image' }), /Write \[\["image"\]\]\./);
    assert.match(messageOf({ ...SCIEGQA, subimg_type: [['tabel']] }), /"tabel"; allowed are .*Did you mean "table"/);
    assert.match(
      messageOf({ ...SCIEGQA, bbox: [[[1, 2, 3]]] }),
      /bbox\[0\]\[0\] has 3 numbers; a box has four: \[1,2,3\]/,
    );
    assert.match(messageOf({ ...MMLONGBENCH, evidence_pages: '2, 3' }, 'mmlongbench-doc'), /cannot be read as a list/);
  });

  it('tells 3.0 from 3 by the text', () => {
    const line = (pages: string): string =>
      JSON.stringify(SCIEGQA).replace('"evidence_page":[2]', `"evidence_page":${pages}`);
    assert.deepEqual(codesOf(line('[3.0]')), ['schema/type /evidence_page/0']);
    assert.deepEqual(codesOf(line('[ 1, 2e0 ]')), ['schema/type /evidence_page/1']);
    assert.deepEqual(codesOf(line('[1,\n2]')), []);
    assert.deepEqual(codesOf(JSON.stringify(DOCMATH).replace('12.5', '150.0'), 'docmath-eval'), []);
    assert.deepEqual(
      codesOf(JSON.stringify(DOCMATH).replace('"table_evidence":[1]', '"table_evidence":[1.0]'), 'docmath-eval'),
      ['schema/type /table_evidence/0'],
    );
  });

  it('leaves numbers that are not finite to the rule on them', () => {
    assert.deepEqual(codesOf({ ...SCIEGQA, bbox: [[[1, 2, null, 4]]] }, 'sciegqa', ['/bbox/0/0/2']), []);
  });

  it('does not drown a file in one kind of fault, nor break on deep nesting', () => {
    const many = { ...SCIEGQA, evidence_page: new Array(5000).fill('1') };
    assert.equal(codesOf(many).length, 20);
    const deep = `{"bbox":${'['.repeat(9000)}${']'.repeat(9000)}`;
    const text = JSON.stringify({ ...SCIEGQA, bbox: undefined }).replace('{', `${deep},`);
    assert.deepEqual(codesOf(text), ['schema/constraint /bbox/0/0']);
  });

  it('the same faults stand under the user’s own keys', () => {
    const own: ProfileDefinition = {
      extends: 'sciegqa',
      fields: {
        question: '/q',
        answer: '/gold/text',
        pages: '/evidence/*/page',
        regions: { boxes: '/evidence/*/boxes', labels: '/evidence/*/kinds' },
        relativeBoxes: '/none',
      },
    };
    const profile = defineProfile('ours', own, builtinProfile('sciegqa'));
    const good = {
      q: 'Q',
      gold: { text: 'A' },
      doc_name: 'd',
      evidence: [{ page: 2, boxes: [[1, 2, 3, 4]], kinds: ['text'] }],
      category: 'cs',
    };
    const of = (record: Value): string[] =>
      findingsOf([JSON.stringify(record)], profile).map(({ code, pointer }) => `${code} ${pointer}`);
    assert.deepEqual(of(good), []);
    assert.deepEqual(of({ ...good, q: 7 }), ['schema/type /q']);
    assert.deepEqual(of({ ...good, gold: {} }), ['schema/required ']);
    assert.deepEqual(of({ ...good, query: 'Q' }), ['schema/unknown-key /query']);
    const evidence = (patch: Value): string[] => of({ ...good, evidence: [{ ...good.evidence[0], ...patch }] });
    assert.deepEqual(evidence({ page: '2' }), ['schema/type /evidence/0/page']);
    assert.deepEqual(evidence({ page: undefined }), ['schema/required /evidence/0']);
    assert.deepEqual(evidence({ boxes: [[1, 2, 3]] }), ['schema/constraint /evidence/0/boxes/0']);
    assert.deepEqual(evidence({ kinds: ['tabel'] }), ['schema/enum /evidence/0/kinds/0']);
  });
});

describe('schema/unknown-key', () => {
  const profile = builtinProfile('docmath-eval')!;
  const of = (records: readonly Value[]): string[] =>
    findingsOf(
      records.map((record) => JSON.stringify(record)),
      profile,
    ).map(({ index, pointer }) => `${index} ${pointer}`);

  it('reports a key that few records have', () => {
    assert.deepEqual(of([DOCMATH, { ...DOCMATH, note: 1 }, DOCMATH, { ...DOCMATH, note: 2 }]), ['1 /note', '3 /note']);
    assert.deepEqual(of([{ ...DOCMATH, note: 1 }]), ['0 /note']);
  });

  it('is silent where more than half of at least three records have it', () => {
    assert.deepEqual(of([{ ...DOCMATH, note: 1 }, { ...DOCMATH, note: 1 }, DOCMATH]), []);
    assert.equal(
      of([
        { ...DOCMATH, note: 1 },
        { ...DOCMATH, note: 1 },
      ]).length,
      2,
    );
  });

  it('always reports a near miss, on the key', () => {
    const record = { ...DOCMATH, paragraph_evidance: [0], 'a/b': 1 };
    const found = findingsOf(new Array<string>(3).fill(JSON.stringify(record)), profile);
    assert.equal(found.length, 3);
    assert.match(found[0]!.message, /paragraph_evidance is no key of DocMath-Eval\. Did you mean paragraph_evidence\?/);
    assert.equal((found[0] as { onKey?: boolean }).onKey, true);
    assert.deepEqual(of([record]), ['0 /paragraph_evidance', '0 /a~1b']);
  });
});

describe('schema rules', () => {
  for (const rule of schemaRules) {
    it(`${rule.code}: its examples are true`, () => {
      const codes = ({ profile, lines }: typeof rule.fires): string[] =>
        findingsOf(
          lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))),
          builtinProfile(profile)!,
        ).map(({ code }) => code);
      assert.ok(codes(rule.fires).includes(rule.code));
      assert.deepEqual(codes(rule.quiet), []);
    });
  }

  const real: Readonly<Record<string, string>> = {
    'docmath-eval/testmini_703.jsonl': 'docmath-eval',
    'docmath-eval/full_shape_119_reconstructed.jsonl': 'docmath-eval',
    'docmath-eval/full_shape_119_reconstructed.json': 'docmath-eval',
    'financemath/validation.json': 'docmath-eval',
    'sciegqa/benchmark_v2.jsonl': 'sciegqa',
    'sciegqa/2311.07631.jsonl': 'sciegqa',
    'sciegqa/SciEGQA-Bench.demo3.jsonl': 'sciegqa',
    'sciegqa/views/bbox_docvqa_document.jsonl': 'sciegqa',
    'sciegqa/views/crop_demo.jsonl': 'sciegqa',
    'sciegqa/views/page_demo.jsonl': 'sciegqa',
    'sciegqa/views/pred_bbox_demo.jsonl': 'sciegqa',
    'sciegqa/views/pred_bbox_crop_demo.jsonl': 'sciegqa',
    'mmlongbench-doc/samples.json': 'mmlongbench-doc',
  };
  for (const [path, name] of Object.entries(real)) {
    it(`find nothing in ${path}`, function () {
      const texts = needSharedRecords(this, path).map(({ text }) => text);
      assert.deepEqual(findingsOf(texts, builtinProfile(name)!), []);
    });
  }
});
