import type { DocumentRequest } from '../ports.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { baseName, folderOf, joinPath, unsafePathReason } from './paths.ts';
import { fillTemplate, parseTemplate, type Filled, type Template } from './template.ts';
import type { FileSettings } from './types.ts';

type Open = (Filled & { readonly state: 'ok' })['parts'];
type Listing = NonNullable<DocumentRequest['imageListing']>;

/** Widths with leading zeros that published layouts use for page numbers. */
const PADDINGS = [1, 2, 3, 4];
/** More pages than any record cites; bounds the work for one. */
const MAX_PAGES = 1000;

const parsed = new WeakMap<readonly string[], readonly Template[]>();

/**
 * Where the document of a record and the images of its cited pages may lie: absolute paths inside `settings.base`, best
 * first. undefined: the record names no document, or no location is known. `refused` says why nothing may be looked for.
 */
export function documentRequest(record: CanonicalRecord, settings: FileSettings): DocumentRequest | undefined {
  const name = record.document;
  if (name === undefined || name.trim() === '') return undefined;
  const reason = unsafePathReason(name);
  if (reason !== undefined) return refuse(record, settings, `${quoted(name)} cannot name a document: ${reason}`);
  const valueOf = placeholderValues(record);
  const pdf = fillAll(settings.pdf, valueOf);
  const images = fillAll(settings.pageImage, valueOf);
  const context = fillAll(settings.context ?? [], valueOf);
  const refused = pdf.refused ?? images.refused ?? context.refused;
  if (refused !== undefined) return refuse(record, settings, refused);
  const pdfPaths = pdf.open.map((parts) => joinPath(settings.base, parts.map(String).join('')));
  const contextPaths = context.open.map((parts) => joinPath(settings.base, parts.map(String).join('')));
  const pages = pageCandidates(record, settings, images.open);
  const listings = images.open.flatMap((parts) => listingOf(parts, settings));
  if (pdfPaths.length + contextPaths.length === 0 && images.open.length === 0) {
    const lacking = pdf.lacking ?? images.lacking ?? context.lacking;
    if (lacking === undefined || !settings.locationsConfigured) return undefined;
    return refuse(record, settings, `the record has no ${quoted(lacking)}, which the configured location needs`);
  }
  const [imageListing, ...otherListings] = listings;
  return {
    name,
    root: settings.base,
    pdf: pdfPaths,
    ...(contextPaths.length > 0 && { context: contextPaths }),
    images: pages,
    ...(imageListing && { imageListing }),
    ...(otherListings.length > 0 && { otherListings }),
  };
}

function refuse(record: CanonicalRecord, settings: FileSettings, reason: string): DocumentRequest {
  return { name: record.document ?? '', root: settings.base, pdf: [], images: new Map(), refused: reason };
}

function quoted(text: string): string {
  return `"${text.length > 80 ? `${text.slice(0, 79)}…` : text}"`;
}

/** The record's own texts by key; `doc_name`, `document` and `category` also name what the profile maps to them. */
function placeholderValues(record: CanonicalRecord): (key: string) => string | undefined {
  return (key) => {
    const own = Object.hasOwn(record.source, key) ? record.source[key] : undefined;
    if (typeof own === 'string') return own;
    if (typeof own === 'number') return String(own);
    if (key === 'doc_name' || key === 'document') return record.document;
    return key === 'category' ? record.category : undefined;
  };
}

function fillAll(
  templates: readonly string[],
  valueOf: (key: string) => string | undefined,
): { readonly open: readonly Open[]; readonly lacking?: string; readonly refused?: string } {
  const open: Open[] = [];
  let lacking: string | undefined;
  for (const template of parseAll(templates)) {
    const filled = fillTemplate(template, valueOf);
    if (filled.state === 'ok') open.push(filled.parts);
    else if (filled.state === 'lacking') lacking ??= filled.key;
    else
      return {
        open: [],
        refused: `${quoted(filled.value)} under "${filled.key}" cannot be part of a path: ${filled.reason}`,
      };
  }
  return { open, ...(lacking !== undefined && { lacking }) };
}

/** Templates that cannot be read are left out: the configuration's own findings tell of them. */
function parseAll(templates: readonly string[]): readonly Template[] {
  let list = parsed.get(templates);
  if (!list) {
    list = templates.map(parseTemplate).flatMap((result) => ('parts' in result ? [result.parts] : []));
    parsed.set(templates, list);
  }
  return list;
}

/** Candidates per cited page, under the number as written. Pages below the page base have none: they are no pages. */
function pageCandidates(
  record: CanonicalRecord,
  settings: FileSettings,
  templates: readonly Open[],
): Map<number, readonly string[]> {
  const candidates = new Map<number, readonly string[]>();
  const own = settings.locationsConfigured ? [] : ownImages(record);
  for (const page of (record.pages ?? []).slice(0, MAX_PAGES)) {
    if (typeof page !== 'number' || !Number.isSafeInteger(page) || page < settings.pageBase) continue;
    const number = page - settings.pageBase + settings.imageBase;
    const paths = new Set<string>();
    for (const template of templates) {
      for (const path of pagePaths(template, number, settings.locationsConfigured))
        paths.add(joinPath(settings.base, path));
    }
    for (const image of own) {
      if (image.page === number) paths.add(joinPath(settings.base, image.path));
    }
    if (paths.size > 0) candidates.set(page, [...paths]);
  }
  return candidates;
}

/** A configured location is meant as written; a published layout is tried with leading zeros too. */
function pagePaths(parts: Open, number: number, exact: boolean): string[] {
  const widths = exact || !parts.some((part) => typeof part !== 'string') ? [1] : PADDINGS;
  return widths.map((width) =>
    parts
      .map((part) => (typeof part === 'string' ? part : String(number).padStart(Math.max(width, part.width), '0')))
      .join(''),
  );
}

/**
 * Page images that the record itself names. Only names made of document and page count: crops of regions and pages of
 * other documents are no images of its pages.
 */
function ownImages(record: CanonicalRecord): readonly { readonly path: string; readonly page: number }[] {
  const document = baseName(record.document ?? '');
  const found: { path: string; page: number }[] = [];
  for (const image of record.images ?? []) {
    if (typeof image !== 'string') continue;
    const path = image.replace(/^(\.\/)+/, '');
    const name = baseName(path);
    if (unsafePathReason(path) !== undefined || !name.startsWith(`${document}_`)) continue;
    const page = /^0*(\d+)\.[A-Za-z]+$/.exec(name.slice(document.length + 1));
    if (page) found.push({ path, page: Number(page[1]) });
  }
  return found;
}

/** Folder and file name pattern by which the page images of a document are counted; none where folders hold the number. */
function listingOf(parts: Open, settings: FileSettings): Listing[] {
  // A private-use character stands for the number while the path is split.
  const path = parts.map((part) => (typeof part === 'string' ? part : '\uE000')).join('');
  const folder = folderOf(path);
  const pieces = baseName(path).split('\uE000');
  if (pieces.length !== 2 || folder.includes('\uE000')) return [];
  const [before, after] = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const zeros = settings.locationsConfigured ? '' : '0*';
  return [
    {
      folder: folder === '.' ? settings.base : joinPath(settings.base, folder),
      pattern: `^${before}${zeros}(\\d+)${after}$`,
    },
  ];
}
