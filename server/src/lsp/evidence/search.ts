/** Finding evidence in a record, and citing it (schemas/search.ts). */
import { setImmediate as turn } from 'node:timers/promises';
import type { Connection } from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import type {
  Citable,
  CiteParams,
  CiteResult,
  FoundPlace,
  SearchItem,
  SearchParams,
  SearchResult,
  ShowFoundParams,
} from '../../../../schemas/search.ts';
import { CITE, SEARCH, SHOW_FOUND } from '../../../../schemas/search.ts';
import { citeBlock, unciteBlock } from '../../core/edit/cite.ts';
import { citePage, uncitePage } from '../../core/edit/region-pages.ts';
import { placeEdits } from '../../core/edit/edits.ts';
import type { Edit, TextEdit } from '../../core/edit/types.ts';
import type { Cancel } from '../../core/ports.ts';
import { baseName } from '../../core/profile/paths.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { withContext } from '../../core/record/external.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { blockName } from '../../core/rules/messages.ts';
import { describeHits, pagesOf, searchedBlocks } from '../../core/search/found.ts';
import type { Found, Searched } from '../../core/search/found.ts';
import { createSearchIndex } from '../../core/search/index.ts';
import type { SearchHit, SearchIndex } from '../../core/search/index.ts';
import { readQuery } from '../../core/search/terms.ts';
import { citedBlocks } from '../../core/trace/cited.ts';
import { cancelOf } from '../cancel.ts';
import { hazardOf } from '../features/code-actions.ts';
import type { Files } from '../session/files.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import { editsIn } from '../ranges.ts';
import type { Row } from '../session/rows.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Session } from '../session/session.ts';
import { blockSpot } from '../features/spots.ts';
import type { Subject } from '../features/spots.ts';
import type { Views } from '../views/views.ts';
import { isView } from '../views/views.ts';

export interface SearchServices {
  readonly log: Log;
  readonly files: Files;
  readonly views: Views;
  readonly runtime: Pick<ServerRuntime, 'readText' | 'documents'>;
  isOpen(file: string): boolean;
  /** Makes edits of one record in a file on disk; gives what kept it from that, to stand after the file's name. `title`: what to undo. */
  rewrite(session: Session, row: Row, edits: readonly TextEdit[], title: string): Promise<string | undefined>;
}

/** Hits that are listed; further ones say that more words are needed. */
const LISTED = 100;
/** UTF-16 units that are taken into an index before others get their turn. */
const SLICE = 20_000;
/** Indexes kept: of the records that were searched last. */
const KEPT = 3;

const FAILED = 'The language server failed on this; its output says why.';
const GONE = 'The record is not there any more.';
const NOTHING: SearchResult = { items: [], blocks: 0, pages: 0, pending: false, problem: FAILED };

export function registerSearch(connection: Connection, services: SearchServices): void {
  const { log } = services;
  const search = createSearch(services);
  connection.onRequest(
    SEARCH,
    guarded<SearchParams, SearchResult>(SEARCH, log, NOTHING, (params, token) => search.find(params, cancelOf(token))),
  );
  connection.onRequest(
    CITE,
    guarded<CiteParams, CiteResult>(CITE, log, { kind: 'problem', message: FAILED }, (params) => search.cite(params)),
  );
  connection.onRequest(
    SHOW_FOUND,
    guarded<ShowFoundParams, FoundPlace | null>(SHOW_FOUND, log, null, (params) => search.place(params)),
  );
}

interface Search {
  find(params: SearchParams, cancel: Cancel): Promise<SearchResult>;
  cite(params: CiteParams): Promise<CiteResult>;
  place(params: ShowFoundParams): Promise<FoundPlace | null>;
}

interface Kept {
  readonly texts: readonly string[];
  readonly index: SearchIndex;
}

function createSearch({ files, views, runtime, isOpen, rewrite }: SearchServices): Search {
  let kept: readonly Kept[] = [];

  async function subjectOf(uri: string, index: number): Promise<Subject | undefined> {
    const session = isView(uri) ? views.session(uri) : await files.session(uri);
    const row = session?.checker === undefined ? undefined : session.row(index);
    if (session === undefined || row === undefined) return undefined;
    await session.complete(row);
    return { session, row };
  }

  /** The index of the same texts, whatever record they are of: a citation that comes leaves them as they are. */
  function indexOf(texts: readonly string[]): SearchIndex {
    const known = kept.find((one) => isSame(one.texts, texts)) ?? { texts, index: createSearchIndex(texts) };
    kept = [known, ...kept.filter((one) => one !== known)].slice(0, KEPT);
    return known.index;
  }

  async function grown(index: SearchIndex, cancel: Cancel): Promise<boolean> {
    while (!index.grow(SLICE)) {
      await turn();
      if (cancel.aborted) return false;
    }
    return true;
  }

  /** In the document that was asked about, else one that shows the whole record, else the file. */
  async function home({ session, row }: Subject): Promise<Subject | undefined> {
    if (session.shows !== 'solution') return { session, row };
    const record = await views.recordOf(session.uri);
    if (record === undefined) return undefined;
    for (const other of views.sessions()) {
      const [shown] = other.rows();
      if (other.shows !== 'record' || other.path !== record.file.path || shown?.index !== record.row.index) continue;
      await other.complete(shown);
      if (shown.checked?.record !== undefined) return { session: other, row: shown };
    }
    await record.file.complete(record.row);
    return { session: record.file, row: record.row };
  }

  async function write({ session, row }: Subject, edits: readonly TextEdit[], params: CiteParams): Promise<CiteResult> {
    const name = nameOf(recordIn(row)!, params.target);
    const hazard = session.shows === 'file' ? hazardOf(session) : undefined;
    if (hazard?.kind === 'refused') return { kind: 'problem', message: hazard.reason };
    if (session.shows !== 'file' || (isOpen(session.uri) && hazard === undefined)) {
      const ranges = editsIn(row, edits, () => session.text());
      if (ranges === undefined) return { kind: 'problem', message: 'The document does not show the list of evidence.' };
      return { kind: 'edits', uri: session.uri, version: session.version, edits: ranges, name };
    }
    const file = baseName(session.path);
    if (params.dirty.includes(session.uri)) {
      return {
        kind: 'problem',
        message: `${file} has changes that are not saved, and mixed line ends: save it first.`,
      };
    }
    const title = params.remove ? `Remove the citation of ${name}` : `Cite ${name}`;
    const problem = await rewrite(session, row, edits, title);
    if (problem !== undefined) return { kind: 'problem', message: `${file} ${problem}.` };
    return { kind: 'written', uri: session.uri, name };
  }

  return {
    async find({ uri, index, query, withPages }, cancel) {
      const subject = await subjectOf(uri, index);
      const record = subject && recordIn(subject.row);
      if (subject === undefined || record === undefined) return { ...NOTHING, problem: GONE };
      const blocks = searchedBlocks(record);
      const wantsPages = hasPages(subject.row, record);
      const pages = wantsPages && withPages === true ? await pageTexts(runtime, subject) : [];
      const pending = wantsPages && withPages !== true;
      const counts = { blocks: blocks.length, pages: pages.length, pending };
      const texts = [...blocks, ...pages];
      if (texts.length === 0) return { ...counts, items: [], problem: pending ? null : nothingIn(subject.row, record) };
      if (query.trim() === '')
        return { ...counts, items: itemsOf(record, texts, inOrder(record, texts), ''), problem: null };
      const searchable = indexOf(texts.map(({ text }) => text));
      if (!(await grown(searchable, cancel))) return { ...counts, items: [], problem: null };
      return { ...counts, items: itemsOf(record, texts, searchable.search(query, LISTED), query), problem: null };
    },

    async cite(params) {
      const asked = await subjectOf(params.uri, params.index);
      const subject = asked && (await home(asked));
      const record = subject && recordIn(subject.row);
      if (subject === undefined || record === undefined) return { kind: 'problem', message: GONE };
      const { target, remove } = params;
      const name = nameOf(record, target);
      if (isCited(record, target) !== remove) {
        return { kind: 'problem', message: `${name} is ${remove ? 'not cited' : 'cited already'}.` };
      }
      const edits = editsFor(record, target, remove);
      const placed = edits && placeEdits(edits, subject.row.text);
      if (placed === undefined)
        return { kind: 'problem', message: `The record has no place that could say so of ${name}.` };
      return write(subject, placed, params);
    },

    async place({ uri, index, target, inString }) {
      const subject = await subjectOf(uri, index);
      const record = subject && recordIn(subject.row);
      if (subject === undefined || record === undefined) return null;
      if (target.kind === 'page') {
        const { pdf } = subject.row.document ?? {};
        const pageIndex = target.at - subject.session.checker!.settings.pageBase;
        return pdf?.state === 'ok' ? { kind: 'pdf', uri: URI.file(pdf.path).toString(), pageIndex } : null;
      }
      const pointer = pointerTo(record, 'context', target.at);
      const spot = await blockSpot({ views, runtime }, subject, { pointer, block: target.at, inString });
      return spot === undefined ? null : { kind: 'text', ...spot };
    },
  };
}

function recordIn(row: Row): CanonicalRecord | undefined {
  return row.checked?.record && withContext(row.checked.record, row.document);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

function hasPages({ document }: Row, { profile }: CanonicalRecord): boolean {
  return profile.fields.pages !== undefined && document?.pdf?.state === 'ok';
}

async function pageTexts(
  { documents }: Pick<ServerRuntime, 'documents'>,
  { session, row }: Subject,
): Promise<Searched[]> {
  const texts = row.document && (await documents.readText?.(row.document));
  const base = session.checker?.settings.pageBase ?? 1;
  return (texts ?? []).flatMap((text, at): Searched[] =>
    text.trim() === '' ? [] : [{ kind: 'page', at: at + base, text }],
  );
}

function nothingIn({ document }: Row, { profile }: CanonicalRecord): string {
  if (document?.context !== undefined && document.context.state !== 'ok') {
    return 'The file that holds the paragraphs of this record is not there or cannot be read.';
  }
  if (profile.fields.pages !== undefined) {
    return document?.pdf?.state === 'ok'
      ? 'The pages of the document have no text that could be read.'
      : 'The PDF of this record was not found, and page images cannot be searched.';
  }
  return 'This record has no paragraphs and no tables.';
}

/** Cited ones first, where no word is given. */
function inOrder(record: CanonicalRecord, texts: readonly Searched[]): SearchHit[] {
  const hits = texts.map((one, text): SearchHit & { readonly cited: boolean } => {
    const start = one.text.length - one.text.trimStart().length;
    return { text, match: 'words', place: { start, end: start }, score: 0, cited: isCited(record, one) };
  });
  return hits.sort((a, b) => Number(b.cited) - Number(a.cited) || a.text - b.text).slice(0, LISTED);
}

function itemsOf(
  record: CanonicalRecord,
  texts: readonly Searched[],
  hits: readonly SearchHit[],
  query: string,
): SearchItem[] {
  return describeHits(record, texts, hits, readQuery(query)).map((found) => itemOf(record, found));
}

function itemOf(record: CanonicalRecord, found: Found): SearchItem {
  const { kind, at, name, inString, pointer, cited, match, excerpt } = found;
  const target: Citable = { kind: kind === 'page' ? 'page' : 'block', at };
  return {
    target,
    kind,
    name,
    inString,
    page: kind === 'page' ? (pointer ?? null) : null,
    excerpt: excerpt.text,
    marks: excerpt.marks,
    match,
    cited,
    citable: editsFor(record, target, cited) !== undefined,
  };
}

function isCited(record: CanonicalRecord, { kind, at }: Pick<Citable, 'kind' | 'at'>): boolean {
  return kind === 'page' ? pagesOf(record).includes(at) : citedBlocks(record).includes(at);
}

function editsFor(record: CanonicalRecord, { kind, at }: Citable, remove: boolean): readonly Edit[] | undefined {
  if (kind === 'page') {
    const made = remove ? uncitePage(record, at) : citePage(record, at);
    return made.kind === 'changed' ? made.edits : undefined;
  }
  return remove ? unciteBlock(record, at) : citeBlock(record, at);
}

function nameOf(record: CanonicalRecord, { kind, at }: Citable): string {
  return kind === 'page' ? `page ${at}` : blockName(record, at);
}
