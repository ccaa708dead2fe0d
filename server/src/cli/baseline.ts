import path from 'node:path';
import { BASELINE_FILE } from '../../../schemas/acceptance.ts';
import type { BaselineFinding } from '../../../schemas/acceptance.ts';
import { formatBaseline } from '../core/acceptance/baseline.ts';
import { nameInBaseline, writeBaseline } from '../node/acceptance.ts';
import { checkWith } from './check.ts';
import type { CheckOptions, Shell } from './job.ts';
import { UsageError } from './usage.ts';

export interface BaselineOptions extends Omit<CheckOptions, 'format' | 'maxFindings'> {
  /** `-`: standard output. */
  readonly output?: string;
}

/** Writes down all findings of the paths, accepted ones left out. Gives the exit code: 0 written, 2 not. */
export async function baseline(paths: readonly string[], options: BaselineOptions, shell: Shell): Promise<number> {
  if (paths.includes('-'))
    throw new UsageError('A baseline is about files; standard input has no name to be found again.');
  const { output = BASELINE_FILE, ...others } = options;
  const target = output === '-' ? path.join(shell.cwd, BASELINE_FILE) : path.resolve(shell.cwd, output);
  const found: BaselineFinding[] = [];
  const exitCode = await checkWith(paths, { ...others, format: 'text', maxFindings: 0 }, shell, 'check', {
    file({ path: shown, findings }) {
      const file = nameInBaseline(path.resolve(shell.cwd, shown), target);
      for (const { code, recordKey, pointer, fingerprint } of findings) {
        found.push({ file, code, record: recordKey ?? null, pointer, fingerprint });
      }
      return Promise.resolve();
    },
    end: () => Promise.resolve(),
  });
  // What could not be looked at would be missing in it.
  if (exitCode === 2) return 2;
  if (output === '-') {
    await shell.out.write(formatBaseline(found));
    return 0;
  }
  const problem = await writeBaseline(target, found);
  if (problem !== undefined) throw new UsageError(`The baseline ${output} ${problem}.`);
  const count = `${found.length.toLocaleString('en')} finding${found.length === 1 ? '' : 's'}`;
  await shell.err.write(`auditable-qa: ${output}: ${count} written\n`);
  return 0;
}
