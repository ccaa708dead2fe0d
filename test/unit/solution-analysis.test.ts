import assert from 'node:assert/strict';
import { analyseSolution } from '../../server/src/core/solution/analyse.ts';
import { isPlain } from '../../server/src/core/solution/plain.ts';
import type { StaticFault } from '../../server/src/core/solution/types.ts';

const ALLOWED = ['math', 'statistics', 'collections', 'os.path'];

const analyse = (source: string, entryPoint = 'solution'): readonly StaticFault[] =>
  analyseSolution(source, { entryPoint, allowedImports: ALLOWED }).faults;

/** Kind and marked text of each fault. */
const marked = (source: string, entryPoint?: string): string[] =>
  analyse(source, entryPoint).map(({ kind, start, end }) => `${kind}: ${source.slice(start, end)}`);

const body = (text: string): string => `def solution():\n    ${text.replaceAll('\n', '\n    ')}\n`;

describe('static analysis of solutions', () => {
  it('finds nothing in an honest solution', () => {
    const sources = [
      body('a = 1\nreturn a + 2'),
      'import math\nfrom statistics import mean as m\ndef solution(): return m([math.pi])',
      'solution = lambda: 3',
      'solution = lambda *, a=1, **rest: a',
      'def solution(a=1, *b, c=2, **d): return a',
      'def solution(a: int = 1) -> float:\n    return a',
      body('import os.path, collections.abc\nreturn 1'),
      body('"""\n```\nnot a fence\n```\n"""\nreturn 1'),
      "solution = lambda: len('a\\nb')",
      '\ufeff' + body('return 1').replaceAll('\n', '\r\n'),
    ];
    for (const source of sources) {
      const { faults, runnable } = analyseSolution(source, { entryPoint: 'solution', allowedImports: ALLOWED });
      assert.deepEqual([faults, runnable], [[], true], source);
    }
  });

  it('takes blank text for none at all', () => {
    for (const source of ['', ' \n\t']) {
      const { faults, runnable } = analyseSolution(source, { entryPoint: 'solution', allowedImports: ALLOWED });
      assert.deepEqual([faults, runnable], [[], false]);
    }
  });

  it('finds fences, whole, half, indented, and of other make', () => {
    assert.deepEqual(marked('```python\n' + body('return 1') + '```'), ['code-fence: ```python']);
    assert.deepEqual(marked('Here it is:\n\n  ```py\n' + body('return 1') + '```\nDone.'), ['code-fence: ```py']);
    assert.deepEqual(marked(body('return 1') + '```\n'), ['code-fence: ```']);
    assert.deepEqual(marked('~~~python\n' + body('return 1') + '~~~'), ['code-fence: ~~~python']);
    assert.deepEqual(marked(body('return ~~~1')), []);
  });

  it('finds texts that were escaped twice', () => {
    const source = String.raw`def solution():\n    # the company's total\n    return 150`;
    assert.deepEqual(marked(source), ['double-escaped: \\n']);
    assert.equal(analyse(source)[0]!.start, 'def solution():'.length);
    assert.match(analyse(source)[0]!.message, /2 times/);
    assert.deepEqual(marked(`${source}\n`), ['double-escaped: \\n'], 'with a line break at the end');
    assert.deepEqual(marked(String.raw`def solution():\r\n    return 'a\nb'`), ['double-escaped: \\n']);
    assert.deepEqual(marked(body(String.raw`return len('a\nb')`)), []);
  });

  it('finds imports outside the list wherever they stand', () => {
    assert.deepEqual(marked(body('import subprocess\nreturn 1')), ['forbidden-import: subprocess']);
    assert.deepEqual(marked('import math, os as o, sys\n' + body('return 1')), [
      'forbidden-import: os',
      'forbidden-import: sys',
    ]);
    assert.deepEqual(marked('from os import path\n' + body('return 1')), ['forbidden-import: os']);
    assert.deepEqual(marked('from os.path import join\n' + body('return 1')), []);
    assert.deepEqual(marked('from xml.etree import ElementTree as E\n' + body('return 1')), [
      'forbidden-import: xml.etree',
    ]);
    assert.deepEqual(marked('from . import x\nfrom ..y import z\n' + body('return 1')), [
      'forbidden-import: .',
      'forbidden-import: ..y',
    ]);
    assert.deepEqual(marked(body("return __import__('os').getpid()")), ["forbidden-import: 'os'"]);
    assert.deepEqual(marked(body("return __import__('math').pi")), []);
    assert.deepEqual(marked(body('f = __import__\nreturn f(input())')), ['forbidden-import: __import__']);
    assert.deepEqual(marked(body("import importlib\nreturn importlib.import_module('socket')")), [
      'forbidden-import: importlib',
      "forbidden-import: 'socket'",
    ]);
    const [fault] = analyse('import mathematics\n' + body('return 1'));
    assert.equal(fault!.found, 'mathematics', 'a longer name is another module');
    assert.match(fault!.message, /math, statistics, collections, os\.path/);
  });

  it('sets libraries apart that are allowed and absent', () => {
    const source =
      'import numpy as np\nfrom scipy.optimize import brentq\nimport pandas, sympy, math\n' + body('return 1');
    assert.deepEqual(marked(source), [
      'unavailable-import: numpy',
      'unavailable-import: scipy.optimize',
      'unavailable-import: pandas',
      'unavailable-import: sympy',
    ]);
    assert.equal(analyseSolution(source, { entryPoint: 'solution', allowedImports: ALLOWED }).runnable, false);
  });

  it('finds that the function is missing or wants arguments', () => {
    assert.deepEqual(marked('def solve(x):\n    return x'), ['entry-point: solve']);
    assert.match(analyse('def solve(x):\n    return x')[0]!.message, /no function named solution.*defines solve/);
    assert.deepEqual(marked('\n\nprint(1350 - 1200)\n'), ['entry-point: print(1350 - 1200)']);
    assert.deepEqual(marked('def solution(a, b: int, *c, d=e, **f): return a'), [
      'entry-point: (a, b: int, *c, d=e, **f)',
    ]);
    assert.match(analyse('def solution(a, b: int, *c, d=e, **f): return a')[0]!.message, /2 arguments \(a, b\)/);
    assert.deepEqual(marked('solution = lambda x: x'), ['entry-point: x']);
    assert.deepEqual(
      marked('def solution(): return 1\ndef solution(x): return x'),
      ['entry-point: (x)'],
      'the last one counts',
    );
    assert.deepEqual(marked('def main():\n    solution = 3\n    return solution'), ['entry-point: main']);
    assert.deepEqual(marked(body('return 1'), 'compute'), ['entry-point: solution']);
    assert.deepEqual(marked('def outer():\n    def solution(): return 1\n    return solution()'), []);
  });

  it('leaves to the run what only running tells', () => {
    const sources = [
      'if True:\n    def solution(): return 1',
      'from math import *\nx = 1',
      'from collections import solution',
      'class solution: pass',
      'solution = other = lambda: 1',
      'solution, x = lambda: 1, 2',
      'def f():\n    global solution\n    solution = lambda: 1\nf()',
      'exec("def solution(): return 1")',
      "globals()['solution'] = lambda: 1",
      'for solution in [lambda: 1]: pass',
      '@cache\ndef solution(x): return 1',
      'async def solution(): return 1',
      'def solution(:\n    return 1',
    ];
    for (const source of sources) assert.deepEqual(marked(source), [], source);
  });

  it('bears any text', () => {
    const texts = [
      '\0',
      '((((((',
      'def',
      'import',
      'from',
      'from import x',
      'import a.',
      '`'.repeat(1000),
      '\ud800',
      '"""',
      'lambda',
      "f'{'",
    ];
    for (const text of texts)
      for (const { start, end } of analyse(text)) assert.ok(start >= 0 && start <= end && end <= text.length, text);
  });
});

describe('plain solutions', () => {
  it('are those that use their own names and a few functions', () => {
    const plain = [
      body('a = 1\nb = [x * 2 for x in range(3) if x]\nreturn sum(b) / a'),
      body(
        "d = {'a': [1]}\nfor k, v in d.items():\n    v.append(2)\n    d[k] += [3]\nprint(f'{d!r:>10} {k}')\nreturn max(d.values())[0]",
      ),
      body(
        'import math\nfrom statistics import mean as m, stdev\nx = math.pi\nreturn math.sqrt(m([1, 2])) * math.e + x',
      ),
      body('try:\n    return 1 // 0\nexcept ZeroDivisionError as error:\n    return -1'),
      body(
        "s = 'a, b'.replace(',', '').split()\nf = lambda q: q + 1\nwhile not s: break\nreturn sorted(map(f, [2, 1]), key=lambda v: -v)[0]",
      ),
    ];
    for (const source of plain) assert.ok(isPlain(source), source);
  });

  it('are not those that could change anything for the next', () => {
    const bodies = [
      'import sys\nreturn 1',
      'import math\nmath.pi = 3\nreturn 1',
      'import math\nx = math.pi = 3\nreturn 1',
      'import math as m\nm.sqrt = 3\nreturn 1',
      'import math\n(math.pi, x) = 1, 2\nreturn 1',
      'import math\nfor math.pi in [1]: pass\nreturn 1',
      'import math\nwith open(1) as math.pi: pass\nreturn 1',
      'import math\ndel math.pi\nreturn 1',
      'import math\nreturn [math.pi for math.pi in [1]]',
      'import math\nreturn math.__dict__',
      'from math import *\nreturn 1',
      'import statistics\nreturn statistics.sys.exit()',
      'from statistics import sys\nreturn 1',
      'import os.path\nreturn 1',
      'x = ().__class__\nreturn 1',
      'f = open\nreturn 1',
      "return getattr('a', 'b')",
      "exec('1')\nreturn 1",
      'print(globals())\nreturn 1',
      'class A: pass\nreturn 1',
      'yield 1',
      'global x\nx = 1\nreturn x',
      'match 1:\n    case int(real=x): return x',
      "return '{0.__class__}'.format(1)",
      'return id(1)',
      'solution.cache = 1\nreturn 1',
      'return (',
    ];
    for (const text of bodies) assert.equal(isPlain(body(text)), false, text);
    assert.equal(isPlain('@property\ndef solution(): return 1'), false);
    assert.equal(isPlain('async def solution(): return 1'), false);
  });
});
