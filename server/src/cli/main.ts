/** Entry of the command line: `dist/cli-main.cjs` once built, this file itself where TypeScript runs unbundled. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { boundHeap } from './heap.ts';
import type { Installation } from './job.ts';
import { main } from './program.ts';

boundHeap();
// A process that ends before its work is done has not done the job.
process.exitCode = 2;
// The processes and threads that work for it do not keep it alive by themselves.
const alive = setInterval(() => undefined, 60_000);
// The bundle is CommonJS, which knows no await at its top.
void main(process.argv.slice(2), installation(fileURLToPath(import.meta.url))).then((exitCode) => {
  process.exitCode = exitCode;
  clearInterval(alive);
});

function installation(entry: string): Installation {
  const folder = path.dirname(entry);
  if (!entry.endsWith('.ts')) return { distFolder: folder };
  return {
    distFolder: path.resolve(folder, '../../../dist'),
    pdfWorker: new URL('../node/pages/pdf-worker.ts', import.meta.url),
    cropWorker: new URL('../node/crops/crop-worker.ts', import.meta.url),
  };
}
