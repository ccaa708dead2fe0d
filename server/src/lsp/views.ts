/**
 * Documents that show one record of a file (schemas/views.ts): which record each shows, what it shows, its session for everything that
 * files have too, and what saving it changes in the file.
 */
import { URI } from 'vscode-uri';
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import type {
  ViewKind,
  ViewReadParams,
  ViewReadResult,
  ViewRef,
  ViewRefParams,
  ViewRefResult,
  ViewSaveParams,
  ViewSaveResult,
} from '../../../schemas/views.ts';
import { VIEW_SCHEME } from '../../../schemas/views.ts';
import { keyOf } from '../core/checker.ts';
import type { TextEdit } from '../core/edit/types.ts';
import type { Finding } from '../core/finding.ts';
import { baseName } from '../core/profile/paths.ts';
import { pointerTo } from '../core/record/canonical.ts';
import { positionIn, spanOfPointer } from '../core/text/offsets.ts';
import { describePointer } from '../core/text/pointer.ts';
import { mergeRecord } from '../core/view/merge.ts';
import { recordDocument } from '../core/view/document.ts';
import { readRecordDocument } from '../core/view/read.ts';
import { readSolutionDocument, solutionDocument } from '../core/view/solution.ts';
import { solutionTemplate } from '../core/view/template.ts';
import { hazardOf } from './code-actions.ts';
import type { Files } from './files.ts';
import { rangeIn } from './ranges.ts';
import { follow } from './rows.ts';
import type { Row } from './rows.ts';
import { createSession } from './session.ts';
import type { Session, SessionHost } from './session.ts';
import { createViewTable } from './view-table.ts';
import type { Shown, ViewTable } from './view-table.ts';

export interface Views {
  /** Session of an open document; undefined: it shows no record. */
  session(uri: string): Session | undefined;
  sessions(): Iterable<Session>;
  /** The record in the file that a document shows; undefined: it is no such document, or the record is gone. */
  recordOf(uri: string): Promise<{ readonly file: Session; readonly row: Row } | undefined>;
  opened(uri: string, text: string, version: number): void;
  edited(uri: string, changes: readonly TextDocumentContentChangeEvent[], version: number): void;
  closed(uri: string): void;
  /** Records or findings of a file have changed. */
  fileLooked(file: string): void;
  /** A session of a file was opened or closed. */
  fileReplaced(file: string): void;
  reference(params: ViewRefParams): Promise<ViewRefResult | null>;
  read(params: ViewReadParams): Promise<ViewReadResult>;
  save(params: ViewSaveParams): Promise<ViewSaveResult>;
  forget(params: ViewReadParams): void;
}

export interface ViewsHost {
  readonly files: Files;
  readonly isOpen: (file: string) => boolean;
  readonly host: SessionHost;
  /** The record that a document shows has changed, come or gone. */
  changed(uri: string): void;
  /** Makes edits of one record in a file on disk; gives what kept it from that, to stand after the file's name. */
  rewrite(session: Session, row: Row, edits: readonly TextEdit[]): Promise<string | undefined>;
}

interface View {
  readonly ref: ViewRef;
  link: { readonly session: Session; row: Row } | undefined;
  /** The record's text when it was last read or told; undefined: it was not there. */
  told: string | undefined;
  document: { readonly session: Session; readonly table: ViewTable } | undefined;
  /** What the document's findings follow from besides its own text, as it was looked at last. */
  seen: string;
  checker: Session['checker'];
}

export function isView(uri: string): boolean {
  return uri.startsWith(`${VIEW_SCHEME}:`);
}

export function createViews({ files, isOpen, host, changed, rewrite }: ViewsHost): Views {
  const views = new Map<string, View>();

  function viewOf(uri: string): View | undefined {
    const known = views.get(uri);
    if (known !== undefined) return known;
    const ref = readRef(uri);
    if (ref === undefined) return undefined;
    const view: View = { ref, link: undefined, told: undefined, document: undefined, seen: '', checker: undefined };
    views.set(uri, view);
    return view;
  }

  async function resolve(view: View): Promise<View['link']> {
    const session = await files.session(view.ref.file);
    if (session?.checker === undefined) return (view.link = undefined);
    return relink(view, session);
  }

  /** Follows the record through what was typed in its file, and into another session of the file. */
  function relink(view: View, session: Session): View['link'] {
    session.rows();
    const { link } = view;
    const before = link && follow(link.row);
    const row = (link?.session === session ? before : undefined) ?? findRow(session, view.ref, before?.text);
    if (row === undefined) return (view.link = undefined);
    if (link?.session !== session) view.link = { session, row };
    else link.row = row;
    return view.link;
  }

  function shownIn(view: View): Shown | undefined {
    const { link } = view;
    const row = link && follow(link.row);
    return link === undefined || row === undefined ? undefined : shownOf(link.session, row);
  }

  function across(view: View, row: Row): readonly Finding[] {
    const { link } = view;
    const own = link && follow(link.row);
    if (link === undefined || own === undefined) return [];
    return link.session
      .acrossOf(own)
      .filter(({ pointer }) => isSameValue(own.text, row.text, pointer) && covers(view, pointer))
      .map((finding) => laidIn(row, finding));
  }

  function covers({ ref, link }: View, pointer: string): boolean {
    return ref.kind === 'record' || (link !== undefined && pointer === shownOf(link.session, link.row)?.solution);
  }

  /** Tells the client of another record, and looks at the document again where something beside its text is new. */
  function tell(uri: string, view: View): void {
    const { link, document } = view;
    if (link?.row.text !== view.told) {
      view.told = link?.row.text;
      changed(uri);
    }
    if (document === undefined) return;
    const checker = link?.session.checker;
    const findings = link?.session.acrossOf(link.row).map(({ fingerprint }) => fingerprint) ?? [];
    const seen = JSON.stringify([link?.row.text, link?.row.index, link?.row.ordinal, findings]);
    if (seen === view.seen && checker === view.checker) return;
    view.seen = seen;
    view.checker = checker;
    document.table.recordChanged();
    void document.session.reload();
  }

  function read(view: View): ViewReadResult {
    const name = baseName(URI.parse(view.ref.file).fsPath);
    const { link } = view;
    view.told = link?.row.text;
    if (link === undefined) return { kind: 'problem', message: `The record is not in ${name} any more.` };
    const text = textOf(view.ref.kind, link.session, link.row);
    return text === undefined
      ? { kind: 'problem', message: UNREADABLE }
      : { kind: 'text', text, record: link.row.text };
  }

  async function write(
    { session, row }: NonNullable<View['link']>,
    edits: readonly TextEdit[],
    record: string,
    { dirty, dryRun }: ViewSaveParams,
  ): Promise<ViewSaveResult> {
    const name = baseName(session.path);
    const hazard = hazardOf(session);
    if (hazard?.kind === 'refused') return { kind: 'problem', message: hazard.reason };
    if (isOpen(session.uri) && hazard === undefined) {
      const ranges = edits.map(({ span, text }) => ({ range: rangeIn(row, span), newText: text }));
      return { kind: 'edits', record, file: session.uri, version: session.version, edits: ranges };
    }
    if (dirty) {
      return {
        kind: 'problem',
        message: `${name} has changes that are not saved, and mixed line ends: save it first.`,
      };
    }
    if (dryRun === true) return { kind: 'written', record };
    const problem = await rewrite(session, row, edits);
    if (problem !== undefined) return { kind: 'problem', message: `${name} ${problem}.` };
    await files.changed(session.uri);
    return { kind: 'written', record };
  }

  return {
    session: (uri) => views.get(uri)?.document?.session,
    *sessions() {
      for (const { document } of views.values()) if (document !== undefined) yield document.session;
    },
    async recordOf(uri) {
      const view = viewOf(uri);
      const link = view && (await resolve(view));
      return link && { file: link.session, row: link.row };
    },
    opened(uri, text, version) {
      const view = viewOf(uri);
      if (view === undefined) return;
      view.document?.session.close();
      const table = createViewTable(view.ref.kind, text, version, () => shownIn(view));
      const part = {
        kind: view.ref.kind,
        settings: () => view.link?.session.checker?.settings,
        across: (row: Row) => across(view, row),
        covers: (pointer: string) => covers(view, pointer),
        records: () => view.link?.session.records() ?? 0,
      };
      const { fsPath } = URI.parse(view.ref.file);
      const session = createSession({ uri, path: fsPath, form: 'json', table, part }, host);
      view.document = { session, table };
      void resolve(view).then(() => {
        table.recordChanged();
        return session.reload();
      });
    },
    edited: (uri, changes, version) => views.get(uri)?.document?.session.change(changes, version),
    closed(uri) {
      const view = views.get(uri);
      view?.document?.session.close();
      if (view !== undefined) view.document = undefined;
    },
    fileLooked(file) {
      for (const [uri, view] of views) {
        if (view.ref.file !== file || view.link === undefined) continue;
        relink(view, view.link.session);
        tell(uri, view);
      }
    },
    fileReplaced(file) {
      for (const [uri, view] of views) {
        if (view.ref.file === file) void resolve(view).then(() => tell(uri, view));
      }
    },
    async reference({ file, index, kind }) {
      const session = await files.session(file);
      const row = session?.row(index);
      const { checker } = session ?? {};
      if (session === undefined || row === undefined || checker === undefined) return null;
      const checked = row.checked ?? checker.checkText(row.text, row.outer);
      const id = checked.record?.id;
      return {
        ref: { kind, file, key: checked.record === undefined ? null : keyOf(checked), index },
        title: id === undefined || id.trim() === '' ? `record ${index + 1}` : fileName(id),
        problem: textOf(kind, session, row) === undefined ? UNREADABLE : null,
      };
    },
    async read({ uri }) {
      const view = viewOf(uri);
      if (view === undefined) return { kind: 'problem', message: 'This is no address of a record.' };
      const session = await files.session(view.ref.file);
      if (session?.checker === undefined) return { kind: 'problem', message: files.problem(view.ref.file) };
      relink(view, session);
      return read(view);
    },
    async save(params) {
      const view = viewOf(params.uri);
      const link = view && (await resolve(view));
      if (view === undefined || link === undefined) {
        return { kind: 'problem', message: 'The record is not in its file any more: nothing was written.' };
      }
      const { session, row } = link;
      const base = params.overwrite ? row.text : params.base;
      if (base === null) return { kind: 'conflict', names: ['the record'] };
      const solution = shownOf(session, row)?.solution ?? '';
      const edited =
        view.ref.kind === 'record'
          ? readRecordDocument(params.text)
          : readSolutionDocument(params.text, base, solution);
      const merge = mergeRecord({ base, edited, current: row.text });
      if (merge.kind === 'unreadable') return { kind: 'problem', message: merge.message };
      if (merge.kind === 'conflict')
        return { kind: 'conflict', names: merge.pointers.map((pointer) => describePointer(pointer) || 'the record') };
      const { text } = edited;
      return merge.edits.length === 0 ? { kind: 'same', record: text } : write(link, merge.edits, text, params);
    },
    forget({ uri }) {
      if (views.get(uri)?.document === undefined) views.delete(uri);
    },
  };
}

const UNREADABLE = 'The record is no readable JSON object: it is to be repaired in the file itself.';

function readRef(uri: string): ViewRef | undefined {
  try {
    const ref = JSON.parse(URI.parse(uri).query) as Partial<ViewRef>;
    const { kind, file, key = null, index } = ref;
    if ((kind !== 'record' && kind !== 'solution') || typeof file !== 'string' || typeof index !== 'number') {
      return undefined;
    }
    return { kind, file, key: typeof key === 'string' ? key : null, index };
  } catch {
    return undefined;
  }
}

/** The record of a reference: where it was with the same text or key, else the nearest one with its key. */
function findRow(session: Session, { key, index }: ViewRef, text: string | undefined): Row | undefined {
  const rows = session.rows();
  const { checker } = session;
  const here = rows[index];
  if (checker === undefined || (here !== undefined && text !== undefined && here.text === text)) return here;
  const isIt = (row: Row | undefined): boolean =>
    row !== undefined && (text === row.text || keyOf(row.checked ?? checker.checkText(row.text, row.outer)) === key);
  for (let away = 0; away < rows.length || away <= index; away++) {
    if (isIt(rows[index - away])) return rows[index - away];
    if (isIt(rows[index + away])) return rows[index + away];
  }
  return undefined;
}

function shownOf(session: Session, row: Row): Shown | undefined {
  const record = (row.checked ?? session.checker?.checkText(row.text, row.outer))?.record;
  return record && { row, solution: pointerTo(record, 'solution') };
}

function textOf(kind: ViewKind, session: Session, row: Row): string | undefined {
  if (kind === 'record') return recordDocument(row.text);
  const solution = shownOf(session, row)?.solution;
  if (solution === undefined || solution === '') return undefined;
  return (
    solutionDocument(row.text, solution) ?? solutionTemplate(session.checker?.settings.profile.entryPoint ?? 'solution')
  );
}

function isSameValue(one: string, other: string, pointer: string): boolean {
  const value = (text: string): string | undefined => {
    const span = spanOfPointer(text, pointer);
    return span && text.slice(span.start, span.end).replace(/\s+/g, '');
  };
  return value(one) === value(other);
}

function laidIn(row: Row, finding: Finding): Finding {
  const { start, end } = spanOfPointer(row.text, finding.pointer) ?? { start: 0, end: 1 };
  return { ...finding, start: positionIn(row, start), end: positionIn(row, end) };
}

/** An id as the name of a tab. */
function fileName(id: string): string {
  // eslint-disable-next-line no-control-regex -- what file names may not hold
  const plain = id.replace(/[\x00-\x1f<>:"/\\|?*]+/g, '-').trim();
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain;
}
