import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import {
  acceptanceFindings,
  acceptedIn,
  formatAccepted,
  parseAccepted,
  staleAcceptances,
} from '../../../server/src/core/acceptance/accepted.ts';
import type { LookedAt } from '../../../server/src/core/acceptance/accepted.ts';

const ONE = '0000000000000001';
const TWO = '0000000000000002';
const line = (members: object): string => JSON.stringify({ fingerprint: ONE, reason: 'as printed', ...members });

describe('accepted findings', () => {
  it('are read line by line: blank lines, CRLF and a byte order mark are fine', () => {
    const text = `\uFEFF${line({ file: 'a.jsonl' })}\r\n\r\n${line({ fingerprint: TWO })}\n`;
    const list = parseAccepted(text);
    assert.deepEqual(list.faults, []);
    assert.deepEqual(
      list.entries.map((entry) => entry.line),
      [0, 2],
    );
    assert.deepEqual([...acceptedIn(list, 'a.jsonl')], [ONE, TWO]);
    assert.deepEqual([...acceptedIn(list, 'b.jsonl')], [TWO]);
  });

  const broken: readonly (readonly [string, RegExp, string])[] = [
    ['{"fingerprint": ', /not JSON/, '{"fingerprint": '],
    ['["x"]', /not an object/, '["x"]'],
    ['{"reason":"x"}', /has no "fingerprint"/, '{"reason":"x"}'],
    [line({ fingerprint: 'abc' }), /16 hexadecimal digits/, '"abc"'],
    [line({ reason: undefined }), /with a reason/, line({ reason: undefined })],
    [line({ reason: ' \t' }), /with a reason/, '" \\t"'],
    [line({ code: 7 }), /"code" is not text/, '7'],
  ];
  for (const [text, expected, place] of broken) {
    it(`a line that cannot be used has a finding on its place: ${text}`, () => {
      const { entries, faults } = parseAccepted(`${line({ fingerprint: TWO })}\n${text}\n`);
      const [fault] = faults;
      assert.equal(entries.length, 1, 'the other line counts');
      assert.equal(faults.length, 1);
      assert.equal(fault?.code, 'config/invalid-acceptance');
      assert.match(fault.message, expected);
      assert.equal(fault.start.line, 1);
      assert.equal(text.slice(fault.start.column, fault.end.column), place);
    });
  }

  it('a second line for the same finding is stale', () => {
    const { entries, faults } = parseAccepted(`${line({})}\n${line({ reason: 'again' })}\n`);
    assert.equal(entries.length, 1);
    assert.deepEqual(
      faults.map(({ code, start }) => [code, start.line]),
      [['config/stale-acceptance', 1]],
    );
  });

  const looked = (found: readonly string[], whole = true): LookedAt => ({ found: new Set(found), whole: () => whole });
  const staleOf = (text: string, files: Readonly<Record<string, LookedAt | undefined>>): readonly string[] =>
    staleAcceptances(parseAccepted(text), new Map(Object.entries(files))).map(({ message }) => message);

  it('are stale where their file was looked at as a whole, and nowhere else', () => {
    const text = line({ file: 'a.jsonl', code: 'box/nested' });
    assert.match(staleOf(text, { 'a.jsonl': looked([]) })[0] ?? '', /box\/nested is not found in a\.jsonl any more/);
    assert.deepEqual(staleOf(text, { 'a.jsonl': looked([ONE]) }), []);
    assert.deepEqual(staleOf(text, { 'a.jsonl': looked([], false) }), []);
    assert.deepEqual(staleOf(text, { 'a.jsonl': undefined }), []);
    assert.match(staleOf(text, { 'b.jsonl': looked([]) })[0] ?? '', /There is no a\.jsonl/);
  });

  it('without a file they are stale where all files beside were looked at', () => {
    const text = line({});
    assert.equal(staleOf(text, { 'a.jsonl': looked([]), 'b.jsonl': looked([]) }).length, 1);
    assert.deepEqual(staleOf(text, { 'a.jsonl': looked([]), 'b.jsonl': looked([ONE]) }), []);
    assert.deepEqual(staleOf(text, { 'a.jsonl': looked([]), 'b.jsonl': undefined }), []);
  });

  it('of a rule that is gone they are stale however little was looked at', () => {
    assert.equal(staleOf(line({ file: 'a', code: 'box/gone' }), { a: looked([], false) }).length, 1);
  });

  it('faults become findings at their level, and none where the rule is off', () => {
    const { faults } = parseAccepted('[]');
    const [finding] = acceptanceFindings(faults, { 'config/invalid-acceptance': 'warning' });
    assert.equal(finding?.severity, 'warning');
    assert.deepEqual(acceptanceFindings(faults, { 'config/invalid-acceptance': 'off' }), []);
  });

  it('are written as they are read, and as their schema has them', () => {
    const schema = path.resolve(import.meta.dirname, '../../../schemas/accepted.schema.json');
    const check = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(readFileSync(schema, 'utf8')) as object);
    const accepted = {
      file: 'a.jsonl',
      code: 'box/nested',
      record: 'id:“x”\u2028',
      pointer: '/bbox/0/1',
      fingerprint: ONE,
      reason: 'A table\nin a figure.',
      by: 'K.',
      at: '2026-11-30',
    };
    const text = formatAccepted(accepted);
    assert.ok(!text.includes('\n'));
    assert.ok(check(JSON.parse(text)), JSON.stringify(check.errors));
    assert.ok(!check(JSON.parse(line({ reason: '' }))));
    const [entry] = parseAccepted(text).entries;
    assert.deepEqual({ ...entry }, { ...accepted, line: 0, length: text.length });
  });
});
