/** Page images that the browser cannot show, decoded by the language server. */
import type { PageSourceUrl } from '../../../schemas/page.ts';
import type { Host } from '../host.ts';
import type { Convert } from './images.ts';

/** `placeOf`: the record and the page that have the image; null where neither is shown any more. */
export function createConverter(
  host: Pick<Host, 'ask'>,
  placeOf: (source: PageSourceUrl) => { readonly index: number; readonly page: number } | null,
): Convert {
  return async (source) => {
    const place = placeOf(source);
    const { png, width, height, problem } =
      place === null ? { png: null, width: 0, height: 0, problem: null } : await host.ask('pagePicture', place);
    if (png === null) {
      throw new Error(problem ?? 'The page image is not there any more.');
    }
    const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
    return { blob: new Blob([bytes], { type: 'image/png' }), width, height };
  };
}
