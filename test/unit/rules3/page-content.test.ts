import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { placeEdits } from '../../../server/src/core/edit/edits.ts';
import { createChecker } from '../../../server/src/core/checker.ts';
import { readPageFindings } from '../../../server/src/core/page/read.ts';
import type { DocumentReader, DocumentRequest } from '../../../server/src/core/ports.ts';
import { createDocumentReader } from '../../../server/src/node/pages/document-reader.ts';
import { settingsOf } from '../rules/support.ts';

const DOCUMENTS = resolve(import.meta.dirname, '../../cases/documents');
const DATA = resolve('../shared/data');
const BASE = {
  query: 'Which row of the table has the largest total?',
  answer: 'North',
  doc_name: 'demo-doc',
  evidence_page: [2],
  bbox: [[[300, 600, 2100, 1500]]],
  category: 'cs',
};

describe('what stands on pages', function () {
  this.timeout(60_000);
  let reader: DocumentReader;
  before(() => {
    const worker = new URL('../../../server/src/node/pages/pdf-worker.ts', import.meta.url);
    reader = createDocumentReader({ worker, trustMs: Infinity });
  });
  after(() => reader.dispose());

  const settings = settingsOf('sciegqa', { base: DOCUMENTS });

  /** Codes of the page rules on the record, with the PDF, with its images, or with both. */
  async function codes(change: object, sources: 'pdf' | 'image' | 'both' = 'both'): Promise<string[]> {
    const checker = createChecker({
      ...settings,
      pdf: sources === 'image' ? [] : ['{doc_name}.pdf'],
      pageImage: sources === 'pdf' ? [] : ['{doc_name}_{page}.png'],
    });
    const checked = checker.checkText(JSON.stringify({ ...BASE, ...change }));
    const document = await reader.read(checker.documentRequest(checked)!);
    return ((await readPageFindings(checker, checked, document, reader)) ?? []).map(({ code }) => code);
  }

  it('is nothing to report on a good region', async () => {
    for (const sources of ['pdf', 'image', 'both'] as const) assert.deepEqual(await codes({}, sources), [], sources);
  });

  it('is cut by an edge: by text and by ink', async () => {
    const bbox = [[[300, 600, 2100, 955]]];
    for (const sources of ['pdf', 'image', 'both'] as const)
      assert.deepEqual(await codes({ bbox }, sources), ['box/cuts-text'], sources);
  });

  it('is whole once the box has grown, in pixels and in its relative twin', async () => {
    const bbox = [[[300, 600, 2100, 955]]];
    const rel_bbox = [[[117.647059, 181.818182, 823.529412, 289.393939]]];
    for (const sources of ['pdf', 'image', 'both'] as const) {
      const checker = createChecker({
        ...settings,
        pdf: sources === 'image' ? [] : ['{doc_name}.pdf'],
        pageImage: sources === 'pdf' ? [] : ['{doc_name}_{page}.png'],
      });
      const checked = checker.checkText(JSON.stringify({ ...BASE, bbox, rel_bbox }));
      const document = await reader.read(checker.documentRequest(checked)!);
      const [finding] = (await readPageFindings(checker, checked, document, reader)) ?? [];
      const [fix] = finding?.fixes ?? [];
      assert.ok(fix !== undefined && !fix.safe, sources);
      assert.match(fix.title, /^Grow the box until nothing is cut: /);
      let text = checked.text;
      const edits = placeEdits(fix.edits, checked.text)!;
      for (const { span, text: put } of [...edits].sort((a, b) => b.span.start - a.span.start)) {
        text = text.slice(0, span.start) + put + text.slice(span.end);
      }
      const { bbox: grown, rel_bbox: twin } = JSON.parse(text) as Record<string, number[][][]>;
      assert.deepEqual(await codes({ bbox: grown, rel_bbox: twin }, sources), [], text);
      assert.ok(
        grown![0]![0]!.every((edge, i) => (i < 2 ? edge <= bbox[0]![0]![i]! : edge >= bbox[0]![0]![i]!)),
        text,
      );
      assert.ok(Math.abs(twin![0]![0]![3]! / 1000 - grown![0]![0]![3]! / 3300) < 1e-6, text);
    }
  });

  it('is nothing at all in a box on blank paper', async () => {
    const bbox = [[[300, 2300, 2100, 3000]]];
    assert.deepEqual(await codes({ bbox }, 'image'), ['box/no-content']);
    assert.ok((await codes({ bbox }, 'pdf')).includes('box/no-content'));
  });

  it('has the answer elsewhere', async () => {
    const bbox = [[[300, 600, 700, 740]]];
    assert.deepEqual(await codes({ bbox }, 'pdf'), ['answer/not-in-evidence']);
    assert.deepEqual(await codes({ bbox, answer: 'Somewhere' }, 'pdf'), []);
    assert.deepEqual(await codes({ bbox }, 'image'), []);
  });

  it('is not looked at in boxes that have an error, nor on pages that are not there', async () => {
    assert.deepEqual(await codes({ bbox: [[[300, 3000, 2700, 2300]]] }), []);
    assert.deepEqual(await codes({ evidence_page: [9] }), []);
  });

  it('is read once per page, and plain text for all of them', async () => {
    const request: DocumentRequest = { name: 'demo-doc', pdf: [join(DOCUMENTS, 'demo-doc.pdf')], images: new Map() };
    const document = await reader.read(request);
    const first = await reader.readPages!(document, [{ number: 2, index: 1 }]);
    const again = await reader.readPages!(document, [{ number: 2, index: 1 }]);
    assert.equal(first.get(2)?.text, again.get(2)?.text);
    const lines = first.get(2)!.text!.lines.map((line) => line.words.map((word) => word.text).join(' '));
    assert.ok(lines.includes('1,350'));
    const text = await reader.readText!(document);
    assert.equal(text?.length, 3);
    assert.match(text[1]!, /Table 1 lists the totals/);
  });

  it('leaves the 34 boxes of a real paper in peace, judged by ink', async function () {
    const file = join(DATA, 'sciegqa/2311.07631.jsonl');
    if (!existsSync(file)) {
      console.log('    ../shared/data is missing: not tried on a real paper');
      this.skip();
    }
    const checker = createChecker(
      settingsOf('sciegqa', {
        base: join(DATA, 'sciegqa'),
        pageImage: ['Images/{category}/{doc_name}/{doc_name}_{page}.png'],
        pdf: [],
      }),
    );
    let boxes = 0;
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const checked = checker.checkText(line);
      const document = await reader.read(checker.documentRequest(checked)!);
      const pages = checker.pagesWanted(checked, document);
      const read = await reader.readPages!(document, pages);
      assert.ok([...read.values()].every(({ ink }) => ink !== undefined));
      assert.deepEqual(checker.checkPages(checked, document, { pages: read }).findings, []);
      boxes += (checked.parsed.value!['bbox'] as unknown[][]).flat().length;
    }
    assert.equal(boxes, 34);
  });
});
