import { hashText } from '../../core/hash.ts';
import type { CheckedText, Checker } from '../../core/pipeline.ts';
import { readPageFindings } from '../../core/page/read.ts';
import type { Cancel, DocumentFacts, DocumentReader, DocumentRequest, SolutionRunner } from '../../core/ports.ts';
import { runProbed } from '../../core/trace/probe.ts';
import { createCancel } from '../cancel.ts';
import { describe } from '../guard.ts';
import type { Log } from '../guard.ts';
import { createLane } from './lane.ts';
import { LargeRow } from './large-row.ts';
import { ChangedOnDisk } from './large-table.ts';
import { isChecked, isRunnable, namesDocument } from './rows.ts';
import type { Row } from './rows.ts';
import type { RunCache } from '../runtime.ts';

export interface FactServices {
  readonly runtime: { readonly runner: SolutionRunner; readonly documents: DocumentReader };
  readonly runs: RunCache;
  readonly log: Log;
  /** A worker ended; told once. */
  crashed(reason: string): void;
  /** Whether solutions may be run now: never in an untrusted workspace. `automatic`: without being asked. */
  mayRun(automatic: boolean): boolean;
}

/** Results of solutions and facts of documents of one file's records: asked for in the background, stored in the rows. */
export interface Facts {
  /** What is known already of a row that was just checked, from records with the same solution or document. */
  recall(row: Row, checker: Checker): void;
  /** A row of a large file was laid, while it was at hand: whether its pages are to be read is noted. */
  noted(row: Row, checked: CheckedText, checker: Checker): void;
  /** Goes on with whatever the rows lack. */
  want(rows: readonly Row[], checker: Checker): void;
  run(row: Row, checker: Checker): Promise<void>;
  /** Runs all of them again or for the first time. */
  runAll(rows: readonly Row[], checker: Checker, cancel: Cancel): Promise<void>;
  readDocument(row: Row, checker: Checker, cancel?: Cancel): Promise<void>;
  forgetDocuments(rows: readonly Row[]): void;
  isRunning(row: Row): boolean;
  /** Puts off what nobody waits for: somebody types. */
  rest(ms: number): void;
  reset(): void;
  readonly busy: boolean;
  readonly documentsBusy: boolean;
}

const RUNS_AT_ONCE = 16;
const DOCUMENTS_AT_ONCE = 8;
/** Pages are read by one thread, and each takes long: what is asked for meanwhile comes in between. */
const PAGES_AT_ONCE = 2;

export function createFacts(
  services: FactServices,
  told: { arrived(what: 'run' | 'document' | 'pages'): void; idle(): void },
): Facts {
  const { runtime, runs, log } = services;
  const running = new Map<Row, Promise<void>>();
  const documents = new Map<string, DocumentFacts>();
  /** Rows whose facts are stale although they are there. */
  const stale = new WeakSet<Row>();
  /** Rows whose run or document was asked for and gave nothing: not asked for again and again. */
  let fruitless = new WeakSet<Row>();
  let undocumented = new WeakSet<Row>();
  /** Rows whose pages tell nothing more, or were asked for in vain. */
  let pageless = new WeakSet<Row>();
  /** Rows of large files whose pages are to be read. */
  let paged = new WeakSet<Row>();
  let current: Checker | undefined;

  const runLane = createLane<Row>(RUNS_AT_ONCE, (row) => runOnce(row), told.idle);
  const documentLane = createLane<Row>(DOCUMENTS_AT_ONCE, (row) => readOnce(row), told.idle);

  const pageLane = createLane<Row>(PAGES_AT_ONCE, (row) => readPagesOnce(row), told.idle);

  function recall(row: Row, checker: Checker): void {
    const { checked } = row;
    if (checked === undefined) return;
    if (checked.solution !== undefined && services.mayRun(false)) {
      const request = checker.runRequest(checked);
      const known = request && runs.get(request);
      if (known !== undefined) store(row, checker, { run: known });
    }
    if (documents.size > 0) {
      const request = checker.documentRequest(checked);
      const known = request && documents.get(keyOf(request));
      if (known !== undefined) row.document = known;
    }
  }

  function store(row: Row, checker: Checker, found: Partial<Pick<Row, 'run' | 'document' | 'pageFindings'>>): void {
    if (row.gone || !isChecked(row)) return;
    if (found.run !== undefined) {
      row.run = found.run;
      const { checked } = row;
      const verdict = checked && checker.outcome(checked, found.run)?.verdict;
      row.passed = verdict === 'equal' || verdict === 'tolerance' || verdict === 'rounded';
    }
    if (found.document !== undefined) {
      row.document = found.document;
      if (row instanceof LargeRow) row.items = undefined;
      row.pageFindings = undefined;
      pageless.delete(row);
    }
    if (found.pageFindings !== undefined) row.pageFindings = found.pageFindings;
    row.findings = undefined;
  }

  function runOnce(row: Row, again = false): Promise<void> {
    const under = running.get(row);
    if (under !== undefined) return under;
    const checker = current;
    if (checker === undefined || row.gone || !isChecked(row)) return Promise.resolve();
    if (row.run !== undefined && !again) return Promise.resolve();
    const checked = checkedOf(row);
    const request = checked && checker.runRequest(checked);
    if (checked === undefined || request === undefined || !services.mayRun(false)) return Promise.resolve();
    row.cancel ??= createCancel();
    const { solution } = checked;
    const asked =
      solution === undefined
        ? runtime.runner.run(request, row.cancel)
        : runProbed(runtime.runner, request, solution, row.cancel);
    const done = asked
      .then((result) => {
        if (result.error?.kind === 'unavailable') throw new Error(result.error.message);
        runs.set(request, result);
        if (result.error?.kind === 'crash')
          services.crashed(`The sandbox ended while it ran a solution: ${result.error.message}.`);
        if (current !== checker) return;
        store(row, checker, { run: result });
        told.arrived('run');
      })
      .catch((error: unknown) => {
        fruitless.add(row);
        if (!row.gone)
          services.crashed(`The solution of record ${row.index + 1} could not be run: ${describe(error)}.`);
      })
      .finally(() => running.delete(row));
    running.set(row, done);
    return done;
  }

  async function readOnce(row: Row, cancel?: Cancel): Promise<void> {
    const checker = current;
    if (checker === undefined || row.gone || !isChecked(row)) return;
    const checked = checkedOf(row);
    const request = checked && checker.documentRequest(checked);
    if (request === undefined) {
      undocumented.add(row);
      return;
    }
    row.cancel ??= createCancel();
    try {
      const read = await runtime.documents.read({ root: checker.settings.base, ...request }, cancel ?? row.cancel);
      if (current !== checker) return;
      const isKnown = row.document !== undefined && isSame(row.document, read);
      documents.set(keyOf(request), read);
      stale.delete(row);
      // What was found on its pages stays, too.
      if (isKnown) return;
      store(row, checker, { document: read });
      told.arrived('document');
    } catch (error) {
      if (cancel?.aborted) return;
      undocumented.add(row);
      if (!row.gone) log(`Reading the document of record ${row.index + 1} failed: ${describe(error)}`);
    }
  }

  async function readPagesOnce(row: Row): Promise<void> {
    const checker = current;
    const { document } = row;
    if (checker === undefined || row.gone || document === undefined) return;
    const checked = checkedOf(row);
    if (checked === undefined) return;
    row.cancel ??= createCancel();
    try {
      const found = await readPageFindings(checker, checked, document, runtime.documents, row.cancel);
      if (current !== checker || row.document !== document) return;
      if (found === undefined || found.length === 0) {
        pageless.add(row);
        return;
      }
      store(row, checker, { pageFindings: found });
      told.arrived('pages');
    } catch (error) {
      pageless.add(row);
      if (!row.gone) log(`Reading the pages of record ${row.index + 1} failed: ${describe(error)}`);
    }
  }

  function lacksPages(row: Row, checker: Checker): boolean {
    const { document, pageFindings } = row;
    if (document === undefined || pageFindings !== undefined || pageless.has(row) || !isChecked(row)) return false;
    if (row.brief !== undefined) return paged.has(row);
    const { checked } = row;
    if (checked === undefined) return false;
    if (checker.pagesWanted(checked, document).length > 0) return true;
    pageless.add(row);
    return false;
  }

  /** A record that is not on disk any more as it was is asked nothing. */
  function checkedOf(row: Row): CheckedText | undefined {
    try {
      return row.checked;
    } catch (error) {
      if (error instanceof ChangedOnDisk) return undefined;
      throw error;
    }
  }

  return {
    recall,
    noted(row, checked, checker) {
      if (row.document === undefined || pageless.has(row)) return;
      if (checker.pagesWanted(checked, row.document).length > 0) paged.add(row);
      else pageless.add(row);
    },
    want(rows, checker) {
      current = checker;
      if (services.mayRun(true)) {
        runLane.want(rows.filter((row) => row.run === undefined && lacksRun(row, fruitless)));
      }
      documentLane.want(
        rows.filter(
          (row) => namesDocument(row) && (row.document === undefined || stale.has(row)) && !undocumented.has(row),
        ),
      );
      pageLane.want(rows.filter((row) => lacksPages(row, checker)));
    },
    async run(row, checker) {
      current = checker;
      fruitless.delete(row);
      await runOnce(row, true);
    },
    async runAll(rows, checker, cancel) {
      current = checker;
      let next = 0;
      const work = async (): Promise<void> => {
        while (next < rows.length && !cancel.aborted && current === checker) {
          const row = rows[next++]!;
          fruitless.delete(row);
          await runOnce(row);
        }
      };
      await Promise.all(Array.from({ length: RUNS_AT_ONCE }, work));
    },
    async readDocument(row, checker, cancel) {
      current = checker;
      await readOnce(row, cancel);
    },
    forgetDocuments(rows) {
      documents.clear();
      for (const row of rows) if (row.document !== undefined) stale.add(row);
      undocumented = new WeakSet();
      pageless = new WeakSet();
    },
    isRunning: (row) => running.has(row),
    rest(ms) {
      runLane.rest(ms);
      documentLane.rest(ms);
    },
    reset() {
      current = undefined;
      runLane.want([]);
      documentLane.want([]);
      pageLane.want([]);
      documents.clear();
      fruitless = new WeakSet();
      undocumented = new WeakSet();
      pageless = new WeakSet();
      paged = new WeakSet();
    },
    get busy() {
      return runLane.size + documentLane.size + pageLane.size > 0;
    },
    get documentsBusy() {
      return documentLane.size > 0;
    },
  };
}

function lacksRun(row: Row, fruitless: WeakSet<Row>): boolean {
  return isRunnable(row) && !fruitless.has(row);
}

function keyOf({ name, pdf, images, context = [] }: DocumentRequest): string {
  return hashText(name, ...pdf, ...context, ...[...images.values()].flat());
}

function isSame(one: DocumentFacts, two: DocumentFacts): boolean {
  const text = ({ images, ...others }: DocumentFacts): string => JSON.stringify([others, [...(images ?? [])]]);
  return one === two || text(one) === text(two);
}
