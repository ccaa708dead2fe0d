/** Repairs made in a file that an editor has open and unchanged: for what the editor's own saving would do more than. */
import { createHash } from 'node:crypto';
import type { FileRepair, TextEdit } from '../../core/edit/types.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import { locateEdits } from './locate.ts';
import type { RecordLayout } from './locate.ts';
import { editedBytes, NotWritten, replaceFile, textOf } from './write.ts';

export interface Rewriting {
  readonly layout: RecordLayout;
  /** The whole text as the editor has it: without a byte order mark, its line ends all alike. */
  readonly text: string;
  /** Edits of a record in the editor's text of it. */
  editsOf(index: number): readonly TextEdit[];
  readonly repairs: readonly FileRepair[];
}

/** Throws NotWritten where the file is not what the editor shows, or cannot be written. */
export async function rewriteFile(file: string, { layout, text, editsOf, repairs }: Rewriting): Promise<void> {
  let onDisk = '';
  const hash = createHash('sha256');
  for await (const piece of textOf(file, (bytes) => hash.update(bytes))) onDisk += piece;
  if (plainLines(onDisk.replace(/^\ufeff/, '')) !== plainLines(text)) {
    throw new NotWritten('is not on disk as it is in the editor: save it or revert it first');
  }
  const located = await locateEdits(file, layout, (slot) => inFile(slot, editsOf(slot.index)), repairs);
  if (located.state.hash !== hash.digest('hex')) {
    throw new NotWritten('has changed on disk since it was read; check it again');
  }
  if (located.edits.length > 0) await replaceFile(file, editedBytes(file, located.edits), located.state);
}

function plainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Editors count a CRLF inside a record as one character. */
function inFile({ text }: RecordSlot, edits: readonly TextEdit[]): readonly TextEdit[] {
  if (edits.length === 0 || !text.includes('\r\n')) return edits;
  const offsetOf = (offset: number): number => {
    let at = 0;
    for (let left = offset; left > 0; left--) at += text.startsWith('\r\n', at) ? 2 : 1;
    return at;
  };
  return edits.map(({ span, text: written }) => ({
    span: { start: offsetOf(span.start), end: offsetOf(span.end) },
    text: written.replace(/\r?\n/g, '\r\n'),
  }));
}
