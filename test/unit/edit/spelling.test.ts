import assert from 'node:assert/strict';
import { applyEdits, mergeEdits, placeEdits, placeFix } from '../../../server/src/core/edit/edits.ts';
import {
  copyValue,
  insertValue,
  removeValue,
  renameKey,
  replaceInString,
  replaceValue,
  writeNumber,
} from '../../../server/src/core/edit/fixes.ts';
import type { Edit } from '../../../server/src/core/edit/types.ts';

function edited(text: string, ...edits: readonly Edit[]): string | undefined {
  const placed = placeEdits(edits, text);
  return placed && applyEdits(text, placed);
}

describe('what is written looks like what stands around it', () => {
  const cases: readonly (readonly [string, string, Edit, string])[] = [
    [
      'escapes where the value escapes',
      '{"a":"\\u20ac 5"}',
      replaceInString('/a', { start: 2, end: 3 }, '7 £'),
      '{"a":"\\u20ac 7 \\u00a3"}',
    ],
    [
      'escapes where the record escapes',
      '{"a": "x", "b": "\\u20AC"}',
      replaceValue('/a', 'é'),
      '{"a": "\\u00E9", "b": "\\u20AC"}',
    ],
    ['letters where the record has letters', '{"a": "x", "b": "€"}', replaceValue('/a', 'é'), '{"a": "é", "b": "€"}'],
    ['letters in a record of ASCII', '{"a": "x"}', replaceValue('/a', 'é'), '{"a": "é"}'],
    ['line separators as escapes anywhere', '{"a": "€"}', replaceValue('/a', 'a\u2028'), '{"a": "a\\u2028"}'],
    ['half a surrogate pair as an escape', '{"a": "€"}', replaceValue('/a', '\ud83d'), '{"a": "\\ud83d"}'],
    ['slashes as they were', '{"a":"x\\/y\\/z"}', replaceValue('/a', 'x/q/z/w'), '{"a":"x\\/q\\/z\\/w"}'],
    ['a blank after commas', '{"a": [1, 2], "b": 3}', replaceValue('/b', [4, 5]), '{"a": [1, 2], "b": [4, 5]}'],
    ['no blank after commas', '{"a":[1,2],"b":3}', replaceValue('/b', { c: [4, 5] }), '{"a":[1,2],"b":{"c":[4,5]}}'],
    ['only the elements that differ', '{"a": [1.0, 2e0,  3]}', replaceValue('/a', [1, 7, 3]), '{"a": [1.0, 7,  3]}'],
    [
      'numbers that change places',
      '{"a":[9.50,1e1,3.0,4]}',
      replaceValue('/a', [3, 4, 9.5, 10]),
      '{"a":[3.0,4,9.50,1e1]}',
    ],
    ['a whole number among decimals', '{"a":[-5.0,600.5]}', replaceValue('/a', [0, 600.5]), '{"a":[0.0,600.5]}'],
    ['the spelling that is asked for', '{"a": "1.50"}', writeNumber('/a', '1.50'), '{"a": 1.50}'],
    ['a new member', '{"a" : 1 , "b" : 2}', insertValue('/c', 'x'), '{"a" : 1 , "b" : 2, "c" : "x"}'],
    ['a new member of an empty object', '{}', insertValue('/c', 1), '{"c": 1}'],
    ['a new first element', '[1,  2]', insertValue('/0', 0), '[0,  1,  2]'],
    ['a new last element', '{"a":[1,2]}', insertValue('/a/-', 3), '{"a":[1,2,3]}'],
    ['a new element of an empty list', '{"a":[ ]}', insertValue('/a/0', 3), '{"a":[3]}'],
    ['a copy to the byte', '{"a":[1.50],"b":[2]}', copyValue('/a/0', '/b/0'), '{"a":[1.50],"b":[1.50,2]}'],
    ['an element away', '[1, 2, 3]', removeValue('/1'), '[1, 3]'],
    ['the last element away', '[1, 2 , 3 ]', removeValue('/2'), '[1, 2  ]'.replace('2  ', '2 ')],
    ['the only element away', '{"a": [ 1 ]}', removeValue('/a/0'), '{"a": []}'],
    ['a member away', '{"a": 1, "b": 2}', removeValue('/a'), '{"b": 2}'],
    ['another key', '{"a\\u0041":1}', renameKey('/aA', 'é'), '{"\\u00e9":1}'.replace('\\u00e9', 'é')],
    ['a member over lines', '{\n  "a": 1\n}', insertValue('/b', [1, 2]), '{\n  "a": 1,\n  "b": [1, 2]\n}'],
    [
      'a member of an empty object over lines',
      '{\r\n\t"a": {}\r\n}',
      insertValue('/a/b', 1),
      '{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}',
    ],
    ['an element over lines away', '[\n  1,\n  2\n]', removeValue('/1'), '[\n  1\n]'],
  ];
  for (const [name, before, edit, after] of cases) {
    it(name, () => assert.equal(edited(before, edit), after));
  }

  it('several that come and go in one list', () => {
    assert.equal(edited('[1, 2, 3, 4]', removeValue('/0'), removeValue('/3'), removeValue('/2')), '[2]');
    assert.equal(edited('[1, 2]', removeValue('/0'), insertValue('/2', 3)), '[2, 3]');
    assert.equal(edited('{"a":[1,2]}', removeValue('/a/0'), removeValue('/a/1')), '{"a":[]}');
  });
});

describe('edits that cannot be made', () => {
  const cases: readonly (readonly [string, string, ...Edit[]])[] = [
    ['no such value', '{"a":1}', replaceValue('/b', 2)],
    ['no such element', '{"a":[1]}', removeValue('/a/1')],
    ['an index that leaves a gap', '{"a":[1]}', insertValue('/a/2', 1)],
    ['a key that is there', '{"a":1,"b":2}', renameKey('/a', 'b')],
    ['a member that is there', '{"a":1}', insertValue('/a', 2)],
    ['no number', '{"a":1}', writeNumber('/a', '01')],
    ['no string', '{"a":1}', replaceInString('/a', { start: 0, end: 0 }, 'x')],
    ['past the string', '{"a":"x"}', replaceInString('/a', { start: 0, end: 2 }, 'x')],
    ['one value twice', '{"a":1}', writeNumber('/a', '2'), writeNumber('/a', '3')],
  ];
  for (const [name, text, ...edits] of cases) {
    it(name, () => assert.equal(edited(text, ...edits), undefined));
  }

  it('and a fix that changes nothing is none', () => {
    assert.equal(placeFix({ title: 'same', safe: true, edits: [replaceValue('/a', 1)] }, '{"a":1.0}'), undefined);
  });

  it('of repeated keys the last is meant', () => {
    assert.equal(edited('{"a":1,"a":2}', replaceValue('/a', 3)), '{"a":1,"a":3}');
  });
});

describe('fixes made together', () => {
  const group = (start: number, end: number, text: string) => ({ edits: [{ span: { start, end }, text }] });

  it('the first of two that collide wins, the same one is made once', () => {
    const groups = [group(2, 4, 'x'), group(3, 5, 'y'), group(2, 4, 'x'), group(0, 1, 'z')];
    const { edits, taken } = mergeEdits(groups);
    assert.equal(applyEdits('abcdef', edits), 'zbxef');
    assert.deepEqual(taken, [groups[0], groups[3]]);
  });

  it('insertions of two fixes at one place are not mixed', () => {
    assert.equal(mergeEdits([group(2, 2, 'x'), group(2, 2, 'y')]).taken.length, 1);
  });
});
