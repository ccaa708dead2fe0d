import assert from 'node:assert/strict';
import { decodedAgain, textRules } from '../../../server/src/core/rules/text.ts';
import { placeholderOf } from '../../../server/src/core/rules/placeholder.ts';
import { check, DOCMATH, settingsOf } from '../rules/support.ts';

const settings = settingsOf('docmath-eval');

function codes(patch: Readonly<Record<string, unknown>>): string[] {
  return check(textRules, settings, [{ ...DOCMATH, ...patch }]).map(({ code, pointer }) => `${code} ${pointer}`);
}

describe('rules on texts', () => {
  it('report each kind of invisible character once per field, also inside blocks', () => {
    const found = check(textRules, settings, [
      { ...DOCMATH, question: 'a\u00a0b\u200bc\u00a0d?', paragraphs: ['Widget\u00adrevenue.'] },
    ]);
    assert.deepEqual(
      found.map(({ pointer, message, inString }) => [pointer, /U\+\w+/.exec(message)?.[0], inString]),
      [
        ['/question', 'U+00A0', { start: 1, end: 2 }],
        ['/question', 'U+200B', { start: 3, end: 4 }],
        ['/paragraphs/0', 'U+00AD', { start: 6, end: 7 }],
      ],
    );
  });

  it('find characters that are escaped in the file', () => {
    const line = JSON.stringify(DOCMATH).replace('What was', 'What\\u00a0was');
    assert.deepEqual(
      check(textRules, settings, [line]).map(({ code }) => code),
      ['text/invisible-character'],
    );
  });

  it('leave joiners and marks of direction to the scripts that need them', () => {
    assert.deepEqual(codes({ question: 'نام\u200cهای کتاب?' }), []);
    assert.deepEqual(codes({ question: 'What does 👩\u200d🔬 stand for?' }), []);
  });

  it('tell blanks once per record', () => {
    assert.deepEqual(codes({ question: ' What  was it? ' }), ['text/stray-blanks /question']);
    assert.deepEqual(codes({ question: 'What was it?\nAnd  why?' }), ['text/stray-blanks /question']);
    assert.deepEqual(codes({ question: 'What was it?\n  And why?' }), []);
  });

  it('know mojibake from letters with accents', () => {
    for (const wrong of ['companyâ€™s', 'cafÃ©', 'â\u0080\u0093 net', 'Â§ 4', 'companyâs share', 'lost \ufffd sign']) {
      assert.deepEqual(codes({ question: `What is ${wrong}?` }), ['text/mojibake /question'], wrong);
    }
    for (const right of ['Château', 'Ångström', 'São Paulo', 'naïve', 'ÂME', 'crêpe “à la carte”', 'Ã la']) {
      assert.deepEqual(codes({ question: `What is ${right}?` }), [], right);
    }
    assert.equal(decodedAgain('â€™'), '’');
    assert.equal(decodedAgain('Ã©'), 'é');
  });

  it('report HTML entities outside of HTML', () => {
    assert.deepEqual(codes({ question: 'What was R&amp;D, &#8217;32?' }), ['text/html-entity /question']);
    assert.deepEqual(codes({ question: 'What was R&D at AT&T; and why?' }), []);
    assert.deepEqual(codes({ paragraphs: ['<table><tr><td>R&amp;D</td></tr></table>'] }), []);
  });

  it('know every word that stands for a text, however it is spelled', () => {
    const words =
      'todo,to do,to-do,tbd,tba,tbc,fixme,xxx,hold,on hold,placeholder,place holder,dummy,test,asdf,qwerty,foo,foobar,sample text,insert question here,enter your answer,write text,type the question,your text here,question here,answer goes here,lorem ipsum,n/a,n / a,n.a.,na,none,null,nil,undefined,nan,unknown,missing,empty';
    for (const word of words.split(',')) {
      for (const text of [word, word.toUpperCase(), `[${word}]`, ` ${word}`, `${word}.`]) {
        assert.ok(placeholderOf(text, 'question') !== undefined, text);
      }
    }
  });

  it('know a placeholder from a text that mentions one', () => {
    for (const text of [
      'HOLD',
      'todo',
      ' TBD ',
      '[TODO]',
      'N/A',
      '<question>',
      '{{question}}',
      'Lorem ipsum dolor sit amet, consectetur',
      '???',
    ]) {
      assert.ok(placeholderOf(text, 'question') !== undefined, text);
    }
    for (const text of ['What does TODO mean?', 'How many on hold?', 'Test of the null hypothesis?', 'Why?', 'x?']) {
      assert.equal(placeholderOf(text, 'question'), undefined, text);
    }
    for (const text of ['N/A', 'None', 'hold', '{a1}', '<eos>', '0', '-', 'test', 'Unknown']) {
      assert.equal(placeholderOf(text, 'answer'), undefined, text);
    }
    assert.ok(placeholderOf('TODO', 'answer') !== undefined);
  });
});
