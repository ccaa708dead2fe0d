import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Installation } from './job.ts';

/** What the program knows of itself: its package.json, which lies beside the built program. */
export function manifestOf({ distFolder }: Installation): { readonly version: string; readonly homepage?: string } {
  const file = path.join(path.dirname(distFolder), 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')) as { version: string; homepage?: string };
}
