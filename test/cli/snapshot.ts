import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Compares with test/cli/snapshots/NAME; UPDATE_SNAPSHOTS=1 rewrites it. */
export function isAsKept(name: string, text: string): void {
  const file = path.join(import.meta.dirname, 'snapshots', name);
  if (process.env['UPDATE_SNAPSHOTS'] !== undefined) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  assert.equal(text, readFileSync(file, 'utf8'));
}
