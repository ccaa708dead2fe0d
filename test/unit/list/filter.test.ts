import assert from 'node:assert/strict';
import type { Column, RecordFilter } from '../../../schemas/records.ts';
import { FACETS, NO_FILTER, NO_VALUE } from '../../../schemas/records.ts';
import type { Facet } from '../../../schemas/records.ts';
import type { Finding } from '../../../server/src/core/finding.ts';
import {
  facetStates,
  facetValues,
  filledColumns,
  filterRecords,
  haystackOf,
  orderOf,
} from '../../../server/src/core/list/filter.ts';
import { createInterner } from '../../../server/src/core/list/interner.ts';
import type { Interners, RecordFacts, Summary } from '../../../server/src/core/list/summary.ts';
import { summaryOf, UNCHECKED } from '../../../server/src/core/list/summary.ts';

const NO_FACTS: RecordFacts = {
  id: null,
  question: null,
  answer: '',
  type: null,
  document: null,
  category: null,
  split: null,
  labels: [],
};

const finding = (code: string, severity: Finding['severity'] = 'error'): Finding => ({
  code,
  severity,
  message: '',
  record: null,
  pointer: '',
  start: { line: 0, column: 0 },
  end: { line: 0, column: 0 },
  fingerprint: '',
  fixes: [],
  related: [],
});

const fresh = (): Interners =>
  Object.fromEntries(FACETS.map((facet) => [facet, createInterner()])) as unknown as Interners;

describe('the list of records', () => {
  let interners: Interners;
  let summaries: Summary[];
  beforeEach(() => {
    interners = fresh();
    summaries = [];
  });

  function add(
    facts: Partial<RecordFacts>,
    findings: readonly Finding[] = [],
    solution: Summary['solution'] = null,
  ): void {
    summaries.push(summaryOf({ ...NO_FACTS, ...facts }, findings, solution, interners));
  }

  const run = (filter: Partial<RecordFilter>, column: Column = 'index', descending = false) =>
    filterRecords(
      summaries,
      orderOf(summaries, { column, descending }),
      { ...NO_FILTER, ...filter },
      interners,
      (position) => haystackOf(summaries[position]!),
    );
  const found = (filter: Partial<RecordFilter>): number[] => [...run(filter).positions];
  const sorted = (column: Column, descending = false): number[] => [...run({}, column, descending).positions];

  it('lets through what has one of the values of every facet asked for', () => {
    add({ category: 'a', labels: ['text', 'table'] }, [finding('x/one')]);
    add({ category: 'b', labels: ['text'] }, [finding('x/two', 'info')]);
    add({ category: 'a' });
    assert.deepEqual(found({ facets: { category: ['a'] } }), [0, 2]);
    assert.deepEqual(found({ facets: { category: ['a'], label: ['table', 'text'] } }), [0]);
    assert.deepEqual(found({ facets: { label: [NO_VALUE] } }), [2]);
    assert.deepEqual(found({ facets: { severity: ['error', 'info'] } }), [0, 1]);
    assert.deepEqual(found({ facets: { severity: [NO_VALUE], category: [] } }), [2]);
    assert.deepEqual(found({ facets: { rule: ['gone/rule'] } }), []);
    assert.deepEqual(run({ facets: { category: ['b'] } }).counts, { error: 0, warning: 0, info: 1 });
  });

  it('counts of each facet what the others let through', () => {
    add({ category: 'a', split: 'train' });
    add({ category: 'b', split: 'train' });
    add({ category: 'b', split: 'test' });
    const filter = { ...NO_FILTER, facets: { category: ['b'], split: ['train'] } };
    const states = facetStates(run(filter), filter, interners);
    const valuesOf = (facet: Facet) => states.find((state) => state.facet === facet)?.values;
    assert.deepEqual(valuesOf('category'), [
      { value: 'a', count: 1 },
      { value: 'b', count: 1 },
    ]);
    assert.deepEqual(valuesOf('split'), [
      { value: 'train', count: 1 },
      { value: 'test', count: 1 },
    ]);
    assert.equal(valuesOf('document'), undefined);
  });

  it('shows the most frequent values of many and the chosen ones, and finds the others', () => {
    for (let at = 0; at < 300; at++) add({ document: `doc-${at}` });
    for (let at = 200; at < 230; at++) for (let more = 0; more <= at - 200; more++) add({ document: `doc-${at}` });
    const filter = { ...NO_FILTER, facets: { document: ['doc-299', 'gone'] } };
    const { tallies } = run(filter);
    const { values, more } = facetStates(run(filter), filter, interners).find(({ facet }) => facet === 'document')!;
    assert.deepEqual(values[0], { value: 'doc-229', count: 31 });
    assert.deepEqual(
      values.slice(0, 30).map(({ count }) => count),
      Array.from({ length: 30 }, (_, at) => 31 - at),
    );
    assert.deepEqual(values.slice(60), [
      { value: 'doc-299', count: 1 },
      { value: 'gone', count: 0 },
    ]);
    assert.equal(more, 300 - 61);
    const search = facetValues(tallies[FACETS.indexOf('document')]!, interners, 'document', 'C-22', []);
    assert.deepEqual(
      search.map(({ value }) => value),
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((digit) => `doc-22${digit}`).concat('doc-22'),
    );
  });

  it('finds words in id, question, answer and document, and a record by its number', () => {
    add({ id: 'Wells-1', question: 'How deep\nis it?', answer: '41 m' });
    add({ id: 'wells-12', document: 'REPORT-1' });
    assert.deepEqual(found({ text: '  WELLS ' }), [0, 1]);
    assert.deepEqual(found({ text: 'deep 41' }), [0]);
    assert.deepEqual(found({ text: 'report' }), [1]);
    assert.deepEqual(found({ text: '#2' }), [1]);
    assert.deepEqual(found({ text: '#2 deep' }), []);
  });

  it('sorts numbers in texts as numbers, without regard to case, with nothing last in both directions', () => {
    add({ id: 'q-10' });
    add({ id: null });
    add({ id: 'Q-9' });
    add({ id: 'a' });
    assert.deepEqual(sorted('id'), [3, 2, 0, 1]);
    assert.deepEqual(sorted('id', true), [0, 2, 3, 1]);
    assert.deepEqual(sorted('index', true), [3, 2, 1, 0]);
  });

  it('sorts by state and by findings, the gravest first', () => {
    add({}, [], 'equal');
    add({}, [finding('a', 'info')]);
    add({}, [finding('a', 'warning'), finding('b', 'warning')]);
    add({}, [finding('a')], 'mismatch');
    add({}, [finding('a'), finding('b')], 'error');
    add({}, [], 'mismatch');
    assert.deepEqual(sorted('findings'), [4, 3, 2, 1, 0, 5]);
    assert.deepEqual(sorted('state'), [4, 3, 2, 1, 5, 0]);
  });

  it('keeps records that were not checked yet in lists that ask for nothing', () => {
    add({ category: 'a' });
    summaries.push(UNCHECKED);
    assert.deepEqual(found({}), [0, 1]);
    assert.deepEqual(found({ facets: { category: ['a'] } }), [0]);
    assert.deepEqual(found({ text: 'x' }), []);
  });

  it('says which columns have something', () => {
    add({ question: 'q' });
    assert.deepEqual(filledColumns(interners, false), ['state', 'index', 'question', 'findings']);
    add({ type: 'SPSR', split: 'train' });
    assert.deepEqual(filledColumns(interners, true), ['state', 'index', 'id', 'question', 'type', 'split', 'findings']);
  });
});
