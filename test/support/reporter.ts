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
  /** Full title and message of each failed test. */
  readonly failures: readonly { readonly title: string; readonly message: string }[];
}

export const resultsFile = (): string | undefined => process.env['AUDITABLE_QA_RESULTS'];

export function writeResults(results: SuiteResults): void {
  const file = resultsFile();
  if (file !== undefined) writeFileSync(file, JSON.stringify(results));
}

/** Counts what `runner` reports; the results are complete once `whenDone` is called. */
export function collectResults(runner: Mocha.Runner, whenDone: (results: SuiteResults) => void): void {
  const { constants } = Mocha.Runner;
  const failures: { title: string; message: string }[] = [];
  const passes: string[] = [];
  let skipped = 0;
  runner.on(constants.EVENT_TEST_PASS, (test) => passes.push(test.fullTitle()));
  runner.on(constants.EVENT_TEST_PENDING, () => (skipped += 1));
  runner.on(constants.EVENT_TEST_FAIL, (test, error: Error) =>
    failures.push({ title: test.fullTitle(), message: error.stack ?? error.message }),
  );
  runner.once(constants.EVENT_RUN_END, () =>
    whenDone({ passed: passes.length, failed: failures.length, skipped, passes, failures }),
  );
}

function CountingReporter(runner: Mocha.Runner, options: Mocha.MochaOptions): Mocha.reporters.Base {
  collectResults(runner, writeResults);
  return new Mocha.reporters.Spec(runner, options);
}

// The name under which `require` hands it to mocha.
export { CountingReporter as 'module.exports' };
export { CountingReporter };
