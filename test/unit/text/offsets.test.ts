import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editorLines } from '../../../server/src/core/text/lines.ts';
import { offsetIn, pointerAt, positionIn, spanInString, spanOfPointer } from '../../../server/src/core/text/offsets.ts';
import { joinPointer } from '../../../server/src/core/text/pointer.ts';
import { readRecords } from '../../../server/src/core/text/reader.ts';

const sliced = (text: string, pointer: string, onKey = false): string | undefined => {
  const span = spanOfPointer(text, pointer, onKey);
  return span === undefined ? undefined : text.slice(span.start, span.end);
};

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Any object, spelled in any way that JSON allows. */
const spelled = fc
  .tuple(
    fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })),
    fc.infiniteStream(fc.nat(7)),
  )
  .map(([value, dice]) => {
    const roll = (): number => dice.next().value ?? 0;
    const blank = (): string => ['', '', '', ' ', '\n', '\t ', '\r\n', '  '][roll()] ?? '';
    const string = (text: string): string =>
      '"' +
      Array.from({ length: text.length }, (_, at) => {
        const unit = text.charAt(at);
        const hex = text.charCodeAt(at).toString(16).padStart(4, '0');
        if (roll() === 0) return '\\u' + hex;
        if (roll() === 1) return '\\u' + hex.toUpperCase();
        return unit === '/' && roll() > 3
          ? '\\/'
          : /[\ud800-\udfff]/.test(unit)
            ? unit
            : JSON.stringify(unit).slice(1, -1);
      }).join('') +
      '"';
    const spell = (of: unknown): string => {
      const body = Array.isArray(of)
        ? `[${of.map(spell).join(',') || blank()}]`
        : typeof of === 'object' && of !== null
          ? `{${
              Object.entries(of)
                .map(([key, inner]) => `${blank()}${string(key)}${blank()}:${spell(inner)}`)
                .join(',') || blank()
            }}`
          : typeof of === 'string'
            ? string(of)
            : JSON.stringify(of);
      return blank() + body + blank();
    };
    return spell(value);
  });

function everyPointer(value: unknown, pointer = ''): [string, unknown][] {
  const found: [string, unknown][] = [[pointer, value]];
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) found.push(...everyPointer(inner, joinPointer(pointer, key)));
  }
  return found;
}

describe('places of values', () => {
  it('are where the value stands, however it is spelled', () => {
    fc.assert(
      fc.property(spelled, (text) => {
        for (const [pointer, value] of everyPointer(JSON.parse(text))) {
          const own = sliced(text, pointer) ?? '';
          assert.deepEqual(JSON.parse(own), value, pointer);
          assert.equal(own.trim(), own);
          const key = pointer
            .slice(pointer.lastIndexOf('/') + 1)
            .replaceAll('~1', '/')
            .replaceAll('~0', '~');
          const token = sliced(text, pointer, true);
          if (token !== undefined) assert.equal(JSON.parse(token), key);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('lead back to the value', () => {
    fc.assert(
      fc.property(spelled, (text) => {
        for (const [pointer, value] of everyPointer(JSON.parse(text))) {
          const span = spanOfPointer(text, pointer);
          assert.ok(span);
          // A bracket belongs to its container, every other first character to the value itself.
          if (typeof value !== 'object' || value === null || pointer === '')
            assert.equal(pointerAt(text, span.start), pointer);
          else assert.ok(pointerAt(text, span.start)?.startsWith(pointer));
          const key = spanOfPointer(text, pointer, true);
          if (key !== undefined) assert.equal(pointerAt(text, key.start + 1), pointer);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are found in broken text as far as it can be read', () => {
    assert.equal(sliced('{"a":NaN,"b":[1,-Infinity,3]}', '/b/1'), '-Infinity');
    assert.equal(sliced('{"a":1 "b":2}', '/b'), '2');
    assert.equal(sliced('{"a":[1,2,"b":3}', '/a/1'), '2');
    assert.equal(sliced('{"a":"x', '/a'), '"x');
    assert.equal(sliced('{\'a\':1,"b":2}', '/b'), '2');
    assert.equal(sliced('{"a":,"b":2}', '/a'), '');
    assert.equal(sliced('{"a":1,"a":2}', '/a'), '2');
    assert.equal(sliced('{"a":1}', '/b'), undefined);
    assert.equal(sliced('{"a":1}', '/a/0'), undefined);
    assert.equal(sliced(' {"a":1} ', ''), '{"a":1}');
    assert.equal(sliced('{"__proto__":{"a":1}}', '/__proto__/a'), '1');
    assert.equal(spanOfPointer('', '/a'), undefined);
    assert.equal(pointerAt('{"a":1}  ', 9), undefined);
    const parts = fc.array(fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '1', ' ', '"a"', '"a":'), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(parts, fc.nat(40), (pieces, offset) => {
        const text = pieces.join('');
        const pointer = pointerAt(text, offset);
        if (pointer !== undefined) spanOfPointer(text, pointer);
        for (const asked of ['/a', '/a/0', '/0/a']) {
          const span = spanOfPointer(text, asked);
          assert.ok(span === undefined || (span.start <= span.end && span.end <= text.length));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('are found 300,000 levels down', () => {
    const deep = 300_000;
    const text = '{"a":'.repeat(deep) + '"x"' + '}'.repeat(deep);
    assert.equal(sliced(text, '/a'.repeat(deep)), '"x"');
    assert.equal(pointerAt(text, text.indexOf('x')), '/a'.repeat(deep));
    const list = '['.repeat(deep) + '7' + ']'.repeat(deep);
    assert.equal(sliced(`{"a":${list}}`, '/a' + '/0'.repeat(deep)), '7');
  });

  it('map parts of a decoded string through its escapes', () => {
    const part = (token: string, start: number, end: number): string => {
      const span = spanInString(`{"a":${token}}`, { start: 5, end: 5 + token.length }, { start, end });
      return `{"a":${token}}`.slice(span.start, span.end);
    };
    assert.equal(part('"abc"', 1, 2), 'b');
    assert.equal(part('"a\\nb"', 1, 2), '\\n');
    assert.equal(part('"a\\u0041b"', 1, 3), '\\u0041b');
    assert.equal(part('"\\\\n\\""', 1, 3), 'n\\"');
    assert.equal(part('"x\ud83d\ude00y"', 1, 2), '\ud83d\ude00');
    assert.equal(part('"x\\ud83d\\ude00y"', 2, 3), '\\ud83d\\ude00');
    assert.equal(part('"x\\ud83d\ude00y"', 1, 4), '\\ud83d\ude00y');
    assert.equal(part('"x\\ud83dy"', 1, 3), '\\ud83dy');
    assert.equal(part('"abc"', 3, 3), '');
    assert.equal(part('"abc"', 2, 99), 'c');
    assert.equal(part('""', 0, 0), '');
    fc.assert(
      fc.property(spelled, fc.nat(20), fc.nat(20), (text, from, size) => {
        for (const [pointer, value] of everyPointer(JSON.parse(text))) {
          if (typeof value !== 'string') continue;
          const token = spanOfPointer(text, pointer);
          assert.ok(token);
          const start = Math.min(from, value.length);
          const end = Math.min(start + size, value.length);
          const span = spanInString(text, token, { start, end });
          const decoded = JSON.parse(`"${text.slice(span.start, span.end)}"`) as string;
          const wanted = value.slice(start, end);
          assert.ok(decoded.includes(wanted) && decoded.length <= wanted.length + 2);
          const cutsPairs = ![value, value.slice(0, start), value.slice(0, end)].every(
            (piece) => !LONE_SURROGATE.test(piece),
          );
          if (!cutsPairs) assert.equal(decoded, wanted);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('places in the file', () => {
  it('count lines inside records of several lines', () => {
    const text = '[\n  {\n    "a": 1\n  }, {"a": 2}\n]';
    const { slots } = readRecords(text, 'json');
    const starts = text.split('\n').reduce<number[]>((all, line) => [...all, (all.at(-1) ?? 0) + line.length + 1], [0]);
    for (const slot of slots) {
      for (let offset = 0; offset <= slot.text.length; offset++) {
        const position = positionIn(slot, offset);
        assert.equal((starts[position.line] ?? NaN) + position.column, slot.offset + offset);
        assert.equal(offsetIn(slot, position), offset);
      }
      assert.equal(offsetIn(slot, { line: slot.line - 1, column: 0 }), undefined);
      assert.equal(offsetIn(slot, { line: slot.line + 9, column: 0 }), undefined);
    }
  });

  it('are the same for editors, unless a lone carriage return stands in the text', () => {
    assert.equal(editorLines('{"a":1}\r\n{"b":2}\n').same, true);
    const lines = editorLines('{"a":1}\r{"b":2}\n{"c":3}\r\n\rx');
    assert.deepEqual(lines.toEditor({ line: 0, column: 8 }), { line: 1, column: 0 });
    assert.deepEqual(lines.toEditor({ line: 1, column: 3 }), { line: 2, column: 3 });
    assert.deepEqual(lines.toEditor({ line: 2, column: 1 }), { line: 4, column: 0 });
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('\r', '\n', 'a', '\r\n')).map((parts) => parts.join('')),
        (text) => {
          const { toEditor, fromEditor } = editorLines(text);
          text.split('\n').forEach((line, index) => {
            for (let column = 0; column <= line.length; column++) {
              const position = { line: index, column };
              assert.deepEqual(fromEditor(toEditor(position)), position);
            }
          });
        },
      ),
    );
  });
});
