import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { solutionTokens } from '../../server/src/core/solution/tokens.ts';

const DATA = path.join(import.meta.dirname, '../../../shared/data/docmath-eval');

/** `text type.modifier…`; operators and numbers left out. */
const seen = (source: string): string[] =>
  solutionTokens(source)
    .filter(({ type, modifiers }) => (type !== 'operator' || modifiers.length > 0) && type !== 'number')
    .map(({ start, end, type, modifiers }) => `${source.slice(start, end)} ${[type, ...modifiers].join('.')}`);

function assertOrdered(source: string): void {
  let last = 0;
  for (const { start, end } of solutionTokens(source)) {
    assert.ok(start >= last && end > start && end <= source.length, source);
    last = end;
  }
}

describe('tokens of a solution', () => {
  it('tells parameters, variables, constants and built-ins apart', () => {
    assert.deepEqual(
      seen('def f(rate: float = SCALE, *rest):\n    SCALE = 3\n    x, y = rate, max(rest)\n    return x + SCALE'),
      [
        'def keyword.declaration',
        'f function.declaration',
        'rate parameter.declaration',
        'float class.defaultLibrary',
        'SCALE variable.readonly',
        'rest parameter.declaration',
        'SCALE variable.declaration.readonly',
        'x variable.declaration',
        'y variable.declaration',
        'rate parameter',
        'max function.defaultLibrary',
        'rest parameter',
        'return keyword',
        'x variable',
        'SCALE variable.readonly',
      ],
    );
  });

  it('forgets parameters behind their function, and built-ins whose name is taken', () => {
    assert.deepEqual(seen('(lambda sum: sum)(1)\nx = sum\nsum = 1').slice(3), [
      'x variable.declaration',
      'sum variable',
      'sum variable.declaration',
    ]);
  });

  it('knows modules, what is imported from them, and methods', () => {
    assert.deepEqual(
      seen(
        'import math as m, os.path\nfrom a import mean as avg, PI, Decimal\navg(m.sqrt(PI), s.strip().x, Decimal(key=m.pi))',
      ),
      [
        'import keyword',
        'math namespace',
        'as keyword',
        'm namespace',
        'os namespace',
        'path namespace',
        'from keyword',
        'a namespace',
        'import keyword',
        'mean variable',
        'as keyword',
        'avg function',
        'PI variable',
        'Decimal class',
        'avg function',
        'm namespace',
        'sqrt function',
        'PI variable',
        's variable',
        'strip method',
        'x property',
        'Decimal class',
        'key parameter',
        'm namespace',
        'pi property',
      ],
    );
  });

  it('knows classes, methods and decorators', () => {
    assert.deepEqual(seen('@a.b\nclass A(Base):\n    def m(self): return self.x\nA().m()'), [
      '@ decorator',
      'a decorator',
      'b decorator',
      'class keyword.declaration',
      'A class.declaration',
      'Base class',
      'def keyword.declaration',
      'm method.declaration',
      'self parameter.declaration',
      'return keyword',
      'self parameter',
      'x property',
      'A class',
      'm method',
    ]);
  });

  it('leaves escapes and replacements out of texts', () => {
    assert.deepEqual(seen(`f"{x!r:>{w}} a\\n{y}" 'b' # c`), [
      'f" string',
      'x variable',
      'w variable',
      ' a string',
      'y variable',
      '" string',
      "'b' string",
      '# c comment',
    ]);
  });

  it('marks targets of loops, comprehensions, with, except and walrus', () => {
    assert.deepEqual(
      seen('for i in r: pass\n[k for k in d]\nwith a as g: pass\ntry: pass\nexcept E as e: pass\n(n := 1)\nT: int')
        .filter((one) => one.includes('declaration'))
        .map((one) => one.split(' ')[0]),
      ['i', 'k', 'g', 'e', 'n', 'T'],
    );
  });

  it('has words among operators and the three constants among keywords', () => {
    assert.deepEqual(seen('not a and b is not None or c in True'), [
      'not operator.word',
      'a variable',
      'and operator.word',
      'b variable',
      'is operator.word',
      'not operator.word',
      'None keyword.readonly',
      'or operator.word',
      'c variable',
      'in operator.word',
      'True keyword.readonly',
    ]);
  });

  it('tells what it can of broken text', () => {
    assert.deepEqual(seen('def solution(a):\n    x = a +\n    return x\n"y'), [
      'def keyword.declaration',
      'solution function.declaration',
      'a parameter.declaration',
      'x variable.declaration',
      'a parameter',
      'return keyword',
      'x variable',
      '"y string',
    ]);
  });

  it('never throws, keeps order and overlaps nothing, whatever the text', () => {
    const words =
      'def class for in import from as lambda f"{ } ( ) [ ] : = , . \\n \n " \' """ # @ x A 1 * ** None print match case'.split(
        ' ',
      );
    const text = fc.array(fc.oneof(fc.constantFrom(...words), fc.string()), { maxLength: 40 });
    fc.assert(
      fc.property(text, (parts) => assertOrdered(parts.join(' '))),
      { numRuns: 200 },
    );
    for (const open of ['(', 'lambda a: ', 'f"{', 'x = ', 'if x:\n ', 'a.']) assertOrdered(open.repeat(2000));
  });

  it('fits every solution of the real data', function () {
    if (!existsSync(DATA)) {
      console.log('    ../shared/data is not there');
      return this.skip();
    }
    const keywords = new Set(
      'as def for if import from return else while elif with lambda True False None break'.split(' '),
    );
    let definitions = 0;
    for (const file of ['testmini_703.jsonl', 'full_shape_119_reconstructed.jsonl']) {
      for (const line of readFileSync(path.join(DATA, file), 'utf8').split('\n').filter(Boolean)) {
        const { python_solution: source } = JSON.parse(line) as { python_solution: string };
        assertOrdered(source);
        for (const { start, end, type } of solutionTokens(source)) {
          const word = source.slice(start, end);
          if (type === 'keyword') assert.ok(keywords.has(word), word);
          if (type === 'function' && word === 'solution') definitions++;
          if (type !== 'string' && type !== 'comment') assert.ok(!/\s/.test(word), word);
        }
      }
    }
    assert.ok(definitions >= 822);
  });
});
