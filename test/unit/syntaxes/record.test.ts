import assert from 'node:assert/strict';
import { createTokenizer, editorExtensions } from './tokenizer.ts';
import type { Token, Tokenizer } from './tokenizer.ts';

const RECORD = 'auditable-qa-record';

describe('the grammar of record documents', () => {
  let tokenizer!: Tokenizer;
  before(async function () {
    const extensions = editorExtensions();
    if (extensions === undefined) {
      console.log('    VS Code, whose grammars these build on, is not set up: node scripts/setup.mjs');
      return this.skip();
    }
    tokenizer = await createTokenizer(`source.${RECORD}`, extensions);
  });

  /** What a token is in short. */
  function kind({ text, scopes }: Token): string {
    const last = scopes.at(-1)!;
    if (last.startsWith('punctuation.definition.string.begin.auditable')) return 'opens';
    if (last.startsWith('punctuation.definition.string.end.auditable')) return 'closes';
    if (scopes.includes('meta.embedded.block.python')) return 'python';
    if (scopes.includes('meta.embedded.line.python')) return 'python in a string';
    if (scopes.some((scope) => scope.startsWith('string.quoted.triple'))) return 'text';
    if (scopes.some((scope) => scope.includes('property-name'))) return 'key';
    if (scopes.some((scope) => scope.startsWith('string'))) return 'string';
    if (last.startsWith('constant')) return 'constant';
    return last.startsWith('punctuation') ? text : `? ${text}`;
  }

  /** Per line the kinds of its tokens, each once in a row. */
  const kinds = (...lines: string[]): string[] =>
    tokenizer.tokens(lines.join('\n')).map((tokens) =>
      tokens
        .filter(({ text }) => text.trim() !== '')
        .map(kind)
        .filter((one, at, all) => one !== all[at - 1])
        .join(' '),
    );

  it('is JSON', () => {
    assert.deepEqual(kinds('{', '  "a": [1, -2.5e3, true, null],', '  "b": {"c": "\\"x"}', '}'), [
      '{',
      'key : [ constant , constant , constant , constant ] ,',
      'key : { key : string }',
      '}',
    ]);
  });

  it('has blocks of Python and of text, closed by as many quotation marks as opened them', () => {
    assert.deepEqual(
      kinds(
        '{',
        '  "question": """"',
        '    A text with """ in it',
        '    """',
        '    "key": no key',
        '    """"   ,',
        '  "python_solution": """',
        '    def solution():',
        '        return {"a": 1}["a"]',
        '    """,',
        '  "ground_truth": 1',
        '}',
      ),
      [
        '{',
        'key : opens',
        'text',
        'text',
        'text',
        'closes ,',
        'key : opens',
        'python',
        'python',
        'closes ,',
        'key : constant',
        '}',
      ],
    );
  });

  it('has blocks in lists, at any indentation, the last one without a comma', () => {
    assert.deepEqual(
      kinds('{ "paragraphs": [', '"""', 'one', '', '""",', '      """', '      two', '  """', '], "a": 1 }'),
      ['{ key : [', 'opens', 'text', '', 'closes ,', 'opens', 'text', 'closes', '] , key : constant }'],
    );
  });

  it('leaves a block of Python whatever the Python left open', () => {
    for (const open of ['    """A docstring', '    x = (1,', "    x = f'{"]) {
      assert.deepEqual(
        kinds('{', '  "solution": """', open, '    """', '  , "a": 1}').slice(2),
        ['python', 'closes', ', key : constant }'],
        open,
      );
    }
  });

  it('ends a block that is not closed before the next key, or the end of the record', () => {
    for (const [key, content] of [
      ['question', 'text'],
      ['python_solution', 'python'],
    ]) {
      assert.deepEqual(kinds('{', `  "${key}": """`, '    some', '  "a": 1,', '  "b": 2', '}'), [
        '{',
        'key : opens',
        content,
        'key : constant ,',
        'key : constant',
        '}',
      ]);
      assert.deepEqual(kinds('{', `  "${key}": """`, '    some', '}').at(-1), '}');
    }
  });

  it('ends strings with their line, and finds the next key behind a missing comma', () => {
    assert.deepEqual(kinds('{', '  "a": "open', '  "b": 1', '  "c": 2', '}'), [
      '{',
      'key : string',
      'key : constant',
      'key : constant',
      '}',
    ]);
  });

  it('colours a solution that is a plain string as files do', () => {
    const [, line] = kinds('{', '  "python_solution": "def solution():\\n    return 1",', '  "ground_truth": 1', '}');
    assert.equal(line, 'key : string python in a string string ,');
  });

  it('gives the lines of a block of Python to Python: comments, brackets and indentation are its own', () => {
    const tokens = tokenizer.tokens(['{', '  "solution": """', '    # a', '    """', '}'].join('\n'));
    assert.ok(tokens[2]!.every(({ scopes }) => scopes.includes('source.python')));
    assert.ok(tokens[2]!.at(-1)!.scopes.includes('comment.line.number-sign.python'));
  });
});
