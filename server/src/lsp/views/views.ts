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
} from '../../../../schemas/views.ts';
import { VIEW_SCHEME } from '../../../../schemas/views.ts';
import { keyOf } from '../../core/checker.ts';
import type { TextEdit } from '../../core/edit/types.ts';
import type { Finding } from '../../core/finding.ts';
import { baseName } from '../../core/profile/paths.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { positionIn, spanOfPointer } from '../../core/text/offsets.ts';
import { describePointer } from '../../core/text/pointer.ts';
import { mergeRecord } from '../../core/view/merge.ts';
import { recordDocument } from '../../core/view/document.ts';
import { readRecordDocument } from '../../core/view/read.ts';
import { readSolutionDocument, solutionDocument } from '../../core/view/solution.ts';
import { solutionTemplate } from '../../core/view/template.ts';
import { hazardOf } from '../features/code-actions.ts';
import type { Files } from '../session/files.ts';
import { rangeIn } from '../ranges.ts';
import { ChangedOnDisk } from '../session/large-table.ts';
import { keyOfRow, follow } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import { createSession } from '../session/session.ts';
import type { Session, SessionHost } from '../session/session.ts';
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
  /** Makes edits of one record in a file on disk; gives what kept it from that, to stand after the file's name. `title`: what to undo. */
  rewrite(session: Session, row: Row, edits: readonly TextEdit[], title: string): Promise<string | undefined>;
}

interface View {
  readonly ref: ViewRef;
  link: { readonly session: Session; readonly row: Row } | undefined;
  /** The link as it was last, when the record is gone, too. */
  last: View['link'];
  /** The link is by the key alone: no client has named the record's text yet. */
  isGuess: boolean;
  /** It is so since the text is nowhere, while there is more than one record with the key, or the record was gone. */
  isDoubtful: boolean;
  /** The record is not in the file, which is there. */
  gone: boolean;
  /** The record's text when it was last read or told; undefined: it was not there. */
  told: string | undefined;
  /** The record's text and the solution's pointer when the client last read them, from this link. */
  given: string | undefined;
  place: string | undefined;
  document: { readonly session: Session; readonly table: ViewTable } | undefined;
  /** What the document's findings follow from besides its own text, as it was looked at last. */
  seen: string;
  seenRow: Row | undefined;
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
    const view: View = {
      ref,
      link: undefined,
      last: undefined,
      isGuess: true,
      isDoubtful: false,
      gone: false,
      told: undefined,
      given: undefined,
      place: undefined,
      document: undefined,
      seen: '',
      seenRow: undefined,
      checker: undefined,
    };
    views.set(uri, view);
    return view;
  }

  async function resolve(view: View, known?: string): Promise<View['link']> {
    const session = await files.session(view.ref.file);
    if (session?.checker === undefined) return (view.link = undefined);
    return relink(view, session, known);
  }

  /**
   * Follows the record through what was typed in its file, and into another session of the file. `known`: its text as the client
   * knows it.
   */
  function relink(view: View, session: Session, known?: string): View['link'] {
    session.rows();
    const { last } = view;
    const row = last?.session === session ? follow(last.row) : undefined;
    if (row !== undefined) {
      if (known !== undefined && (known === row.text || known === view.given)) view.isGuess = false;
      view.link = view.last = { session, row };
      if (!view.isGuess || known === undefined) return view.link;
    }
    const found = findRow(session, view, known) ?? (row && { row, isGuess: true, isDoubtful: true });
    view.isGuess = found?.isGuess ?? view.isGuess;
    view.isDoubtful = found?.isDoubtful ?? true;
    view.gone = found === undefined;
    if (found?.isGuess !== false) view.given = undefined;
    view.link = found && { session, row: found.row };
    view.last = view.link ?? last;
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
    const place = placeOf(view);
    if (link?.row.text !== view.told || place !== view.place) {
      view.told = link?.row.text;
      view.place = place;
      changed(uri);
    }
    if (document === undefined) return;
    const checker = link?.session.checker;
    const findings = link?.session.acrossOf(link.row).map(({ fingerprint }) => fingerprint) ?? [];
    const seen = JSON.stringify([link?.row.index, link?.row.ordinal, findings]);
    // Of a nested record, what it lies in may have changed: the row is another one then, too.
    if (seen === view.seen && link?.row === view.seenRow && checker === view.checker) return;
    view.seen = seen;
    view.seenRow = link?.row;
    view.checker = checker;
    document.table.recordChanged();
    void document.session.reload();
  }

  function read(view: View): ViewReadResult {
    const name = baseName(URI.parse(view.ref.file).fsPath);
    const { link } = view;
    view.told = view.given = link?.row.text;
    view.place = placeOf(view);
    if (link === undefined) return { kind: 'problem', message: `The record is not in ${name} any more.` };
    const text = textOf(view.ref.kind, link.session, link.row);
    if (text === undefined) return { kind: 'problem', message: UNREADABLE };
    return { kind: 'text', text, record: link.row.text, ...(view.place !== undefined && { place: view.place }) };
  }

  /** The reference of a document that shows the row already, or one that no document of another record has. */
  function refOf(kind: ViewKind, session: Session, row: Row, key: string | null): ViewRef {
    const { uri: file } = session;
    const { index } = row;
    const twins = new Set<number>();
    for (const view of views.values()) {
      if (view.ref.kind !== kind || view.ref.file !== file) continue;
      if (relink(view, session)?.row === row && !view.isDoubtful) return view.ref;
      if (view.ref.key === key && view.ref.index === index) twins.add(view.ref.twin ?? 0);
    }
    let twin = 0;
    while (twins.has(twin)) twin++;
    return { kind, file, key, index, ...(twin > 0 && { twin }) };
  }

  function placeOf({ ref, link }: View): string | undefined {
    return ref.kind === 'solution' && link !== undefined ? shownOf(link.session, link.row)?.solution : undefined;
  }

  async function write(
    { ref: { kind } }: View,
    { session, row }: NonNullable<View['link']>,
    edits: readonly TextEdit[],
    record: string,
    { dirty, dryRun }: ViewSaveParams,
  ): Promise<ViewSaveResult> {
    const name = baseName(session.path);
    const hazard = hazardOf(session);
    if (hazard?.kind === 'refused') return { kind: 'problem', message: hazard.reason };
    const open = isOpen(session.uri);
    if (open && hazard === undefined) {
      const ranges = edits.map(({ span, text }) => ({ range: rangeIn(row, span), newText: text }));
      return { kind: 'edits', record, file: session.uri, version: session.version, edits: ranges };
    }
    if (dirty) {
      const also = open ? ', and mixed line ends' : '';
      return { kind: 'problem', message: `${name} has changes that are not saved${also}: save it first.` };
    }
    if (dryRun === true) return { kind: 'written', record };
    const title = `Edit ${kind === 'solution' ? 'the solution of ' : ''}record ${row.index + 1}`;
    const problem = await rewrite(session, row, edits, title);
    if (problem !== undefined) return { kind: 'problem', message: `${name} ${problem}.` };
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
        if (view.ref.file !== file || (view.link === undefined && !view.gone)) continue;
        const session = files.known(file);
        if (session?.checker !== undefined) relink(view, session);
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
      const { checker } = session ?? {};
      if (session === undefined || checker === undefined) {
        return { ref: { kind, file, key: null, index }, title: `record ${index + 1}`, problem: files.problem(file) };
      }
      const row = session.row(index);
      if (row === undefined) return null;
      const checked = row.checked ?? checker.checkText(row.text, row.outer);
      const id = checked.record?.id;
      const ref = refOf(kind, session, row, checked.record === undefined ? null : keyOf(checked));
      return {
        ref,
        title: id === undefined || id.trim() === '' ? `record ${ref.index + 1}` : fileName(id),
        problem: textOf(kind, session, row) === undefined ? UNREADABLE : null,
      };
    },
    async read({ uri, record }) {
      const view = viewOf(uri);
      if (view === undefined) return { kind: 'problem', message: 'This is no address of a record.' };
      const session = await files.session(view.ref.file);
      if (session?.checker === undefined) return { kind: 'problem', message: files.problem(view.ref.file) };
      relink(view, session, record);
      return read(view);
    },
    async save(params) {
      const view = viewOf(params.uri);
      if (view === undefined) return { kind: 'problem', message: 'This is no address of a record.' };
      const { file } = view.ref;
      // Nobody may have told of a change of a file that is not open.
      if (!isOpen(file) && params.dryRun !== true) await files.changed(file);
      const link = await resolve(view, params.base ?? undefined);
      if (link === undefined) {
        const why = view.gone ? 'The record is not in its file any more' : files.problem(file).replace(/\.$/, '');
        return { kind: 'problem', message: `${why}: nothing was written.` };
      }
      const { session, row } = link;
      const { base } = params;
      if (base === null || (view.isGuess && base !== row.text)) return { kind: 'conflict', names: ['the record'] };
      const solution = shownOf(session, row)?.solution ?? '';
      if (view.ref.kind === 'solution' && (params.place ?? solution) !== solution) {
        return {
          kind: 'problem',
          message: `${baseName(session.path)} has another profile now, in which solutions stand elsewhere: nothing was written.`,
        };
      }
      const edited =
        view.ref.kind === 'record'
          ? readRecordDocument(params.text)
          : readSolutionDocument(params.text, base, solution);
      const merge = mergeRecord({ base, edited, current: row.text });
      if (merge.kind === 'unreadable') return { kind: 'problem', message: merge.message };
      if (merge.kind === 'conflict')
        return { kind: 'conflict', names: merge.pointers.map((pointer) => describePointer(pointer) || 'the record') };
      const { text } = edited;
      return merge.edits.length === 0 ? { kind: 'same', record: text } : write(view, link, merge.edits, text, params);
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
    const { kind, file, key = null, index, twin } = ref;
    if ((kind !== 'record' && kind !== 'solution') || typeof file !== 'string' || typeof index !== 'number') {
      return undefined;
    }
    const which = { kind, file, key: typeof key === 'string' ? key : null, index };
    return typeof twin === 'number' ? { ...which, twin } : which;
  } catch {
    return undefined;
  }
}

/**
 * The record that a document shows, by its text as it was last or as the client knows it, else by its key: the nearest one to where it
 * was.
 */
function findRow(
  session: Session,
  { ref, last, isGuess, isDoubtful }: View,
  known: string | undefined,
): (Pick<View, 'isGuess' | 'isDoubtful'> & { readonly row: Row }) | undefined {
  const rows = session.rows();
  const { checker } = session;
  const near = last?.row.index ?? ref.index;
  const { large } = session;
  const withText = (text: string | undefined): Row | undefined => {
    if (text === undefined) return undefined;
    return large === undefined ? nearest(rows, near, (one) => one.text === text) : large.withText(text, near);
  };
  const lastText = last && textAtHand(last.row);
  const same = (isGuess ? undefined : withText(lastText)) ?? withText(known);
  if (same !== undefined) return { row: same, isGuess: false, isDoubtful: false };
  const guessed = isGuess && known === undefined ? withText(lastText) : undefined;
  if (guessed !== undefined) return { row: guessed, isGuess, isDoubtful };
  if (checker === undefined) return undefined;
  // A record that was there beside it is another one.
  const from = last?.session === session ? (last.row.until ?? 0) : 0;
  const key = (last && keyOfRow(last.row)) ?? ref.key;
  // Of a large file records that are not checked yet are read where it was, and nowhere else.
  const mayRead = (row: Row): boolean => large === undefined || Math.abs(row.index - near) <= NEAR;
  const keyIn = (row: Row): string | undefined =>
    keyOfRow(row) ?? (mayRead(row) ? keyOf(checker.checkText(row.text, row.outer)) : undefined);
  const isIt = (row: Row): boolean => row.since >= from && keyIn(row) === key;
  const row = nearest(rows, near, isIt);
  if (row === undefined) return undefined;
  if (last === undefined && known === undefined) return { row, isGuess: true, isDoubtful };
  const doubt = isDoubtful || rows.some((other) => other !== row && isIt(other));
  return { row, isGuess: doubt, isDoubtful: doubt };
}

const NEAR = 20;

/** undefined: of a record that is not on disk any more as it was. */
function textAtHand(row: Row): string | undefined {
  try {
    return row.text;
  } catch (error) {
    if (error instanceof ChangedOnDisk) return undefined;
    throw error;
  }
}

function nearest(rows: readonly Row[], index: number, isIt: (row: Row) => boolean): Row | undefined {
  for (let away = 0; away < rows.length || away <= index; away++) {
    for (const row of [rows[index - away], rows[index + away]]) {
      if (row !== undefined && !row.gone && isIt(row)) return row;
    }
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
