/** Folders in which the documents of a file lie, for their names. */
import { joinPath } from '../profile/paths.ts';
import { parseTemplate } from '../profile/template.ts';
import type { FileSettings } from '../profile/types.ts';

export interface DocumentFolder {
  /** Absolute, inside `root`. */
  readonly folder: string;
  readonly root: string;
  /** What stands around the document's name in the name of its file or folder. */
  readonly before: string;
  readonly after: string;
}

/** Those whose locations begin with a fixed folder and the document's name (`pdfs/{doc_name}.pdf`). */
export function documentFolders({ base, pdf, pageImage, profile }: FileSettings): readonly DocumentFolder[] {
  const spellings = new Set([profile.fields.document?.at ?? []].flat().map((pointer) => pointer.slice(1)));
  const found = new Map<string, DocumentFolder>();
  for (const location of [...pdf, ...pageImage]) {
    const parsed = parseTemplate(location);
    if ('problem' in parsed) continue;
    const at = parsed.parts.findIndex((part) => part.kind === 'key' && spellings.has(part.key));
    const [head, key] = at === 0 ? [undefined, parsed.parts[0]] : parsed.parts;
    if (at < 0 || at > 1 || key?.kind !== 'key' || (head !== undefined && head.kind !== 'text')) continue;
    const text = head?.text ?? '';
    const slash = text.lastIndexOf('/');
    const next = parsed.parts[at + 1];
    const after = next?.kind === 'text' ? next.text.split('/')[0]! : '';
    // Something else is part of the name.
    if (next !== undefined && (next.kind !== 'text' || (!next.text.includes('/') && parsed.parts.length > at + 2)))
      continue;
    const folder = slash < 0 ? base : joinPath(base, text.slice(0, slash));
    found.set(`${folder} ${after}`, { folder, root: base, before: text.slice(slash + 1), after });
  }
  return [...found.values()];
}

/** The names of documents in a folder whose files have these names. */
export function documentNames({ before, after }: DocumentFolder, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const fits = file.length > before.length + after.length && file.startsWith(before) && file.endsWith(after);
    return fits && !file.startsWith('.') ? [file.slice(before.length, file.length - after.length)] : [];
  });
}
