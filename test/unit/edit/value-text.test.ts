import assert from 'node:assert/strict';
import { applyEdits, placeEdits } from '../../../server/src/core/edit/edits.ts';
import { changeText, editableValues } from '../../../server/src/core/edit/value-text.ts';
import { builtinProfile } from '../../../server/src/core/profile/builtin.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import type { CanonicalRecord } from '../../../server/src/core/record/types.ts';

function recordOf(profile: string, text: string, more: object = {}): CanonicalRecord {
  return toCanonical({ ...(JSON.parse(text) as object), ...more }, builtinProfile(profile)!);
}

/** The record's text afterwards, or why there is none. */
function after(
  profile: string,
  text: string,
  pointer: string,
  was: string,
  written: string,
  inString?: readonly [number, number],
): string {
  const span = inString && { inString: { start: inString[0], end: inString[1] } };
  const made = changeText(recordOf(profile, text), { kind: 'text', pointer, was, text: written, ...span });
  if (made.kind === 'problem') return made.message;
  return applyEdits(text, placeEdits(made.edits, text)!);
}

const CHANGED = 'The record has another text there by now.';

describe('texts edited in place', () => {
  const text = String.raw`{ "question" : "Gr\u00F6\u00DFe \/ m?", "paragraphs": ["One. \u20AC", "| a\\|b | 1 |\n| c | 2 |"], "table_evidence": [1], "ground_truth": 1.0, "python_solution": "def solution():\n    return 1" }`;

  it('write only what differs, in the spelling around it', () => {
    assert.equal(
      after('docmath-eval', text, '/question', 'Größe / m?', 'Größe µ / m?'),
      text.replace(String.raw`e \/`, String.raw`e \u00B5 \/`),
    );
    assert.equal(after('docmath-eval', text, '/question', 'Größe / m?', 'Größe / a/b?'), text.replace('m?', 'a/b?'));
    assert.equal(after('docmath-eval', text, '/paragraphs/0', 'One. €', 'One. €'), text);
  });

  it('refuse where another text was seen', () => {
    assert.equal(after('docmath-eval', text, '/question', 'Grösse / m?', 'x'), CHANGED);
    assert.equal(after('docmath-eval', text, '/paragraphs/1', 'c', 'x', [14, 15]), CHANGED);
    assert.equal(after('docmath-eval', text, '/paragraphs/1', 'x', 'y', [90, 91]), CHANGED);
    assert.equal(after('docmath-eval', text, '/ground_truth', '2', '3'), CHANGED);
    assert.equal(after('docmath-eval', text, '/paragraphs/7', '', 'x'), 'The record has no such value any more.');
  });

  it('write numbers as they are typed, and say what is none', () => {
    for (const number of ['2', '1.50', '-3e2', ' 7 ']) {
      assert.equal(
        after('docmath-eval', text, '/ground_truth', '1', number),
        text.replace('1.0,', `${number.trim()},`),
      );
    }
    assert.equal(after('docmath-eval', text, '/ground_truth', '1', '1'), text);
    for (const none of ['1,500', '', 'one', '.5', '+1', '01', 'NaN', '"1"']) {
      assert.match(after('docmath-eval', text, '/ground_truth', '1', none), /is no number as JSON writes it/);
    }
  });

  it('keep cells cells: in one line, with pipes, tags and tabs written so that they stay text', () => {
    const cells = (block: string): string =>
      JSON.stringify({ question: 'q', paragraphs: [block], table_evidence: [0] });
    const cell = (block: string, was: string, written: string, shown = was): string => {
      const start = block.indexOf(was);
      const made = after('docmath-eval', cells(block), '/paragraphs/0', shown, written, [start, start + was.length]);
      return (JSON.parse(made) as { paragraphs: string[] }).paragraphs[0]!;
    };
    const pipes = '| a\\|b | 1 |\n| c | 2 |';
    assert.equal(cell(pipes, 'a\\|b', 'x|y\nz', 'a|b'), '| x\\|y z | 1 |\n| c | 2 |');
    assert.equal(cell(pipes, '2', '1,200'), '| a\\|b | 1 |\n| c | 1,200 |');
    const html = '<table><tr><td>a &lt; b</td><td>1</td></tr></table>';
    assert.equal(cell(html, 'a &lt; b', 'R&D > 2', 'a < b'), html.replace('a &lt; b', 'R&amp;D &gt; 2'));
    assert.equal(cell('a\t1\nb\t2', '2', '3\t4'), 'a\t1\nb\t3 4');
  });

  it('change the last line of a chat and nothing before it', () => {
    const chat = JSON.stringify({
      messages: [
        { role: 'user', content: '<image>\nAnswer briefly.\nWhich row?' },
        { role: 'assistant', content: 'North' },
      ],
      doc_name: 'paper',
      evidence_page: [2],
      bbox: [[[1, 2, 3, 4]]],
    });
    const record = recordOf('sciegqa', chat);
    assert.deepEqual(editableValues(record), { question: '/messages/0/content' });
    assert.equal(
      after('sciegqa', chat, '/messages/0/content', 'Which row?', 'Which column?'),
      chat.replace('row?', 'column?'),
    );
    assert.match(after('sciegqa', chat, '/messages/0/content', 'Which row?', 'a\nb'), /cannot have line breaks/);
    assert.equal(after('sciegqa', chat, '/messages/1/content', 'North', 'South'), chat.replace('North', 'South'));
  });

  it('change lists and truth values into the like alone', () => {
    const own = '{"question": "q", "paragraphs": ["a"], "ground_truth": [1, 2.0]}';
    assert.equal(after('docmath-eval', own, '/ground_truth', '[1,2]', '[1, 3]'), own.replace('2.0', '3.0'));
    assert.match(after('docmath-eval', own, '/ground_truth', '[1,2]', '5'), /is no list as JSON writes it/);
    assert.match(after('docmath-eval', own, '/ground_truth', '[1,2]', 'x'), /is no list as JSON writes it/);
  });

  it('tell what can be edited: what is there, in the record itself', () => {
    assert.deepEqual(editableValues(recordOf('docmath-eval', text)), {
      question: '/question',
      answer: '/ground_truth',
      solution: '/python_solution',
    });
    assert.deepEqual(editableValues(recordOf('docmath-eval', '{"question": null}')), {});
  });
});
