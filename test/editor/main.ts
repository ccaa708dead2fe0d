/**
 * The editor tests: the packaged extension in the real VS Code, driven from inside (host/) and through its window (specs/).
 *   node test/editor/main.ts [PATTERN]     PATTERN: only specs whose title matches
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { collectResults, writeResults } from '../support/reporter.ts';
import type { SuiteResults } from '../support/reporter.ts';
import { newFolder } from './folders.ts';
import { runHostTests } from './host-run.ts';
import { openWindows, screenshot } from './window.ts';
import { makeWorkspace } from './workspace.ts';

const none: SuiteResults = { passed: 0, failed: 0, skipped: 0, passes: [], failures: [], repeated: [] };

const sum = (a: SuiteResults, b: SuiteResults): SuiteResults => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  passes: [...a.passes, ...b.passes],
  failures: [...a.failures, ...b.failures],
  repeated: [...a.repeated, ...b.repeated],
});

async function inside(): Promise<SuiteResults> {
  try {
    const results = await runHostTests(await makeWorkspace('host'));
    for (const title of results.passes) console.log(`  ✔ ${title}`);
    for (const { title, message } of results.failures) console.log(`  ✘ ${title}\n    ${message}`);
    return results;
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(message);
    return { ...none, failed: 1, failures: [{ title: 'suites inside the extension host', suite: '', message }] };
  }
}

async function throughTheWindow(pattern: string | undefined): Promise<SuiteResults> {
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 120_000,
    retries: 1,
    ...(pattern === undefined ? {} : { grep: pattern }),
  });
  const folder = path.join(import.meta.dirname, 'specs');
  for (const file of readdirSync(folder).sort()) if (file.endsWith('.test.ts')) mocha.addFile(path.join(folder, file));
  await mocha.loadFilesAsync();
  mocha.suite.afterEach('photograph', async function () {
    if (this.currentTest?.state !== 'failed') return;
    const name = `failed-${this.currentTest.fullTitle().replaceAll(/\W+/g, '-')}`;
    // A window that is gone gives no picture; the other suites go on.
    for (const window of openWindows()) await screenshot(window.page, name).catch(console.error);
  });
  let results = none;
  await new Promise<void>((resolve) => {
    collectResults(
      mocha.run(() => resolve()),
      (collected) => (results = collected),
    );
  });
  return results;
}

/** More suites than this do not fail because a window was late. */
const MOST_RUN_ANEW = 3;
const ANEW_MS = 4 * 60_000;

/**
 * A test that fails is run once more in its window, which may have been left in any state. What fails then too is run, with its suite, in a
 * window of its own, and named where it passes there.
 */
function inNewWindows(results: SuiteResults): SuiteResults {
  const suites = new Set(results.failures.map(({ suite }) => suite));
  if (suites.has('') || suites.size > MOST_RUN_ANEW) return results;
  return [...suites].reduce((known, suite) => {
    console.log(`Once more, in a new window: ${suite}`);
    const file = path.join(newFolder('results'), 'results.json');
    const pattern = `^${suite.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)} `;
    const env = { ...process.env, AUDITABLE_QA_RESULTS: file };
    const { status } = spawnSync(process.execPath, [import.meta.filename, pattern], {
      stdio: 'inherit',
      env,
      timeout: ANEW_MS,
      killSignal: 'SIGKILL',
    });
    if (status !== 0 || !existsSync(file)) return known;
    const anew = JSON.parse(readFileSync(file, 'utf8')) as SuiteResults;
    if (anew.passed === 0) return known;
    const passes = [...new Set([...known.passes, ...anew.passes])];
    const failures = known.failures.filter((failure) => failure.suite !== suite);
    const late = known.failures.filter((failure) => failure.suite === suite);
    return {
      ...known,
      passed: passes.length,
      passes,
      failed: failures.length,
      failures,
      repeated: [...known.repeated, ...late],
    };
  }, results);
}

const [pattern] = process.argv.slice(2);
const host = pattern === undefined ? await inside() : none;
const specs = await throughTheWindow(pattern);
// What is known already is not lost where the rest takes too long.
writeResults(sum(host, specs));
const results = sum(host, pattern === undefined ? inNewWindows(specs) : specs);
writeResults(results);
console.log(`Editor: ${results.passed} passed, ${results.failed} failed, ${results.skipped} skipped.`);
process.exit(results.failed > 0 ? 1 : 0);
