/** Changes of the records of a file that an editor shows, or that was read to be shown, as changes of the file on disk. */
import { createHash } from 'node:crypto';
import type { FileRepair, TextEdit } from '../../core/edit/types.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import { locateEdits } from './locate.ts';
import type { Located, RecordLayout } from './locate.ts';
import { editedBytes, NotWritten, replaceFile, textOf } from './write.ts';

export interface Rewriting {
  readonly layout: RecordLayout;
  /**
   * The whole text as the editor has it: without a byte order mark, its line ends all alike. Absent: nobody has it as a whole;
   * `recordOf` says then what the records are that are edited.
   */
  readonly text?: string;
  /** Edits of a record in the editor's text of it. */
  editsOf(index: number): readonly TextEdit[];
  /** The text that the edits of a record are for. */
  recordOf?(index: number): string | undefined;
  readonly repairs: readonly FileRepair[];
}

/** Throws NotWritten where the file is not what the editor shows, or cannot be written. */
export async function rewriteFile(file: string, rewriting: Rewriting): Promise<void> {
  const { edits, state } = await locateRewriting(file, rewriting);
  if (edits.length > 0) await replaceFile(file, editedBytes(file, edits), state);
}

/** Where a rewriting would change the file. Throws NotWritten where the file is not what the editor shows. */
export async function locateRewriting(file: string, rewriting: Rewriting): Promise<Located> {
  const { layout, text, editsOf, recordOf, repairs } = rewriting;
  if (text === undefined) {
    const isKnown = (slot: RecordSlot): boolean => plainLines(recordOf?.(slot.index) ?? '') === plainLines(slot.text);
    const asRead = (slot: RecordSlot): readonly TextEdit[] | undefined => {
      const edits = editsOf(slot.index);
      return edits.length === 0 ? edits : isKnown(slot) ? inFile(slot, edits) : undefined;
    };
    return locateEdits(file, layout, asRead, repairs);
  }
  const hash = await hashOfSame(file, text);
  const located = await locateEdits(file, layout, (slot) => inFile(slot, editsOf(slot.index)), repairs);
  if (located.state.hash !== hash) throw new NotWritten('has changed on disk since it was read; check it again');
  return located;
}

/** The hash of a file that has the text of an editor. Throws NotWritten where it has another one. */
export async function hashOfSame(file: string, text: string): Promise<string> {
  let onDisk = '';
  const hash = createHash('sha256');
  for await (const piece of textOf(file, (bytes) => hash.update(bytes))) onDisk += piece;
  if (plainLines(onDisk.replace(/^\ufeff/, '')) !== plainLines(text)) {
    throw new NotWritten('is not on disk as it is in the editor: save it or revert it first');
  }
  return hash.digest('hex');
}

function plainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Edits of a record as an editor has it, in its text as the file has it: editors count a CRLF inside as one character. */
export function inFile({ text }: Pick<RecordSlot, 'text'>, edits: readonly TextEdit[]): readonly TextEdit[] {
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
