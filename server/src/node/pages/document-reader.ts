import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type {
  Cancel,
  ContextFacts,
  DocumentFacts,
  DocumentReader,
  DocumentRequest,
  FoundDocument,
  PageImageFacts,
  PdfFacts,
} from '../../core/ports.ts';
import { describeError, errorCode } from '../files/errors.ts';
import { isInside, staysInside } from '../files/inside.ts';
import { createRecent, remember } from '../recent.ts';
import type { Recent } from '../recent.ts';
import { ContextFault, readContextFile } from './context-file.ts';
import { ImageFault, readImageSize } from './image-size.ts';
import type { PixelSize } from './image-size.ts';
import { createPageContent } from './page-content.ts';
import { createPdfReader } from './pdf-reader.ts';
import type { PdfPages } from './pdf-reader.ts';

export interface DocumentReaderOptions {
  /** The PDF worker's entry: `dist/pdf-worker.mjs`, or `pdf-worker.ts` where TypeScript runs unbundled. */
  readonly worker: URL;
  /** Time that one PDF may take, in ms; 20,000 where nothing else is said. */
  readonly pdfTimeoutMs?: number;
  /** Heap for reading PDFs in MiB; 1,024 where nothing else is said. */
  readonly pdfMemoryMb?: number;
  /**
   * How long an answer of the file system is believed, in ms. 0 (the default) asks each time, so that an editor sees
   * what changed; a run of the command line sees one state with `Infinity`.
   */
  readonly trustMs?: number;
}

/** The answer of a look at one candidate path. */
type Look =
  | { readonly state: 'file'; readonly version: string }
  | { readonly state: 'none' }
  | { readonly state: 'outside' }
  | { readonly state: 'fault'; readonly reason: string };

/** Whole files in memory, of which neighbouring records often share one. */
const CONTEXTS = 16;

interface Stamped<T> {
  readonly at: number;
  readonly value: Promise<T>;
}

/** Reads page sizes and looks for documents; nothing but headers and page trees, and PDFs on a thread of their own. */
export function createDocumentReader(options: DocumentReaderOptions): DocumentReader {
  const trustMs = options.trustMs ?? 0;
  const pdfReader = createPdfReader({
    worker: options.worker,
    timeoutMs: options.pdfTimeoutMs ?? 20_000,
    memoryMb: options.pdfMemoryMb ?? 1_024,
  });
  const looks = createRecent<string, Stamped<Look>>(50_000);
  const folders = createRecent<string, Stamped<readonly string[]>>(500);
  const listings = createRecent<string, Listing>(5_000);
  const pdfs = createRecent<string, Promise<PdfPages>>(2_000);
  const images = createRecent<string, Promise<PixelSize>>(50_000);
  const contexts = createRecent<string, Promise<readonly string[]>>(CONTEXTS);

  const content = createPageContent(pdfReader, async (at) => {
    const found = await look(at, undefined);
    return found.state === 'file' ? found.version : undefined;
  });

  function believed<T>(cache: Recent<string, Stamped<T>>, key: string, ask: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const known = cache.get(key);
    if (known !== undefined && now - known.at < trustMs) return known.value;
    const value = ask();
    if (trustMs > 0) cache.set(key, { at: now, value });
    return value;
  }

  /** Names in a folder, at once where they are known: a data set without its documents asks for thousands of places. */
  function namesIn(folder: string): Names | Promise<Names> {
    const now = performance.now();
    const known = listings.get(folder);
    if (known !== undefined && now - known.at < trustMs) return known.names ?? known.listing;
    const listing = listNames(folder);
    const entry: Listing = { at: now, listing };
    void listing.then((names) => (entry.names = names));
    listings.set(folder, entry);
    return listing;
  }

  /** Whether the folders on the way to a path list it, so that it is worth asking the disk for it. */
  function mayExist(at: string, root: string | undefined): boolean | Promise<boolean> {
    if (trustMs === 0 || root === undefined || !at.startsWith(root + path.sep)) return true;
    return isListed(at, root);
  }

  function isListed(at: string, folder: string): boolean | Promise<boolean> {
    const next = at.indexOf(path.sep, folder.length + 1);
    const end = next === -1 ? at.length : next;
    const judge = (names: Names): boolean | Promise<boolean> => {
      if (names !== EVERYTHING && !names.has(alike(at.slice(folder.length + 1, end)))) return false;
      return end === at.length || isListed(at, at.slice(0, end));
    };
    const names = namesIn(folder);
    return names instanceof Promise ? names.then(judge) : judge(names);
  }

  function look(at: string, root: string | undefined): Look | Promise<Look> {
    const ask = (): Promise<Look> =>
      believed(looks, root === undefined ? at : `${root}\n${at}`, () => lookAt(at, root));
    const listed = mayExist(at, root);
    if (listed instanceof Promise) return listed.then((is) => (is ? ask() : NOTHING));
    return listed ? ask() : NOTHING;
  }

  async function findFirst(
    candidates: readonly string[],
    root: string | undefined,
  ): Promise<{ readonly path: string; readonly look: Look } | undefined> {
    for (const candidate of candidates) {
      const looking = look(candidate, root);
      const found = looking instanceof Promise ? await looking : looking;
      if (found.state !== 'none') return { path: candidate, look: found };
    }
    return undefined;
  }

  async function readPdf(candidates: readonly string[], root: string | undefined): Promise<PdfFacts> {
    const found = await findFirst(candidates, root);
    if (found === undefined || found.look.state === 'none') return { state: 'missing', looked: candidates };
    if (found.look.state === 'outside') return { state: 'refused', reason: outside(found.path) };
    if (found.look.state === 'fault') return { state: 'unreadable', path: found.path, reason: found.look.reason };
    const read = await remember(pdfs, `${found.path}\n${found.look.version}`, () => pdfReader.read(found.path));
    if (read.state === 'unreadable') return { ...read, path: found.path };
    return { state: 'ok', path: found.path, pages: read.pages, ...(read.labels && { labels: read.labels }) };
  }

  async function readImage(candidates: readonly string[], root: string | undefined): Promise<PageImageFacts> {
    const found = await findFirst(candidates, root);
    if (found === undefined || found.look.state === 'none') return { state: 'missing', looked: candidates };
    if (found.look.state === 'outside') return { state: 'refused', reason: outside(found.path) };
    if (found.look.state === 'fault') return { state: 'unreadable', path: found.path, reason: found.look.reason };
    try {
      const size = await remember(images, `${found.path}\n${found.look.version}`, () => readImageSize(found.path));
      return { state: 'ok', path: found.path, ...size };
    } catch (error) {
      const reason = error instanceof ImageFault ? error.message : describeError(error);
      return { state: 'unreadable', path: found.path, reason };
    }
  }

  async function readContext(candidates: readonly string[], root: string | undefined): Promise<ContextFacts> {
    const found = await findFirst(candidates, root);
    if (found === undefined || found.look.state === 'none') return { state: 'missing', looked: candidates };
    const { path: at, look: seen } = found;
    if (seen.state === 'outside') return { state: 'refused', reason: outside(at) };
    if (seen.state !== 'file')
      return { state: 'unreadable', path: at, reason: seen.state === 'fault' ? seen.reason : '' };
    try {
      const bytes = Number(seen.version.split(' ')[0]);
      const blocks = await remember(contexts, `${at}\n${seen.version}`, () => readContextFile(at, bytes));
      return { state: 'ok', path: at, blocks };
    } catch (error) {
      const reason = error instanceof ContextFault ? error.message : describeError(error);
      return { state: 'unreadable', path: at, reason };
    }
  }

  async function listNumbers({
    imageListing,
    otherListings = [],
    root,
  }: DocumentRequest): Promise<readonly number[] | undefined> {
    if (imageListing === undefined) return undefined;
    for (const { folder, pattern } of [imageListing, ...otherListings]) {
      if (!(await mayExist(folder, root))) continue;
      const names = await believed(folders, `${root ?? ''}\n${folder}`, () => listFolder(folder, root));
      const numbers = numbersOf(names, pattern);
      if (numbers.length > 0) return numbers;
    }
    return [];
  }

  async function read(request: DocumentRequest): Promise<DocumentFacts> {
    const { name, root, refused } = request;
    if (refused !== undefined) return { name, pdf: { state: 'refused', reason: refused } };
    const pdf = request.pdf.length === 0 ? undefined : readPdf(request.pdf, root);
    const pages = [...request.images].map(
      async ([number, candidates]) => [number, await readImage(candidates, root)] as const,
    );
    const [pdfFacts, imageFacts, imageNumbers, context] = await Promise.all([
      pdf,
      Promise.all(pages),
      listNumbers(request),
      request.context && readContext(request.context, root),
    ]);
    return {
      name,
      ...(pdfFacts && { pdf: pdfFacts }),
      ...(imageFacts.length > 0 && { images: new Map(imageFacts) }),
      ...(imageNumbers && { imageNumbers }),
      ...(context && { context }),
    };
  }

  async function find({ pdf, images, root, refused }: DocumentRequest): Promise<FoundDocument> {
    if (refused !== undefined) return { images: new Map() };
    const fileIn = async (candidates: readonly string[]): Promise<string | undefined> => {
      const found = await findFirst(candidates, root);
      return found?.look.state === 'file' ? found.path : undefined;
    };
    const pdfPath = await fileIn(pdf);
    const pages = new Map<number, string>();
    for (const [number, candidates] of images) {
      const image = await fileIn(candidates);
      if (image !== undefined) pages.set(number, image);
    }
    return { ...(pdfPath !== undefined && { pdf: pdfPath }), images: pages };
  }

  return {
    read: (request, cancel) => orAbort(read(request), cancel),
    find: (request, cancel) => orAbort(find(request), cancel),
    names: namesInside,
    readPages: (document, pages, cancel) => orAbort(content.readPages(document, pages), cancel),
    readText: (document, cancel) => orAbort(content.readText(document), cancel),
    readPicture: (document, number, cancel) => orAbort(content.readPicture(document, number), cancel),
    dispose: () => pdfReader.dispose(),
  };
}

type Names = ReadonlySet<string>;

interface Listing {
  readonly at: number;
  readonly listing: Promise<Names>;
  /** Once it is read. */
  names?: Names;
}

const NOTHING: Look = { state: 'none' };
const NO_NAMES: Names = new Set();
/** Stands for the names of a folder that cannot be listed. */
const EVERYTHING: Names = new Set();

/** Names in one folder that are told. */
const MOST_NAMES = 5_000;

async function namesInside(folder: string, root: string): Promise<readonly string[]> {
  try {
    if (!isInside(root, folder) || !(await staysInside(root, folder))) return [];
    return (await readdir(folder)).slice(0, MOST_NAMES);
  } catch {
    return [];
  }
}

async function listNames(folder: string): Promise<Names> {
  try {
    return new Set((await readdir(folder)).map(alike));
  } catch (error) {
    return isAbsent(error) ? NO_NAMES : EVERYTHING;
  }
}

/** File systems of these platforms take names for the same that differ in case or in how accents are composed. */
const FOLDS_NAMES = process.platform === 'win32' || process.platform === 'darwin';

function alike(name: string): string {
  return FOLDS_NAMES ? name.normalize('NFC').toLowerCase() : name;
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCode(error) ?? '');
}

async function lookAt(at: string, root: string | undefined): Promise<Look> {
  try {
    if (root !== undefined && !isInside(root, at)) return { state: 'outside' };
    const stats = await stat(at);
    if (root !== undefined && !(await staysInside(root, at))) return { state: 'outside' };
    if (stats.isDirectory()) return { state: 'none' };
    if (!stats.isFile()) return { state: 'fault', reason: 'is no file' };
    return { state: 'file', version: `${stats.size} ${stats.mtimeMs}` };
  } catch (error) {
    if (isAbsent(error)) return { state: 'none' };
    return { state: 'fault', reason: describeError(error) };
  }
}

/** Names in a folder in code-unit order; none where the folder cannot be listed or lies outside. */
async function listFolder(folder: string, root: string | undefined): Promise<readonly string[]> {
  try {
    if (root !== undefined && !(await staysInside(root, folder))) return [];
    return (await readdir(folder)).sort();
  } catch {
    return [];
  }
}

/** Numbers in the pattern's group, ascending. A folder may hold the pages of thousands of documents, so the names are
 * entered at the pattern's literal beginning. */
function numbersOf(names: readonly string[], pattern: string): readonly number[] {
  const prefix = literalPrefix(pattern);
  let regex: RegExp | undefined;
  const numbers = new Set<number>();
  for (let i = lowerBound(names, prefix); i < names.length; i++) {
    const name = names[i]!;
    if (!name.startsWith(prefix)) break;
    regex ??= new RegExp(pattern);
    const found = regex.exec(name)?.[1];
    if (found !== undefined) numbers.add(Number(found));
  }
  return [...numbers].sort((a, b) => a - b);
}

/** The characters that every match of an anchored pattern begins with; '' where none are sure. */
function literalPrefix(pattern: string): string {
  if (!pattern.startsWith('^') || pattern.includes('|')) return '';
  let prefix = '';
  for (let i = 1; i < pattern.length; i++) {
    const character = pattern[i]!;
    const escaped = character === '\\';
    const literal = escaped ? (pattern[i + 1] ?? '') : character;
    if (escaped ? !/[^A-Za-z0-9]/.test(literal) : /[[\](){}.*+?^$|]/.test(literal)) break;
    if (escaped) i += 1;
    if (/[*+?{]/.test(pattern[i + 1] ?? '')) break;
    prefix += literal;
  }
  return prefix;
}

function lowerBound(names: readonly string[], value: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function outside(at: string): string {
  return `${path.basename(at)} is a link that leads out of the folder of the configuration`;
}

function orAbort<T>(work: Promise<T>, cancel: Cancel | undefined): Promise<T> {
  if (cancel === undefined) return work;
  return new Promise((settle, fail) => {
    const abort = (): void => fail(new DOMException('Reading was cancelled', 'AbortError'));
    if (cancel.aborted) abort();
    const listening = cancel.onAbort(abort);
    work.then(settle, fail).finally(() => listening.dispose());
  });
}
