import { docmath, fires, firesAll, quiet, solution } from './build.ts';
import type { Details, Group, Variant } from './build.ts';

const AT = '/python_solution';

const wrong = (code: string, name: string, source: string, details: Details = {}): Variant =>
  fires(name, solution(source), `solution/${code}`, { pointer: AT, ...details });
const body = (...lines: string[]): string => ['def solution():', ...lines.map((text) => `    ${text}`)].join('\n');
const fine = (name: string, source: string): Variant => quiet(name, solution(source));

const syntax: readonly Variant[] = [
  wrong('syntax', 'unclosed-bracket', body('a = (1200', 'return a'), { mentions: ['line 2', 'never closed'] }),
  wrong('syntax', 'missing-colon', 'def solution()\n    return 150', { mentions: ['line 1', ':'] }),
  wrong('syntax', 'typographic-quotes', body('name = “x”', 'return 150'), { mentions: ['line 2', 'U+201C'] }),
  wrong('syntax', 'typographic-minus', body('return 1350 − 1200'), { mentions: ['line 2', 'U+2212'], at: '−' }),
  wrong('syntax', 'indentation', 'def solution():\nreturn 150', { mentions: ['line 2', 'IndentationError'] }),
  wrong('syntax', 'unindent', 'def solution():\n        a = 1\n    return 150', {
    mentions: ['line 3', 'IndentationError'],
  }),
  wrong('syntax', 'keyword', body('lambda = 3', 'return 150'), { mentions: ['line 2'] }),
  wrong('syntax', 'return-outside', 'def solution():\n    pass\nreturn 150', {
    mentions: ['line 3', 'outside function'],
  }),
  wrong('syntax', 'late-line', body('a = 1', 'b = 2', 'c = 3', 'd = 4', 'return a +'), { mentions: ['line 6'] }),
  wrong('syntax', 'thousands-zero', body('return 007'), { mentions: ['line 2', 'leading zeros'] }),
  wrong('syntax', 'words', 'The answer is 150.', { mentions: ['line 1'] }),
  wrong('syntax', 'python-2-print', body('print 150', 'return 150'), { mentions: ['line 2', 'print'] }),
  wrong('syntax', 'after-wide-characters', body('x = "😀😀"; y = 1 ? 2', 'return 150'), {
    mentions: ['line 2'],
    at: '?',
  }),
];

const GOOD = body('return 1350 - 1200');
const fences: readonly Variant[] = [
  wrong('code-fence', 'fence-py', '```py\n' + GOOD + '\n```'),
  wrong('code-fence', 'fence-bare', '```\n' + GOOD + '\n```\n'),
  wrong('code-fence', 'fence-tilde', '~~~python\n' + GOOD + '\n~~~'),
  wrong('code-fence', 'fence-after-text', 'Here is the code:\n\n```python\n' + GOOD + '\n```\nIt returns 150.'),
  wrong('code-fence', 'fence-open-only', '```python\n' + GOOD),
  wrong('code-fence', 'fence-close-only', GOOD + '\n```'),
  wrong('code-fence', 'fence-capital', '```Python3\n' + GOOD + '\n```'),
  wrong('code-fence', 'fence-indented', '  ```python\n' + GOOD + '\n  ```'),
  fine('fence-in-comment', body('# ```python', 'return 150')),
  fine('fence-in-docstring', 'def solution():\n    """\n    ```\n    150\n    ```\n    """\n    return 150'),
  fine('fence-in-string', body("x = '```'", 'return 150')),
];

const escaped: readonly Variant[] = [
  wrong('double-escaped', 'escaped-with-tabs', 'def solution():\\n\\treturn 150'),
  wrong('double-escaped', 'escaped-with-quotes', 'def solution():\\n    x = \\"a\\"\\n    return 150'),
  wrong('double-escaped', 'escaped-crlf', 'def solution():\\r\\n    return 150\\r\\n'),
  wrong(
    'double-escaped',
    'escaped-long',
    'def solution():\\n    # values\\n    a = 1200\\n    b = 1350\\n\\n    return b - a\\n',
  ),
  wrong('double-escaped', 'escaped-in-part', 'def solution():\n    a = 1200\\n    b = 1350\\n    return b - a'),
  fine('escape-in-string', body("x = 'a\\nb'", 'return 150')),
  fine('escape-in-comment', body('# a\\nb', 'return 150')),
  fine('line-continuation', body('return 1350 \\', '    - 1200')),
];

const entries: readonly Variant[] = [
  wrong('entry-point', 'entry-other-name', 'def compute():\n    return 150', { mentions: ['solution', 'compute'] }),
  wrong('entry-point', 'entry-capital', 'def Solution():\n    return 150', { mentions: ['solution', 'Solution'] }),
  wrong('entry-point', 'entry-with-argument', 'def solution(x):\n    return x', { mentions: ['x'] }),
  wrong('entry-point', 'entry-with-two', 'def solution(a, b=2):\n    return a', { mentions: ['a'] }),
  wrong('entry-point', 'entry-keyword-only', 'def solution(*, a):\n    return a', { mentions: ['a'] }),
  wrong('entry-point', 'entry-nested', 'def main():\n    def solution():\n        return 150\n    return solution()'),
  wrong('entry-point', 'entry-in-class', 'class A:\n    def solution(self):\n        return 150'),
  wrong('entry-point', 'entry-expression', 'answer = 1350 - 1200', { mentions: ['solution'] }),
  wrong('entry-point', 'entry-value', 'solution = 150'),
  wrong('entry-point', 'entry-lambda-argument', 'solution = lambda x: 150'),
  fine('entry-defaults', 'def solution(a=1350, b=1200):\n    return a - b'),
  fine('entry-star', 'def solution(*args, **kwargs):\n    return 150'),
  fine('entry-lambda', 'solution = lambda: 150'),
  fine('entry-annotated', 'def solution() -> float:\n    return 150.0'),
  fine('entry-helper', 'def helper(x):\n    return x - 1200\n\ndef solution():\n    return helper(1350)'),
  fine('entry-trailing-call', GOOD + '\n\nprint(solution())'),
  fine('entry-redefined', 'def solution(x):\n    return x\n\ndef solution():\n    return 150'),
  fine('entry-in-if', 'if True:\n    def solution():\n        return 150'),
  fine('entry-alias', 'def compute():\n    return 150\n\nsolution = compute'),
  fine('entry-decorated', 'def same(f):\n    return f\n\n@same\ndef solution():\n    return 150'),
  fine('entry-crlf', GOOD.replaceAll('\n', '\r\n')),
  // Nothing to call is no fault of the solution.
  quiet('blank-solution', docmath({ python_solution: '  \n' })),
  quiet('null-solution', docmath({ python_solution: null })),
];

const raising: readonly Variant[] = [
  wrong('raises', 'zero-division', body('a = 0', 'return 1 / a'), {
    at: 'return 1 / a',
    mentions: ['ZeroDivisionError', 'line 3'],
  }),
  wrong('raises', 'name-error', body('revenue = 1', 'return revenu'), {
    at: 'return revenu',
    mentions: ['NameError', 'line 3', 'revenue'],
  }),
  wrong('raises', 'type-error', body('return "1" + 1'), { mentions: ['TypeError', 'line 2'] }),
  wrong('raises', 'key-error', body('d = {}', 'return d["x"]'), { mentions: ['KeyError', 'line 3', 'x'] }),
  wrong('raises', 'index-error', body('return [1][3]'), { mentions: ['IndexError', 'line 2'] }),
  wrong('raises', 'value-error', body('return float("1,200")'), { mentions: ['ValueError', 'line 2', '1,200'] }),
  wrong('raises', 'assertion', body('assert 1 > 2', 'return 150'), { mentions: ['AssertionError', 'line 2'] }),
  wrong('raises', 'recursion', body('return solution()'), { mentions: ['RecursionError'] }),
  wrong('raises', 'in-helper', 'def half(x):\n    return x / 0\n\ndef solution():\n    return half(3)', {
    at: 'return x / 0',
    mentions: ['ZeroDivisionError', 'line 2'],
  }),
  wrong('raises', 'at-top-level', 'x = 1 / 0\n' + GOOD, { at: 'x = 1 / 0', mentions: ['ZeroDivisionError', 'line 1'] }),
  wrong('raises', 'exit', body('raise SystemExit(1)'), { mentions: ['SystemExit'] }),
  wrong('raises', 'open-file', body('return len(open("data.txt").read())'), { mentions: ['line 2'] }),
  wrong('raises', 'input', body('return float(input())'), { mentions: ['line 2'] }),
  wrong('raises', 'unbound', 'total = 1\n' + body('total += 1', 'return total'), {
    mentions: ['UnboundLocalError', 'total'],
  }),
];

const results: readonly Variant[] = [
  wrong('not-a-number', 'bool', body('return 1350 > 1200'), { at: 'return 1350 > 1200', mentions: ['True', 'bool'] }),
  wrong('not-a-number', 'none', body('x = 150'), { mentions: ['None'] }),
  wrong('not-a-number', 'printed', body('print("Result:", 150)'), { mentions: ['None', 'Result: 150'] }),
  wrong('not-a-number', 'list', body('return [150]'), { at: 'return [150]', mentions: ['list', '[150]'] }),
  wrong('not-a-number', 'tuple', body('return 150, "thousand"'), { mentions: ['tuple'] }),
  wrong('not-a-number', 'dict', body('return {"answer": 150}'), { mentions: ['dict'] }),
  wrong('not-a-number', 'decimal', body('from decimal import Decimal', 'return Decimal("150")'), {
    mentions: ['Decimal'],
  }),
  wrong('not-a-number', 'fraction', body('from fractions import Fraction', 'return Fraction(300, 2)'), {
    mentions: ['Fraction'],
  }),
  wrong('not-a-number', 'infinity', body('return float("inf")'), { mentions: ['inf'] }),
  wrong('not-a-number', 'minus-infinity', body('return -1e999'), { mentions: ['inf'] }),
  wrong('not-a-number', 'complex', body('return (-1) ** 0.5'), { mentions: ['complex'] }),
  wrong('not-a-number', 'formatted', body('return f"{150:.2f}"'), { mentions: ['str', '150.00'] }),
  wrong('not-a-number', 'generator', body('yield 150'), { mentions: ['generator'] }),
  wrong('not-a-number', 'coroutine', 'async def solution():\n    return 150', { mentions: ['coroutine|async'] }),
  fine('rounded', body('return round(150.0004, 2)')),
  fine(
    'numeric-imports',
    body('import math', 'from statistics import mean as average', 'return math.floor(average([150, 150.5]))'),
  ),
  fine('datetime', body('from datetime import datetime', 'return (datetime(2031, 5, 31) - datetime(2031, 1, 1)).days')),
];

const limits: readonly Variant[] = [
  wrong('timeout', 'loop', body('while True:', '    pass'), { mentions: ['0.4 s'] }),
  wrong('timeout', 'range', body('return sum(i for i in range(10 ** 12))'), { mentions: ['0.4 s'] }),
  wrong('timeout', 'top-level-loop', 'x = 0\nwhile x < 1:\n    x -= 1\n' + GOOD, { mentions: ['0.4 s'] }),
  wrong(
    'timeout',
    'swallowing',
    body('while True:', '    try:', '        x = 1', '    except BaseException:', '        pass'),
    { mentions: ['0.4 s'] },
  ),
  wrong('memory', 'bytes', body('return len(bytearray(10 ** 9))'), { mentions: ['64 MB'] }),
  wrong('memory', 'list', body('return len([0] * 10 ** 9)'), { mentions: ['64 MB'] }),
  wrong('memory', 'string', body('x = "ab" * 500_000_000', 'return len(x)'), { mentions: ['64 MB', 'line 2'] }),
  wrong('memory', 'index-sized', body('return len([0] * 10 ** 12)'), { mentions: ['64 MB'] }),
  fine('many-steps', body('return sum(1 for i in range(15000)) / 100')),
];

const forbid = (name: string, source: string, module: string, details: Details = {}): Variant =>
  wrong('forbidden-import', name, source, { mentions: [module], ...details });
const imports: readonly Variant[] = [
  forbid('import-os', body('import os', 'return 150'), 'os', { at: 'os' }),
  forbid('import-top', 'import requests\n' + GOOD, 'requests', { at: 'requests' }),
  forbid('import-from-as', body('from random import randint as dice', 'return 150'), 'random'),
  forbid('import-dotted', body('import os.path', 'return 150'), 'os.path'),
  forbid('import-as', body('import time as t', 'return 150'), 'time'),
  forbid('import-relative', body('from . import helper', 'return 150'), '.'),
  forbid('import-relative-module', body('from .helper import x', 'return 150'), '.helper'),
  forbid('import-dunder', body("return len(__import__('os').name)"), 'os'),
  firesAll('import-importlib', solution(body('import importlib', "return len(importlib.import_module('os').name)")), [
    { code: 'solution/forbidden-import', pointer: AT, at: 'importlib', mentions: ['importlib'] },
    { code: 'solution/forbidden-import', pointer: AT, at: "'os'", mentions: ['os'] },
  ]),
  forbid('import-star', 'from sys import *\n' + GOOD, 'sys'),
  forbid('import-computed', body("m = 'o' + 's'", 'return len(__import__(m).name)'), '__import__'),
  forbid('import-second-name', body('import math, socket', 'return 150'), 'socket', {
    at: 'socket',
    silent: ['imports math'],
  }),
  forbid('import-in-try', body('try:', '    import ctypes', 'except ImportError:', '    pass', 'return 150'), 'ctypes'),
  firesAll('import-two', solution(body('import os', 'import sys', 'return 150')), [
    { code: 'solution/forbidden-import', pointer: AT, mentions: ['os'], at: 'os' },
    { code: 'solution/forbidden-import', pointer: AT, mentions: ['sys'], at: 'sys' },
  ]),
  wrong('unavailable-import', 'numpy', body('import numpy as np', 'return np.mean([150])'), { mentions: ['numpy'] }),
  wrong('unavailable-import', 'pandas-from', body('from pandas import DataFrame', 'return 150'), {
    mentions: ['pandas'],
  }),
  wrong('unavailable-import', 'scipy-dotted', body('import scipy.stats', 'return 150'), { mentions: ['scipy'] }),
  wrong('unavailable-import', 'sympy-from-dotted', body('from sympy.core import Integer', 'return 150'), {
    mentions: ['sympy'],
  }),
  fine('import-word-in-string', body("x = 'import os'", 'return 150')),
  fine('import-word-in-comment', body('# import subprocess', 'return 150')),
  fine('import-collections-abc', body('import collections.abc', 'return 150')),
  fine('name-like-import', body('important = 150', 'return important')),
];

export const solutionGroups: readonly Group[] = [
  {
    name: 'solution',
    dataset: { profile: 'docmath-eval', solutions: { timeoutMs: 3000 } },
    variants: [...syntax, ...fences, ...escaped, ...entries, ...raising, ...results, ...imports],
  },
  {
    name: 'solution-limits',
    dataset: { profile: 'docmath-eval', solutions: { timeoutMs: 400, memoryMb: 64 } },
    variants: limits,
  },
  {
    name: 'solution-imports',
    dataset: { profile: 'docmath-eval', solutions: { allowedImports: ['math'] } },
    variants: [
      forbid('statistics-not-in-list', body('import statistics', 'return 150'), 'statistics'),
      fine('math-in-list', body('import math', 'return math.ceil(149.5)')),
    ],
  },
];
