/** Page images that the browser cannot show, decoded by the language server. */
import type { PageSourceUrl } from '../../../schemas/page.ts';
import type { PagePictureParams } from '../../../schemas/regions.ts';
import type { Host } from '../host.ts';
import type { Convert } from './images.ts';

/** `placeOf`: the page that has the image; null where it is not shown any more. */
export function createConverter(
  host: Pick<Host, 'ask'>,
  placeOf: (source: PageSourceUrl) => PagePictureParams | null,
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
