/** Bulk operations on the records of a file: what they change, seen before it is made, and making it. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Position } from 'vscode-languageserver/node';
import type { BulkApplied, BulkApplyParams, BulkOperation, BulkPlan, BulkPreview } from '../../../../schemas/bulk.ts';
import { needsIds, recordEdits } from '../../core/bulk/operations.ts';
import type { BulkEdits, BulkFile, RecordOperation } from '../../core/bulk/operations.ts';
import { applyEdits } from '../../core/edit/edits.ts';
import type { TextEdit } from '../../core/edit/types.ts';
import { lineStarts, locate } from '../../core/text/lines.ts';
import { withOuter } from '../../core/text/nested.ts';
import { parseRecordText } from '../../core/text/parse.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import { toCanonical } from '../../core/record/canonical.ts';
import { indexRecords } from '../../node/bulk/record-index.ts';
import type { RecordIndex } from '../../node/bulk/record-index.ts';
import { fileToRead } from '../../node/bulk/source.ts';
import type { BulkRun } from '../../node/bulk/source.ts';
import { patchesOf } from '../../node/disk/patches.ts';
import { sizeOfFile } from '../../node/files/read.ts';
import { NotWritten } from '../../node/files/write.ts';
import type { DiskWriter } from '../disk/writer.ts';
import { editsOfChanges, hazardOf, isEmpty, isOfDisk } from '../features/code-actions.ts';
import type { Changes } from '../features/code-actions.ts';
import { toPosition } from '../ranges.ts';
import type { RecordView } from '../records/record-view.ts';
import { changesOfRule } from '../records/record-actions.ts';
import { ChangedOnDisk } from '../session/large-table.ts';
import type { Session } from '../session/session.ts';
import { isAnyGone } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import { fixDiff, textDiff } from './diff-text.ts';

export interface BulkEditsHost {
  readonly view: Pick<RecordView, 'chosen'>;
  readonly disk: Pick<DiskWriter, 'edit' | 'patch'>;
  isOpen(uri: string): boolean;
}

/** How far work is, and whether it is still wanted. */
export interface BulkWork {
  readonly stop: AbortSignal;
  /** Of 1. */
  progress(part: number): void;
  /** The file is about to be written: from here on it is not stopped, and the answer says what was done. Throws where it was stopped. */
  begin(): void;
}

type Asked = Pick<BulkApplyParams, 'uri' | 'operation'>;

export interface BulkEditing {
  plan(asked: Asked, work: BulkWork): Promise<BulkPlan>;
  preview(asked: Asked, work: BulkWork): Promise<BulkPreview>;
  apply(asked: Asked & Pick<BulkApplyParams, 'dirty' | 'expected'>, work: BulkWork): Promise<BulkApplied>;
}

/** What an operation comes to. `close` is to be called in any case. */
type Made =
  | { readonly kind: 'problem'; readonly message: string }
  | {
      readonly kind: 'edits';
      readonly session: Session;
      readonly title: string;
      readonly records: number;
      /** In the text of the open document, or of the file on disk. */
      readonly edits: readonly TextEdit[];
      /** undefined: the document is open and is to be edited there. */
      readonly index: RecordIndex | undefined;
    }
  | {
      readonly kind: 'fix';
      readonly session: Session;
      readonly title: string;
      readonly records: number;
      readonly changes: Changes;
      readonly onDisk: boolean;
    };

const GONE = 'The file cannot be read any more, or no profile fits it.';
const ROWS_GONE = 'The records are not in the file any more.';
const NO_FIX = 'No record has a finding of this rule that can be fixed without a choice.';
const CHANGED = 'The file was changed at the same time: nothing was done.';
const OTHER = 'By now something else would be changed than was shown: nothing was done. Look at it again.';
/** Records that are looked at before others get their turn. */
const SLICE = 100;

export function createBulkEditing({ view, disk, isOpen }: BulkEditsHost): BulkEditing {
  async function make({ uri, operation }: Asked, work: BulkWork): Promise<Made> {
    const found = await view.chosen(uri, keysOf(operation));
    if (found?.session.checker === undefined) return { kind: 'problem', message: GONE };
    const { session, rows } = found;
    const hazard = hazardOf(session);
    if (hazard?.kind === 'refused') return { kind: 'problem', message: hazard.reason };
    if (operation.kind === 'fix') return makeFix(session, operation.code, hazard !== undefined, work);
    const asked = operationOf(operation, session, rows);
    if (typeof asked === 'string') return { kind: 'problem', message: asked };
    return isOpen(uri) && hazard === undefined
      ? makeInDocument(session, asked, work)
      : makeOnDisk(session, asked, rows, work);
  }

  async function makeFix(session: Session, code: string, isHazard: boolean, work: BulkWork): Promise<Made> {
    const changes = await changesOfRule(session, code, async (part) => {
      work.progress(part);
      await nextTurn();
      work.stop.throwIfAborted();
    });
    if (isEmpty(changes)) return { kind: 'problem', message: NO_FIX };
    if (isAnyGone(session, changes.rows.keys())) return { kind: 'problem', message: CHANGED };
    const records = changes.rows.size;
    const where = records === 1 ? 'one record' : `${records.toLocaleString('en')} records`;
    const title = `Fix ${code} in ${records === 0 ? 'the file' : where}`;
    const onDisk = isHazard || !isOpen(session.uri) || isOfDisk(changes);
    return { kind: 'fix', session, title, records, changes, onDisk };
  }

  async function written(made: Exclude<Made, { kind: 'problem' }>): Promise<string | undefined> {
    const { session, title } = made;
    if (made.kind === 'fix') return disk.edit(session, made.changes, title);
    const { index, edits } = made;
    try {
      const inFile = edits.map(({ span, text }) => ({
        span: { start: span.start + index!.mark, end: span.end + index!.mark },
        text,
      }));
      const patches = await patchesOf(session.path, inFile);
      // Some systems replace no file that is open.
      index!.close();
      return await disk.patch(session.uri, patches, index!.state, title);
    } catch (error) {
      if (error instanceof NotWritten) return error.message;
      throw error;
    }
  }

  return {
    plan: (asked, work) =>
      using(make(asked, work), (made): BulkPlan => {
        if (made.kind === 'problem') return made;
        const { session, title, records } = made;
        const large = session.large !== undefined;
        return { kind: 'plan', title, records, onDisk: isOnDisk(made), large, mark: markOf(made) };
      }),
    preview: (asked, work) =>
      using(make(asked, work), (made): BulkPreview => {
        if (made.kind === 'problem') return made;
        if (made.session.large !== undefined) {
          const text =
            made.kind === 'fix'
              ? fixDiff(made.session, made.changes)
              : textDiff(made.session, made.edits, made.index!.text, made.index!.places);
          return { kind: 'diff', text };
        }
        return { kind: 'text', text: textAfter(made) };
      }),
    apply: ({ dirty, expected, ...asked }, work) =>
      using(make(asked, work), async (made): Promise<BulkApplied> => {
        if (made.kind === 'problem') return made;
        const { session, title } = made;
        work.stop.throwIfAborted();
        if (expected !== undefined && expected !== markOf(made)) return { kind: 'problem', message: OTHER };
        if (!isOnDisk(made)) {
          const edits = made.kind === 'fix' ? editsOfChanges(session, made.changes) : inDocument(session, made.edits);
          return { kind: 'edits', title, version: session.version, edits };
        }
        const name = basename(session.path);
        if (dirty) return { kind: 'problem', message: `${name} has unsaved changes: save it first.` };
        work.begin();
        const problem = await written(made);
        return problem === undefined ? { kind: 'written', title } : { kind: 'problem', message: `${name} ${problem}.` };
      }),
  };
}

async function using<R>(making: Promise<Made>, work: (made: Made) => R | Promise<R>): Promise<R> {
  const made = await making;
  try {
    return await work(made);
  } finally {
    if (made.kind === 'edits') made.index?.close();
  }
}

function isOnDisk(made: Exclude<Made, { kind: 'problem' }>): boolean {
  return made.kind === 'fix' ? made.onDisk : made.index !== undefined;
}

function keysOf(operation: BulkOperation): readonly number[] {
  switch (operation.kind) {
    case 'duplicate':
    case 'delete':
    case 'move':
      return operation.keys;
    case 'renumber':
      return operation.keys ?? [];
    case 'add':
      return operation.after === null ? [] : [operation.after];
    case 'fix':
      return [];
  }
}

/** Records by their places in the file. Text: why there is nothing to do, as a sentence. */
function operationOf(
  operation: Exclude<BulkOperation, { kind: 'fix' }>,
  session: Session,
  rows: readonly Row[],
): RecordOperation | string {
  const count = session.rows().length;
  if (count === 0) return 'The file has no record.';
  const indices = rows.map(({ index }) => index).sort((one, two) => one - two);
  const isOfAll =
    (operation.kind === 'renumber' && operation.keys === null) ||
    (operation.kind === 'add' && operation.after === null);
  if (indices.length === 0 && !isOfAll) return ROWS_GONE;
  switch (operation.kind) {
    case 'duplicate':
    case 'delete':
      return { kind: operation.kind, indices };
    case 'move': {
      const { to } = operation;
      const first = indices[0]!;
      if (typeof to === 'number') return { kind: 'move', indices, to: Math.min(to, count - indices.length) };
      if (to === 'up')
        return first === 0 ? 'The first record cannot move up.' : { kind: 'move', indices, to: first - 1 };
      const last = indices.at(-1)!;
      // Behind the record that follows the last of them.
      return last === count - 1
        ? 'The last record cannot move down.'
        : { kind: 'move', indices, to: last + 2 - indices.length };
    }
    case 'renumber': {
      const { pattern, first } = operation;
      const all = operation.keys === null ? Array.from({ length: count }, (_, index) => index) : indices;
      return { kind: 'renumber', indices: all, pattern, first };
    }
    case 'add':
      return { kind: 'add', after: indices[0] ?? count - 1 };
  }
}

async function makeInDocument(session: Session, operation: RecordOperation, work: BulkWork): Promise<Made> {
  const rows = session.rows();
  const { profile } = session.checker!.settings;
  const value = (index: number) => rows[index]?.checked?.record?.source ?? parsed(rows[index]);
  const ids: (string | undefined)[] = [];
  if (needsIds(operation)) {
    for (const [index, row] of rows.entries()) {
      if (index % SLICE === 0) {
        work.progress(index / rows.length);
        await nextTurn();
        work.stop.throwIfAborted();
      }
      const source = row.checked?.record === undefined ? parsed(row) : undefined;
      ids.push(row.checked?.record?.id ?? (source && toCanonical(source, profile).id));
    }
  }
  // What was typed meanwhile makes other places; what came between two records would be taken for their gap.
  if (session.rows() !== rows) return { kind: 'problem', message: CHANGED };
  const text = session.text();
  const places = {
    count: rows.length,
    start: (index: number) => rows[index]!.offset,
    end: (index: number) => rows[index]!.offset + rows[index]!.text.length,
  };
  const steps = recordEdits(operation, { form: session.form, profile, places, text, value, ids });
  const made = await inSlices(steps, work.stop);
  if (session.rows() !== rows) return { kind: 'problem', message: CHANGED };
  return madeOf(session, made, undefined);
}

async function makeOnDisk(
  session: Session,
  operation: RecordOperation,
  chosen: readonly Row[],
  { stop, progress }: BulkWork,
): Promise<Made> {
  const { settings } = session.checker!;
  const { profile } = settings;
  const wantsIds = needsIds(operation);
  const wanted = new Map(chosen.map((row) => [row.index, row]));
  const ids: (string | undefined)[] = [];
  const outers = new Map<number, RecordSlot['outer']>();
  let differs = false;
  let opened: RecordIndex | undefined;
  const seen = (slot: RecordSlot): void => {
    const { index, text, outer } = slot;
    const row = wanted.get(index);
    differs ||= row !== undefined && row.text !== text && row.text !== text.replaceAll('\r\n', '\n');
    if (row !== undefined || !wantsIds) outers.set(index, outer);
    if (!wantsIds) return;
    const { value } = parseRecordText(text);
    ids.push(value && toCanonical(withOuter(value, outer), profile).id);
  };
  const size = Math.max(1, await sizeOfFile(session.path));
  let bytes = 0;
  const run: BulkRun = {
    stop,
    advanced(count) {
      bytes += count;
      progress(Math.min(1, bytes / size));
    },
  };
  const layout = { form: fileToRead(session.path, run).form, records: profile.records };
  try {
    const index = (opened = await indexRecords(session.path, layout, seen, run));
    if (differs || index.places.count !== session.rows().length) {
      index.close();
      return {
        kind: 'problem',
        message: `${basename(session.path)} has changed on disk since it was read; look at it again.`,
      };
    }
    const file: BulkFile = {
      form: layout.form,
      profile,
      places: index.places,
      text: index.text,
      ids,
      value(at) {
        const { value } = parseRecordText(index.text.slice(index.places.start(at), index.places.end(at)));
        return value && withOuter(value, outers.get(at));
      },
    };
    const made = madeOf(session, await inSlices(recordEdits(operation, file), stop), index);
    if (made.kind === 'problem') index.close();
    return made;
  } catch (error) {
    opened?.close();
    if (error instanceof NotWritten) return { kind: 'problem', message: `${basename(session.path)} ${error.message}.` };
    if (error instanceof ChangedOnDisk) return { kind: 'problem', message: CHANGED };
    throw error;
  }
}

function madeOf(session: Session, made: BulkEdits, index: RecordIndex | undefined): Made {
  return made.kind === 'problem' ? made : { ...made, session, index };
}

function parsed(row: Row | undefined): Readonly<Record<string, unknown>> | undefined {
  const value = row && parseRecordText(row.text).value;
  return value && withOuter(value, row.outer);
}

function inDocument(session: Session, edits: readonly TextEdit[]) {
  const starts = lineStarts(session.text());
  const at = (offset: number) => toPosition(locate(starts, offset));
  return edits.map(({ span, text }) => ({ range: { start: at(span.start), end: at(span.end) }, newText: text }));
}

/** The whole text as it would be; of a file that is small enough for an editor. */
function textAfter(made: Exclude<Made, { kind: 'problem' }>): string {
  if (made.kind === 'edits') {
    const { index, session, edits } = made;
    return applyEdits(index === undefined ? session.text() : index.text.slice(0, index.text.length), edits);
  }
  const text = made.session.text();
  const starts = lineStarts(text);
  const at = ({ line, character }: Position): number =>
    Math.min((starts[line] ?? text.length) + character, text.length);
  const edits = editsOfChanges(made.session, made.changes).map(({ range, newText }): TextEdit => {
    return { span: { start: at(range.start), end: at(range.end) }, text: newText };
  });
  edits.sort((one, two) => one.span.start - two.span.start || one.span.end - two.span.end);
  return applyEdits(text, edits);
}

/** Equal for the same changes of the same records. */
function markOf(made: Exclude<Made, { kind: 'problem' }>): string {
  const hash = createHash('sha256');
  if (made.kind === 'edits') for (const edit of made.edits) hash.update(JSON.stringify(edit));
  else {
    hash.update(JSON.stringify(made.changes.repairs));
    for (const [{ index }, edits] of made.changes.rows) hash.update(JSON.stringify([index, edits]));
  }
  return hash.digest('base64url');
}

/** Goes through the steps while others get their turns; throws where it is to stop. */
async function inSlices<T>(steps: Generator<undefined, T>, stop: AbortSignal): Promise<T> {
  for (let done = 0; ; done++) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (done % SLICE !== SLICE - 1) continue;
    await nextTurn();
    stop.throwIfAborted();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
