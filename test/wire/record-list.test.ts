import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  AcceptAllResult,
  CodeChoice,
  FacetValue,
  FixApplyResult,
  FixPlan,
  ListedRecord,
  ProblemStep,
  RecordDetail,
  RecordFilesResult,
  RecordFilter,
  RecordList,
  RecordListParams,
  RecordListResult,
  RecordPlace,
  RecordPosition,
} from '../../schemas/records.ts';
import {
  ACCEPT_ALL,
  FACET_VALUES,
  FILE_ORDER,
  FIX_APPLY,
  FIX_PLAN,
  NO_FILTER,
  PROBLEM_STEP,
  RECORD_CODES,
  RECORD_DETAIL,
  RECORD_FILES,
  RECORD_FILES_CHANGED,
  RECORD_KEYS,
  RECORD_LIST,
  RECORD_LIST_CHANGED,
  RECORD_PLACE,
  RECORD_POSITION,
  RUN_RECORDS,
} from '../../schemas/records.ts';
import type { RunAllResult } from '../../schemas/protocol.ts';
import type { SolutionListResult } from '../../schemas/solutions.ts';
import { SOLUTION_LIST } from '../../schemas/solutions.ts';
import type { ViewRefResult } from '../../schemas/views.ts';
import { VIEW_READ, VIEW_REF, VIEW_SCHEME } from '../../schemas/views.ts';
import { docmath, fileOf, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';

const BOXES = {
  evidence_page: [1, 2],
  bbox: [[[10, 10, 500, 500]], [[20, 20, 600, 600]]],
  subimg_type: [['text'], ['table']],
};

describe('the list of records over stdio', () => {
  let server: WireServer;
  let changes: number;
  beforeEach(async () => {
    server = await startServer({ settings: { solutions: { run: 'manual' } } });
    changes = 0;
    server.connection.onNotification(RECORD_LIST_CHANGED, () => void changes++);
  });
  afterEach(() => server.stop());

  async function ask(uri: string, more: Partial<RecordListParams> = {}): Promise<RecordList> {
    const params: RecordListParams = { uri, filter: NO_FILTER, order: FILE_ORDER, offset: 0, limit: 100, ...more };
    const result = await server.connection.sendRequest<RecordListResult>(RECORD_LIST, params);
    assert.equal(result.kind, 'list', JSON.stringify(result));
    return result as RecordList;
  }

  /** Asks again whenever the server says that the list has changed. */
  async function settled(uri: string, fits: (list: RecordList) => boolean = () => true): Promise<RecordList> {
    for (;;) {
      const seen = changes;
      const list = await ask(uri);
      if (!list.progress.running && list.progress.checked === list.records && fits(list)) return list;
      await waitForChange(seen);
    }
  }

  async function waitForChange(seen: number): Promise<void> {
    if (changes > seen) return;
    await new Promise<void>((resolve) => {
      const listener = server.connection.onNotification(RECORD_LIST_CHANGED, () => {
        changes++;
        listener.dispose();
        server.connection.onNotification(RECORD_LIST_CHANGED, () => void changes++);
        resolve();
      });
    });
  }

  const by = (facets: RecordFilter['facets'], text = ''): { filter: RecordFilter } => ({ filter: { text, facets } });
  const indices = ({ rows }: { rows: readonly ListedRecord[] }): number[] => rows.map(({ index }) => index);

  it('has the rows of a file that no editor has open, with types, findings and facets', async () => {
    const lines = sciegqa({ answer: ' North' }, BOXES, { category: 'physics', doc_name: 'other' });
    const list = await settled(server.write('set.jsonl', fileOf(lines)));
    assert.equal(list.matched, 3);
    assert.equal(list.open, false);
    assert.deepEqual(
      list.rows.map(({ type }) => type),
      ['SPSR', 'MPMR', 'SPSR'],
    );
    assert.ok(list.rows[0]!.findings.some(({ code }) => code === 'text/stray-blanks'));
    const category = list.facets.find(({ facet }) => facet === 'category')!;
    assert.deepEqual(category.values.map(({ count }) => count).sort(), [1, 2]);
    const label = list.facets.find(({ facet }) => facet === 'label')!;
    assert.ok(label.values.some(({ value, count }) => value === 'text' && count >= 1));
    assert.ok(list.columns.includes('document') && !list.columns.includes('split'));
  });

  it('filters by facets and words, and counts each facet under the others', async () => {
    const lines = sciegqa({ answer: ' North' }, BOXES, { category: 'physics', doc_name: 'other' }, { answer: 'b ' });
    const uri = server.write('set.jsonl', fileOf(lines));
    await settled(uri);
    const physics = await ask(uri, by({ category: ['physics'] }));
    assert.deepEqual(indices(physics), [2]);
    const blanks = await ask(uri, by({ rule: ['text/stray-blanks'] }));
    assert.deepEqual(indices(blanks), [0, 3]);
    const valuesOf = (list: RecordList, facet: string): Record<string, number> =>
      Object.fromEntries(
        (list.facets.find((one) => one.facet === facet)?.values ?? []).map((one) => [one.value, one.count]),
      );
    assert.equal(valuesOf(blanks, 'rule')['text/stray-blanks'], 2);
    assert.equal(valuesOf(blanks, 'type')['MPMR'], undefined);
    assert.equal(valuesOf(physics, 'category')['physics'], 1);
    assert.ok(Object.keys(valuesOf(physics, 'category')).length === 2);
    assert.deepEqual(indices(await ask(uri, by({ type: ['MPMR', 'SPMR'] }))), [1]);
    assert.deepEqual(indices(await ask(uri, by({}, 'TOTAL number 3'))), [3]);
    assert.deepEqual(indices(await ask(uri, by({ category: ['physics'] }, 'number 3'))), []);
    assert.deepEqual(indices(await ask(uri, by({}, '#2'))), [1]);
    const values = await server.connection.sendRequest<FacetValue[]>(FACET_VALUES, {
      uri,
      ...by({}),
      order: FILE_ORDER,
      facet: 'document',
      search: 'THE',
    });
    assert.deepEqual(values, [{ value: 'other', count: 1 }]);
  });

  it('sorts by a column and answers windows, keys and positions in that order', async () => {
    const uri = server.write(
      'set.jsonl',
      fileOf(docmath({ question_id: 'q-10' }, { question_id: 'q-9' }, { question_id: 'Q-1' })),
    );
    await settled(uri);
    const order = { column: 'id', descending: false } as const;
    const all = await ask(uri, { order });
    assert.deepEqual(indices(all), [2, 1, 0]);
    assert.deepEqual(indices(await ask(uri, { order, offset: 1, limit: 1 })), [1]);
    const query = { uri, filter: NO_FILTER, order };
    const keys = await server.connection.sendRequest<number[]>(RECORD_KEYS, { ...query, start: 1, end: 3 });
    assert.deepEqual(
      keys,
      all.rows.slice(1).map(({ key }) => key),
    );
    const position = await server.connection.sendRequest<RecordPosition>(RECORD_POSITION, { ...query, index: 0 });
    assert.deepEqual(position, { position: 2, key: all.rows[2]!.key });
  });

  it('keeps keys through edits, opening and closing, and tells when the list has changed', async () => {
    const lines = docmath({}, {}, {});
    const uri = server.write('set.jsonl', fileOf(lines));
    const before = (await settled(uri)).rows.map(({ key }) => key);
    await server.open(uri, fileOf(lines));
    const opened = await settled(uri, ({ open }) => open);
    assert.deepEqual(
      opened.rows.map(({ key }) => key),
      before,
    );
    const at = lines[1]!.indexOf('wire-1');
    await server.edit(uri, 2, 1, at, at + 6, 'other');
    const edited = await settled(uri, ({ rows }) => rows[1]?.id === 'other');
    assert.deepEqual(
      edited.rows.map(({ key }) => key),
      before,
    );
    assert.ok(edited.revision > opened.revision);
    await server.edit(uri, 3, 0, 0, 0, `${docmath({ question_id: 'new' })[0]!}\n`);
    const grown = await settled(uri, ({ records }) => records === 4);
    assert.deepEqual(
      grown.rows.slice(1).map(({ key }) => key),
      before,
    );
    assert.ok(!before.includes(grown.rows[0]!.key));
    const { selection } = await ask(uri, { selection: before, ...by({}, 'other') });
    assert.deepEqual(selection, [before[1]]);
  });

  it('plans fixes of several records and makes them as one edit of the open file, or on disk', async () => {
    const text = fileOf(sciegqa({ answer: ' North' }, { answer: 'South ' }, { answer: ' East' }));
    const uri = server.write('set.jsonl', text);
    const { rows } = await settled(uri);
    const keys = rows.slice(0, 2).map(({ key }) => key);
    const codes = await server.connection.sendRequest<CodeChoice[]>(RECORD_CODES, { uri, keys });
    const blanks = codes.find(({ code }) => code === 'text/stray-blanks')!;
    assert.deepEqual([blanks.count, blanks.fixable, blanks.safe], [2, 2, 0]);
    const chosen = { kind: 'records', keys, codes: ['text/stray-blanks'] };
    const plan = await server.connection.sendRequest<FixPlan>(FIX_PLAN, { uri, chosen });
    assert.deepEqual([plan.records, plan.total, plan.onDisk, plan.problem], [2, 2, true, null]);
    assert.equal(plan.changes[0]!.place, 'answer');
    assert.equal(readFileSync(new URL(uri), 'utf8'), text);

    await server.open(uri, text);
    await settled(uri, ({ open }) => open);
    const edits = await server.connection.sendRequest<FixApplyResult>(FIX_APPLY, { uri, chosen, dirty: false });
    assert.equal(edits.kind, 'edits');
    assert.equal((edits as Extract<FixApplyResult, { kind: 'edits' }>).edits.length, 2);
    await server.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });

    await settled(uri, ({ open }) => !open);
    const written = await server.connection.sendRequest<FixApplyResult>(FIX_APPLY, { uri, chosen, dirty: false });
    assert.deepEqual(written, { kind: 'written' });
    assert.equal(
      readFileSync(new URL(uri), 'utf8'),
      text.replace('" North"', '"North"').replace('"South "', '"South"'),
    );
    const fixed = await settled(uri);
    assert.deepEqual(
      fixed.rows.map(({ findings }) => findings.some(({ code }) => code === 'text/stray-blanks')),
      [false, false, true],
    );
    const again = await server.connection.sendRequest<FixPlan>(FIX_PLAN, { uri, chosen });
    assert.equal(again.problem, 'There is nothing to fix any more.');
  });

  it('accepts findings of several records with one reason', async () => {
    const uri = server.write(
      'data/set.jsonl',
      fileOf(sciegqa({ answer: ' North' }, { answer: 'South ' }, { answer: ' East' })),
    );
    const { rows } = await settled(uri);
    const chosen = { kind: 'records', keys: rows.slice(0, 2).map(({ key }) => key), codes: ['text/stray-blanks'] };
    const result = await server.connection.sendRequest<AcceptAllResult>(ACCEPT_ALL, {
      uri,
      chosen,
      reason: 'As printed.',
    });
    assert.deepEqual(result, { accepted: 2, problem: null });
    const accepted = readFileSync(join(server.folder, 'data/auditable-qa.accepted.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    assert.equal(accepted.length, 2);
    assert.ok(accepted.every((line) => line.includes('"As printed."')));
    const left = await settled(uri);
    assert.deepEqual(
      left.rows.map(({ findings }) => findings.some(({ code }) => code === 'text/stray-blanks')),
      [false, false, true],
    );
  });

  it('runs the solutions of chosen records and of a whole file, when asked', async () => {
    const uri = server.write('set.jsonl', fileOf(docmath({}, { ground_truth: 5 }, {})));
    const { rows } = await settled(uri);
    assert.deepEqual(
      rows.map(({ solution }) => solution),
      ['skipped', 'skipped', 'skipped'],
    );
    const some = await server.connection.sendRequest<RunAllResult>(RUN_RECORDS, { uri, keys: [rows[1]!.key] });
    assert.deepEqual(some, { run: 1, passed: 0, failed: 1, skipped: 0 });
    const all = await server.connection.sendRequest<RunAllResult>(RUN_RECORDS, { uri });
    assert.deepEqual(all, { run: 3, passed: 2, failed: 1, skipped: 0 });
    const list = await settled(uri, ({ progress }) => progress.solutions.done === 3);
    assert.deepEqual(
      list.rows.map(({ solution }) => solution),
      ['equal', 'mismatch', 'equal'],
    );
    assert.deepEqual(indices(await ask(uri, by({ solution: ['mismatch'] }))), [1]);
    const detail = await server.connection.sendRequest<RecordDetail>(RECORD_DETAIL, { uri, key: rows[1]!.key });
    assert.match(detail.solution!, /≠ gold 5$/);
    assert.equal(detail.failed, true);
  });

  it('steps from problem to problem, through the list and round its end, also where two stand on one place', async () => {
    const lines = sciegqa({ answer: ' North' }, {}, { answer: ' East', bbox: [[[9, 9, 5, 5]]], evidence_page: [0] });
    const uri = server.write('set.jsonl', fileOf(lines));
    await server.open(uri, fileOf(lines));
    const { counts } = await settled(uri);
    const total = counts.error + counts.warning + counts.info;
    type Within = { filter: RecordFilter; order: typeof FILE_ORDER };
    const walk = async (steps: number, direction: 1 | -1, within?: Within): Promise<ProblemStep[]> => {
      const visited: ProblemStep[] = [];
      for (let step = 0; step < steps; step++) {
        const before = visited.at(-1);
        const position = before?.range.start ?? { line: 0, character: 0 };
        const params = { uri, position, by: direction, within, ...(before && { last: before.fingerprint }) };
        visited.push(await server.connection.sendRequest<ProblemStep>(PROBLEM_STEP, params));
      }
      return visited;
    };
    const all = await walk(total + 1, 1);
    assert.equal(new Set(all.map(({ fingerprint }) => fingerprint)).size, total);
    assert.deepEqual(
      all.map(({ number, of }) => [number, of]),
      [...Array.from({ length: total }, (_, at) => [at + 1, total]), [1, total]],
    );
    const within = { ...by({ rule: ['text/stray-blanks'] }), order: FILE_ORDER };
    const some = await walk(3, 1, within);
    assert.deepEqual(
      some.map(({ index, pointer, of }) => [index, pointer, of]),
      [0, 2, 0].map((index) => [index, '/answer', 2]),
    );
    const back = await walk(2, -1, within);
    assert.deepEqual(
      back.map(({ index }) => index),
      [2, 0],
    );
  });

  it('steps inside a document that shows one record, and out of it to the next record', async () => {
    const lines = docmath({ ground_truth: 'x' }, {}, { ground_truth: 'y' });
    const file = server.write('set.jsonl', fileOf(lines));
    await server.open(file, fileOf(lines));
    await settled(file);
    const { ref, title } = await server.connection.sendRequest<ViewRefResult>(VIEW_REF, {
      file,
      index: 0,
      kind: 'record',
    });
    const name = `${encodeURIComponent(title)}.record?${encodeURIComponent(JSON.stringify(ref))}`;
    const uri = `${VIEW_SCHEME}:${new URL(file).pathname}/${name}`;
    const { text } = await server.connection.sendRequest<{ text: string }>(VIEW_READ, { uri });
    await server.open(uri, text, 'auditable-qa-record');
    await server.diagnostics(uri, (found) => found.length > 0);
    const step = (position: ProblemStep['range']['start']): Promise<ProblemStep> =>
      server.connection.sendRequest<ProblemStep>(PROBLEM_STEP, { uri, position, by: 1 });
    const inside = await step({ line: 0, character: 0 });
    assert.deepEqual([inside.uri, inside.pointer], [uri, '/ground_truth']);
    assert.match(text.split('\n')[inside.range.start.line]!, /"ground_truth": "x"/);
    const outside = await step({ line: text.split('\n').length - 1, character: 0 });
    assert.deepEqual([outside.uri, outside.index, outside.pointer], [file, 2, '/ground_truth']);
  });

  it('tells once, for the file, what nearly all records lack', async () => {
    const many = sciegqa(...Array.from({ length: 30 }, () => ({ doc_name: undefined })));
    const list = await settled(server.write('set.jsonl', fileOf(many)));
    assert.ok(
      list.file.some(({ code, message }) => code === 'schema/required' && message.startsWith('All 30 records')),
    );
    assert.ok(list.rows.every(({ findings }) => findings.every(({ code }) => code !== 'schema/required')));
    assert.equal(
      list.facets.find(({ facet }) => facet === 'rule')?.values.some(({ value }) => value === 'schema/required') ??
        false,
      false,
    );
  });

  it('knows where a record and its first finding stand', async () => {
    const lines = sciegqa({}, { answer: ' East' });
    const uri = server.write('set.jsonl', fileOf(lines));
    const { rows } = await settled(uri);
    const place = (pointer?: string): Promise<RecordPlace> =>
      server.connection.sendRequest<RecordPlace>(RECORD_PLACE, { uri, key: rows[1]!.key, ...(pointer && { pointer }) });
    assert.equal((await place('/answer')).range.start.character, lines[1]!.indexOf('" East"'));
    assert.equal((await place()).range.start.line, 1);
  });

  it('keeps keys however many files are open', async () => {
    const lines = docmath({}, {});
    const open = async (name: string): Promise<string> => {
      const uri = server.write(name, fileOf(lines));
      await server.open(uri, fileOf(lines));
      return uri;
    };
    const first = await open('set.jsonl');
    const keysNow = async (): Promise<number[]> =>
      (await settled(first, ({ open: isOpen }) => isOpen)).rows.map(({ key }) => key);
    const solutions = async (): Promise<SolutionListResult> =>
      server.connection.sendRequest<SolutionListResult>(SOLUTION_LIST, { uri: first });
    const [keys, tests] = [await keysNow(), await solutions()];
    for (let count = 0; count < 120; count++) {
      const other = await open(`other-${count}.jsonl`);
      await ask(other);
      await server.connection.sendRequest<SolutionListResult>(SOLUTION_LIST, { uri: other });
    }
    assert.deepEqual(await keysNow(), keys);
    assert.deepEqual(await solutions(), tests);
  });

  it('finds the record files of the workspace, the open ones first, with counts of those that were read', async () => {
    let told = 0;
    let wake = (): void => undefined;
    server.connection.onNotification(RECORD_FILES_CHANGED, () => {
      told++;
      wake();
    });
    server.write('b.jsonl', fileOf(docmath({})));
    server.write('package.json', '{"name": "no-records"}');
    const uri = server.write('deep/c.jsonl', fileOf(sciegqa({ answer: ' North' })));
    await server.open(uri, fileOf(sciegqa({ answer: ' North' })));
    await settled(uri, ({ open }) => open);
    const files = async (): Promise<RecordFilesResult> =>
      server.connection.sendRequest<RecordFilesResult>(RECORD_FILES, {});
    let now = await files();
    while (now.looking || now.files.length < 2) {
      const seen = told;
      now = await files();
      if (now.looking && told === seen) await new Promise<void>((resolve) => (wake = resolve));
    }
    assert.deepEqual(
      now.files.map(({ name, open, records }) => [name, open, records]),
      [
        ['deep/c.jsonl', true, 1],
        ['b.jsonl', false, null],
      ],
    );
    assert.ok(now.files[0]!.counts!.warning + now.files[0]!.counts!.error + now.files[0]!.counts!.info > 0);
  });

  it('is there for a file that an editor opens while it is asked for', async () => {
    const text = fileOf(sciegqa({}, {}, {}));
    const uris = Array.from({ length: 20 }, (_unused, number) => server.write(`opening-${number}.jsonl`, text));
    const asked = uris.map((uri) => ask(uri));
    for (const uri of uris) await server.open(uri, text);
    for (const list of await Promise.all(asked)) assert.equal(list.records, 3);
  });

  it('is told of when a profile fits after all', async () => {
    const uri = server.write('late/late.jsonl', '{"odd": 1}\n');
    const query = { filter: NO_FILTER, order: FILE_ORDER, offset: 0, limit: 10 };
    const first = await server.connection.sendRequest<RecordListResult>(RECORD_LIST, { uri, ...query });
    assert.equal(first.kind, 'problem');
    const seen = changes;
    await server.open(uri, fileOf(sciegqa({}, {})));
    await waitForChange(seen);
    assert.equal((await settled(uri)).records, 2);
  });

  it('says why a file has no list', async () => {
    const uri = server.write('other.json', '{"name": "x"}');
    const result = await server.connection.sendRequest<RecordListResult>(RECORD_LIST, {
      uri,
      filter: NO_FILTER,
      order: FILE_ORDER,
      offset: 0,
      limit: 10,
    });
    assert.deepEqual(result, { kind: 'problem', message: 'No profile fits the file.' });
  });
});
