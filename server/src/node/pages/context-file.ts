import { readFile } from 'node:fs/promises';

/** Larger files are no reports; the largest known one has 9 MB. */
const LIMIT = 64_000_000;

/** What is wrong with a file that should hold a context, as the end of a sentence. */
export class ContextFault extends Error {}

/**
 * Reads the paragraphs and tables of a report: a JSON object whose `context` lists them, each a text or an object with
 * its text under `context` (or `text`) and, where it has one, its place under `id`; or that list itself.
 */
export async function readContextFile(file: string, bytes: number): Promise<readonly string[]> {
  if (bytes > LIMIT) throw new ContextFault(`is larger than ${LIMIT / 1_000_000} MB`);
  const text = await readFile(file, 'utf8');
  let root: unknown;
  try {
    root = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new ContextFault(text.trim() === '' ? 'is empty' : 'is no JSON');
  }
  const list = Array.isArray(root) ? root : memberOf(root, 'context');
  if (!Array.isArray(list)) throw new ContextFault('has no list of paragraphs under "context"');
  return list.map((block: unknown) => {
    if (typeof block === 'string') return block;
    const own = memberOf(block, 'context') ?? memberOf(block, 'text');
    return typeof own === 'string' ? own : '';
  });
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
