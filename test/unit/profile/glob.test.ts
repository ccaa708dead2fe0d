import assert from 'node:assert/strict';
import { compileGlob } from '../../../server/src/core/profile/glob.ts';

function matches(pattern: string, path: string): boolean {
  const glob = compileGlob(pattern);
  assert.ok('test' in glob, pattern);
  return glob.test(path);
}

describe('globs', () => {
  const fitting: readonly (readonly [string, string])[] = [
    ['*.jsonl', 'a.jsonl'],
    ['./*.jsonl', 'a.jsonl'],
    ['data/*.jsonl', 'data/a.jsonl'],
    ['**/*.jsonl', 'a.jsonl'],
    ['**/*.jsonl', 'a/b/c.jsonl'],
    ['data/**/a.json', 'data/a.json'],
    ['data/**/a.json', 'data/x/y/a.json'],
    ['data/**', 'data/x/y.json'],
    ['{dev,test}.{json,jsonl}', 'test.json'],
    ['{a,b{c,d}}.json', 'bd.json'],
    ['a?.json', 'ab.json'],
    ['[a-c]*.json', 'bx.json'],
    ['[!a-c].json', 'd.json'],
    ['*a*b*.json', 'xxaxxbxx.json'],
    ['a+(b).json', 'a+(b).json'],
    ['.hidden/*.json', '.hidden/a.json'],
  ];
  for (const [pattern, path] of fitting)
    it(`${pattern} fits ${path}`, () => assert.equal(matches(pattern, path), true));

  const strange: readonly (readonly [string, string])[] = [
    ['*.jsonl', 'data/a.jsonl'],
    ['*.jsonl', 'a.json'],
    ['*.jsonl', 'A.JSONL'],
    ['data/*.jsonl', 'data/x/a.jsonl'],
    ['a?.json', 'a.json'],
    ['[!a-c].json', 'a.json'],
    ['a.json', 'aXjson'],
    ['a+.json', 'aa.json'],
  ];
  for (const [pattern, path] of strange) {
    it(`${pattern} does not fit ${path}`, () => assert.equal(matches(pattern, path), false));
  }

  it('says what cannot be read', () => {
    for (const pattern of ['a[b', '{a,b', `${'{a,b}'.repeat(12)}`]) {
      assert.ok('problem' in compileGlob(pattern), pattern);
    }
  });

  it('takes no longer on hostile patterns', () => {
    const pattern = `${'**/*a'.repeat(50)}b`;
    const path = `${'a'.repeat(2000)}/`.repeat(20);
    assert.equal(matches(pattern, path), false);
  });
});
