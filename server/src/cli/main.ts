/** Entry of the command line: `dist/cli-main.cjs` once built, this file itself where TypeScript runs unbundled. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { startMember } from '../node/jobs/member.ts';
import { boundHeap } from './heap.ts';
import type { Installation } from './job.ts';
import { main } from './program.ts';

if (isMainThread) void run();
else startMember();

async function run(): Promise<void> {
  boundHeap();
  // A process that ends before its work is done has not done the job.
  process.exitCode = 2;
  // The processes and threads that work for it do not keep it alive by themselves.
  const alive = setInterval(() => undefined, 60_000);
  process.exitCode = await main(process.argv.slice(2), installation(import.meta.url));
  clearInterval(alive);
}

function installation(address: string): Installation {
  const entry = fileURLToPath(address);
  const folder = path.dirname(entry);
  if (!entry.endsWith('.ts')) return { distFolder: folder, entry: new URL(address) };
  return {
    distFolder: path.resolve(folder, '../../../dist'),
    pdfWorker: new URL('../node/pages/pdf-worker.ts', address),
    cropWorker: new URL('../node/crops/crop-worker.ts', address),
    entry: new URL(address),
  };
}
