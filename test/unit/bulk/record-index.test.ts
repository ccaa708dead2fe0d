/** The index of a file on disk: what it reads around a record is what stands there. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNesting } from '../../../server/src/core/text/nested.ts';
import { readRecords } from '../../../server/src/core/text/reader.ts';
import { indexRecords } from '../../../server/src/node/bulk/record-index.ts';
import { stateOf } from '../../../server/src/node/files/write.ts';

const RUN = { stop: new AbortController().signal, advanced: () => undefined };

describe('the index of records on disk', () => {
  let folder: string;
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'auditable-qa-index-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const question = (text: string): string => `{"q": "${text}", "😀": [1.0, "€"]}`;
  const element = (name: string, texts: readonly string[]): string =>
    `{"tëxt": "${name}", "questions": [${texts.map(question).join(' ,\r\n\t')}], "after": "ü"}`;

  for (const [name, text, records] of [
    ['lines.jsonl', `\ufeff${['é', '', '日本'].map(question).join('\r\n')}`, undefined],
    ['array.json', `[\n  ${['é', '😀😀', ''].map(question).join(',\n  ')}\n]\n`, undefined],
    [
      'nested.json',
      `\ufeff[${element('ä', ['é', '€'])},\n\n${element('ö', [])}, ${element('ß', ['x'])} ]`,
      '/questions/*',
    ],
    ['empty.jsonl', '', undefined],
  ] as const) {
    it(`reads ${name} as it is, from and to every place`, async () => {
      const file = join(folder, name);
      writeFileSync(file, text);
      const form = name.endsWith('.json') ? 'json' : 'lines';
      const body = text.replace(/^\ufeff/, '');
      const slots = createNesting(records).expand(readRecords(body, form).slots);
      const seen: string[] = [];
      const index = await indexRecords(file, { form, records }, (slot) => void seen.push(slot.text), RUN);
      try {
        assert.deepEqual(
          seen,
          slots.map((slot) => slot.text),
        );
        assert.equal(index.places.count, slots.length);
        assert.equal(index.text.length, body.length);
        assert.equal(index.mark, text.length - body.length);
        for (const [at, slot] of slots.entries()) {
          assert.equal(index.places.start(at), slot.offset);
          assert.equal(index.places.end(at), slot.offset + slot.text.length);
        }
        for (let start = 0; start <= body.length; start++) {
          for (const end of [start, start + 1, start + 7, body.length]) {
            assert.equal(index.text.slice(start, Math.min(end, body.length)), body.slice(start, end));
          }
        }
        assert.deepEqual(index.state, await stateOf(file));
      } finally {
        index.close();
      }
    });
  }
});
