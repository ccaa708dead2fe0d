import type { FileSettings } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import { keyOfField, lastPart } from './messages.ts';
import type { Rule } from './types.ts';

function example(images: readonly string[]) {
  const record = {
    query: 'Which row of the table has the largest total?',
    answer: 'North',
    doc_name: 'demo-doc',
    evidence_page: [1],
    bbox: [[[300, 600, 2100, 1500]]],
    subimg_type: [['table']],
    category: 'cs',
    images,
  };
  return { profile: 'sciegqa', lines: [record] };
}

export const imageMismatchRule: Rule = {
  code: 'page/image-mismatch',
  severity: 'error',
  needs: 'record',
  title: 'An image path names another page or document than the record cites',
  why: `The record lists one image per cited page, and the name of an image says another page number or another document. Boxes are then shown on the wrong image.

Lists that hold the pages of a whole document, or crops of regions, are not compared. Likely causes: the images were listed in another order than the pages, numbered from 0, or copied along from the record before.`,
  fires: example(['demo-doc_2.png']),
  quiet: example(['demo-doc_1.png']),
  checkRecord({ record, settings }, report) {
    const { images, pages } = record;
    const pairing = record.profile.imagesPerPage;
    if (images === undefined || pages === undefined || pairing === 'never' || images.length !== pages.length) return;
    const faults: { readonly i: number; readonly image: string; readonly fault: Fault }[] = [];
    for (let i = 0; i < images.length; i++) {
      const image = images[i];
      const page = pages[i];
      if (typeof image !== 'string' || typeof page !== 'number') continue;
      const fault = faultOf(image, page, record.document, settings);
      if (fault !== undefined) faults.push({ i, image, fault });
    }
    // Among several, one that is a page behind is rather the wrong one.
    const isFromZero = faults.length === images.length && faults.every(({ fault }) => fault.off === -1);
    for (const { i, image, fault } of faults) {
      report({
        pointer: pointerTo(record, 'images', i),
        message: `${keyOfField(record, 'images')}[${i}] "${lastPart(image)}" ${fault.text}.${isFromZero ? ' Images may be numbered from 0 ("imageBase").' : ''}`,
        found: image,
        related: [{ message: 'The page it stands for', pointer: pointerTo(record, 'pages', i) }],
      });
    }
  },
};

/** `_4`, `-p4`, ` page 004`, `4`: what follows the document's name, or is the whole name. */
const PAGE = /^[\s_.-]*(?:p|pg|page|img|image)?[\s_.-]*0*(\d{1,6})$/i;
/** `other-doc_4`. */
const NAMED_PAGE = /^(.+?)[_-](?:p|pg|page)?[_-]?0*(\d{1,6})$/i;

interface Fault {
  readonly text: string;
  /** By how many pages the image is another one. */
  readonly off?: number;
}

/** What a path says that the record does not; undefined where they agree or the path does not say. */
function faultOf(
  path: string,
  page: number,
  document: string | undefined,
  { pageBase, imageBase }: Pick<FileSettings, 'pageBase' | 'imageBase'>,
): Fault | undefined {
  const stem = lastPart(path).replace(/\.[A-Za-z]{2,5}$/, '');
  const expected = page - pageBase + imageBase;
  const name = document === undefined ? undefined : lastPart(document).replace(/\.pdf$/i, '');
  if (name !== undefined && stem.startsWith(name)) {
    const number = PAGE.exec(stem.slice(name.length))?.[1];
    return number === undefined ? undefined : pageFault(Number(number), expected, page);
  }
  const alone = PAGE.exec(stem)?.[1];
  const folders = path.split(/[/\\]/).slice(0, -1);
  if (alone !== undefined) {
    // `page_0004.png` says its page; whose page it is, the folders say where they bear the document's name.
    const isOurs = name === undefined || folders.includes(name);
    return isOurs ? pageFault(Number(alone), expected, page) : undefined;
  }
  const named = NAMED_PAGE.exec(stem);
  if (named === null || name === undefined || folders.includes(name)) return undefined;
  const other = named[1]!;
  // A longer name may be cut, as 2509.24553 for 2509.24553_Focusing_the_Axion.
  if (name.startsWith(other) || other.includes(name)) {
    return name.startsWith(other) ? pageFault(Number(named[2]), expected, page) : undefined;
  }
  return { text: `is an image of "${other}", but the record is about "${name}"` };
}

function pageFault(number: number, expected: number, page: number): Fault | undefined {
  if (number === expected) return undefined;
  const text = `is the image of page ${number}, but the page cited in its place is ${page}`;
  return { text, off: number - expected };
}
