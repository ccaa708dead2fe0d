/** What stands on single pages, cached by path, size and time of the file. */
import type { CitedPage, DocumentFacts, PageFacts, PagePicture, PageText } from '../../core/ports.ts';
import { createRecent, remember } from '../recent.ts';
import type { PdfReader } from './pdf-reader.ts';

/** A page's ink takes a megabyte at 300 dpi, its words some hundred kilobytes. */
const INKS = 24;
const TEXTS = 100;
const PLAIN_TEXTS = 12;
/** Pages whose plain text is read at once. */
const PORTION = 16;

type ReadInk = Pick<PageFacts, 'ink' | 'imageFault'>;

export interface PageContent {
  readPages(document: DocumentFacts, pages: readonly CitedPage[]): Promise<ReadonlyMap<number, PageFacts>>;
  readText(document: DocumentFacts): Promise<readonly string[] | undefined>;
  readPicture(document: DocumentFacts, number: number): Promise<PagePicture | undefined>;
}

/** `versionOf` gives what changes with a file; undefined: it is not there. */
export function createPageContent(
  reader: PdfReader,
  versionOf: (path: string) => Promise<string | undefined>,
): PageContent {
  const inks = createRecent<string, Promise<ReadInk>>(INKS);
  const texts = createRecent<string, Promise<PageText | undefined>>(TEXTS);
  const plain = createRecent<string, Promise<readonly string[] | undefined>>(PLAIN_TEXTS);

  async function inkOf(document: DocumentFacts, { number }: CitedPage): Promise<ReadInk> {
    const image = document.images?.get(number);
    if (image?.state !== 'ok') return {};
    const { path } = image;
    const version = await versionOf(path);
    if (version === undefined) return {};
    return remember(inks, `${path}\n${version}`, async () => {
      const read = await reader.perform({ kind: 'ink', path });
      if (read.state === 'ok') return { ink: read.value };
      return { imageFault: { path, reason: read.reason, isLimit: read.isLimit } };
    });
  }

  async function textOf(document: DocumentFacts, { index }: CitedPage): Promise<PageText | undefined> {
    const { pdf } = document;
    if (pdf?.state !== 'ok' || index < 0 || index >= pdf.pages.length) return undefined;
    const { path } = pdf;
    const version = await versionOf(path);
    if (version === undefined) return undefined;
    return remember(texts, `${path}\n${version}\n${index}`, async () => {
      const read = await reader.perform({ kind: 'text', path, version, pages: [index] });
      return read.state === 'ok' ? (read.value[0] ?? undefined) : undefined;
    });
  }

  /** In small portions: other work gets its turn between them, and each has its own time limit. */
  async function readPlain(path: string, version: string, count: number): Promise<readonly string[] | undefined> {
    const all: string[] = [];
    for (let first = 0; first < count; first += PORTION) {
      const pages = Array.from({ length: Math.min(PORTION, count - first) }, (_, i) => first + i);
      const texts = await reader.perform({ kind: 'plain', path, version, pages });
      if (texts.state !== 'ok') return undefined;
      all.push(...texts.value);
    }
    return all;
  }

  return {
    async readPages(document, pages) {
      const read = await Promise.all(
        pages.map(async (page) => {
          const [text, ink] = await Promise.all([textOf(document, page), inkOf(document, page)]);
          const facts: PageFacts = { ...(text && { text }), ...ink };
          return [page.number, facts] as const;
        }),
      );
      return new Map(read);
    },
    // Whoever shows it keeps it.
    async readPicture({ images }, number) {
      const image = images?.get(number);
      if (image?.state !== 'ok') return undefined;
      const read = await reader.perform({ kind: 'picture', path: image.path });
      return read.state === 'ok' ? read.value : undefined;
    },
    async readText({ pdf }) {
      if (pdf?.state !== 'ok') return undefined;
      const { path } = pdf;
      const version = await versionOf(path);
      if (version === undefined) return undefined;
      return remember(plain, `${path}\n${version}`, () => readPlain(path, version, pdf.pages.length));
    },
  };
}
