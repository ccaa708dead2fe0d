import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import { commonEnds } from '../../core/edit/difference.ts';
import { BOM } from '../../core/text/chars.ts';
import { createLineReader, firstCode } from '../../core/text/jsonlines.ts';
import type { LineOutput } from '../../core/text/jsonlines.ts';
import { createNesting } from '../../core/text/nested.ts';
import { readRecords } from '../../core/text/reader.ts';
import { markFault } from '../../core/text/byte-order-mark.ts';
import type { FileFault, FileForm, RecordSlot } from '../../core/text/types.ts';
import { createRow, drop } from './rows.ts';
import type { Row } from './rows.ts';
import { createTextStore } from './text-store.ts';

/** The records of an open document, brought in step with its text when they are asked for. */
export interface Table {
  readonly version: number;
  /** Counts up whenever the rows change. */
  readonly revision: number;
  rows(): readonly Row[];
  /** Faults of the text that belong to no record. */
  faults(): readonly FileFault[];
  /** Whole text with LF as the line end. */
  text(): string;
  change(changes: readonly TextDocumentContentChangeEvent[], version: number): void;
  /** Where records lie inside the elements of the file; undefined: the elements are the records. */
  nest(pointer: string | undefined): void;
}

export function createTable(text: string, firstVersion: number, form: FileForm): Table {
  const store = createTextStore(text, firstVersion);
  let rows: readonly Row[] = [];
  let faults: readonly FileFault[] = [];
  let revision = 0;
  let stale = true;
  let nested: string | undefined;

  function sync(): void {
    if (!stale) return;
    stale = false;
    revision++;
    const read =
      form === 'lines' && isJsonLines(store.lines) ? readLines(store.lines) : readRecords(store.text(), form);
    const nesting = createNesting(nested);
    rows = reuse(rows, nesting.expand(read.slots), revision);
    faults = nesting.faults.length === 0 ? read.faults : [...read.faults, ...nesting.faults];
  }

  return {
    get version() {
      return store.version;
    },
    get revision() {
      sync();
      return revision;
    },
    rows() {
      sync();
      return rows;
    },
    faults() {
      sync();
      return faults;
    },
    text: () => store.text(),
    change(changes, version) {
      store.apply(changes, version);
      stale = true;
    },
    nest(pointer) {
      if (pointer === nested) return;
      nested = pointer;
      stale = true;
    },
  };
}

/** Whether a file of this name is JSONL indeed; its first three lines that are not blank decide, as for the reader. */
function isJsonLines(lines: readonly string[]): boolean {
  const head: string[] = [];
  for (const line of lines) {
    if (!Number.isNaN(firstCode(line))) head.push(line);
    if (head.length === 3) break;
  }
  return readRecords(head.join('\n'), 'lines').faults.every(({ code }) => code !== 'file/not-json-lines');
}

/** As `readRecords` reads them, but from lines that are at hand: the whole text is not put together on a keystroke. */
function readLines(lines: readonly string[]): { slots: readonly RecordSlot[]; faults: readonly FileFault[] } {
  const output: LineOutput = { slots: [], faults: [], count: 0 };
  const reader = createLineReader(output);
  let offset = 0;
  for (const [line, whole] of lines.entries()) {
    const last = line === lines.length - 1;
    if (last && whole === '') break;
    let column = 0;
    while (whole.charCodeAt(column) === BOM) output.faults.push(markFault(line, column++));
    const text = column === 0 ? whole : whole.slice(column);
    reader.push({ text, line, column, offset: offset + column, end: last ? '' : '\n' });
    offset += whole.length + 1;
  }
  reader.end();
  output.faults.sort((one, two) => one.line - two.line || one.startColumn - two.startColumn);
  return output;
}

/** Rows for slots: those whose text stood in the file before keep what is known of them, wherever they are now. */
function reuse(old: readonly Row[], slots: readonly RecordSlot[], revision: number): readonly Row[] {
  const shorter = Math.min(old.length, slots.length);
  let head = 0;
  while (head < shorter && isSame(old[head]!, slots[head]!)) head++;
  let tail = 0;
  while (tail < shorter - head && isSame(old[old.length - 1 - tail]!, slots[slots.length - 1 - tail]!)) tail++;
  const leaving = old.slice(head, old.length - tail);
  const byText = new Map<string, Row[]>();
  for (const row of leaving) byText.set(keyOf(row), [...(byText.get(keyOf(row)) ?? []), row]);
  const arrived = new Set<Row>();
  const rows = slots.map((slot, at) => {
    const known =
      at < head
        ? old[at]
        : at >= slots.length - tail
          ? old[old.length - slots.length + at]
          : byText.get(keyOf(slot))?.shift();
    if (known === undefined) {
      const row = createRow(old.length === 0 ? slot : { ...slot, text: detached(slot.text) });
      row.since = revision;
      arrived.add(row);
      return row;
    }
    known.index = slot.index;
    known.line = slot.line;
    known.column = slot.column;
    known.offset = slot.offset;
    return known;
  });
  const left = new Set([...byText.values()].flat());
  for (const row of left) {
    drop(row);
    row.until = revision;
  }
  succeed(neighboursOf(leaving, left), neighboursOf(rows.slice(head, rows.length - tail), arrived));
  return rows;
}

/** Rows of a set by the row of the others that they follow. */
function neighboursOf(rows: readonly Row[], wanted: ReadonlySet<Row>): Map<Row | undefined, Row[]> {
  const groups = new Map<Row | undefined, Row[]>();
  let before: Row | undefined;
  let group: Row[] | undefined;
  for (const row of rows) {
    if (!wanted.has(row)) {
      before = row;
      group = undefined;
    } else if (group === undefined) groups.set(before, (group = [row]));
    else group.push(row);
  }
  return groups;
}

/** Records that were changed where they stood are still the same ones. What is quite another text there is another record. */
function succeed(gone: Map<Row | undefined, Row[]>, arrived: Map<Row | undefined, Row[]>): void {
  for (const [before, olds] of gone) {
    const freshes = arrived.get(before);
    if (freshes?.length !== olds.length) continue;
    for (const [at, old] of olds.entries()) {
      const fresh = freshes[at]!;
      if (!isAlike(old.text, fresh.text)) continue;
      old.successor = fresh;
      fresh.since = old.since;
    }
  }
}

function isAlike(one: string, two: string): boolean {
  const { head, tail } = commonEnds(one, two);
  return (head + tail) * 2 >= Math.max(one.length, two.length);
}

type Content = Pick<RecordSlot, 'text' | 'outer'>;

function isSame(one: Content, two: Content): boolean {
  return one.text === two.text && one.outer?.text === two.outer?.text;
}

/** A nested record is another one when what it lies in has changed. */
function keyOf({ text, outer }: Content): string {
  return outer === undefined ? text : `${text}\0${outer.text}`;
}

/** A copy, since a piece of a text keeps the whole text in memory: here every version of a file that was typed in. */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}
