// All tests: node scripts/test.mjs [SUITE …]. One that fails does not stop the others. The last line gives the counts.
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { npm, projectEnvironment, run } from './process.mjs';

const mocha = (name, ...more) => [
  'mocha',
  ['--reporter', 'test/support/reporter.ts', ...more, `test/${name}/**/*.test.ts`],
];

/** Scripts of package.json. Each is one test: it passes or fails as a whole. */
const checks = ['lint', 'types'];

/** Each counts its own tests. The longest come first, so that two lanes end at about the same time. */
const suites = {
  editor: ['node', ['test/editor/main.ts']],
  // A page and a window may be late on a busy machine: a test that fails there is run once more, and named.
  browser: mocha('browser', '--retries', '1'),
  cli: mocha('cli'),
  solutions: mocha('solutions'),
  wire: mocha('wire'),
  unit: mocha('unit'),
  cases: mocha('cases'),
};

const inBrowser = new Set(['browser', 'editor']);

/** No suite takes this long; one that hangs must not hold up the others. */
const longestMs = (process.env.SOAK ? 120 : 18) * 60_000;

const resultsFolder = await mkdtemp(path.join(tmpdir(), 'auditable-qa-results-'));
process.once('exit', () => rmSync(resultsFolder, { recursive: true, force: true }));

const program = (name) => (process.platform === 'win32' && name !== 'node' ? `${name}.cmd` : name);

/** `quiet`: what it says is printed when it is done, since another one is printing. */
async function runCheck(name, quiet) {
  try {
    await npm(['run', '--silent', name], { quiet, timeoutMs: longestMs });
    return { passed: 1, failed: 0, skipped: 0, failures: [], repeated: [] };
  } catch (error) {
    if (quiet) console.log(`\n=== ${name}\n${error.output ?? error.message}`);
    return { passed: 0, failed: 1, skipped: 0, failures: [{ title: name }], repeated: [] };
  }
}

/** `quiet`: as for `runCheck`. */
async function runSuite(name, quiet) {
  const [command, args] = suites[name];
  const file = path.join(resultsFolder, `${name}.json`);
  const broken = (message) => ({
    passed: 0,
    failed: 1,
    skipped: 0,
    failures: [{ title: `suite ${name}: ${message}` }],
    repeated: [],
  });
  let problem;
  try {
    const env = projectEnvironment({ AUDITABLE_QA_RESULTS: file });
    const shell = process.platform === 'win32';
    const output = await run(program(command), args, { env, shell, quiet, timeoutMs: longestMs });
    if (quiet) console.log(`\n=== ${name}\n${output}`);
  } catch (error) {
    if (quiet) console.log(`\n=== ${name}\n${error.output ?? error.message}`);
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

const everything = [...Object.keys(suites), ...checks];

async function main(names) {
  const unknown = names.filter((name) => !checks.includes(name) && !(name in suites));
  if (unknown.length > 0) throw new Error(`No such suite: ${unknown.join(', ')}. There are ${everything.join(', ')}.`);
  const started = performance.now();
  const total = { passed: 0, failed: 0, skipped: 0, failures: [], repeated: [] };
  const lines = [];
  const add = (name, results, since) => {
    for (const key of ['passed', 'failed', 'skipped']) total[key] += results[key];
    total.failures.push(...results.failures);
    total.repeated.push(...results.repeated);
    const skipped = results.skipped > 0 ? `, ${results.skipped} skipped` : '';
    lines.push(`${name}: ${results.passed} passed, ${results.failed} failed${skipped} (${seconds(since)})`);
  };
  const failedParts = await build();
  const built = { passed: failedParts.length > 0 ? 0 : 1, failed: failedParts.length, skipped: 0 };
  add('build', { ...built, failures: failedParts.map((title) => ({ title })), repeated: [] }, started);
  const wanted = names.length > 0 ? names : everything;
  const waiting = [...wanted];
  const lane = async (quiet) => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (!quiet) console.log(`\n=== ${name}`);
      const since = performance.now();
      add(name, await (checks.includes(name) ? runCheck(name, quiet) : runSuite(name, quiet)), since);
    }
  };
  // Before anything else that may install Debian packages: two at a time get in each other's way.
  const hasBrowser = wanted.some((name) => inBrowser.has(name));
  const noBrowser = hasBrowser ? await ensureChromium().then(() => undefined, String) : undefined;
  if (noBrowser !== undefined) console.log(noBrowser);
  await Promise.all(wanted.length > 1 ? [lane(true), lane(false)] : [lane(false)]);
  console.log(`\n=== ${seconds(started)}\n${lines.join('\n')}`);
  for (const { title, message } of total.repeated)
    console.log(`Passed when it was run once more: ${title}\n${message}\n`);
  for (const { title, message } of total.failures)
    console.log(`Failed: ${title}${message === undefined ? '' : `\n${message}\n`}`);
  console.log(
    `\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
  );
  return total.failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
