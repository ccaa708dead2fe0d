import assert from 'node:assert/strict';
import { emptyText, firstQuery, itemText, numberAt } from '../../../client/src/evidence/item.ts';
import type { SearchItem, SearchResult } from '../../../schemas/search.ts';

const item: SearchItem = {
  target: { kind: 'block', at: 1 },
  kind: 'table',
  name: 'paragraphs[1] row "North"',
  inString: { start: 0, end: 1 },
  page: null,
  excerpt: 'North | $(41) | 1,350',
  marks: [],
  match: 'scaled',
  cited: false,
  citable: true,
};
const nothing: SearchResult = { items: [], blocks: 0, pages: 0, pending: false, problem: null };

describe('entries of found evidence', () => {
  it('say how they fit and whether they are cited', () => {
    assert.equal(itemText(item).description, 'in another scale');
    assert.equal(itemText({ ...item, cited: true, match: 'words' }).description, '$(check) cited');
    assert.equal(itemText({ ...item, citable: false, match: 'words' }).description, 'cannot be cited here');
  });

  it('show no icon that the record’s own text would be taken for', () => {
    assert.equal(itemText(item).label, '$(table) paragraphs[1] row "North"');
    assert.equal(itemText(item).detail, 'North | $ (41) | 1,350');
  });

  it('say why there are none', () => {
    assert.equal(emptyText({ ...nothing, problem: 'There is no PDF.' }, 'x').label, '$(info) There is no PDF.');
    assert.match(emptyText({ ...nothing, pending: true }, 'x').label, /Reading the pages/);
    const told = emptyText({ ...nothing, blocks: 1234, pages: 1 }, '$(bug)');
    assert.match(told.label, /Nothing has “\$ \(bug\)”/);
    assert.equal(told.detail, 'Looked through 1,234 paragraphs and tables and 1 page.');
  });

  it('begin with what is selected, else with the number at the cursor', () => {
    const line = '    east = 1,350.5  # of (75) and 12.5%';
    assert.equal(firstQuery('  two\n words ', line, 0), 'two words');
    assert.equal(firstQuery('', line, line.indexOf('350')), '1,350.5');
    assert.equal(numberAt(line, line.indexOf('%')), '12.5%');
    assert.equal(numberAt(line, line.indexOf('75')), '(75');
    assert.equal(numberAt(line, line.indexOf('east')), '');
    assert.equal(numberAt(`${'x '.repeat(500_000)}42`, 1_000_001), '42');
  });
});
