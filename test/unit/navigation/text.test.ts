import assert from 'node:assert/strict';
import fc from 'fast-check';
import { enclosingInString, enclosingValues, inText } from '../../../server/src/core/text/enclosing.ts';
import { fits } from '../../../server/src/core/text/fuzzy.ts';
import { outlineOf } from '../../../server/src/core/text/outline.ts';
import type { OutlineNode } from '../../../server/src/core/text/outline.ts';

const TEXT = '{"a": [1, {"b": "x\\ny z"}], "c": true, "c": null}';

describe('what encloses a place of a record', () => {
  const around = (text: string, offset: number): string[] =>
    enclosingValues(text, offset).map(({ start, end }) => text.slice(start, end));

  it('is the value, its member, the objects and lists around', () => {
    assert.deepEqual(around(TEXT, TEXT.indexOf('y z')), [
      'x\\ny z',
      '"x\\ny z"',
      '"b": "x\\ny z"',
      '{"b": "x\\ny z"}',
      '[1, {"b": "x\\ny z"}]',
      '"a": [1, {"b": "x\\ny z"}]',
      TEXT,
    ]);
    assert.deepEqual(around(TEXT, 3), ['a', '"a"', '"a": [1, {"b": "x\\ny z"}]', TEXT]);
    assert.deepEqual(around(`  ${TEXT} `, 1), [`${TEXT}`].slice(1));
  });

  it('is in a string the word and the line, through escapes', () => {
    const token = { start: TEXT.indexOf('"x'), end: TEXT.indexOf('"x') + 8 };
    const spans = inText(TEXT, token, enclosingInString('x\ny z', 2));
    assert.deepEqual(
      spans.map(({ start, end }) => TEXT.slice(start, end)),
      ['y', 'y z'],
    );
  });

  it('is told of broken and deep texts too, each span inside the next', () => {
    const words = fc.constantFrom('{', '}', '[', ']', '"a"', ':', ',', '1', '"', '\\', ' ');
    fc.assert(
      fc.property(
        fc.array(words).map((parts) => parts.join('')),
        fc.nat(60),
        (text, at) => {
          const spans = enclosingValues(text, at);
          spans.slice(1).forEach(({ start, end }, i) => {
            assert.ok(start <= spans[i]!.start && spans[i]!.end <= end);
          });
        },
      ),
    );
    assert.ok(enclosingValues('['.repeat(100_000), 50_000).length <= 201);
  });
});

describe('the outline of a record', () => {
  const names = (nodes: readonly OutlineNode[]): unknown[] =>
    nodes.flatMap(({ name, kind, children }) => [`${name} ${kind}`, ...(children.length > 0 ? [names(children)] : [])]);

  it('names fields by their keys and elements by their places', () => {
    assert.deepEqual(names(outlineOf(TEXT, { depth: 4, nodes: 100 })), [
      'a array',
      ['a[0] number', 'a[1] object', ['b string']],
      'c boolean',
      'c null',
    ]);
    const [a] = outlineOf(TEXT, { depth: 4, nodes: 100 });
    assert.equal(TEXT.slice(a!.span.start, a!.span.end), '"a": [1, {"b": "x\\ny z"}]');
    assert.equal(TEXT.slice(a!.nameSpan.start, a!.nameSpan.end), '"a"');
    assert.equal(a!.children[1]!.children[0]!.pointer, '/a/1/b');
  });

  it('ends at its limits', () => {
    assert.deepEqual(names(outlineOf(TEXT, { depth: 1, nodes: 100 })), ['a array', 'c boolean', 'c null']);
    assert.deepEqual(names(outlineOf(TEXT, { depth: 4, nodes: 2 })), ['a array', ['a[0] number']]);
  });

  it('is told of broken texts, names inside their nodes', () => {
    const words = fc.constantFrom('{', '}', '[', ']', '"a"', ':', ',', '1', '"', ' ');
    fc.assert(
      fc.property(
        fc.array(words).map((parts) => parts.join('')),
        (text) => {
          const check = (nodes: readonly OutlineNode[]): void => {
            for (const { span, nameSpan, children } of nodes) {
              assert.ok(span.start <= nameSpan.start && nameSpan.end <= span.end && span.end <= text.length);
              check(children);
            }
          };
          check(outlineOf(text, { depth: 9, nodes: 1000 }));
        },
      ),
    );
  });
});

describe('searching records', () => {
  it('prefers ids, then what stands in a question, then scattered characters of an id', () => {
    const records = [
      ['q-12', 'What is it?'],
      ['q-1', 'What is q-12 about?'],
      ['x-q-12', ''],
      ['quite-a-12', ''],
      ['other', 'nothing'],
    ] as const;
    const found = records
      .map(([id, question]) => ({ id, score: fits('Q-12', id, question) }))
      .filter(({ score }) => score !== undefined)
      .sort((a, b) => b.score! - a.score!);
    assert.deepEqual(
      found.map(({ id }) => id),
      ['q-12', 'x-q-12', 'q-1', 'quite-a-12'],
    );
    assert.equal(fits('revenue widget', 'a', 'Was Widget revenue high?'), 1);
    assert.equal(fits('revenue gadget', 'a', 'Was Widget revenue high?'), undefined);
    assert.equal(fits('  ', 'a', ''), 0);
  });
});
