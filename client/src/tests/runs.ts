/** Runs of solutions as runs of tests: the server runs them, as it does for lenses and findings, and tells the results one by one. */
import * as vscode from 'vscode';
import type {
  SolutionResult,
  SolutionResultsParams,
  SolutionRunParams,
  SolutionRunResult,
} from '../../../schemas/solutions.ts';
import { SOLUTION_RESULTS, SOLUTION_RUN } from '../../../schemas/solutions.ts';
import type { Server } from '../server.ts';
import { mayRun } from '../trust.ts';
import { GROUP_SIZE } from './tree.ts';
import type { FileTests, SolutionTest, SolutionTree } from './tree.ts';

export interface SolutionRuns {
  /** What was asked for in the Test Explorer. */
  start(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void>;
  /** A record file was saved. */
  saved(uri: string): void;
}

interface Running {
  readonly run: vscode.TestRun;
  readonly file: FileTests;
  /** Not told one by one that they begin: there are too many. */
  readonly isMany: boolean;
}

/** Solutions that are run on saving. */
interface Watch {
  readonly request: vscode.TestRunRequest;
  /** By file and key, what the solutions were when they were run last, or when the watch began. */
  readonly marks: Map<FileTests, Map<number, string>>;
}

export function createSolutionRuns(
  controller: vscode.TestController,
  tree: SolutionTree,
  server: Server,
): vscode.Disposable & SolutionRuns {
  const running = new Map<number, Running>();
  const watches = new Set<Watch>();
  let count = 0;

  const listener = server.onNotification<SolutionResultsParams>(
    SOLUTION_RESULTS,
    ({ run: number, started, results }) => {
      const known = running.get(number);
      if (known === undefined) return;
      const { run, file, isMany } = known;
      for (const key of isMany ? [] : started) {
        const test = file.tests.get(key);
        if (test !== undefined) run.started(test.item);
      }
      for (const result of results) {
        const test = file.tests.get(result.key);
        if (test !== undefined) tell(run, test.item, result);
      }
    },
  );

  async function runTests(
    run: vscode.TestRun,
    file: FileTests,
    tests: readonly SolutionTest[],
    again: boolean,
  ): Promise<void> {
    if (tests.length === 0) return;
    const isMany = tests.length > GROUP_SIZE;
    if (!isMany) for (const { item } of tests) run.enqueued(item);
    const number = ++count;
    running.set(number, { run, file, isMany });
    const params: SolutionRunParams = { uri: file.uri, keys: tests.map(({ key }) => key), run: number, again };
    const result = await server.request<SolutionRunResult>(SOLUTION_RUN, params, run.token);
    running.delete(number);
    if (run.token.isCancellationRequested) return;
    const problem = result === null ? 'The language server does not answer.' : result.problem;
    if (problem === null) return;
    run.appendOutput(`${problem}\r\n`);
    for (const { item } of tests) run.skipped(item);
  }

  /** The solutions that a request is about, by file. Files are read for it. */
  async function* chosen(
    { include, exclude }: vscode.TestRunRequest,
    token: vscode.CancellationToken,
  ): AsyncGenerator<{ readonly file: FileTests; readonly tests: readonly SolutionTest[] }> {
    if (include === undefined) await tree.lookAround();
    const items = include ?? [...tree.files()].map(({ item }) => item);
    const left = new Set((exclude ?? []).map(({ id }) => id));
    const isLeft = (item: vscode.TestItem | undefined): boolean =>
      item !== undefined && (left.has(item.id) || isLeft(item.parent));
    const byFile = new Map<FileTests, vscode.TestItem[]>();
    for (const item of items) {
      const file = tree.find(item)?.file;
      if (file === undefined) continue;
      const others = byFile.get(file);
      if (others === undefined) byFile.set(file, [item]);
      else others.push(item);
    }
    for (const [file, roots] of byFile) {
      const tests = new Map<number, SolutionTest>();
      for (const root of roots) {
        if (token.isCancellationRequested) return;
        for (const test of await tree.below(root)) {
          if (left.size === 0 || !isLeft(test.item)) tests.set(test.key, test);
        }
      }
      yield { file, tests: [...tests.values()] };
    }
  }

  async function start(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (!(await mayRun())) return;
    if (request.continuous === true) return watch(request, token);
    const run = controller.createTestRun(request);
    const work = (async () => {
      for await (const { file, tests } of chosen(request, run.token)) await runTests(run, file, tests, true);
    })();
    // Whoever cancels does not wait for the solutions that are just running.
    const cancelled = new Promise<void>((resolve) => run.token.onCancellationRequested(() => resolve()));
    try {
      await Promise.race([work, cancelled]);
    } finally {
      run.end();
    }
  }

  async function watch(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const watching: Watch = { request, marks: new Map() };
    watches.add(watching);
    token.onCancellationRequested(() => watches.delete(watching));
    // What is known now is not run: only what is changed from here on.
    for (const file of tree.files()) {
      if (file.keys === undefined) continue;
      await tree.below(file.item);
      watching.marks.set(file, marksOf(file.tests.values()));
    }
  }

  async function savedIn(watching: Watch, file: FileTests): Promise<void> {
    const { request, marks } = watching;
    const source = new vscode.CancellationTokenSource();
    const scope = request.include?.filter((item) => tree.find(item)?.file === file) ?? [file.item];
    const within = new vscode.TestRunRequest(scope, request.exclude, request.profile);
    const changed: SolutionTest[] = [];
    for await (const { tests } of chosen(within, source.token)) {
      const before = marks.get(file);
      changed.push(...tests.filter(({ key, mark }) => before?.get(key) !== mark));
    }
    marks.set(file, marksOf(file.tests.values()));
    if (changed.length === 0 || !watches.has(watching)) return;
    const items = changed.map(({ item }) => item);
    const run = controller.createTestRun(new vscode.TestRunRequest(items, undefined, request.profile, true));
    try {
      await runTests(run, file, changed, false);
    } finally {
      run.end();
    }
  }

  return {
    start,
    saved(uri) {
      const file = tree.file(uri);
      if (file === undefined || watches.size === 0) return;
      void tree.update(uri).then(async () => {
        for (const watching of watches) await savedIn(watching, file);
      });
    },
    dispose: () => listener.dispose(),
  };
}

function marksOf(tests: Iterable<SolutionTest>): Map<number, string> {
  return new Map([...tests].map(({ key, mark }) => [key, mark]));
}

function tell(run: vscode.TestRun, item: vscode.TestItem, result: SolutionResult): void {
  const { state, message, ms, stdout } = result;
  if (stdout !== '') run.appendOutput(linesOf(stdout), undefined, item);
  switch (state) {
    case 'passed':
      run.passed(item, ms);
      break;
    case 'failed':
      run.failed(item, messageOf(item, result), ms);
      break;
    case 'errored':
      run.errored(item, messageOf(item, result), ms);
      break;
    case 'skipped':
      if (message !== null) run.appendOutput(linesOf(`${item.label}: ${message}`), undefined, item);
      run.skipped(item);
  }
}

function messageOf(item: vscode.TestItem, { message, expected, actual, range }: SolutionResult): vscode.TestMessage {
  const text = message ?? 'The solution does not yield the gold.';
  const told =
    expected === null || actual === null
      ? new vscode.TestMessage(text)
      : vscode.TestMessage.diff(text, expected, actual);
  if (item.uri !== undefined && range !== null) {
    const { start, end } = range;
    told.location = new vscode.Location(
      item.uri,
      new vscode.Range(start.line, start.character, end.line, end.character),
    );
  }
  return told;
}

/** The output of a run is shown as by a terminal. */
function linesOf(text: string): string {
  return `${text.replace(/\r?\n$/, '').replace(/\r?\n/g, '\r\n')}\r\n`;
}
