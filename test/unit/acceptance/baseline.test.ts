import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { formatBaseline, knownIn, parseBaseline } from '../../../server/src/core/acceptance/baseline.ts';

const finding = (file: string, record: string | null, fingerprint: string) => ({
  file,
  code: 'box/nested',
  record,
  pointer: '/bbox/0/1',
  fingerprint,
});
const [A, B] = ['000000000000000a', '000000000000000b'];

describe('baseline', () => {
  it('is the same whatever the order, one finding a line, and as its schema has it', () => {
    const findings = [finding('b.jsonl', 'id:1', A), finding('a.jsonl', 'id:2', B), finding('a.jsonl', null, A)];
    const text = formatBaseline(findings);
    assert.equal(formatBaseline(findings.toReversed()), text);
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, findings.length + 2);
    assert.ok(lines[1]?.includes('"record":null'));
    const schema = path.resolve(import.meta.dirname, '../../../schemas/baseline.schema.json');
    const check = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(readFileSync(schema, 'utf8')) as object);
    for (const one of [text, formatBaseline([])]) assert.ok(check(JSON.parse(one)), JSON.stringify(check.errors));
  });

  it('knows a finding as often as it has it, in its file', () => {
    const known = parseBaseline(formatBaseline([finding('a', 'x', A), finding('a', 'x', A), finding('b', 'x', B)]));
    assert.ok(typeof known !== 'string');
    const isKnown = knownIn(known, 'a');
    assert.deepEqual([A, A, A, B].map(isKnown), [true, true, false, false]);
    assert.equal(knownIn(known, 'c')(A), false);
  });

  const refused: readonly (readonly [string, RegExp])[] = [
    ['<<<<<<< HEAD', /is not JSON/],
    ['[]', /no list of findings/],
    ['null', /no list of findings/],
    ['{"version":2,"findings":[]}', /version 2/],
    ['{"version":1,"findings":[{"file":"a"}]}', /finding 1 names no file or no fingerprint/],
  ];
  for (const [text, expected] of refused) {
    it(`refuses ${text}`, () => {
      const problem = parseBaseline(text);
      assert.ok(typeof problem === 'string');
      assert.match(problem, expected);
    });
  }
});
