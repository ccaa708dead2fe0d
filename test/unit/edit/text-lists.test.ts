import assert from 'node:assert/strict';
import {
  insertInText,
  readTextList,
  removeInText,
  replaceInText,
  writeInText,
} from '../../../server/src/core/edit/text-lists.ts';
import type { TextPart } from '../../../server/src/core/edit/text-lists.ts';
import { readListInString } from '../../../server/src/core/record/list-in-string.ts';
import { spanFinder, spanOf } from '../../../server/src/lsp/evidence/located.ts';
import { respell, tokensOf } from './odd-json.ts';

function applied(text: string, ...parts: readonly (TextPart | undefined)[]): string {
  return parts
    .map((part) => part!)
    .sort((one, two) => two.span.start - one.span.start)
    .reduce((now, { span, text: written }) => now.slice(0, span.start) + written + now.slice(span.end), text);
}

describe('lists that are stored as text', () => {
  it('are edited where they lie, in their own blanks and quotation marks', () => {
    const nested = '[[[1, 2, 3, 4], [5,6,7,8]], []]';
    assert.equal(applied(nested, insertInText(nested, [0, 1], '[9]')), '[[[1, 2, 3, 4], [9], [5,6,7,8]], []]');
    assert.equal(applied(nested, insertInText(nested, [0, 2], '[9]')), '[[[1, 2, 3, 4], [5,6,7,8], [9]], []]');
    assert.equal(applied(nested, insertInText(nested, [1, 0], '[9]')), '[[[1, 2, 3, 4], [5,6,7,8]], [[9]]]');
    assert.equal(applied(nested, ...removeInText(nested, [0], new Set([0]))!), '[[[5,6,7,8]], []]');
    assert.equal(applied(nested, ...removeInText(nested, [], new Set([1]))!), '[[[1, 2, 3, 4], [5,6,7,8]]]');
    assert.equal(
      applied(nested, ...replaceInText(nested, [0, 1], [5, 6.5, 7, 9])!),
      nested.replace('6,7,8', '6.5,7,9'),
    );
    const words = "['Chart', \"it's\", ('Table',)]";
    assert.equal(applied(words, ...replaceInText(words, [0], "a'b")!), "['a\\'b', \"it's\", ('Table',)]");
    assert.equal(applied(words, ...removeInText(words, [], new Set([1]))!), "['Chart', ('Table',)]");
    const pages = '[1, 2, 3, 3]';
    assert.equal(applied(pages, ...removeInText(pages, [], new Set([2, 3]))!), '[1, 2]');
    assert.equal(applied(pages, ...removeInText(pages, [], new Set([0, 1, 3]))!), '[3]');
    assert.equal(applied(pages, ...removeInText(pages, [], new Set([0, 1, 2, 3]))!), '[]');
    assert.equal(writeInText(['x', 1, null], words), "['x', 1, null]");
    const odd = 'a\tb\r\n\u0001';
    assert.deepEqual(readListInString(writeInText([odd], '["x"]')), [odd]);
    assert.deepEqual(readListInString(writeInText([odd], "['x']")), [odd]);
    assert.equal(writeInText([1, [2]], '[3,4]'), '[1,[2]]');
  });

  it('are none where brackets or quotation marks do not end, or where there is no element', () => {
    for (const text of ['', '5', '[1', "['a]", '[1]]', '[1] x', 'None', '[(1]']) {
      assert.equal(readTextList(text), undefined, text);
    }
    assert.equal(insertInText('[1]', [3], '2'), undefined);
    assert.equal(removeInText('[1]', [], new Set([1])), undefined);
    assert.equal(replaceInText('[1]', [0, 0], 2), undefined);
  });

  it('hold their elements for whoever looks for one', () => {
    const text = String.raw`{"a": ["x"], "bbox": "[[[1, 2, 3, 4]], [[\u0035, 6, 7, 8]]]"}`;
    const at = (pointer: string): string | undefined => {
      const span = spanOf(text, pointer);
      return span && text.slice(span.start, span.end);
    };
    assert.equal(at('/bbox/1/0'), String.raw`[\u0035, 6, 7, 8]`);
    assert.equal(at('/bbox/0/0/2'), '3');
    assert.equal(at('/a/0'), '"x"');
    assert.equal(at('/bbox/2/0'), undefined);
    assert.equal(at('/bbox/x'), undefined);
    assert.equal(at('/a/0/0'), undefined);
  });

  it('are found as all values are, however a record is spelled, when many are asked for', () => {
    const value = { 'a/b': [[1, 2], { '~c': 'ü' }], '': { '0': null }, bbox: '[[1, 2], [3, 4]]', e: [], é: 'x' };
    for (let seed = 0; seed < 50; seed++) {
      const text = respell(value, seed);
      const find = spanFinder(text);
      for (const pointer of [
        ...tokensOf(text).keys(),
        '',
        '/a~1b',
        '/bbox/1/0',
        '/bbox/7',
        '/e/0',
        '/a~1b/1',
        '/none',
      ]) {
        assert.deepEqual(find(pointer), spanOf(text, pointer), `${pointer} in ${text}`);
      }
    }
    const broken = '{"a": [NaN, {"b": 1}], "a": [2';
    for (const pointer of ['/a', '/a/0', '/a/1/b'])
      assert.deepEqual(spanFinder(broken)(pointer), spanOf(broken, pointer));
  });
});
