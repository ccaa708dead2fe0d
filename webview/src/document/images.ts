/** Page images: shown by the browser as they are, and by a converted picture where it cannot show them (TIFF). */
import type { PageSourceUrl } from '../../../schemas/page.ts';
import { deadline } from '../deadline.ts';
import { html } from '../dom.ts';

/** What the browser can show in place of a page image. */
export interface ConvertedImage {
  readonly blob: Blob;
  /** Of the page image itself in px, turned as its metadata asks for. The picture may be smaller. */
  readonly width: number;
  readonly height: number;
}

export interface PageImage {
  readonly element: HTMLImageElement;
  /** In px, turned as its metadata asks for: what the server takes boxes by. */
  readonly width: number;
  readonly height: number;
}

export type Convert = (source: PageSourceUrl) => Promise<ConvertedImage>;

const UNREADABLE = 'The page image could not be read: it is missing, or not a picture that the editor can show.';

async function decoded(url: string, timeoutMs: number): Promise<HTMLImageElement | null> {
  const image = html('img', { alt: '', decoding: 'async', draggable: 'false' });
  image.src = url;
  const isDecoded = image.decode().then(
    () => true,
    () => false,
  );
  const late = (): Error => new Error(`The page image did not arrive within ${timeoutMs / 1000} s.`);
  return (await deadline(isDecoded, timeoutMs, late)) ? image : null;
}

/** By the bytes that the file begins with: names may say something else. Nothing more of it is read. */
async function isTiff(url: string): Promise<boolean> {
  const response = await fetch(url);
  const reader = response.ok ? response.body?.getReader() : undefined;
  const [a, b, c, d] = (await reader?.read())?.value ?? [];
  await reader?.cancel();
  return (a === 0x49 && b === 0x49 && c === 42 && d === 0) || (a === 0x4d && b === 0x4d && c === 0 && d === 42);
}

/** Rejects with words for people. */
export async function loadPageImage(source: PageSourceUrl, convert: Convert, timeoutMs: number): Promise<PageImage> {
  const own = await decoded(source.url ?? '', timeoutMs);
  if (own !== null) {
    return { element: own, width: own.naturalWidth, height: own.naturalHeight };
  }
  if (!(await isTiff(source.url ?? '').catch(() => false))) {
    throw new Error(UNREADABLE);
  }
  const { blob, width, height } = await deadline(
    convert(source),
    timeoutMs,
    () => new Error(`The page image was not decoded within ${timeoutMs / 1000} s.`),
  );
  const address = URL.createObjectURL(blob);
  const image = await decoded(address, timeoutMs).finally(() => URL.revokeObjectURL(address));
  if (image === null) {
    throw new Error(UNREADABLE);
  }
  return { element: image, width, height };
}
