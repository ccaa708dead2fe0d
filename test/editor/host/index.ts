/** Entry of the suites that run inside the extension host: VS Code calls `run`. */
import Mocha from 'mocha';
import { collectResults, writeResults } from '../../support/reporter.ts';

/** A Node that does not know how a module names what `require` is to give (VS Code 1.101 brings one) gives all of its exports. */
const Constructor = 'default' in Mocha ? (Mocha.default as typeof Mocha) : Mocha;

export async function run(): Promise<void> {
  const mocha = new Constructor({ ui: 'bdd', timeout: 60_000, retries: 1, color: false });
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, '', mocha);
  // The suites call `describe` while they are loaded, so they are loaded only now.
  await import('./findings.ts');
  await import('./views.ts');
  await import('./navigation.ts');
  await import('./test-explorer.ts');
  await import('./solution-files.ts');
  await import('./regions.ts');
  const failures = await new Promise<number>((resolve) => {
    collectResults(mocha.run(resolve), writeResults);
  });
  if (failures > 0) throw new Error(`${failures} tests failed.`);
}
