import assert from 'node:assert/strict';
import type { RunError } from '../../../server/src/core/ports.ts';
import { solutionRules } from '../../../server/src/core/rules/solution.ts';
import { spanOfColumn, spanOfLine, spanOfReturn } from '../../../server/src/core/solution/lines.ts';
import { DOCMATH, check, fails, settingsOf, yields } from './support.ts';

const settings = settingsOf('docmath-eval');
const SOURCE = 'def solution():\n    total = 1350\n    return totl - 1200\n';

function found(error: RunError, stdout = '', source = SOURCE) {
  const [finding, ...others] = check(solutionRules, settings, [{ ...DOCMATH, python_solution: source }], {
    run: fails(error, stdout),
  });
  assert.deepEqual(others, []);
  assert.ok(finding);
  const { start, end } = finding.inString ?? { start: 0, end: 0 };
  return { code: finding.code, message: finding.message, marked: source.slice(start, end) };
}

describe('solutions that fail when run', () => {
  const rows: readonly [name: string, error: RunError, code: string, message: RegExp, marked: string][] = [
    [
      'syntax, at the column',
      { kind: 'syntax', type: 'SyntaxError', message: 'invalid syntax', line: 3, column: 12 },
      'solution/syntax',
      /SyntaxError in line 3, column 12: invalid syntax\./,
      'totl',
    ],
    [
      'syntax past the text of the line',
      { kind: 'syntax', type: 'TabError', message: 'inconsistent use of tabs', line: 3, column: 99 },
      'solution/syntax',
      /line 3/,
      'return totl - 1200',
    ],
    [
      'a misspelled name',
      { kind: 'exception', type: 'NameError', message: "name 'totl' is not defined", line: 3 },
      'solution/raises',
      /NameError in line 3: name 'totl' is not defined\. Did you mean 'total'\?/,
      'return totl - 1200',
    ],
    [
      'a name that Python suggests for itself',
      { kind: 'exception', type: 'NameError', message: "name 'totl' is not defined. Did you mean: 'total'?", line: 3 },
      'solution/raises',
      /Did you mean: 'total'\?$/,
      'return totl - 1200',
    ],
    [
      'an exception without a line or text',
      { kind: 'exception', type: 'ValueError', message: '' },
      'solution/raises',
      /raises ValueError\./,
      'def solution():',
    ],
    [
      'recursion',
      { kind: 'recursion', type: 'RecursionError', message: 'maximum recursion depth exceeded', line: 3 },
      'solution/raises',
      /RecursionError in line 3/,
      'return totl - 1200',
    ],
    [
      'a blocked call',
      { kind: 'blocked', type: 'PermissionError', message: 'open', line: 2 },
      'solution/raises',
      /outside the sandbox.*line 2/,
      'total = 1350',
    ],
    ['a crash', { kind: 'crash', type: 'Error', message: 'gone' }, 'solution/raises', /broke down/, 'def solution():'],
    [
      'a timeout',
      { kind: 'timeout', type: 'Timeout', message: '' },
      'solution/timeout',
      /limit of 3 s/,
      'def solution():',
    ],
    [
      'memory',
      { kind: 'memory', type: 'MemoryError', message: '', line: 2 },
      'solution/memory',
      /limit of 128 MB \(MemoryError in line 2\)/,
      'total = 1350',
    ],
    [
      'a size beyond the engine',
      { kind: 'exception', type: 'OverflowError', message: "cannot fit 'int' into an index-sized integer", line: 3 },
      'solution/memory',
      /128 MB/,
      'return totl - 1200',
    ],
    [
      'an overflow of floats is an exception',
      { kind: 'exception', type: 'OverflowError', message: 'int too large to convert to float', line: 3 },
      'solution/raises',
      /OverflowError/,
      'return totl - 1200',
    ],
    [
      'text',
      { kind: 'badReturn', type: 'str', message: "'150.0'" },
      'solution/not-a-number',
      /'150\.0' of type str/,
      'return totl - 1200',
    ],
    [
      'a bool',
      { kind: 'badReturn', type: 'bool', message: 'True' },
      'solution/not-a-number',
      /True of type bool/,
      'return totl - 1200',
    ],
    ['nan', { kind: 'notFinite', type: 'float', message: 'nan' }, 'solution/not-a-number', /nan/, 'return totl - 1200'],
    [
      'an entry point that only the run sees',
      { kind: 'entryPoint', type: 'TypeError', message: "'solution' is not a function but 5" },
      'solution/entry-point',
      /solution cannot be called.*not a function/,
      'def solution():',
    ],
  ];
  for (const [name, error, code, message, marked] of rows) {
    it(name, () => {
      const finding = found(error);
      assert.equal(finding.code, code);
      assert.match(finding.message, message);
      assert.equal(finding.marked, marked);
    });
  }

  it('says what was printed where nothing is returned', () => {
    const source = 'def solution():\n    print(150)\n';
    const finding = found({ kind: 'badReturn', type: 'NoneType', message: 'None' }, '150\n', source);
    assert.match(finding.message, /None.*printed "150"/);
    assert.equal(finding.marked, 'def solution():');
  });

  it('says of True where the gold is 1 that it is a number written as a comparison, and offers int()', () => {
    const truth = { kind: 'badReturn', type: 'bool', message: 'True' } as const;
    const solution = 'def solution():\n    a = 3\n    return a > 2 and a < 5';
    const of = (ground_truth: number) =>
      check(solutionRules, settings, [{ ...DOCMATH, python_solution: solution, ground_truth }], {
        run: fails(truth),
      })[0]!;
    assert.match(of(1).message, /as a number it is 1, which is ground_truth: write int\(…\) around it\.$/);
    assert.deepEqual(
      of(1).fixes?.map(({ title, safe }) => [title, safe]),
      [['Return the number: int(a > 2 and a < 5)', false]],
    );
    assert.match(of(0).message, /is expected\.$/);
    assert.equal(of(0).fixes, undefined);
  });

  it('is silent on a value', () =>
    assert.deepEqual(check(solutionRules, settings, [DOCMATH], { run: yields('150') }), []));

  it('does not guess a name that is far off', () => {
    const finding = found({ kind: 'exception', type: 'NameError', message: "name 'revenue' is not defined", line: 3 });
    assert.doesNotMatch(finding.message, /Did you mean/);
  });
});

describe('faults of the static analysis', () => {
  for (const kind of [
    'code-fence',
    'double-escaped',
    'entry-point',
    'forbidden-import',
    'unavailable-import',
  ] as const) {
    it(`${kind} keeps its message and place`, () => {
      const fault = { kind, message: 'What is wrong.', start: 4, end: 12, found: 'x' };
      const [finding, ...others] = check(solutionRules, settings, [DOCMATH], { faults: [fault] });
      assert.deepEqual(others, []);
      assert.deepEqual(finding, {
        code: `solution/${kind}`,
        index: 0,
        pointer: '/python_solution',
        inString: { start: 4, end: 12 },
        message: 'What is wrong.',
        found: 'x',
      });
    });
  }
});

describe('places in a solution', () => {
  const at = (source: string, span: { start: number; end: number } | undefined): string | undefined =>
    span && source.slice(span.start, span.end);
  it('count lines as Python does', () => {
    const source = 'a\r\n  b  \rc\nd';
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((line) => at(source, spanOfLine(source, line))),
      ['a', 'b', 'c', 'd', undefined],
    );
  });
  it('count columns in code points', () => {
    const source = 'x = "𝟙" + né1';
    assert.equal(at(source, spanOfColumn(source, 1, 11)), 'né1');
  });
  it('mark the one return, else the head', () => {
    const two = 'def f():\n  if x:\n    return 1\n  return 2';
    assert.equal(at(two, spanOfReturn(two, 'f')), 'def f():');
    const lambda = 'f = lambda: 5';
    assert.equal(at(lambda, spanOfReturn(lambda, 'f')), lambda);
  });
});
