import assert from 'node:assert/strict';
import { freeId } from '../../../server/src/core/edit/free-id.ts';
import { newRecord } from '../../../server/src/core/edit/new-record.ts';
import type { FileForm } from '../../../server/src/core/text/types.ts';
import type { Neighbours } from '../../../server/src/core/edit/new-record.ts';
import { builtinProfile } from '../../../server/src/core/profile/builtin.ts';
import { defineProfile } from '../../../server/src/core/profile/definition.ts';
import type { Profile } from '../../../server/src/core/profile/types.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import { insertionAfter } from '../../../server/src/lsp/evidence/new-record.ts';
import { documentOf } from '../rules/support.ts';

const ALONE: Neighbours = { ids: new Set(), ofDocument: [] };
const PLACE = { left: 0.1, top: 0.1, width: 0.4, height: 0.2 };

function begun(profile: Profile, text: string, more: object = {}, neighbours = ALONE): string {
  const { coordinates, relativeCoordinates, pageBase } = profile;
  const context = { settings: { coordinates, relativeCoordinates, pageBase }, document: documentOf(9) };
  const change = { kind: 'record', page: 3, place: PLACE, label: 'table', text: 'North', ...more } as const;
  const record = toCanonical(JSON.parse(text) as Record<string, unknown>, profile);
  const made = newRecord(record, text, change, context, neighbours);
  return made.kind === 'problem' ? made.message : made.text;
}

const sciegqa = builtinProfile('sciegqa')!;

describe('a record that is begun from a region', () => {
  it('has the keys of its sibling in their order and spelling, and only the document and the region said', () => {
    const text =
      '{ "category":"cs", "query":"Q \\u20ac", "answer":"A", "doc_name":"paper", "evidence_page":[2, 5], "bbox":[[[1.0, 2.0, 30.0, 40.0]], []], "subimg_type":[["text"], []], "extra":{"n": 1, "s": "x", "l": [1]}, "flag":true }';
    assert.equal(
      begun(sciegqa, text),
      '{ "category":"cs", "query":"", "answer":"North", "doc_name":"paper", "evidence_page":[3], "bbox":[[[255.0, 330.0, 1275.0, 990.0]]], "subimg_type":[["table"]], "extra":{"n": null, "s": "", "l": []}, "flag":null }',
    );
  });

  it('has an empty list for a page without a region, and no label where none is given', () => {
    const text =
      '{"query": "q", "answer": "a", "doc_name": "paper", "evidence_page": [2], "bbox": [[[1, 2, 30, 40]]], "subimg_type": [["text"]]}';
    const page = JSON.parse(begun(sciegqa, text, { place: null, text: null })) as object;
    assert.deepEqual(page, {
      query: '',
      answer: '',
      doc_name: 'paper',
      evidence_page: [3],
      bbox: [[]],
      subimg_type: [[]],
    });
    assert.match(begun(sciegqa, text, { label: null }), /"subimg_type": \[\["unknown"\]\]/);
  });

  it('keeps what all records of the document have alike, and finds the image of its page', () => {
    const text =
      '{"query": "q", "answer": "a", "doc_name": "paper", "evidence_page": [2], "bbox": [[[1, 2, 30, 40]]], "images": ["paper/paper_002.png"], "year": 2031, "hard": true}';
    const other = { query: 'p', doc_name: 'paper', year: 2031, hard: false };
    assert.deepEqual(JSON.parse(begun(sciegqa, text, {}, { ids: new Set(), ofDocument: [other] })), {
      query: '',
      answer: 'North',
      doc_name: 'paper',
      evidence_page: [3],
      bbox: [[[255, 330, 1275, 990]]],
      images: ['paper/paper_003.png'],
      year: 2031,
      hard: null,
    });
    assert.match(begun(sciegqa, text.replace('_002', '')), /"images": \[\]/);
  });

  it('begins with one entry where regions are objects, and with text where lists are stored so', () => {
    const objects = defineProfile('objects', {
      fields: {
        id: '/n',
        question: '/qa/q',
        gold: '/qa/value',
        document: '/doc',
        pages: '/evidence/*/page',
        regions: { boxes: '/evidence/*/regions/*/bbox', labels: '/evidence/*/regions/*/kind' },
      },
      coordinates: { space: 'permille', order: 'xywh', origin: 'top-left' },
    });
    const text =
      '{"n": 7, "doc": "paper", "qa": {"q": "x", "value": 2.5}, "evidence": [{"note": "n", "doc": "paper", "page": 1, "regions": [{"kind": "text", "score": 0.5, "bbox": [1, 2, 3, 4]}]}]}';
    const expected =
      '{"n": 8, "doc": "paper", "qa": {"q": "", "value": 1200.0}, "evidence": [{"note": "", "doc": "paper", "page": 3, "regions": [{"kind": "table", "score": null, "bbox": [100, 100, 400, 200]}]}]}';
    assert.equal(begun(objects, text, { text: '1,200' }, { ids: new Set(['7']), ofDocument: [] }), expected);
    const pages = builtinProfile('mmlongbench-doc')!;
    const stored =
      '{"doc_id": "paper", "question": "q", "answer": "a", "evidence_pages": "[5, 6]", "evidence_sources": "[\'Chart\']", "answer_format": "Str"}';
    assert.match(begun(pages, stored, { place: null }), /"evidence_pages": "\[3\]"/);
    assert.equal(begun(pages, stored), 'Records of MMLongBench-Doc mark no regions on pages.');
    assert.equal(begun(builtinProfile('docmath-eval')!, '{"question": "q"}'), 'Records of DocMath-Eval cite no pages.');
  });

  it('asks the question of a chat anew', () => {
    const text = JSON.stringify({
      messages: [
        { role: 'user', content: '<image>\nAnswer briefly.\nWhich row?' },
        { role: 'assistant', content: 'North' },
      ],
      doc_name: 'paper',
      evidence_page: [2],
      bbox: [[[1, 2, 30, 40]]],
    });
    assert.deepEqual((JSON.parse(begun(sciegqa, text, { text: 'South' })) as { messages: unknown }).messages, [
      { role: 'user', content: '<image>\nAnswer briefly.\n' },
      { role: 'assistant', content: 'South' },
    ]);
  });
});

describe('a free id', () => {
  it('counts on in the pattern of its sibling', () => {
    const taken = new Set(['q-009', 'q-011', 'r-900', 'q-2b', 'x', 'x-2', '41']);
    assert.equal(freeId('q-009', taken), 'q-012');
    assert.equal(freeId('q-2b', taken), 'q-3b');
    assert.equal(freeId('41', taken), '42');
    assert.equal(freeId('x', taken), 'x-3');
    assert.equal(freeId('99', new Set()), '100');
    assert.equal(freeId('a099', new Set(['a099'])), 'a100');
  });
});

describe('where a record is inserted', () => {
  const insertion = (file: string, own: string, form: FileForm = 'lines'): string | undefined => {
    const offset = file.indexOf(own);
    const made = { kind: 'record', text: 'NEW', pointer: null, title: '' } as const;
    const edit = insertionAfter({ offset, text: own }, file, form, made);
    if (edit === undefined) return undefined;
    const { span, text } = edit;
    return file.slice(0, offset + span.start) + text + file.slice(offset + span.end);
  };

  it('is a line of its own, or an element as its neighbours are parted', () => {
    assert.equal(insertion('{"a":1}\n{"a":2}\n', '{"a":1}'), '{"a":1}\nNEW\n{"a":2}\n');
    assert.equal(insertion('{"a":1}\n{"a":2}', '{"a":2}'), '{"a":1}\n{"a":2}\nNEW');
    assert.equal(insertion('[{"a":1},{"a":2}]', '{"a":1}'), '[{"a":1},NEW,{"a":2}]');
    assert.equal(insertion('[\n\t{"a":1},\n\t{"a":2}\n]', '{"a":2}'), '[\n\t{"a":1},\n\t{"a":2},\n\tNEW\n]');
    assert.equal(insertion('{"q": [{"a":1}], "r": [2]}', '{"a":1}'), '{"q": [{"a":1},NEW], "r": [2]}');
    assert.equal(insertion('{"q": [\n  {"a":1}\n]}', '{"a":1}'), '{"q": [\n  {"a":1},\n  NEW\n]}');
    assert.equal(insertion('[\n  {"a":1}\n]\n', '{"a":1}', 'json'), '[\n  {"a":1},\n  NEW\n]\n');
  });

  it('is nowhere where the record is the whole file or a member of an object', () => {
    assert.equal(insertion('{"a":1}\n', '{"a":1}', 'json'), undefined);
    assert.equal(insertion('{"r": {"a":1}, "s": 2}', '{"a":1}'), undefined);
  });
});
