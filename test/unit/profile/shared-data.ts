import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DATA = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

export interface SharedRecord {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Records of one real file, by its path under the shared data; undefined where the folder is missing. */
export function sharedRecords(path: string): SharedRecord[] | undefined {
  if (!existsSync(DATA + path)) return undefined;
  const text = readFileSync(DATA + path, 'utf8');
  if (path.endsWith('.jsonl')) {
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ text: line, value: JSON.parse(line) as SharedRecord['value'] }));
  }
  const root = JSON.parse(text) as SharedRecord['value'] | SharedRecord['value'][];
  return [root].flat().map((value) => ({ text: JSON.stringify(value), value }));
}

/** Skips the running test with a plain message where a real file is missing. */
export function needSharedRecords(test: Mocha.Context, path: string): SharedRecord[] {
  return sharedRecords(path) ?? skipWithout(test, path);
}

export function skipWithout(test: Mocha.Context, path: string): never {
  console.log(`      skipped: no shared file ${path}`);
  return test.skip() as never; // Public files are no part of the project: where they are not beside it, there is nothing to read.
}
