/** Where repairs lie in a file: edits of records and operations on the file become offsets in its text. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { FileRepair, TextEdit } from '../../core/edit/types.ts';
import { BOM } from '../../core/text/chars.ts';
import { createNesting } from '../../core/text/nested.ts';
import { createRecordReader } from '../../core/text/reader.ts';
import type { FileForm, RecordSlot } from '../../core/text/types.ts';
import { NotWritten, textOf } from './write.ts';
import type { FileState } from './write.ts';

/** What is to be changed in one record: asked for when its text has been read again. undefined: it is another text. */
export type RecordEdits = (slot: RecordSlot) => readonly TextEdit[] | undefined;

export interface Located {
  /** In the file's text, its byte order mark included; in order of place, without overlaps. */
  readonly edits: readonly TextEdit[];
  /** The file as it was read for this. */
  readonly state: FileState;
}

/** How records lie in a file: line by line or in a document, and where in its elements (`Profile.records`). */
export interface RecordLayout {
  readonly form: FileForm;
  readonly records: string | undefined;
}

/** Throws NotWritten where the file is not UTF-8, or a record is not what it was. */
export async function locateEdits(
  file: string,
  { form, records }: RecordLayout,
  editsOf: RecordEdits,
  repairs: readonly FileRepair[],
): Promise<Located> {
  const { size, mtimeMs, ino } = await stat(file);
  const hash = createHash('sha256');
  const reader = createRecordReader(form);
  const nesting = createNesting(records);
  const lines = createLineRepairs(repairs);
  const edits: TextEdit[] = [];
  let mark: number | undefined;
  const take = (slots: readonly RecordSlot[]): void => {
    for (const slot of nesting.expand(slots)) {
      const own = editsOf(slot);
      if (own === undefined) throw new NotWritten('has changed on disk since it was read; check it again');
      const shift = slot.offset + (mark ?? 0);
      for (const { span, text } of own) {
        edits.push({ span: { start: span.start + shift, end: span.end + shift }, text });
      }
    }
  };
  for await (const text of textOf(file, (bytes) => hash.update(bytes))) {
    mark ??= text.charCodeAt(0) === BOM ? 1 : 0;
    lines.push(text);
    take(reader.push(text));
  }
  take(reader.end().slots);
  const state = { size, mtimeMs, ino, hash: hash.digest('hex') };
  return { edits: withoutOverlaps([...edits, ...lines.end()]), state };
}

/** The first of two that overlap stays; the other one has to wait for another round. */
function withoutOverlaps(edits: TextEdit[]): readonly TextEdit[] {
  edits.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  let end = 0;
  return edits.filter(({ span }) => {
    if (span.start < end) return false;
    end = span.end;
    return true;
  });
}

interface LineRepairs {
  push(text: string): void;
  end(): readonly TextEdit[];
}

/** Follows the lines of a text as it streams by. */
function createLineRepairs(repairs: readonly FileRepair[]): LineRepairs {
  const wanted = new Set<number>();
  for (const repair of repairs) {
    if (repair.kind === 'byteOrderMark') wanted.add(repair.line);
    if (repair.kind === 'blankLines') wanted.add(repair.line).add(repair.line + repair.count);
  }
  const ends = repairs.find((repair) => repair.kind === 'lineEnds')?.end;
  /** Offsets of the starts of the wanted lines. */
  const starts = new Map<number, number>();
  const edits: TextEdit[] = [];
  let line = 0;
  let offset = 0;
  let started = false;
  let endsWithReturn = false;

  const endLine = (at: number, isReturn: boolean): void => {
    line++;
    if (wanted.has(line)) starts.set(line, at + 1);
    if (ends === '\n' && isReturn) edits.push({ span: { start: at - 1, end: at }, text: '' });
    if (ends === '\r\n' && !isReturn) edits.push({ span: { start: at, end: at }, text: '\r' });
  };

  return {
    push(text) {
      if (!started) starts.set(0, text.charCodeAt(0) === BOM ? 1 : 0);
      started = true;
      if (wanted.size > 0 || ends !== undefined) {
        for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
          endLine(offset + at, at === 0 ? endsWithReturn : text.charCodeAt(at - 1) === 13);
        }
      }
      endsWithReturn = text.endsWith('\r');
      offset += text.length;
    },
    end() {
      for (const repair of repairs) {
        if (repair.kind === 'lineEnds') continue;
        const start = starts.get(repair.line);
        if (start === undefined) continue;
        if (repair.kind === 'byteOrderMark') {
          // The mark at the very start stands before the text's first line.
          const at = repair.line === 0 && repair.column === 0 ? 0 : start + repair.column;
          edits.push({ span: { start: at, end: at + 1 }, text: '' });
        } else {
          edits.push({ span: { start, end: starts.get(repair.line + repair.count) ?? offset }, text: '' });
        }
      }
      return edits;
    },
  };
}
