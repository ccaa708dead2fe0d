/**
 * Mocha's spec reporter that also leaves its counts in the file that AUDITABLE_QA_RESULTS names, for `npm test` to add up.
 */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

export interface SuiteResults {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Full titles of the tests that passed. */
  readonly passes: readonly string[];
  readonly failures: readonly FailedTest[];
  /** Tests of windows and pages that failed at first and passed when they were run once more: each is named at the end. */
  readonly repeated: readonly FailedTest[];
}

/** `title` is the full one; `suite`: that of the outermost suite, '' where it is of none. */
export interface FailedTest {
  readonly title: string;
  readonly suite: string;
  readonly message: string;
}

export const resultsFile = (): string | undefined => process.env['AUDITABLE_QA_RESULTS'];

export function writeResults(results: SuiteResults): void {
  const file = resultsFile();
  if (file !== undefined) writeFileSync(file, JSON.stringify(results));
}

/** Counts what `runner` reports; the results are complete once `whenDone` is called. */
export function collectResults(runner: Mocha.Runner, whenDone: (results: SuiteResults) => void): void {
  const { constants } = Mocha.Runner;
  const failures: FailedTest[] = [];
  const repeated: FailedTest[] = [];
  const failed = (test: Mocha.Test, error: Error): FailedTest => ({
    title: test.fullTitle(),
    suite: test.parent?.root === false ? (test.titlePath()[0] ?? '') : '',
    message: error.stack ?? error.message,
  });
  const passes: string[] = [];
  let skipped = 0;
  runner.on(constants.EVENT_TEST_PASS, (test) => passes.push(test.fullTitle()));
  runner.on(constants.EVENT_TEST_PENDING, () => (skipped += 1));
  runner.on(constants.EVENT_TEST_FAIL, (test, error: Error) => {
    const last = failed(test, error);
    // The second time began where the first one had ended.
    const first = repeated.find(({ title }) => title === last.title);
    failures.push(first === undefined ? last : { ...last, message: `${first.message}\nOnce more: ${last.message}` });
  });
  runner.on(constants.EVENT_TEST_RETRY, (test, error: Error) => repeated.push(failed(test, error)));
  runner.once(constants.EVENT_RUN_END, () =>
    whenDone({
      passed: passes.length,
      failed: failures.length,
      skipped,
      passes,
      failures,
      repeated: repeated.filter(({ title }) => passes.includes(title)),
    }),
  );
}

function CountingReporter(runner: Mocha.Runner, options: Mocha.MochaOptions): Mocha.reporters.Base {
  collectResults(runner, writeResults);
  return new Mocha.reporters.Spec(runner, options);
}

// The name under which `require` hands it to mocha.
export { CountingReporter as 'module.exports' };
export { CountingReporter };
