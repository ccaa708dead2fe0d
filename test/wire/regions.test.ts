/** Evidence corrected from the preview: what the server answers to gestures, and what the files are afterwards. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EvidenceRegion, EvidenceView } from '../../schemas/protocol.ts';
import { EVIDENCE } from '../../schemas/protocol.ts';
import type { ChangeEvidenceResult, EvidenceChange } from '../../schemas/regions.ts';
import { CHANGE_EVIDENCE } from '../../schemas/regions.ts';
import { DOCUMENTS, fileOf, putDocument, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';
import { openView } from './view-documents.ts';

const REAL = path.join(import.meta.dirname, '../../../shared/data/sciegqa/2311.07631.jsonl');

type Edits = Extract<ChangeEvidenceResult, { kind: 'edits' }>;

/** A text after edits that an editor makes at once. */
function edited(text: string, { edits }: Edits): string {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = ({ line, character }: { line: number; character: number }): number => starts[line]! + character;
  return edits
    .map(({ range, newText }) => ({ start: offset(range.start), end: offset(range.end), newText }))
    .sort((one, two) => two.start - one.start)
    .reduce((now, { start, end, newText }) => now.slice(0, start) + newText + now.slice(end), text);
}

describe('evidence corrected over stdio', function () {
  this.timeout(120_000);
  let server: WireServer;
  before(async () => {
    server = await startServer({ trusted: false });
    putDocument(server);
  });
  after(() => server.stop());

  const change = (
    uri: string,
    index: number,
    version: number | null,
    asked: EvidenceChange,
  ): Promise<ChangeEvidenceResult> =>
    server.connection.sendRequest(CHANGE_EVIDENCE, { uri, index, version, change: asked });
  const viewOf = (uri: string, index: number): Promise<EvidenceView> =>
    server.connection.sendRequest(EVIDENCE, { uri, index });

  async function made(uri: string, index: number, version: number | null, asked: EvidenceChange): Promise<Edits> {
    const result = await change(uri, index, version, asked);
    assert.equal(result.kind, 'edits', JSON.stringify(result));
    return result as Edits;
  }

  async function said(uri: string, index: number, asked: EvidenceChange): Promise<string> {
    const result = await change(uri, index, null, asked);
    assert.equal(result.kind, 'problem', JSON.stringify(result));
    return (result as Extract<ChangeEvidenceResult, { kind: 'problem' }>).message;
  }

  async function opened(name: string, text: string): Promise<string> {
    const uri = server.write(name, text);
    await server.open(uri, text);
    await server.status(uri, ({ profile, running }) => profile !== null && !running);
    return uri;
  }

  const write = (uri: string, version: number, text: string): Promise<void> =>
    server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });

  const line = (patch: Readonly<Record<string, unknown>> = {}): string => sciegqa(patch)[0]!;
  const FULL = { left: 0.1, top: 0.1, width: 0.4, height: 0.2 };

  it('tells what can be changed, with numbers, units and labels', async () => {
    const uri = await opened('told.jsonl', fileOf([line()]));
    const view = await viewOf(uri, 0);
    const [page] = view.pages;
    assert.deepEqual(page?.units, { width: 2550, height: 3300, step: 1 });
    assert.deepEqual(page?.regions[0]?.numbers, [300, 600, 2100, 1500]);
    assert.deepEqual(view.labels, ['text', 'image', 'table', 'unknown']);
    assert.deepEqual(view.editable, { question: '/query', answer: '/answer' });
  });

  it('moves one edge: its number and its twin’s, and the next snapshot shows it', async () => {
    const text = fileOf([line({ bbox: [[[300, 600, 2100, 1600]]] }), line()]);
    const uri = await opened('edge.jsonl', text);
    await server.diagnostics(uri, (all) => all.some(({ code }) => code === 'box/mismatch'));
    const view = await viewOf(uri, 0);
    const { pointer, left, top, width, height, text: numbers, label, problems } = view.pages[0]!.regions[0]!;
    assert.deepEqual([numbers, label, problems.length], ['[300,600,2100,1600]', 'table', 1]);
    const place = { left, top, width, height: height - 100 / 3300 };
    const result = await made(uri, 0, view.version, { kind: 'place', pointer, place });
    assert.equal(result.title, 'Resize region 1');
    assert.equal(result.pointer, pointer);
    const after = edited(text, result);
    assert.equal(after, text.replace('1600', '1500'));
    await write(uri, 2, after);
    await server.diagnostics(uri, (all) => all.every(({ code }) => code !== 'box/mismatch'));
    const shown = (await viewOf(uri, 0)).pages[0]!.regions[0]!;
    assert.deepEqual(shown.numbers, [300, 600, 2100, 1500]);
    const back = await made(uri, 0, 2, { kind: 'place', pointer, place: shown });
    assert.deepEqual(back.edits, []);
  });

  it('makes no change of what is none: numbers that are not finite arrive as null', async () => {
    const uri = await opened('unsound.jsonl', fileOf([line()]));
    const pointer = '/bbox/0/0';
    const nowhere = { ...FULL, width: null };
    for (const asked of [
      { kind: 'add', page: 1, place: nowhere, label: null },
      { kind: 'add', page: 1.5, place: FULL, label: null },
      { kind: 'add', page: 1, place: FULL, label: 3 },
      { kind: 'place', pointer, place: nowhere },
      { kind: 'numbers', pointer, numbers: [1, 2, 3] },
      { kind: 'duplicate', pointer, by: { left: null, top: 0 } },
      { kind: 'page', pointer, page: null },
      { kind: 'citePage', page: -1 },
      { kind: 'record', page: 1, place: nowhere, label: null, text: null },
      { kind: 'paint', pointer },
      null,
    ]) {
      assert.equal(await said(uri, 0, asked as never), 'This is no change that can be made.', JSON.stringify(asked));
    }
  });

  it('answers a change of an older snapshot with stale', async () => {
    const text = fileOf([line()]);
    const uri = await opened('stale.jsonl', text);
    const { version } = await viewOf(uri, 0);
    await write(uri, 2, text.replace('North', 'South'));
    assert.deepEqual(await change(uri, 0, version, { kind: 'remove', pointer: '/bbox/0/0' }), { kind: 'stale' });
    await made(uri, 0, 2, { kind: 'remove', pointer: '/bbox/0/0' });
  });

  it('marks a region on a page that is not cited yet, also where only page images tell its size', async () => {
    for (const page of [1, 2, 3]) {
      server.write(`pictures/demo-doc_${page}.png`, readFileSync(path.join(DOCUMENTS, `demo-doc_${page}.png`)));
    }
    const text = fileOf([line()]);
    const uri = await opened('pictures/set.jsonl', text);
    const result = await made(uri, 0, null, { kind: 'add', page: 3, place: FULL, label: 'text' });
    const after = edited(text, result);
    const record = JSON.parse(after) as { bbox: number[][][]; rel_bbox: number[][][] };
    assert.deepEqual(record.bbox[1], [[255, 330, 1275, 990]]);
    assert.deepEqual(record.rel_bbox[1], [[100, 100, 500, 300]]);
    assert.match(after, /"evidence_page":\[2,3\].*"subimg_type":\[\["table"\],\["text"\]\]/);
    assert.equal(result.pointer, '/bbox/1/0');
    assert.equal(
      await said(uri, 0, { kind: 'add', page: 40, place: FULL, label: null }),
      'The size of page 40 is not known, so the numbers of a box there cannot be told.',
    );
  });

  it('changes records of files that no editor has open', async () => {
    const text = fileOf([line(), line()]);
    const uri = server.write('closed.jsonl', text);
    const result = await made(uri, 1, null, { kind: 'label', pointer: '/bbox/0/0', label: 'image' });
    assert.equal(result.uri, uri);
    const [first, second] = edited(text, result).split('\n');
    assert.equal(first, line());
    assert.equal(second, line().replace('"table"]', '"image"]'));
  });

  it('changes the document of a record that is open, and the file where the document shows the solution alone', async () => {
    const solution = 'def solution():\n    return 1';
    const configuration = { profiles: { own: { extends: 'sciegqa', fields: { solution: '/code', gold: '/gold' } } } };
    server.write(
      'views/auditable-qa.json',
      JSON.stringify({ ...configuration, datasets: [{ files: ['*.jsonl'], profile: 'own' }] }),
    );
    server.write('views/demo-doc.pdf', readFileSync(path.join(DOCUMENTS, 'demo-doc.pdf')));
    const text = fileOf([line(), line({ code: solution, gold: 1 })]);
    const uri = await opened('views/set.jsonl', text);
    const record = await openView(server, uri, 1, 'record');
    const own = await made(record.uri, 1, null, {
      kind: 'numbers',
      pointer: '/bbox/0/0',
      numbers: [300, 600, 2100, 1501],
    });
    assert.equal(own.uri, record.uri);
    assert.equal(edited(record.text, own).replace('1501', '1500').replace('454.848485', '454.545455'), record.text);
    const code = await openView(server, uri, 1, 'solution');
    const inFile = await made(code.uri, 1, null, { kind: 'label', pointer: '/bbox/0/0', label: 'text' });
    assert.equal(inFile.uri, uri);
    assert.equal(edited(text, inFile), `${line()}\n${text.split('\n')[1]!.replace('"table"]', '"text"]')}\n`);
    const begun = await made(record.uri, 1, null, { kind: 'record', page: 2, place: null, label: null, text: null });
    assert.equal(begun.uri, uri);
  });

  it('edits texts where they are as they were seen, and numbers as numbers', async () => {
    const configuration = { profiles: { own: { extends: 'sciegqa', fields: { gold: '/gold', answer: '/words' } } } };
    server.write(
      'texts/auditable-qa.json',
      JSON.stringify({ ...configuration, datasets: [{ files: ['*.jsonl'], profile: 'own' }] }),
    );
    const text = fileOf([
      line({ query: 'Gr\u00f6\u00dfe?', gold: 1 }).replace('\u00f6', '\\u00F6').replace('\u00df', '\\u00DF'),
    ]);
    const uri = await opened('texts/set.jsonl', text);
    const question = { kind: 'text', pointer: '/query', was: 'Größe?', text: 'Größe in \u00b5m?' } as const;
    assert.equal(edited(text, await made(uri, 0, null, question)), text.replace('e?', 'e in \\u00B5m?'));
    assert.equal(await said(uri, 0, { ...question, was: 'Grösse?' }), 'The record has another text there by now.');
    const gold = { kind: 'text', pointer: '/gold', was: '1', text: '1.50' } as const;
    assert.equal(edited(text, await made(uri, 0, null, gold)), text.replace('"gold":1', '"gold":1.50'));
    assert.match(await said(uri, 0, { ...gold, text: '1,500' }), /^"1,500" is no number/);
  });

  it('lists regions whose place nobody knows, and lets their numbers and labels be changed', async () => {
    const lost = {
      doc_name: 'lost',
      bbox: [
        [
          [1, 2, 3],
          [10, 20, 300, 400],
        ],
      ],
      subimg_type: [['text', 'table']],
    };
    const text = fileOf([line({ ...lost, rel_bbox: undefined }), line({ doc_name: 'lost' })]);
    const uri = await opened('lost/set.jsonl', text);
    const regions = (await viewOf(uri, 0)).pages[0]!.regions;
    assert.deepEqual(
      regions.map(({ pointer, unplaced, numbers, width }) => [pointer, unplaced, numbers, width]),
      [
        ['/bbox/0/0', true, undefined, 0],
        ['/bbox/0/1', true, [10, 20, 300, 400], 0],
      ],
    );
    const numbers = { kind: 'numbers', pointer: '/bbox/0/0', numbers: [1, 2, 3, 4] } as const;
    assert.equal(edited(text, await made(uri, 0, null, numbers)), text.replace('[1,2,3]', '[1,2,3,4]'));
    const order = { kind: 'order', pointer: '/bbox/0/1', to: 0 } as const;
    assert.match(
      edited(text, await made(uri, 0, null, order)),
      /\[\[\[10,20,300,400\],\[1,2,3\]\]\].*\["table","text"\]/,
    );
    const place = { kind: 'place', pointer: '/bbox/0/1', place: FULL } as const;
    assert.match(await said(uri, 0, place), /^The size of page 2 is not known/);
    // Twins tell the page's size: 2100 is 823.529412 thousandths of it.
    const twins = await made(uri, 1, null, { ...place, pointer: '/bbox/0/0' });
    assert.match(
      edited(text, twins).split('\n')[1]!,
      /"bbox":\[\[\[255,330,1275,990\]\]\],"rel_bbox":\[\[\[100.0,100.0,500.0,300.0\]\]\]/,
    );
  });

  describe('a new record', () => {
    const region = { kind: 'record', page: 1, place: FULL, label: 'text', text: '4 % "net"' } as const;

    it('follows its sibling in JSONL, also where the last line does not end', async () => {
      for (const end of ['', '\n']) {
        const text = `${line()}\n${line({ category: 'math' })}${end}`;
        const uri = await opened(`begun${end.length}.jsonl`, text);
        const result = await made(uri, 1, null, region);
        assert.deepEqual([result.index, result.pointer], [2, '/bbox/0/0']);
        const after = edited(text, result);
        const [first, second, third, ...rest] = after.split('\n');
        assert.deepEqual(
          [`${first}\n${second}`, rest],
          [`${line()}\n${line({ category: 'math' })}`, end === '' ? [] : ['']],
        );
        assert.equal(
          third,
          '{"query":"","answer":"4 % \\"net\\"","doc_name":"demo-doc","evidence_page":[1],"bbox":[[[255,330,1275,990]]],' +
            '"rel_bbox":[[[100.0,100.0,500.0,300.0]]],"subimg_type":[["text"]],"category":"math"}',
        );
        await write(uri, 2, after);
        const view = await viewOf(uri, 2);
        assert.deepEqual([view.records, view.question, view.pages[0]?.regions.length], [3, '', 1]);
      }
    });

    it('is laid out like its siblings in an array, and has the next free id', async () => {
      const records = ['p-007', 'p-012', 'p-009'].map((sciegqa_id) => ({
        sciegqa_id,
        ...(JSON.parse(line()) as object),
      }));
      const text = `${JSON.stringify(records, null, 2)}\n`;
      const uri = await opened('begun.json', text);
      for (const index of [0, 2]) {
        const after = edited(text, await made(uri, index, null, region));
        const begun = { ...records[0], ...(JSON.parse(after) as object[])[index + 1] } as Record<string, unknown>;
        assert.equal(begun['sciegqa_id'], 'p-013');
        assert.equal(begun['query'], '');
        const expected = (JSON.parse(text) as object[]).toSpliced(index + 1, 0, begun);
        assert.equal(after.replaceAll('00.0', '00'), `${JSON.stringify(expected, null, 2)}\n`);
      }
      const single = '{"data": [\n' + `  ${line()}\n` + ']}\n';
      const other = await opened('single.json', single);
      const after = edited(single, await made(other, 0, null, { ...region, place: null }));
      assert.match(after, /^\{"data": \[\n {2}\{.*\},\n {2}\{"query":"".*"bbox":\[\[\]\].*\}\n\]\}\n$/);
    });
  });

  it('leaves alone what nested records share', async () => {
    const own = {
      fields: {
        question: '/query',
        answer: '/answer',
        document: '/../doc',
        pages: '/pages',
        regions: { boxes: '/bbox', labels: '/labels' },
      },
      records: '/questions/*',
      coordinates: { space: 'permille' },
    };
    server.write(
      'nested/auditable-qa.json',
      JSON.stringify({ profiles: { own }, datasets: [{ files: ['*.json'], profile: 'own' }] }),
    );
    const one = '{"query": "q", "answer": "a", "pages": [2], "bbox": [[[1, 2, 30, 40]]], "labels": [["x"]]}';
    const text = `[\n  {"doc": "demo-doc", "questions": [\n    ${one}\n  ]}\n]\n`;
    const uri = await opened('nested/set.json', text);
    const moved = await made(uri, 0, null, { kind: 'numbers', pointer: '/bbox/0/0', numbers: [1, 2, 30, 50] });
    assert.equal(edited(text, moved), text.replace('40]', '50]'));
    const begun = await made(uri, 0, null, { kind: 'record', page: 3, place: FULL, label: 'y', text: null });
    const behind = '{"query": "", "answer": "", "pages": [3], "bbox": [[[100, 100, 500, 300]]], "labels": [["y"]]}';
    assert.equal(edited(text, begun), text.replace(one, `${one},\n    ${behind}`));
    const shared = { kind: 'text', pointer: '/../doc', was: 'demo-doc', text: 'x' } as const;
    assert.match(await said(uri, 0, shared), /^It stands outside of the record/);
  });

  it('leaves all regions of a real file where they are, and moves each by a pixel, in its numbers alone', async function () {
    if (!existsSync(REAL)) {
      this.skip();
      return;
    }
    const text = readFileSync(REAL, 'utf8');
    const uri = pathToFileURL(REAL).href;
    await server.open(uri, text);
    await server.status(uri, ({ profile, running }) => profile !== null && !running);
    const lines = text.split('\n').filter((one) => one !== '');
    let regions = 0;
    for (const [index, own] of lines.entries()) {
      const view = await viewOf(uri, index);
      for (const page of view.pages) {
        for (const [at, region] of page.regions.entries()) {
          regions++;
          const { pointer } = region;
          const same = await made(uri, index, view.version, { kind: 'place', pointer, place: region });
          assert.deepEqual(same.edits, [], own);
          const units = page.units!;
          const left = region.left - 1 / units.width;
          const result = await made(uri, index, view.version, { kind: 'place', pointer, place: { ...region, left } });
          assert.equal(result.title, `Move region ${at + 1}`);
          const after = edited(text, result).split('\n');
          assert.deepEqual(after.toSpliced(index, 1), text.split('\n').toSpliced(index, 1));
          const [x1, y1, x2, y2] = region.numbers!;
          // x1 and x2 of the box, and of its twin.
          assert.equal(result.edits.length, 4);
          assert.deepEqual(boxOf(after[index]!, pointer), [x1 - 1, y1, x2 - 1, y2]);
          assert.ok(result.edits.every(({ newText }) => /^[\d.]+$/.test(newText)));
        }
      }
    }
    assert.equal(regions, 34);
    const { diagnostics } = server.published.findLast((one) => one.uri === uri)!;
    assert.deepEqual(
      diagnostics.filter(({ code }) => code === 'box/mismatch'),
      [],
    );
  });

  function boxOf(record: string, pointer: string): unknown {
    return pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], JSON.parse(record));
  }

  it('knows regions by their pointers only as long as they are there', async () => {
    const uri = await opened('gone.jsonl', fileOf([line()]));
    assert.equal(await said(uri, 0, { kind: 'remove', pointer: '/bbox/0/3' }), 'The record has no such region.');
    assert.equal(await said(uri, 7, { kind: 'remove', pointer: '/bbox/0/0' }), 'The record is not there any more.');
    const known: EvidenceRegion | undefined = (await viewOf(uri, 0)).pages[0]?.regions[0];
    assert.equal(known?.pointer, '/bbox/0/0');
  });
});
