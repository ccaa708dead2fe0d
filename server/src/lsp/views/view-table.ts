import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import type { ViewKind } from '../../../../schemas/views.ts';
import { readRecordDocument } from '../../core/view/read.ts';
import { readSolutionDocument } from '../../core/view/solution.ts';
import type { FileFault, TextFault } from '../../core/text/types.ts';
import type { ViewedRecord } from '../../core/view/types.ts';
import { createRow, drop } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import type { Table } from '../session/table.ts';
import { createTextStore } from '../session/text-store.ts';

/** The record of the file that a document shows. */
export interface Shown {
  readonly row: Row;
  /** Where its solution stands, or would stand. */
  readonly solution: string;
}

/** The one record of a document that shows it otherwise than its file does. Empty while the record is not known. */
export interface ViewTable extends Table {
  /** The record in the file is another one now. */
  recordChanged(): void;
}

export function createViewTable(
  kind: ViewKind,
  text: string,
  firstVersion: number,
  shown: () => Shown | undefined,
): ViewTable {
  const store = createTextStore(text, firstVersion);
  let rows: readonly Row[] = [];
  let faults: readonly FileFault[] = [];
  let revision = 0;
  let stale = true;

  function sync(): void {
    if (!stale) return;
    stale = false;
    revision++;
    const before = rows[0];
    const record = shown();
    const viewed = record && view(store.text(), record);
    rows = record === undefined || viewed === undefined ? [] : [rowOf(record, viewed)];
    faults = viewed?.faults.map((fault) => placed(fault, viewed)) ?? [];
    if (before !== undefined) drop(before);
  }

  function view(document: string, { row, solution }: Shown): ViewedRecord {
    return kind === 'record' ? readRecordDocument(document) : readSolutionDocument(document, row.text, solution);
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
    change(changes: readonly TextDocumentContentChangeEvent[], version: number) {
      store.apply(changes, version);
      stale = true;
    },
    nest() {
      // The record is at hand, wherever it lies in the file.
    },
    recordChanged() {
      stale = true;
    },
  };
}

/** On one line, where the document has it. */
function placed({ code, message, span: { start, end }, found }: TextFault, { text, lens }: ViewedRecord): FileFault {
  // A line end stands for the blanks that are missing before the next line.
  const from = lens.position(text.charAt(start) === '\n' ? end : start);
  const to = lens.position(end);
  const endColumn = to.line === from.line ? Math.max(to.column, from.column + 1) : from.column + 3;
  return { code, message, line: from.line, startColumn: from.column, endColumn, ...(found !== undefined && { found }) };
}

/** The record as the document says it is, at its place among the records of the file. */
function rowOf({ row: { index, outer, ordinal } }: Shown, { text, lens }: ViewedRecord): Row {
  const row = createRow({ index, line: 0, column: 0, offset: 0, text, lens, ...(outer && { outer }) });
  row.ordinal = ordinal;
  return row;
}
