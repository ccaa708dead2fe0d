/** Entry of the command line: `dist/cli-main.cjs` once built, this file itself where TypeScript runs unbundled. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from './program.ts';
import type { Installation } from './program.ts';

// The bundle is CommonJS, which knows no await at its top.
void main(process.argv.slice(2), installation(fileURLToPath(import.meta.url))).then((exitCode) => {
  process.exitCode = exitCode;
});

function installation(entry: string): Installation {
  const folder = path.dirname(entry);
  if (!entry.endsWith('.ts')) return { distFolder: folder };
  return {
    distFolder: path.resolve(folder, '../../../dist'),
    pdfWorker: new URL('../node/pages/pdf-worker.ts', import.meta.url),
  };
}
