import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileRules } from '../../server/src/core/rules/file.ts';
import type { RuleExample } from '../../server/src/core/rules/types.ts';
import { parseRecordText } from '../../server/src/core/text/parse.ts';
import { readRecords } from '../../server/src/core/text/reader.ts';
import { decodeBytes } from '../../server/src/node/files/decode.ts';

/** The codes that reading a file with these lines yields, bytes and all. */
function codes(example: RuleExample): string[] {
  const text = example.lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + '\n';
  const decoded = decodeBytes(Buffer.from(text, 'utf8'));
  if (!decoded.readable) return [decoded.fault?.code ?? ''];
  const { slots, faults } = readRecords(decoded.text, 'lines');
  return [...faults, ...slots.flatMap((slot) => parseRecordText(slot.text).faults)].map(({ code }) => code);
}

describe('file rules', () => {
  for (const rule of fileRules) {
    describe(rule.code, () => {
      it('is all that its example fires', () => {
        const found = codes(rule.fires);
        assert.ok(found.length > 0);
        assert.deepEqual([...new Set(found)], [rule.code]);
      });
      it('is quiet on the other example', () => assert.deepEqual(codes(rule.quiet), []));
      it('explains itself', () => {
        assert.equal(rule.needs, 'text');
        assert.ok(rule.why.split('\n\n').length >= 2, 'what it means, and what to do');
        assert.ok(!rule.title.endsWith('.') && rule.title.length <= 80);
      });
    });
  }

  it('has one rule per code that the text stage and the decoder report', () => {
    const reported = ['byte-order-mark', 'line-ends', 'faults', 'jsonlines', 'reader', 'parse', 'walk', 'diagnose']
      .map((name) => `server/src/core/text/${name}.ts`)
      .concat('server/src/node/files/decode.ts')
      .flatMap((path) => readFileSync(path, 'utf8').match(/(?<=code: ')file\/[a-z-]+/g) ?? []);
    assert.deepEqual([...new Set(reported)].sort(), fileRules.map(({ code }) => code).sort());
  });
});
