import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repairedAt, writingPlace } from '../../../server/src/core/complete/place.ts';
import type { WritingPlace } from '../../../server/src/core/complete/place.ts';

/** The place at the bar of a text. */
function at(text: string): WritingPlace | undefined {
  return writingPlace(text.replace('|', ''), text.indexOf('|'));
}

/** `key /a/0 "token" ,before ,after :` */
function told(text: string): string {
  const place = at(text);
  if (place === undefined) return 'none';
  const { kind, path, token, commaAt, wantsComma, hasColon } = place;
  const parts = [kind, `/${path.join('/')}`, text.replace('|', '').slice(token.start, token.end)];
  if (commaAt !== undefined) parts.push(`,@${commaAt}`);
  if (wantsComma) parts.push(',after');
  if (hasColon) parts.push(':');
  return parts.filter((part) => part !== '').join(' ');
}

describe('the place where somebody writes', () => {
  const CASES: readonly (readonly [string, string])[] = [
    ['{|}', 'key /'],
    ['{"|"}', 'key / ""'],
    ['{"a|"}', 'key / "a"'],
    ['{"a|": 1}', 'key / "a" :'],
    ['{"a": |}', 'value /a'],
    ['{"a":|}', 'value /a'],
    ['{"a": "x|y"}', 'value /a "xy"'],
    ['{"a": 12|}', 'value /a 12'],
    ['{"a": 1|, "b": 2}', 'value /a 1'],
    ['{"a": 1, |}', 'key /'],
    ['{"a": 1, | "b": 2}', 'key / ,after'],
    ['{"a": 1, "|" "b": 2}', 'key / "" ,after'],
    ['{"a": 1 |}', 'key / ,@7'],
    ['{"a": 1 "|"}', 'key / "" ,@7'],
    ['{"a": 1| }', 'value /a 1'],
    ['{"a": "x"|}', 'none'],
    ['{"a": [|]}', 'value /a/0'],
    ['{"a": [1, |]}', 'value /a/1'],
    ['{"a": [1, 2|]}', 'value /a/1 2'],
    ['{"a": [1 |]}', 'value /a/1 ,@8'],
    ['{"a": [| 1]}', 'value /a/0 ,after'],
    ['{"a": {"b": [{"c": "|"}]}}', 'value /a/b/0/c ""'],
    ['{"a": {"b": [{"|"}]}}', 'key /a/b/0 ""'],
    ['{"a" | : 1}', 'none'],
    ['{"a": 1} |', 'none'],
    ['|{"a": 1}', 'none'],
    ['{"a": "| , "b": 2}', 'value /a "'],
    ['{"a": 1, "q|, "b": 2}', 'key / "q'],
    ['{"a": nul|, "b": 2}', 'value /a nul'],
    ['{"a": "\\"|", "b": 2}', 'value /a "\\""'],
  ];
  for (const [text, expected] of CASES) {
    it(`${text}: ${expected}`, () => assert.equal(told(text), expected));
  }

  it('knows the other keys and elements, before and after', () => {
    assert.deepEqual(at('{"a": 1, "|": 2, "b": {"x": 1}, "c": [1]}')?.keys, ['a', 'b', 'c']);
    assert.deepEqual(at('{"a": [3, |, 5, [6], "x"]}')?.elements, ['3', '5', '"x"']);
  });

  it('can be made JSON again where it alone is at fault', () => {
    for (const text of [
      '{"a": 1, "|"}',
      '{"a": |}',
      '{"a": 1 "|" , "b": 2}',
      '{"a": [1 |]}',
      '{"a": 1, | "b": 2}',
      '{"x|": 1}',
    ]) {
      const place = at(text);
      assert.ok(place !== undefined);
      assert.doesNotThrow(() => JSON.parse(repairedAt(text.replace('|', ''), place)), text);
    }
  });

  it('is found or not in any text, without an error, and lies in the text', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', ' ', 'a', '1', 'null', '"a"', '\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(60), (pieces, offset) => {
        const text = pieces.join('');
        const place = writingPlace(text, Math.min(offset, text.length));
        if (place === undefined) return;
        const { start, end } = place.token;
        assert.ok(start >= 0 && start <= end && end <= text.length);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes time in proportion to the text, however deep it is', () => {
    const time = (size: number): number => {
      const text = `${'['.repeat(size)}1`;
      const start = performance.now();
      for (let i = 0; i < 3; i++) writingPlace(text, text.length);
      return performance.now() - start;
    };
    time(20_000);
    assert.ok(time(200_000) < 60 * Math.max(time(20_000), 1));
  });
});
