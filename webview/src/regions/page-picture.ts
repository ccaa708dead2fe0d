/** A page as PNG, for the service that proposes regions: as it is shown, at most so large as the service needs it. */
import type { PagePicture } from '../../../schemas/page.ts';
import type { Overlay } from '../overlay.ts';

/** px of the longer side. */
const LARGEST = 2048;

/** From another origin, an image must be fetched to be read. */
async function readable(drawn: HTMLCanvasElement | HTMLImageElement): Promise<HTMLCanvasElement | ImageBitmap> {
  if (drawn instanceof HTMLCanvasElement) {
    return drawn;
  }
  const response = await fetch(drawn.src);
  return createImageBitmap(await response.blob());
}

async function base64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text);
}

/** Throws words for people where the page is not there to be seen. */
export async function pictureOf(overlay: Overlay): Promise<PagePicture> {
  const drawn = overlay.element.parentElement?.querySelector<HTMLCanvasElement | HTMLImageElement>(
    '.picture > :is(canvas, img)',
  );
  if (!drawn) {
    throw new Error('The page is not drawn yet.');
  }
  const source = await readable(drawn);
  const scale = Math.min(1, LARGEST / Math.max(source.width, source.height));
  const width = Math.max(1, Math.round(source.width * scale));
  const height = Math.max(1, Math.round(source.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(source, 0, 0, width, height);
  if (source instanceof ImageBitmap) {
    source.close();
  }
  return { png: await base64(await canvas.convertToBlob({ type: 'image/png' })), width, height };
}
