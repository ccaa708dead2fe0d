/**
 * The editor tests: the packaged extension in the real VS Code, driven from inside (host/) and through its window (specs/).
 *   node test/editor/main.ts [PATTERN]     PATTERN: only specs whose title matches
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { collectResults, writeResults } from '../support/reporter.ts';
import type { SuiteResults } from '../support/reporter.ts';
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
    return { ...none, failed: 1, failures: [{ title: 'suites inside the extension host', message }] };
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
    for (const window of openWindows()) await screenshot(window.page, name);
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

const [pattern] = process.argv.slice(2);
const host = pattern === undefined ? await inside() : none;
const results = sum(host, await throughTheWindow(pattern));
writeResults(results);
console.log(`Editor: ${results.passed} passed, ${results.failed} failed, ${results.skipped} skipped.`);
process.exit(results.failed > 0 ? 1 : 0);
