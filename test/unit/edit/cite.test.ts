import assert from 'node:assert/strict';
import { citeBlock, unciteBlock } from '../../../server/src/core/edit/cite.ts';
import type { Changed } from '../../../server/src/core/edit/changed.ts';
import { applyEdits, placeEdits } from '../../../server/src/core/edit/edits.ts';
import { citePage as changePage, uncitePage as takePage } from '../../../server/src/core/edit/region-pages.ts';
import type { Edit } from '../../../server/src/core/edit/types.ts';
import { builtinProfile } from '../../../server/src/core/profile/builtin.ts';
import { defineProfile } from '../../../server/src/core/profile/definition.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import type { CanonicalRecord } from '../../../server/src/core/record/types.ts';
import { placeOfElement } from '../../../server/src/core/rules/messages.ts';

const citePage: Change = (record, page) => editsOf(changePage(record, page));
const uncitePage: Change = (record, page) => editsOf(takePage(record, page));
const editsOf = (made: Changed): readonly Edit[] | undefined => (made.kind === 'changed' ? made.edits : undefined);

type Change = (record: CanonicalRecord, at: number) => readonly Edit[] | undefined;

/** The record's text after a citation came or went; undefined: it cannot say so. `outer`: what a nested record lies in. */
function after(profile: string, text: string, change: Change, at: number, more: object = {}): string | undefined {
  const record = toCanonical({ ...(JSON.parse(text) as object), ...more }, builtinProfile(profile)!);
  const edits = change(record, at);
  const placed = edits && placeEdits(edits, text);
  return placed && applyEdits(text, placed);
}

describe('citations', () => {
  const docmath = (lists: string): string =>
    `{"question": "q", "paragraphs": ["One.", "| a | b |\\n| c | 1 |", "Two.", "Three."]${lists}}`;

  describe('in lists of indices', () => {
    const text = docmath(', "table_evidence": [], "paragraph_evidence": [0,3]');

    it('come into the list of their kind, in ascending place and in its spelling', () => {
      assert.equal(after('docmath-eval', text, citeBlock, 2), text.replace('[0,3]', '[0,2,3]'));
      assert.equal(after('docmath-eval', text, citeBlock, 1), text.replace('[]', '[1]'));
    });

    it('come at the end of a list that does not ascend', () => {
      const mixed = text.replace('[0,3]', '[3, 0]');
      assert.equal(after('docmath-eval', mixed, citeBlock, 2), mixed.replace('[3, 0]', '[3, 0, 2]'));
    });

    it('come and go in a list that is stored as text, as often as they stand there', () => {
      const profile = defineProfile('texts', {
        fields: {
          question: '/q',
          context: '/context',
          textEvidence: { at: '/cited', decoder: 'list-in-string' },
        },
      });
      const of = (cited: string): string => `{"q": "?", "context": ["a", "b", "c"], "cited": "${cited}"}`;
      const made = (cited: string, change: Change, block: number): string => {
        const record = toCanonical(JSON.parse(of(cited)) as Record<string, unknown>, profile);
        return applyEdits(of(cited), placeEdits(change(record, block)!, of(cited))!);
      };
      assert.equal(made('[0,2,2]', unciteBlock, 2), of('[0]'));
      assert.equal(made('[2,0,2]', unciteBlock, 2), of('[0]'));
      assert.equal(made('[0,2]', citeBlock, 1), of('[0,1,2]'));
      const words = toCanonical({ q: '?', cited: "['a b', 'c']" }, profile);
      assert.deepEqual(placeOfElement(words, 'textEvidence', 1).inString, { start: 8, end: 11 });
    });

    it('begin a list that is not there or null', () => {
      const bare = docmath('');
      assert.equal(after('docmath-eval', bare, citeBlock, 1), docmath(', "table_evidence": [1]'));
      const nothing = docmath(', "paragraph_evidence": null');
      assert.equal(after('docmath-eval', nothing, citeBlock, 2), docmath(', "paragraph_evidence": [2]'));
    });

    it('go out of every list that has them', () => {
      const twice = docmath(', "table_evidence": [3], "paragraph_evidence": [0, 3, 3]');
      const expected = docmath(', "table_evidence": [], "paragraph_evidence": [0]');
      assert.equal(after('docmath-eval', twice, unciteBlock, 3), expected);
      assert.equal(after('docmath-eval', twice, unciteBlock, 2), undefined);
    });

    it('lead back to the text as it was', () => {
      for (const at of [1, 2]) {
        const cited = after('docmath-eval', text, citeBlock, at)!;
        assert.equal(after('docmath-eval', cited, unciteBlock, at), text);
      }
    });
  });

  describe('by keys for sentences and rows', () => {
    const text =
      '{"pre_text": ["first .", "second ."], "post_text": ["third ."], "table": [["item", "2031"], ["east", "12"]], "qa": {"question": "q", "gold_inds": {"text_1": "second ."}}}';

    it('come with their words', () => {
      assert.equal(
        after('finqa', text, citeBlock, 2),
        text.replace('"second ."}}', '"second .", "text_2": "third ."}}'),
      );
      assert.equal(
        after('finqa', text, citeBlock, 4),
        text.replace('"second ."}}', '"second .", "table_1": "item the east of 2031 is 12 ;"}}'),
      );
      assert.equal(
        after('finqa', text, citeBlock, 3),
        text.replace('"second ."}}', '"second .", "table_0": "item the item of 2031 is 2031 ;"}}'),
      );
    });

    it('go, and begin where there are none', () => {
      const none = text.replace('{"text_1": "second ."}', '{}');
      assert.equal(after('finqa', text, unciteBlock, 1), none);
      const bare = text.replace(', "gold_inds": {"text_1": "second ."}', '');
      assert.equal(after('finqa', bare, citeBlock, 0), text.replace('{"text_1": "second ."}', '{"text_0": "first ."}'));
    });
  });

  describe('by the order of paragraphs and a word for the table', () => {
    const outer = {
      paragraphs: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }],
      table: {
        table: [
          ['a', 'b'],
          ['c', '1'],
        ],
      },
    };
    const of = (from: string, paragraphs: string): string =>
      `{"question": "q", "answer_from": "${from}", "rel_paragraphs": ${paragraphs}}`;
    const change = (text: string, how: Change, at: number): string | undefined =>
      after('tat-qa', text, how, at, { '..': outer });

    it('come counted from 1, as text', () => {
      assert.equal(change(of('text', '["1", "3"]'), citeBlock, 1), of('text', '["1", "2", "3"]'));
      assert.equal(change(of('table', '[]'), citeBlock, 0), of('table-text', '["1"]'));
      assert.equal(change(of('text', '["1"]'), citeBlock, 3), of('table-text', '["1"]'));
    });

    it('go, where there is a word for what is left', () => {
      assert.equal(change(of('table-text', '["1", "3"]'), unciteBlock, 2), of('table-text', '["1"]'));
      assert.equal(change(of('table-text', '["1"]'), unciteBlock, 0), of('table', '[]'));
      assert.equal(change(of('table-text', '["1"]'), unciteBlock, 3), of('text', '["1"]'));
      assert.equal(change(of('table', '[]'), unciteBlock, 3), undefined);
    });
  });

  describe('of pages', () => {
    const text =
      '{"query": "q", "doc_name": "d", "evidence_page": [1, 4], "bbox": [[[1, 2, 3, 4]], [[5, 6, 7, 8]]], "subimg_type": [["text"], ["table"]]}';

    it('come with an empty list of boxes and labels, and go with theirs', () => {
      const cited = after('sciegqa', text, citePage, 2)!;
      assert.deepEqual(JSON.parse(cited), {
        query: 'q',
        doc_name: 'd',
        evidence_page: [1, 2, 4],
        bbox: [[[1, 2, 3, 4]], [], [[5, 6, 7, 8]]],
        subimg_type: [['text'], [], ['table']],
      });
      assert.equal(after('sciegqa', cited, uncitePage, 2), text);
    });

    it('come into a list that is stored as text', () => {
      const stored = (pages: string): string => `{"doc_id": "d.pdf", "question": "q", "evidence_pages": "${pages}"}`;
      assert.equal(after('mmlongbench-doc', stored('[3, 5]'), citePage, 4), stored('[3, 4, 5]'));
      assert.equal(after('mmlongbench-doc', stored('[3, 5]'), citePage, 9), stored('[3, 5, 9]'));
      assert.equal(after('mmlongbench-doc', stored('[]'), citePage, 9), stored('[9]'));
      assert.equal(after('mmlongbench-doc', stored('[3, 5]'), uncitePage, 5), stored('[3]'));
      assert.equal(after('mmlongbench-doc', stored('[3, 5, 5]'), uncitePage, 5), stored('[3]'));
    });

    it('come with the other keys of their siblings, empty', () => {
      const of = (more: string): string =>
        `{"question": "q", "doc_name": "d", "evidence": [{"evidence_page_num": 3, "evidence_text": "t"}${more}]}`;
      const cited = of(', {"evidence_page_num": 5, "evidence_text": ""}');
      assert.equal(after('financebench', of(''), citePage, 5), cited);
      assert.equal(after('financebench', cited, uncitePage, 5), of(''));
    });
  });
});
