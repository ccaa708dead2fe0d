// `npm run soak [-- --write]`: the suites in their long versions (full fuzz, large files, kill tests), then the benches.
// --write keeps the figures in docs/figures.json.
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { projectEnvironment, projectNode, projectRoot, run } from './process.mjs';

const env = projectEnvironment({ SOAK: '1' });

let failed = false;
try {
  await run(projectNode, ['scripts/test.mjs'], { env });
} catch {
  failed = true;
}
const output = await run(projectNode, ['test/bench/main.ts', '--json'], { env, quiet: true });
console.log(output);
if (process.argv.includes('--write')) {
  const figures = { ...JSON.parse(output.slice(output.indexOf('{'))), node: process.version, cpus: os.cpus().length };
  await writeFile(path.join(projectRoot, 'docs/figures.json'), `${JSON.stringify(figures, undefined, 2)}\n`);
}
process.exitCode = failed ? 1 : 0;
