import assert from 'node:assert/strict';
import { parseConfiguration } from '../../../server/src/core/profile/configuration.ts';
import { documentRequest } from '../../../server/src/core/profile/locations.ts';
import { settingsFor } from '../../../server/src/core/profile/settings.ts';
import type { DocumentRequest } from '../../../server/src/core/ports.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import { DOCMATH, MMLONGBENCH, SCIEGQA } from './records.ts';
import { needSharedRecords } from './shared-data.ts';

/** Request of one record; with `entry`, under a configuration in /work. */
function request(record: Readonly<Record<string, unknown>>, entry?: object): DocumentRequest | undefined {
  const json = JSON.stringify({ datasets: [{ files: ['**'], ...entry }] });
  const settings = settingsFor({
    filePath: '/sets/a.jsonl',
    samples: [record],
    ...(entry && { configuration: { folder: '/sets', parsed: parseConfiguration(json) } }),
  });
  assert.ok('profile' in settings);
  return documentRequest(toCanonical(record, settings.profile), settings);
}

const CONFIGURED = { pdf: 'pdf/{doc_name}.pdf', pageImage: 'Images/{category}/{doc_name}/{doc_name}_{page}.png' };

describe('locations of documents', () => {
  it('fills configured templates exactly', () => {
    const found = request(SCIEGQA, CONFIGURED);
    assert.equal(found?.root, '/sets');
    assert.deepEqual(found?.pdf, ['/sets/pdf/demo-doc.pdf']);
    assert.deepEqual([...(found?.images ?? [])], [[2, ['/sets/Images/cs/demo-doc/demo-doc_2.png']]]);
    assert.deepEqual(found?.imageListing, { folder: '/sets/Images/cs/demo-doc', pattern: '^demo-doc_(\\d+)\\.png$' });
  });

  it('pads and shifts page numbers', () => {
    const found = request(
      { ...SCIEGQA, evidence_page: [2, 12] },
      { pageImage: 'p/{doc_name}/page_{page:3}.png', imageBase: 0 },
    );
    assert.deepEqual(
      [...(found?.images ?? [])],
      [
        [2, ['/sets/p/demo-doc/page_001.png']],
        [12, ['/sets/p/demo-doc/page_011.png']],
      ],
    );
  });

  it('takes any text or number of the record', () => {
    const found = request(
      { ...SCIEGQA, year: 2032, venue: 'x/y' },
      { pdf: ['{venue}/{year}/{doc_name}.pdf', 'b.pdf'] },
    );
    assert.deepEqual(found?.pdf, ['/sets/x/y/2032/demo-doc.pdf', '/sets/b.pdf']);
  });

  it('tries the published layouts, with leading zeros', () => {
    const found = request(SCIEGQA);
    assert.equal(found?.pdf[0], '/sets/pdf/demo-doc.pdf');
    const images = found?.images.get(2) ?? [];
    assert.deepEqual(
      images.slice(0, 4),
      ['2', '02', '002', '0002'].map((n) => `/sets/Images/cs/demo-doc/demo-doc_${n}.png`),
    );
    assert.ok(images.includes('/sets/cs/demo-doc/demo-doc_2.png'));
    assert.ok(images.includes('/sets/demo-doc_2.png'));
    assert.match('demo-doc_0012.png', new RegExp(found?.imageListing?.pattern ?? 'none'));
    assert.equal(found?.otherListings?.at(-1)?.folder, '/sets');
  });

  it('skips layouts for which a record lacks a text', () => {
    const { query, answer, doc_name, evidence_page, bbox } = SCIEGQA;
    const found = request({ query, answer, doc_name, evidence_page, bbox });
    assert.equal(found?.refused, undefined);
    assert.equal(found?.images.get(2)?.[0], '/sets/Images/demo-doc/demo-doc_2.png');
  });

  it('says which text a configured location lacks, when none is left', () => {
    const record = { ...SCIEGQA, category: undefined };
    assert.match(request(record, { pageImage: CONFIGURED.pageImage })?.refused ?? '', /no "category"/);
    assert.equal(request(record, CONFIGURED)?.refused, undefined);
  });

  it('has none without a document or a location', () => {
    assert.equal(request({ ...SCIEGQA, doc_name: undefined }), undefined);
    assert.equal(request({ ...SCIEGQA, doc_name: ' ' }), undefined);
    assert.equal(request(DOCMATH), undefined);
  });

  it('has no image for what is no page', () => {
    const found = request({ ...SCIEGQA, evidence_page: [0, -1, 1.5, '2', null, 3] }, CONFIGURED);
    assert.deepEqual([...(found?.images.keys() ?? [])], [3]);
  });

  it('reads pages of a list in a text', () => {
    const found = request(MMLONGBENCH);
    assert.deepEqual(found?.pdf, ['/sets/documents/demo-doc.pdf', '/sets/demo-doc.pdf']);
    assert.equal(found?.images.size, 0);
  });

  const hostile = [
    '../secret',
    'a/../../secret',
    '..',
    '/etc/passwd',
    'C:\\secret',
    'c:secret',
    '..\\secret',
    '\\\\host\\share',
    'a\u0000b',
    'file:///etc/passwd',
  ];
  for (const doc_name of hostile) {
    it(`refuses the document ${JSON.stringify(doc_name)}`, () => {
      for (const found of [request({ ...SCIEGQA, doc_name }), request({ ...SCIEGQA, doc_name }, CONFIGURED)]) {
        assert.match(found?.refused ?? '', /cannot name a document/);
        assert.deepEqual([found?.pdf, found?.images.size, found?.imageListing], [[], 0, undefined]);
      }
    });
  }

  it('refuses any other text that leads out', () => {
    for (const category of ['..', '../..', '/abs', 'a\\b']) {
      assert.match(request({ ...SCIEGQA, category }, CONFIGURED)?.refused ?? '', /"category" cannot be part/);
    }
  });

  it('keeps special characters of names out of the pattern', () => {
    const { imageListing } = request({ ...SCIEGQA, doc_name: 'a(1)+[x].*' }, CONFIGURED) ?? {};
    const pattern = new RegExp(imageListing?.pattern ?? 'none');
    assert.match('a(1)+[x].*_3.png', pattern);
    assert.doesNotMatch('a1xx_3.png', pattern);
  });

  it('takes page images that the record names, and no crops', () => {
    const images = [
      'pages/demo-doc_1.png',
      './pages/demo-doc_002.png',
      'crops/sample_00001_cs_demo-doc_p2_r1_image.png',
      '../demo-doc_2.png',
      'other_2.png',
    ];
    const own = request({ ...SCIEGQA, images })
      ?.images.get(2)
      ?.filter((path) => /pages|crops|other|\.\./.test(path));
    assert.deepEqual(own, ['/sets/pages/demo-doc_002.png']);
  });

  it('finds the page among all images of a document', function () {
    const [record] = needSharedRecords(this, 'sciegqa/views/bbox_docvqa_document.jsonl');
    const images = record!.value['images'] as string[];
    assert.equal(images.length, 28);
    assert.equal(request(record!.value)?.images.get(4)?.at(-1), `/sets/${images[3]}`);
  });

  it('takes no crop of the real views for a page', function () {
    for (const view of ['crop_demo', 'pred_bbox_crop_demo']) {
      for (const { value } of needSharedRecords(this, `sciegqa/views/${view}.jsonl`)) {
        const candidates = [...(request(value)?.images.values() ?? [])].flat();
        assert.ok(candidates.length > 0);
        assert.deepEqual(
          candidates.filter((path) => path.includes('crop')),
          [],
        );
      }
    }
  });
});
