import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { MOST_REGIONS, readServiceAnswer, serviceRequest } from '../../../schemas/region-service.ts';

const FILE = path.resolve(import.meta.dirname, '../../../schemas/region-service.schema.json');
const schema = JSON.parse(readFileSync(FILE, 'utf8')) as { definitions: Record<string, object> };
const ajv = new Ajv({ strict: true, allowUnionTypes: true }).addSchema(schema, 'service');
const isRequest = ajv.compile({ $ref: 'service#/definitions/request' });
const isAnswer = ajv.compile({ $ref: 'service#/definitions/answer' });

const LABELS = ['text', 'table', 'image'];
const region = (changes: object = {}) => ({ left: 0.1, top: 0.2, width: 0.3, height: 0.4, ...changes });

/** What the schema says, and what the reader says: they must agree. */
function readBoth(answer: unknown) {
  const read = readServiceAnswer(answer, LABELS);
  assert.equal(isAnswer(answer), read.kind === 'regions', JSON.stringify(read));
  return read;
}

describe('messages of a region service', () => {
  it('asks as the schema says', () => {
    const request = serviceRequest({ png: 'iVBORw0KGgo=', width: 850, height: 1100 }, LABELS);
    assert.ok(isRequest(JSON.parse(JSON.stringify(request))), JSON.stringify(isRequest.errors));
    assert.equal(isRequest({ ...request, version: 2 }), false);
  });

  it('takes regions by falling score, with labels that were asked for', () => {
    const read = readBoth({
      model: 'x',
      regions: [
        region({ label: 'text' }),
        region({ label: 'table', score: 0.5 }),
        region({ label: 'chart', score: 0.9 }),
        region({ label: null, score: null }),
      ],
    });
    assert.equal(read.kind, 'regions');
    assert.deepEqual(
      read.regions.map(({ label, score }) => [label, score]),
      [
        [null, 0.9],
        ['table', 0.5],
        ['text', null],
        [null, null],
      ],
    );
    assert.deepEqual(readBoth({ regions: [] }), { kind: 'regions', regions: [] });
  });

  it('keeps within the page what rounding put beside it', () => {
    const read = readServiceAnswer({ regions: [region({ left: -0.0005, width: 1.0008 })] }, LABELS);
    assert.equal(read.kind, 'regions');
    assert.deepEqual([read.regions[0]?.left, read.regions[0]?.width], [0, 1]);
  });

  for (const [answer, message] of [
    [null, /no list of "regions"/],
    [[], /no list of "regions"/],
    [{ regions: {} }, /no list of "regions"/],
    [{ regions: [region(), 7] }, /Region 2 of the answer is no object/],
    [{ regions: [region({ left: '0.1' })] }, /has no number "left"/],
    [{ regions: [region({ top: null })] }, /has no number "top"/],
    [{ regions: [region({ width: 300 })] }, /fractions of the page, from 0 to 1, are wanted/],
    [{ regions: [region({ height: 0 })] }, /is empty/],
    [{ regions: [region({ label: 3 })] }, /"label" that is no text/],
    [{ regions: [region({ score: 1.5 })] }, /"score" that is no number from 0 to 1/],
    [{ regions: Array.from({ length: MOST_REGIONS + 1 }, () => region()) }, /at most 1000 are taken/],
  ] as const) {
    it(`refuses ${JSON.stringify(answer).slice(0, 60)}`, () => {
      const read = readBoth(answer);
      assert.equal(read.kind, 'problem');
      assert.match(read.message, message);
    });
  }

  it('refuses what reaches beyond the page, which a schema cannot say', () => {
    const read = readServiceAnswer({ regions: [region({ left: 0.8 })] }, LABELS);
    assert.equal(read.kind, 'problem');
    assert.match(read.message, /Region 1 of the answer reaches beyond the page/);
  });
});
