/**
 * The suites of host/ in the desktop VS Code of a developer: VSCODE_EXECUTABLE_PATH names one, otherwise the newest is
 * downloaded. Needs a display and, without that variable, the network, and is therefore no part of `npm test`, which runs
 * the same suites in the VS Code that comes from the npm registry.
 *   node test/editor/desktop.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { downloadAndUnzipVSCode, resolveCliPathFromVSCodeExecutablePath, runTests } from '@vscode/test-electron';
import { packageExtension } from '../../scripts/package.mjs';
import { quietSettings } from '../../scripts/vscode.mjs';
import type { SuiteResults } from '../support/reporter.ts';
import { newFolder } from './folders.ts';
import { bundleHostTests } from './host-run.ts';
import { hostTests, stubExtension } from './paths.ts';
import { makeWorkspace } from './workspace.ts';

const executable = process.env['VSCODE_EXECUTABLE_PATH'] ?? (await downloadAndUnzipVSCode());
await bundleHostTests();
const results = path.join(newFolder('results'), 'results.json');
const profile = newFolder('profile');
mkdirSync(path.join(profile, 'User'));
writeFileSync(path.join(profile, 'User/settings.json'), JSON.stringify(quietSettings));
const own = ['--user-data-dir', profile, '--extensions-dir', newFolder('extensions')];
const shell = process.platform === 'win32';
const vsix = await packageExtension();
execFileSync(resolveCliPathFromVSCodeExecutablePath(executable), [...own, '--install-extension', vsix], {
  stdio: 'inherit',
  shell,
});
await runTests({
  vscodeExecutablePath: executable,
  extensionDevelopmentPath: stubExtension,
  extensionTestsPath: hostTests,
  extensionTestsEnv: { AUDITABLE_QA_RESULTS: results },
  launchArgs: [await makeWorkspace('desktop'), ...own, '--disable-workspace-trust', '--skip-welcome'],
});
const { passes, skipped } = JSON.parse(readFileSync(results, 'utf8')) as SuiteResults;
for (const title of passes) console.log(`  ✔ ${title}`);
console.log(`${passes.length} passed, 0 failed, ${skipped} skipped`);
process.exit(0);
