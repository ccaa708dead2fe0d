/**
 * Records of a file inserted, deleted and moved: edits of the file's text that change the records named and what parts them from
 * their neighbours, and no other byte. Records are lines of JSONL or elements of arrays; what is neither is refused with a sentence.
 */
import type { TextEdit } from '../edit/types.ts';
import { isBlank } from '../text/chars.ts';
import type { FileForm } from '../text/types.ts';
import { lineEndIn } from './layout.ts';

/** The records of a file in order: where their texts stand. */
export interface RecordPlaces {
  readonly count: number;
  /** Offsets in the file's text, end exclusive. */
  start(index: number): number;
  end(index: number): number;
}

/** A file's text. Only what lies between records and the records named are read. */
export interface FileText {
  readonly length: number;
  slice(start: number, end: number): string;
}

export type RecordEdits =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'problem'; readonly message: string };

/** A record to be written beside one that is there. */
export interface Insertion {
  readonly beside: number;
  readonly where: 'before' | 'after';
  readonly text: string;
}

type Kind = 'line' | 'element';

/** More blanks before a record or behind it are not looked through. */
const LONGEST_GAP = 1_000_000;

export interface RecordLists {
  /** Edits in order of place, without overlaps. Insertions at one place come in the order given. */
  insert(insertions: readonly Insertion[]): RecordEdits;
  /** Indices in ascending order, each once. */
  remove(indices: readonly number[]): RecordEdits;
  /** The records, together and in the order of the file, so that the first of them is the record `to` (0-based) afterwards. */
  move(indices: readonly number[], to: number): RecordEdits;
}

/** Thrown inside, caught at the border. */
class Refused extends Error {}

/** `form`: as the file's name has it. */
export function createRecordLists(text: FileText, places: RecordPlaces, form: FileForm): RecordLists {
  /** Whether each record has a line of its own but for those that lie inside of others. */
  const isJsonLines =
    form === 'lines' && (places.count === 0 || !/^[ \t\r\n\ufeff]*\[/.test(text.slice(0, places.start(0))));

  /** Between the record before and this one; for the first, before it. */
  const gapBefore = (index: number): string => {
    const end = places.start(index);
    const from = index === 0 ? 0 : places.end(index - 1);
    return text.slice(Math.max(from, end - LONGEST_GAP), end);
  };
  const gapAfter = (index: number): string => {
    const start = places.end(index);
    const to = index + 1 < places.count ? places.start(index + 1) : text.length;
    return text.slice(start, Math.min(to, start + LONGEST_GAP));
  };

  function kindOf(index: number): Kind {
    const gap = gapBefore(index);
    if (isJsonLines && /(?:^|\n)[ \t\r\ufeff]*$/.test(gap)) return 'line';
    const sign = gap.replace(/[ \t\r\n\ufeff]+$/, '').at(-1);
    const after = /^[ \t\r\n\ufeff]*([^ \t\r\n\ufeff])/.exec(gapAfter(index))?.[1];
    if (sign === '[' || sign === ',') {
      if (after === ',' || after === ']') return 'element';
      throw new Refused(`${nameOf(index)} is not parted from what follows it by a comma: repair the file first.`);
    }
    if (sign === ':' || sign === '{' || after === ',' || after === '}') {
      throw new Refused(
        `${nameOf(index)} is part of a larger object and no element of a list: it cannot be added, moved or deleted on its own.`,
      );
    }
    if (places.count === 1) throw new Refused('The file is one object and no list of records.');
    return 'line';
  }

  /** Whether both are elements of one array or lines with only line ends between them. */
  function areNeighbours(index: number): boolean {
    if (index + 1 >= places.count) return false;
    const gap = text.slice(places.end(index), Math.min(places.start(index + 1), places.end(index) + LONGEST_GAP));
    return kindOf(index) === 'element' ? /^[ \t\r\n]*,[ \t\r\n\ufeff]*$/.test(gap) : /^[ \t\r\n\ufeff]*$/.test(gap);
  }

  /** Start of the line that a record begins. */
  function lineStart(index: number): number {
    const gap = gapBefore(index);
    return places.start(index) - (gap.length - (gap.lastIndexOf('\n') + 1));
  }

  /** After the line end behind a record; the file's end where it has none. */
  function lineEnd(index: number): number {
    const gap = gapAfter(index);
    const at = gap.indexOf('\n');
    return at < 0 ? text.length : places.end(index) + at + 1;
  }

  /** The line end of a record's line, else that of one near it. */
  function lineEndOf(index: number): string {
    const after = gapAfter(index);
    return (
      lineEndIn(after) ??
      lineEndIn(gapBefore(index)) ??
      lineEndIn(text.slice(0, Math.min(text.length, LONGEST_GAP))) ??
      '\n'
    );
  }

  /** What parts elements of the array, read off beside one of them. */
  function separatorAt(index: number): string {
    if (index > 0 && kindOf(index - 1) === 'element' && areNeighbours(index - 1)) return gapBefore(index);
    if (areNeighbours(index)) return gapAfter(index);
    const gap = gapBefore(index);
    return `,${gap.slice(gap.lastIndexOf('[') + 1)}`;
  }

  function insertOne({ beside, where, text: written }: Insertion): TextEdit {
    if (kindOf(beside) === 'element') {
      const separator = separatorAt(beside);
      const at = where === 'before' ? places.start(beside) : places.end(beside);
      return { span: { start: at, end: at }, text: where === 'before' ? written + separator : separator + written };
    }
    const end = lineEndOf(beside);
    const at = where === 'before' ? places.start(beside) : places.end(beside);
    return { span: { start: at, end: at }, text: where === 'before' ? written + end : end + written };
  }

  /** A run of neighbours of one list that goes. */
  function removeRun(first: number, last: number): TextEdit[] {
    if (kindOf(first) === 'element') return [{ span: elementRun(first, last), text: '' }];
    if (first > 0 && lineEnd(last) === text.length && !gapAfter(last).includes('\n')) {
      // The file goes on to end without a line end.
      return [{ span: { start: endOfLineBefore(first), end: text.length }, text: '' }];
    }
    const start = first === 0 ? places.start(0) : lineStart(first);
    return [{ span: { start, end: lineEnd(last) }, text: '' }];
  }

  /** Before the line end that stands before a record, and before blank lines there. */
  function endOfLineBefore(index: number): number {
    if (areNeighbours(index - 1)) return places.end(index - 1);
    const before = gapBefore(index);
    const at = before.lastIndexOf('\n');
    return places.start(index) - (before.length - at) - (before.charAt(at - 1) === '\r' ? 1 : 0);
  }

  function elementRun(first: number, last: number): { readonly start: number; readonly end: number } {
    if (areNeighbours(last)) return { start: places.start(first), end: places.start(last + 1) };
    if (first > 0 && kindOf(first - 1) === 'element' && areNeighbours(first - 1)) {
      return { start: places.end(first - 1), end: places.end(last) };
    }
    const before = gapBefore(first);
    const after = /^[ \t\r\n]*/.exec(gapAfter(last))![0];
    return { start: places.start(first) - trailingBlanks(before), end: places.end(last) + after.length };
  }

  function removals(indices: readonly number[]): TextEdit[] {
    const edits: TextEdit[] = [];
    for (let at = 0; at < indices.length;) {
      let last = at;
      while (last + 1 < indices.length && indices[last + 1] === indices[last]! + 1 && areNeighbours(indices[last]!))
        last++;
      edits.push(...removeRun(indices[at]!, indices[last]!));
      at = last + 1;
    }
    return edits;
  }

  /** Lines of a file are of one list, whatever stands between them. */
  function areInOneList(first: number, last: number): boolean {
    const kind = kindOf(first);
    for (let index = first; index < last; index++) {
      if (kind === 'line' ? kindOf(index + 1) !== 'line' : !areNeighbours(index)) return false;
    }
    return true;
  }

  /** Where moved records come to stand: beside a record that stays, in the same list. */
  function anchorFor(indices: readonly number[], to: number): Pick<Insertion, 'beside' | 'where'> {
    const moved = new Set(indices);
    let before: number | undefined;
    let after: number | undefined;
    for (let index = 0, position = 0; index < places.count; index++) {
      if (moved.has(index)) continue;
      if (position === to) {
        after = index;
        break;
      }
      before = index;
      position++;
    }
    const [first] = indices;
    const inList = (index: number | undefined): index is number =>
      index !== undefined && areInOneList(Math.min(index, first!), Math.max(index, first!));
    if (inList(after)) return { beside: after, where: 'before' };
    if (inList(before)) return { beside: before, where: 'after' };
    throw new Refused('Records cannot be moved out of the list that they lie in.');
  }

  function move(indices: readonly number[], to: number): TextEdit[] {
    if (!areInOneList(indices[0]!, indices.at(-1)!)) {
      throw new Refused('The records lie in different lists of the file: move those of one list at a time.');
    }
    if (indices[0] === to && indices.at(-1)! - indices[0] === indices.length - 1) return [];
    const anchor = anchorFor(indices, Math.max(0, Math.min(to, places.count - indices.length)));
    const texts = indices.map((index) => text.slice(places.start(index), places.end(index)));
    const written =
      kindOf(anchor.beside) === 'element'
        ? texts.join(separatorAt(anchor.beside))
        : texts.join(lineEndOf(anchor.beside));
    return inOrder([insertOne({ ...anchor, text: written }), ...removals(indices)]);
  }

  const attempt = (make: () => readonly TextEdit[]): RecordEdits => {
    try {
      return { kind: 'edits', edits: make() };
    } catch (error) {
      if (error instanceof Refused) return { kind: 'problem', message: error.message };
      throw error;
    }
  };

  return {
    insert: (insertions) => attempt(() => inOrder(insertions.map(insertOne))),
    remove: (indices) => attempt(() => inOrder(removals(indices))),
    move: (indices, to) => attempt(() => (indices.length === 0 ? [] : move(indices, to))),
  };
}

/** By place; at one place insertions come first, in the order in which they were given. */
function inOrder(edits: TextEdit[]): TextEdit[] {
  return edits.sort((one, two) => one.span.start - two.span.start || one.span.end - two.span.end);
}

function trailingBlanks(gap: string): number {
  let at = gap.length;
  while (at > 0 && isBlank(gap.charCodeAt(at - 1))) at--;
  return gap.length - at;
}

function nameOf(index: number): string {
  return `Record ${index + 1}`;
}

/** The edits that make the old text of the new one: offsets are those of the new text. */
export function inverseEdits(text: FileText, edits: readonly TextEdit[]): readonly TextEdit[] {
  let shift = 0;
  return edits.map(({ span, text: written }) => {
    const start = span.start + shift;
    shift += written.length - (span.end - span.start);
    return { span: { start, end: start + written.length }, text: text.slice(span.start, span.end) };
  });
}
