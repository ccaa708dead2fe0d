import assert from 'node:assert/strict';
import type { DocumentFacts } from '../../../server/src/core/ports.ts';
import { pageRules } from '../../../server/src/core/rules/page.ts';
import { SCIEGQA, check, documentOf, settingsOf } from './support.ts';
import type { Found, JsonRecord } from './support.ts';

const settings = settingsOf('sciegqa', { pdf: ['pdf/{doc_name}.pdf'], pageImage: [] });
const MISSING = { state: 'missing', looked: ['/data/pdf/paper.pdf'] } as const;

function found(patch: JsonRecord, document?: DocumentFacts): Found[] {
  return check(pageRules, settings, [{ ...SCIEGQA, ...patch }], document === undefined ? {} : { document });
}

function brief(findings: readonly Found[]): string[] {
  return findings.map(({ code, index, pointer }) => `${code} ${index} ${pointer}`);
}

describe('page/out-of-range', () => {
  const rows: readonly [pages: readonly unknown[], length: number, pointer: string | undefined, message: RegExp][] = [
    [[1, 3], 3, undefined, /./],
    [[4], 3, '/evidence_page/0', /no page 4: .*3 pages \(1-3\)/],
    [[289], 3, '/evidence_page/0', /number printed on the page/],
    [[0], 3, '/evidence_page/0', /page 0.*counted from 1/],
    [[-1], 3, '/evidence_page/0', /page -1/],
    [[1, 23], 3, '/evidence_page/1', /comma is missing: 2, 3/],
    [[1418], 20, '/evidence_page/0', /comma is missing: 14, 18/],
    [[289], 40, '/evidence_page/0', /printed on the page, or a comma is missing: 28, 9/],
    [[212], 12, '/evidence_page/0', /comma is missing: 2, 12/],
    [[123], 3, '/evidence_page/0', /comma is missing: 1, 2, 3/],
    [['6', 1.5], 3, undefined, /./],
  ];
  for (const [pages, length, pointer, message] of rows) {
    it(`[${pages.join(', ')}] in ${length} pages`, () => {
      const findings = found({ evidence_page: pages }, documentOf(length));
      assert.deepEqual(
        findings.map((finding) => finding.pointer),
        pointer === undefined ? [] : [pointer],
      );
      if (pointer !== undefined) assert.match(findings[0]!.message, message);
    });
  }

  it('knows pages counted from 1 where they count from 0', () => {
    const base0 = settingsOf('sciegqa', { pageBase: 0, imageBase: 0 });
    const at = (page: number): Found[] =>
      check(pageRules, base0, [{ ...SCIEGQA, evidence_page: [page] }], { document: documentOf(3) });
    assert.deepEqual(at(0), []);
    assert.match(at(3)[0]!.message, /3 pages \(0-2\).*counted from 1/);
  });

  it('counts page images where they run without a gap', () => {
    const images: DocumentFacts = { name: 'paper', imageNumbers: [1, 2, 3, 4] };
    assert.match(found({ evidence_page: [5] }, images)[0]!.message, /images of 4 pages/);
    assert.deepEqual(found({ evidence_page: [5] }, { name: 'paper', imageNumbers: [1, 2, 4] }), []);
    assert.deepEqual(found({ evidence_page: [5] }, { name: 'paper', imageNumbers: [1] }), []);
  });

  it('marks the number inside a list that is stored as text', () => {
    const record = { doc_id: 'paper.pdf', question: 'Q', answer: 'A', evidence_pages: '[2, 14]', answer_format: 'Str' };
    const [finding] = check(pageRules, settingsOf('mmlongbench-doc'), [record], { document: documentOf(3) });
    assert.equal(finding!.pointer, '/evidence_pages');
    assert.deepEqual(finding!.inString, { start: 4, end: 6 });
  });
});

describe('page/duplicate', () => {
  it('tells a page once, at its second place; order is fine', () => {
    assert.deepEqual(brief(found({ evidence_page: [9, 5] })), []);
    assert.deepEqual(brief(found({ evidence_page: [3, 2, 2, 2] })), ['page/duplicate 0 /evidence_page/2']);
  });
});

describe('page/document-missing', () => {
  const missing = { document: { name: 'paper', pdf: MISSING } };
  it('is told once per document, at its first record, with the place', () => {
    const findings = check(pageRules, settings, [SCIEGQA, SCIEGQA], missing);
    assert.deepEqual(brief(findings), ['page/document-missing 0 /doc_name']);
    assert.match(findings[0]!.message, /"paper" is not there: no pdf\/paper\.pdf/);
  });
  it('says why a name is refused, once for all records with the same reason', () => {
    const reason = 'the record has no "category", which the configured location needs';
    const findings = check(pageRules, settings, [SCIEGQA, SCIEGQA, SCIEGQA], (index) => ({
      document: { name: `paper${index % 2}`, pdf: { state: 'refused', reason } },
    }));
    assert.deepEqual(brief(findings), ['page/document-missing 0 /doc_name']);
    assert.match(findings[0]!.message, /"category".*2 further records/);
  });
  it('counts images as the document where only they are configured', () => {
    const own = settingsOf('sciegqa', { pdf: [], pageImage: ['{doc_name}_{page}.png'] });
    const looked = ['/data/paper_2.png'];
    const images = new Map([[2, { state: 'missing', looked }]] as const);
    const none = check(pageRules, own, [SCIEGQA], { document: { name: 'paper', images, imageNumbers: [] } });
    assert.deepEqual(brief(none), ['page/document-missing 0 /doc_name']);
    const some = check(pageRules, own, [SCIEGQA], { document: { name: 'paper', images, imageNumbers: [1] } });
    assert.deepEqual(brief(some), ['page/image-missing 0 /evidence_page/0']);
  });
  it('is one information for the file where nothing is configured', () => {
    const own = settingsOf('sciegqa', { locationsConfigured: false });
    const records = [SCIEGQA, SCIEGQA, SCIEGQA];
    const mixed = check(pageRules, own, records, (index) => ({
      document: index === 0 ? documentOf(3, [], 'a') : { name: `b${index}`, pdf: MISSING },
    }));
    assert.deepEqual(brief(mixed), ['page/document-missing null ']);
    assert.match(mixed[0]!.message, /found beside the file: 1 of 3;.*pdf\/\{doc_name\}\.pdf/);
    assert.deepEqual(check(pageRules, own, records, { document: documentOf(3) }), []);
    assert.deepEqual(check(pageRules, own, records), []);
  });
});

describe('page/document-unreadable', () => {
  const broken = { state: 'unreadable', path: '/data/pdf/paper.pdf', reason: 'is empty' } as const;
  it('is told once per file', () => {
    const findings = check(pageRules, settings, [SCIEGQA, SCIEGQA], { document: { name: 'paper', pdf: broken } });
    assert.deepEqual(brief(findings), ['page/document-unreadable 0 /doc_name']);
    assert.match(findings[0]!.message, /pdf\/paper\.pdf is empty\. Nothing/);
  });
  it('covers page images, at the page', () => {
    const images = new Map([[2, { ...broken, path: '/data/paper_2.png' }]]);
    const findings = found({}, { ...documentOf(3), images });
    assert.deepEqual(brief(findings), ['page/document-unreadable 0 /evidence_page/0']);
  });
});

describe('page/image-missing', () => {
  const facts = (imageNumbers: readonly number[]): DocumentFacts => ({
    ...documentOf(3),
    images: new Map([[2, { state: 'missing', looked: ['/data/paper_2.png'] }]]),
    imageNumbers,
  });
  it('names the image and suggests the other base', () => {
    const [finding] = found({}, facts([0, 1]));
    assert.equal(finding!.code, 'page/image-missing');
    assert.match(finding!.message, /paper_2\.png.*"imageBase" to 0/);
    assert.match(found({}, facts([1]))[0]!.message, /There are images of 1\./);
  });
  it('is silent where the page does not exist, or nothing is configured', () => {
    assert.deepEqual(brief(found({ evidence_page: [2] }, { ...facts([]), ...{ pdf: documentOf(1).pdf! } })), [
      'page/out-of-range 0 /evidence_page/0',
    ]);
    const own = settingsOf('sciegqa', { locationsConfigured: false });
    assert.deepEqual(check(pageRules, own, [SCIEGQA], { document: facts([1]) }), []);
  });
});

describe('page/image-mismatch', () => {
  const rows: readonly [images: readonly unknown[], message: RegExp | undefined][] = [
    [['Images/cs/paper/paper_2.png'], undefined],
    [['Images/cs/paper/paper_002.png'], undefined],
    [['Images/cs/paper/paper_3.png'], /image of page 3, but the page cited in its place is 2/],
    [['paper_1.png'], /page 1,.*numbered from 0/],
    [['imgs/paper/page_0002.png'], undefined],
    [['imgs/paper/page_0003.png'], /page 3/],
    [['page_0003.png'], undefined],
    [['other_2.png'], /image of "other", but the record is about "paper"/],
    [['paper.png'], undefined],
    [['crops/sample_00001_cs_paper_p4_r1_image.png'], undefined],
    [['paper_1.png', 'paper_2.png', 'paper_3.png'], undefined],
    [[17], undefined],
  ];
  for (const [images, message] of rows) {
    it(JSON.stringify(images), () => {
      const findings = found({ images });
      assert.equal(findings.length, message === undefined ? 0 : 1);
      if (message !== undefined) assert.match(findings[0]!.message, message);
    });
  }
});
