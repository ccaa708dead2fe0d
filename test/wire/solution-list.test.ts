import assert from 'node:assert/strict';
import type {
  SolutionEntries,
  SolutionEntriesParams,
  SolutionEntry,
  SolutionListParams,
  SolutionListResult,
  SolutionResult,
  SolutionResultsParams,
  SolutionRunParams,
  SolutionRunResult,
} from '../../schemas/solutions.ts';
import {
  SOLUTION_ENTRIES,
  SOLUTION_LIST,
  SOLUTION_RESULTS,
  SOLUTION_RUN,
  SOLUTIONS_CHANGED,
} from '../../schemas/solutions.ts';
import { docmath, fileOf } from './records.ts';
import { columns, startServer } from './server.ts';
import type { StartOptions, WireServer } from './server.ts';

type List = Extract<SolutionListResult, { kind: 'list' }>;

const solution = (...lines: readonly string[]): { python_solution: string } => ({
  python_solution: ['def solution():', ...lines.map((line) => `    ${line}`), ''].join('\n'),
});

const LINES = docmath(
  { ...solution('print("widgets")', 'return 150'), ground_truth: 150 },
  { ...solution('return 1.350'), ground_truth: 1350 },
  { ...solution('total = 3', 'return totl'), ground_truth: 3 },
  { ...solution('import os', 'return 4'), ground_truth: 4 },
  { ...solution('print(5)'), ground_truth: 5 },
  { python_solution: null, ground_truth: 6 },
);

describe('solutions as tests over stdio', () => {
  let server!: WireServer;
  let changed: string[];
  let results: SolutionResultsParams[];
  afterEach(() => server.stop());

  async function start(options: StartOptions = {}): Promise<void> {
    server = await startServer({ settings: { solutions: { run: 'manual' } }, ...options });
    changed = [];
    results = [];
    server.connection.onNotification(SOLUTIONS_CHANGED, ({ uri }: { uri: string }) => void changed.push(uri));
    server.connection.onNotification(SOLUTION_RESULTS, (params: SolutionResultsParams) => void results.push(params));
  }

  /** Settled when the server has said that the list of a file may be another one. */
  function news(uri: string): Promise<void> {
    if (changed.includes(uri)) return Promise.resolve();
    return new Promise((resolve) => {
      server.connection.onNotification(SOLUTIONS_CHANGED, (params: { uri: string }) => {
        changed.push(params.uri);
        if (params.uri === uri) resolve();
      });
    });
  }

  async function list(uri: string, more: Partial<SolutionListParams> = {}): Promise<List> {
    const result = await server.connection.sendRequest<SolutionListResult>(SOLUTION_LIST, { uri, ...more });
    assert.equal(result.kind, 'list', JSON.stringify(result));
    return result as List;
  }

  async function entries(uri: string, keys: readonly number[], since?: number): Promise<SolutionEntries> {
    const params: SolutionEntriesParams = { uri, keys, ...(since !== undefined && { since }) };
    return await server.connection.sendRequest<SolutionEntries>(SOLUTION_ENTRIES, params);
  }

  async function run(
    uri: string,
    keys: readonly number[],
    again = true,
  ): Promise<{ problem: string | null; of: (at: number) => SolutionResult }> {
    const params: SolutionRunParams = { uri, keys, run: 7, again };
    const { problem } = await server.connection.sendRequest<SolutionRunResult>(SOLUTION_RUN, params);
    const all = results.flatMap((told) => told.results);
    return { problem, of: (at) => all.find(({ key }) => key === keys[at])! };
  }

  it('are listed for a file that no editor has open, each at the place of its solution', async () => {
    await start();
    const uri = server.write('closed.jsonl', fileOf(LINES));
    const { keys } = await list(uri);
    assert.equal(keys?.length, 5);
    const { entries: all } = await entries(uri, keys!);
    assert.deepEqual(
      all.map(({ id, index, name }) => [id, index, name]),
      [0, 1, 2, 3, 4].map((at) => [`id:wire-${at}`, at, `wire-${at}`]),
    );
    const { from } = columns(LINES[1]!, JSON.stringify(solution('return 1.350').python_solution));
    assert.deepEqual(all[1]!.range.start, { line: 1, character: from });
    assert.match(all[1]!.question ?? '', /variant 1/);
  });

  it('give what the run of each gives, with the message and place of the finding', async () => {
    await start();
    const uri = server.write('run.jsonl', fileOf(LINES));
    await server.open(uri, fileOf(LINES));
    await server.status(uri, ({ running, records }) => !running && records === 6);
    const { keys } = await list(uri);
    const { problem, of } = await run(uri, keys!);
    assert.equal(problem, null);
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((at) => of(at).state),
      ['passed', 'failed', 'errored', 'skipped', 'failed'],
    );
    assert.equal(of(0).stdout, 'widgets\n');
    const { diagnostics } = await server.diagnostics(uri, (found) =>
      found.some(({ code }) => code === 'solution/raises'),
    );
    const mismatch = diagnostics.find(({ code }) => code === 'answer/mismatch')!;
    assert.match(of(1).message ?? '', /differs by a factor of exactly 1000/);
    assert.equal(of(1).message, mismatch.message);
    assert.deepEqual(of(1).range, mismatch.range);
    assert.deepEqual([of(1).expected, of(1).actual], ['1350', '1.35']);
    const raises = diagnostics.find(({ code }) => code === 'solution/raises')!;
    assert.equal(of(2).message, raises.message);
    assert.deepEqual(of(2).range, raises.range);
    assert.equal(of(3).message, diagnostics.find(({ code }) => code === 'solution/forbidden-import')!.message);
    assert.deepEqual([of(4).expected, of(4).actual], ['5', 'None']);
    assert.deepEqual(new Set(results.flatMap(({ started }) => started)), new Set(keys));
    // The lens shows the same run.
    const status = await server.status(uri, ({ solutions }) => solutions.done === 4);
    assert.equal(status.solutions.passed, 1);
  });

  it('keep their names through edits, and tell only what has changed', async () => {
    await start();
    const uri = server.write('edit.jsonl', fileOf(LINES));
    await server.open(uri, fileOf(LINES));
    await server.status(uri, ({ running, records }) => !running && records === 6);
    const first = await list(uri);
    const { revision, entries: before } = await entries(uri, first.keys!);
    const same = await list(uri, { since: first.revision, epoch: first.epoch });
    assert.equal(same.keys, null);
    assert.deepEqual((await entries(uri, first.keys!, revision)).entries, []);
    const { from, to } = columns(LINES[1]!, '1.350');
    await server.edit(uri, 2, 1, from, to, '1350');
    const changedEntries = await entries(uri, first.keys!, revision);
    const [one, ...others] = changedEntries.entries;
    assert.equal(others.length, 0);
    assert.equal(one!.key, first.keys![1]);
    assert.notEqual(one!.mark, before[1]!.mark);
    assert.equal(one!.id, before[1]!.id);
    // A record before it moves it, and leaves its mark.
    await server.edit(uri, 3, 0, 0, 0, `${docmath({ question_id: 'new' })[0]!}\n`);
    const later = await list(uri, { since: first.revision, epoch: first.epoch });
    assert.deepEqual(later.keys?.slice(1), first.keys);
    const moved = (await entries(uri, first.keys!, changedEntries.revision)).entries;
    assert.deepEqual(
      moved.map(({ index, range, mark }) => [index, range.start.line, mark]),
      [before[0]!, one!, ...before.slice(2)].map(({ mark }, at) => [at + 1, at + 1, mark]),
    );
    changed = [];
    await server.edit(uri, 4, 0, 0, 0, `${docmath({ question_id: 'newer' })[0]!}\n`);
    await news(uri);
    const { of } = await run(uri, [first.keys![1]!]);
    assert.equal(of(0).state, 'passed');
  });

  it('are not run where the workspace is not trusted, and listed all the same', async () => {
    await start({ trusted: false });
    const uri = server.write('untrusted.jsonl', fileOf(LINES));
    const { keys } = await list(uri);
    assert.equal(keys?.length, 5);
    const { problem } = await run(uri, keys!);
    assert.equal(problem, 'Solutions are run in trusted workspaces only.');
    assert.deepEqual(results, []);
  });

  it('tell what is known already where they need not be run again', async () => {
    await start({ settings: { solutions: { run: 'automatic' } } });
    const uri = server.write('known.jsonl', fileOf(LINES));
    await server.open(uri, fileOf(LINES));
    await server.status(uri, ({ running, solutions }) => !running && solutions.done === 4);
    const { keys } = await list(uri);
    const first = await run(uri, keys!, false);
    const { ms } = first.of(0);
    results = [];
    const second = await run(uri, keys!, false);
    assert.equal(second.of(0).ms, ms);
    assert.equal(second.of(0).state, 'passed');
  });

  it('tell nothing of files that were only read again, and of one that is another on disk', async () => {
    await start();
    // More than are kept at the same time.
    const uris = Array.from({ length: 12 }, (_, at) => server.write(`file-${at}.jsonl`, fileOf(LINES)));
    for (let round = 0; round < 2; round++) {
      for (const uri of uris) {
        const { keys } = await list(uri);
        await entries(uri, keys ?? []);
      }
    }
    const last = server.write('file-0.jsonl', fileOf(LINES.slice(1)));
    await server.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: last, type: 2 }] });
    await news(last);
    assert.deepEqual(new Set(changed), new Set([last]));
    assert.equal((await list(last)).keys?.length, 4);
  });

  it('have names of their own where records repeat one', async () => {
    await start();
    const [line] = docmath({ question_id: 'twice' });
    const uri = server.write('twice.jsonl', fileOf([line!, line!]));
    const { keys } = await list(uri);
    const { entries: all } = await entries(uri, keys!);
    const ids = all.map(({ id }: SolutionEntry) => id);
    assert.deepEqual(ids, ['id:twice', 'id:twice#1']);
  });
});
