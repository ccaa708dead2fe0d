import { addAbortSignal } from 'node:stream';
import path from 'node:path';
import { convertedBytes } from '../node/bulk/convert.ts';
import type { Converted } from '../node/bulk/convert.ts';
import { writeNewFile } from '../node/bulk/new-file.ts';
import { fileToRead, streamToRead } from '../node/bulk/source.ts';
import type { BulkRun, BulkSource } from '../node/bulk/source.ts';
import { formOfName } from '../node/files/read.ts';
import { count, openBulkShell } from './bulk-shell.ts';
import type { Shell } from './job.ts';

export interface ConvertOptions {
  readonly to: 'jsonl' | 'json';
  /** `-`: standard output. */
  readonly output?: string;
  readonly force?: boolean;
}

const STDIN = '<stdin>';

/** Gives the exit code: 0 converted, 2 not; then nothing is written (to standard output: not all of it). */
export async function convert(given: string, { to, output, force }: ConvertOptions, shell: Shell): Promise<number> {
  const isStdin = given === '-';
  const file = path.resolve(shell.cwd, isStdin ? STDIN : given);
  const wanted = output ?? (isStdin ? '-' : besides(given, to));
  const target = wanted === '-' ? undefined : path.resolve(shell.cwd, wanted);
  const bulk = await openBulkShell(shell, isStdin ? [] : [file]);
  const source = isStdin ? stdin(to, bulk.run, shell) : fileToRead(file, bulk.run);
  let converted: Converted | undefined;
  const bytes = convertedBytes(source, to === 'jsonl' ? 'lines' : 'array', (done) => (converted = done));
  try {
    if (target === undefined) for await (const piece of bytes) await shell.out.write(new TextDecoder().decode(piece));
    else await writeNewFile(target, bytes, force === true);
  } catch (error) {
    return await bulk.refused(error, file, target ?? '-');
  }
  bulk.progress.pause();
  if (target !== undefined) await bulk.note(`${bulk.shown(target)}: ${count(converted!.records, 'record')} written`);
  return 0;
}

/** What is not the wanted kind is read as the other one. */
function stdin(to: 'jsonl' | 'json', run: BulkRun, { stop }: Shell): BulkSource {
  return streamToRead(addAbortSignal(stop, process.stdin), to === 'jsonl' ? 'json' : 'lines', run);
}

function besides(given: string, to: 'jsonl' | 'json'): string {
  const known = formOfName(given) === undefined ? '' : path.extname(given);
  return `${given.slice(0, given.length - known.length)}.${to}`;
}
