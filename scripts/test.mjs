// All tests: node scripts/test.mjs [SUITE …]. One that fails does not stop the others. The last line gives the counts.
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { projectEnvironment, projectRoot, run } from './process.mjs';

const mocha = (name) => ['mocha', ['--reporter', 'test/support/reporter.ts', `test/${name}/**/*.test.ts`]];

/** Each is one test: it passes or fails as a whole. */
const checks = {
  lint: [
    ['eslint', ['.']],
    ['depcruise', ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'schemas', 'server', 'client', 'webview', 'test']],
    ['prettier', ['--check', '--log-level', 'warn', '.']],
  ],
  types: [['tsc', ['-b']]],
};

/** Each counts its own tests. */
const suites = {
  unit: mocha('unit'),
  cases: mocha('cases'),
  solutions: mocha('solutions'),
  cli: mocha('cli'),
  wire: mocha('wire'),
  browser: mocha('browser'),
  editor: ['node', ['test/editor/main.ts']],
};

/** No suite takes this long; one that hangs must not hold up the others. */
const longestMs = (process.env.SOAK ? 120 : 8) * 60_000;

const resultsFolder = await mkdtemp(path.join(tmpdir(), 'auditable-qa-results-'));
process.once('exit', () => rmSync(resultsFolder, { recursive: true, force: true }));

const program = (name) => (process.platform === 'win32' && name !== 'node' ? `${name}.cmd` : name);

async function runCheck(name) {
  let failed = 0;
  for (const [command, args] of checks[name])
    try {
      await run(program(command), args, { shell: process.platform === 'win32', timeoutMs: longestMs });
    } catch (error) {
      console.error(error.message);
      failed = 1;
    }
  return { passed: 1 - failed, failed, skipped: 0, failures: failed ? [{ title: name }] : [] };
}

async function runSuite(name) {
  const [command, args] = suites[name];
  const file = path.join(resultsFolder, `${name}.json`);
  const broken = (message) => ({ passed: 0, failed: 1, skipped: 0, failures: [{ title: `suite ${name}: ${message}` }] });
  let problem;
  try {
    const env = projectEnvironment({ AUDITABLE_QA_RESULTS: file });
    await run(program(command), args, { env, shell: process.platform === 'win32', timeoutMs: longestMs });
  } catch (error) {
    problem = error.message.split('\n')[0];
  }
  try {
    const results = JSON.parse(readFileSync(file, 'utf8'));
    if (problem === undefined || results.failed > 0) return results;
    return { ...results, failed: 1, failures: [{ title: `suite ${name}: ${problem}` }] };
  } catch {
    return broken(problem ?? 'left no results');
  }
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

async function main(names) {
  const unknown = names.filter((name) => !(name in checks) && !(name in suites));
  if (unknown.length > 0) throw new Error(`No such suite: ${unknown.join(', ')}. There are ${Object.keys({ ...checks, ...suites }).join(', ')}.`);
  const started = performance.now();
  const total = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const lines = [];
  const add = (name, results, since) => {
    for (const key of ['passed', 'failed', 'skipped']) total[key] += results[key];
    total.failures.push(...results.failures);
    const skipped = results.skipped > 0 ? `, ${results.skipped} skipped` : '';
    lines.push(`${name}: ${results.passed} passed, ${results.failed} failed${skipped} (${seconds(since)})`);
  };
  const failedParts = await build();
  const built = { passed: failedParts.length > 0 ? 0 : 1, failed: failedParts.length, skipped: 0 };
  add('build', { ...built, failures: failedParts.map((title) => ({ title })) }, started);
  for (const name of names.length > 0 ? names : [...Object.keys(checks), ...Object.keys(suites)]) {
    console.log(`\n=== ${name}`);
    const since = performance.now();
    add(name, await (name in checks ? runCheck(name) : runSuite(name)), since);
  }
  console.log(`\n=== ${seconds(started)}\n${lines.join('\n')}`);
  for (const { title } of total.failures) console.log(`Failed: ${title}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
  return total.failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
