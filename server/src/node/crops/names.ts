/** Names of images: safe on every system, the same in each run, and different for different pictures. */
import { relativePath } from '../../core/profile/paths.ts';
import { hashText } from '../../core/hash.ts';
import type { PlannedImage } from '../../core/crops/plan.ts';
import { folderOf } from '../../core/profile/paths.ts';

const MOST_CHARACTERS = 60;
const HASH_DIGITS = 8;

/**
 * Path below the output folder, without the ending: `crops/2311.07631-1f0c7a2e/p4_281-2228-1890-2941`. The document's name
 * is for people; the hash tells documents apart whose names are the same, or the same once made safe.
 */
export function stemOf({ kind, document, page, source, pixels }: PlannedImage, base: string): string {
  const location = source.kind === 'pdf' ? source.path : folderOf(source.path);
  const identity = hashText(document, relativePath(base, location) ?? '');
  const folder = `${safeName(document)}-${identity.slice(0, HASH_DIGITS)}`;
  if (kind === 'page') return `pages/${folder}/p${page}`;
  const { left, top, right, bottom } = pixels;
  return `crops/${folder}/p${page}_${left}-${top}-${right}-${bottom}`;
}

/** ASCII letters, digits, dots, dashes and underscores; no dot at the start. */
function safeName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '_');
  return plain.replace(/^[._-]+/, '').slice(0, MOST_CHARACTERS) || 'document';
}
