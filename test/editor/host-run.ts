/** Runs the suites of host/ inside the extension host of the real VS Code and hands their results back. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { SuiteResults } from '../support/reporter.ts';
import { newFolder } from './folders.ts';
import { hostTests, projectRoot, stubExtension } from './paths.ts';
import { openWindow } from './window.ts';

/** One CommonJS file, because VS Code loads it by `require`; mocha itself comes from node_modules. */
export async function bundleHostTests(): Promise<void> {
  await build({
    absWorkingDir: projectRoot,
    entryPoints: ['test/editor/host/index.ts'],
    outfile: hostTests,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

export async function runHostTests(workspace: string): Promise<SuiteResults> {
  await bundleHostTests();
  const results = path.join(newFolder('results'), 'results.json');
  let finished = (_code: number): void => undefined;
  const said: string[] = [];
  const exit = new Promise<number>((resolve) => (finished = resolve));
  const window = await openWindow({
    workspace,
    env: { AUDITABLE_QA_RESULTS: results },
    tests: { extension: stubExtension, module: hostTests },
    prepare: async (page) => {
      await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => said.push(args.join(' ')));
      await page.exposeFunction('codeAutomationExit', (code: number) => finished(code));
    },
  });
  try {
    await Promise.race([exit, window.lost]);
    if (!existsSync(results))
      throw new Error(`The suites inside the extension host left no results.\n${said.join('\n')}`);
    return JSON.parse(readFileSync(results, 'utf8')) as SuiteResults;
  } finally {
    await window.close();
  }
}
