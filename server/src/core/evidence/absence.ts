/** Why a file of a document is of no use, in words. */
import type { PageImageFacts, PdfFacts } from '../ports.ts';
import { relativePath } from '../profile/paths.ts';
import type { FileSettings } from '../profile/types.ts';

type Base = Pick<FileSettings, 'base'>;

/** As a sentence. `what`: "PDF", "Page image". */
export function absence(what: string, facts: Exclude<PdfFacts | PageImageFacts, { state: 'ok' }>, base: Base): string {
  if (facts.state === 'refused') return `${what} refused: ${facts.reason}.`;
  if (facts.state === 'unreadable') return `${what} ${shownPath(facts.path, base)} cannot be read: ${facts.reason}.`;
  const [first, ...others] = facts.looked.map((looked) => shownPath(looked, base));
  if (first === undefined) return `${what}: no place is known.`;
  const also = others.length === 0 ? '' : `, nor ${others.join(', ')}`;
  return `${what} ${first} is not there${also}; looked in ${base.base}.`;
}

/** A path as people know it: from the folder that locations are relative to. */
export function shownPath(file: string, { base }: Base): string {
  return relativePath(base, file) ?? file;
}
