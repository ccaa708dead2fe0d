import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { solutionTokens } from '../../../server/src/core/solution/tokens.ts';
import { followEscapes } from '../../../server/src/core/text/escapes.ts';
import { spanOfPointer } from '../../../server/src/core/text/offsets.ts';
import { createTokenizer, editorExtensions } from './tokenizer.ts';
import type { Token, Tokenizer } from './tokenizer.ts';

const DATA = path.join(import.meta.dirname, '../../../../shared/data/docmath-eval');

const isPython = ({ scopes }: Token): boolean => scopes.includes('source.python.in-string');
const innermost = ({ scopes }: Token): string => scopes.at(-1)!;

describe('Python inside the strings of JSON files', () => {
  let lines!: Tokenizer;
  let json!: Tokenizer;
  before(async function () {
    const extensions = editorExtensions();
    if (extensions === undefined) {
      console.log('    VS Code, whose grammars these build on, is not set up: node scripts/setup.mjs');
      return this.skip();
    }
    lines = await createTokenizer('source.json.lines', extensions);
    json = await createTokenizer('source.json', extensions);
  });

  /** The tokens of one solution, as `text scope` without the ending that all have; blanks and plain names left out. */
  function scopes(source: string, tokenizer = lines): string[] {
    const [tokens] = tokenizer.tokens(JSON.stringify({ python_solution: source, ground_truth: 1 }));
    const after = tokens!.findLastIndex(({ text }) => text === 'ground_truth');
    assert.match(innermost(tokens![after]!), /property-name/, 'the key behind the solution is a key');
    return tokens!
      .filter((token) => isPython(token) && !/^(?:source|meta\.f)/.test(innermost(token)))
      .map((token) => `${token.text} ${innermost(token).replace(/\.python$/, '')}`);
  }

  const without = (found: string[], ...parts: string[]): string[] =>
    found.filter((one) => !parts.some((part) => one.includes(part)));

  it('ends a comment at the escaped line break, and nowhere before', () => {
    assert.deepEqual(scopes('# a "b" \\n c\nreturn 1'), [
      '# punctuation.definition.comment',
      ' a  comment.line.number-sign',
      '\\" constant.character.escape.json',
      'b comment.line.number-sign',
      '\\" constant.character.escape.json',
      '  comment.line.number-sign',
      '\\\\ constant.character.escape.json',
      'n c comment.line.number-sign',
      '\\n constant.character.escape.json',
      'return keyword.control.flow',
      '1 constant.numeric.dec',
    ]);
  });

  it('knows words behind an escaped line break or tab, and none inside of names', () => {
    assert.deepEqual(without(scopes('if x:\n\treturn not_in\nindef = returned + format_1'), 'escape'), [
      'if keyword.control.flow',
      ': punctuation.separator.colon',
      'return keyword.control.flow',
      '= keyword.operator.assignment',
      '+ keyword.operator.arithmetic',
    ]);
  });

  it('sees definitions, parameters, types and defaults', () => {
    assert.deepEqual(scopes('def solution(a: int = 3, *b, key=None) -> float:'), [
      'def storage.type.function',
      'solution entity.name.function',
      '( punctuation.definition.parameters.begin',
      'a variable.parameter.function.language',
      ': punctuation.separator.annotation',
      'int support.type',
      '= keyword.operator.assignment',
      '3 constant.numeric.dec',
      ', punctuation.separator.element',
      '* keyword.operator.arithmetic',
      'b variable.parameter.function.language',
      ', punctuation.separator.element',
      'key variable.parameter.function.language',
      '= keyword.operator.assignment',
      'None constant.language',
      ') punctuation.definition.parameters.end',
      '-> punctuation.separator.annotation.result',
      'float support.type',
      ': punctuation.separator.colon',
    ]);
  });

  it('tells quotation marks of JSON from those of Python', () => {
    assert.deepEqual(scopes(`'it\\'s "q"\\n' + "a\\"b'"`), [
      "' punctuation.definition.string.begin",
      'it string.quoted.single',
      "\\\\' constant.character.escape",
      's  string.quoted.single',
      '\\" constant.character.escape.json',
      'q string.quoted.single',
      '\\" constant.character.escape.json',
      '\\\\n constant.character.escape',
      "' punctuation.definition.string.end",
      '+ keyword.operator.arithmetic',
      '\\" punctuation.definition.string.begin',
      'a string.quoted.single',
      '\\\\\\" constant.character.escape',
      "b' string.quoted.single",
      '\\" punctuation.definition.string.end',
    ]);
  });

  it('goes on behind a docstring over several lines with quotation marks in it', () => {
    const found = scopes('"""The "net" change\n# of \'2032\'\n"""\nreturn 1');
    assert.deepEqual(without(found, 'escape', 'string.quoted.multi'), [
      '\\"\\"\\" punctuation.definition.string.begin',
      '\\"\\"\\" punctuation.definition.string.end',
      'return keyword.control.flow',
      '1 constant.numeric.dec',
    ]);
    assert.ok(!found.some((one) => one.includes('comment')));
  });

  it('colours what stands in the braces of an f-string as code', () => {
    assert.deepEqual(scopes(`f"{{x}} {a + 1:.2f} {d['k']!r} %" + rf'{1}'`), [
      'f storage.type.string',
      '\\" punctuation.definition.string.begin',
      '{{ constant.character.escape',
      'x string.quoted.single',
      '}} constant.character.escape',
      '  string.quoted.single',
      '{ constant.character.format.placeholder.other',
      '+ keyword.operator.arithmetic',
      '1 constant.numeric.dec',
      ':.2f storage.type.format',
      '} constant.character.format.placeholder.other',
      '  string.quoted.single',
      '{ constant.character.format.placeholder.other',
      '[ punctuation.definition.list.begin',
      "' punctuation.definition.string.begin",
      'k string.quoted.single',
      "' punctuation.definition.string.end",
      '] punctuation.definition.list.end',
      '!r storage.type.format',
      '} constant.character.format.placeholder.other',
      ' % string.quoted.single',
      '\\" punctuation.definition.string.end',
      '+ keyword.operator.arithmetic',
      'rf storage.type.string',
      "' punctuation.definition.string.begin",
      '{ constant.character.format.placeholder.other',
      '1 constant.numeric.dec',
      '} constant.character.format.placeholder.other',
      "' punctuation.definition.string.end",
    ]);
  });

  it('loses no more than a line of Python to a quotation mark, brace or bracket that is not closed', () => {
    for (const open of ["x = 'a", 'x = "a', "x = f'{a", 'x = f"a {', 'x = [(', "x = f'{a["]) {
      assert.equal(scopes(`${open}\nreturn 1`).at(-2), 'return keyword.control.flow', open);
    }
    assert.equal(scopes('x = "a\\\nb').at(-1), 'b string.quoted.single', 'a backslash goes on in the next line');
    assert.equal(scopes('def solution(a, b\n    return 1').at(-2), 'return keyword.control.flow');
    assert.equal(scopes('x = """a\nreturn 1').at(-1), 'return 1 string.quoted.multi');
  });

  it('reads what careful writers of JSON escape', () => {
    const line = String.raw`{"python_solution": "x = \u0027a\u0027 \u003e= 1 \u002B 2\u000areturn \u0022b\u0022"}`;
    const found = lines.tokens(line)[0]!.filter((token) => isPython(token) && token.text.startsWith('\\u'));
    assert.deepEqual(
      found.map((token) => `${token.text} ${innermost(token)}`),
      [
        '\\u0027 punctuation.definition.string.begin.python',
        '\\u0027 punctuation.definition.string.end.python',
        '\\u003e= keyword.operator.comparison.python',
        '\\u002B keyword.operator.arithmetic.python',
        '\\u000a constant.character.escape.json',
        '\\u0022 punctuation.definition.string.begin.python',
        '\\u0022 punctuation.definition.string.end.python',
      ],
    );
  });

  it('finds the keys in any order and spacing, nested, on lines of their own', () => {
    const solution = JSON.stringify('def calculate():\n    return 1');
    for (const key of ['python_solution', 'python_calculation', 'solution', 'program']) {
      for (const text of [
        `{"${key}":${solution},"a":1}`,
        `{"a":{"${key}" : ${solution}}, "b": [1]}`,
        `[{"b": [1]},{"${key}":\t${solution}}]`,
        `{\n  "${key}":\n    ${solution},\n  "a": 1\n}`,
      ]) {
        for (const tokenizer of [lines, json]) {
          const tokens = tokenizer.tokens(text).flat();
          assert.ok(
            tokens.some((token) => isPython(token) && innermost(token) === 'keyword.control.flow.python'),
            text,
          );
          assert.ok(!tokens.some(({ scopes: all }) => all.some((scope) => scope.startsWith('invalid'))), text);
        }
      }
    }
  });

  it('leaves alone what is no Python, and strings that only look like a key', () => {
    for (const text of [
      '{"solution": "Let x = 3. Then we define y (the sum) as $x + 1$; import duties are 5.", "a": 1}',
      '{"solution": null, "a": 1}',
      '{"solution": {"text": "def f(): 1"}}',
      '{"solution": ["def f(): return 1"], "python_solution": 3}',
      '{"program": "bin/run.sh", "question": "\\"python_solution\\": \\"def f(): return 1\\""}',
      '["python_solution", "def f(): return 1"]',
      '{"question": "python_solution", "answer": "def f(): return 1"}',
      '{"my_python_solution": "def f(): return 1"}',
    ]) {
      const tokens = lines.tokens(text).flat();
      assert.ok(!tokens.some(isPython), text);
      assert.ok(!tokens.some(({ scopes: all }) => all.some((scope) => scope.startsWith('invalid'))), text);
    }
  });

  it('colours programs and formulas lightly', () => {
    const of = (line: string): string[] =>
      lines
        .tokens(line)
        .flat()
        .filter(({ scopes: all }) => all.some((scope) => scope.startsWith('meta.embedded.line')))
        .filter((token) => !innermost(token).startsWith('meta.'))
        .map((token) => `${token.text} ${innermost(token)}`);
    assert.deepEqual(of('{"program": "subtract(5829, const_100), divide(#0, table_max)", "a": 1}'), [
      'subtract support.function.builtin.program',
      '5829 constant.numeric.program',
      ', punctuation.separator.program',
      'const_100 constant.numeric.program',
      ', punctuation.separator.program',
      'divide support.function.builtin.program',
      '#0 variable.other.program',
      ', punctuation.separator.program',
    ]);
    assert.deepEqual(of('{"derivation": "(44.1 - 1,200)/2"}'), [
      '44.1 constant.numeric.formula',
      '- keyword.operator.arithmetic.formula',
      '1,200 constant.numeric.formula',
      '/ keyword.operator.arithmetic.formula',
      '2 constant.numeric.formula',
    ]);
  });

  it('ends a string that is not closed with its line', () => {
    const tokens = lines.tokens(
      '{"python_solution": "def solution():\n{"question_id": "b", "ground_truth": 1}\n{"a": 2}',
    );
    assert.ok(!tokens.slice(1).flat().some(isPython));
    for (const [line, key] of [
      [1, 'ground_truth'],
      [2, 'a'],
    ] as const) {
      assert.match(innermost(tokens[line]!.find(({ text }) => text === key)!), /property-name/);
    }
  });

  it('leaves the text a string for the editor: nothing is closed by itself in it, no bracket is matched', () => {
    const line = '{"python_solution": "def f():\\n  x = [f(1), {"}';
    const types = lines.standardTypes(line);
    const from = line.indexOf('def');
    assert.deepEqual([...new Set(types.slice(from, line.indexOf('"}')))], ['string']);
    assert.equal(types.at(-1), 'other');
  });

  it('agrees with the parser on every solution of the real data', function () {
    if (!existsSync(DATA)) {
      console.log('    ../shared/data is not there');
      return this.skip();
    }
    const expected: Readonly<Record<string, RegExp>> = {
      comment: /comment\.line/,
      number: /constant\.numeric/,
      string: /string\.quoted/,
      keyword: /keyword\.control|storage\.type|constant\.language/,
      operator: /keyword\.operator/,
    };
    let compared = 0;
    for (const file of ['testmini_703.jsonl', 'full_shape_119_reconstructed.jsonl']) {
      for (const line of readFileSync(path.join(DATA, file), 'utf8').split('\n').filter(Boolean)) {
        const scopeAt: string[] = [];
        for (const { text, scopes: all } of lines.tokens(line)[0]!) {
          const joined = all.filter((scope) => scope !== 'source.python.in-string').join(' ');
          for (let at = 0; at < text.length; at++) scopeAt.push(joined);
        }
        const { python_solution: source } = JSON.parse(line) as { python_solution: string };
        const follow = followEscapes(line, spanOfPointer(line, '/python_solution')!);
        for (const { start, end, type } of solutionTokens(source)) {
          follow(start, end, (from, to) => {
            const pattern = expected[type];
            if (pattern === undefined) return;
            compared++;
            assert.match(scopeAt[from]!, pattern, `${line.slice(from, to)} in ${source}`);
            assert.match(scopeAt[to - 1]!, pattern, `${line.slice(from, to)} in ${source}`);
          });
        }
      }
    }
    assert.ok(compared > 10_000);
  });
});
