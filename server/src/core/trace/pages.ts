import type { CheckedText } from '../pipeline.ts';
import type { PageLine, PagePlace, PageText } from '../ports.ts';
import type { CanonicalRecord } from '../record/types.ts';
import type { Span } from '../finding.ts';
import type { Evidence } from './find.ts';
import { judgeNumbers } from './judge.ts';
import { numbersShown } from './trace.ts';
import type { NumberPlace, PageTracedNumber, PlaceOnPage } from './types.ts';

/** A cited page with the words of its PDF. */
export interface ReadPage {
  /** As the record writes it. */
  readonly number: number;
  /** Its position among the pages that the record cites. */
  readonly at: number;
  readonly text: PageText;
  /** The boxes on it, by their position among the page's boxes; the record may cite the page again with other ones. */
  readonly boxes: readonly (PagePlace & { readonly pageAt: number; readonly at: number })[];
}

/**
 * Where the numbers of a record's solution (or answer) stand on its cited pages: inside its boxes first, which are what is
 * cited where a page has any; else the page is. undefined: there is no number, too many, or no words on any page.
 */
export function tracePages(
  record: CanonicalRecord,
  checked: CheckedText,
  pages: readonly ReadPage[],
): readonly PageTracedNumber[] | undefined {
  const wanted = numbersShown(record, checked);
  if (wanted.length === 0) return undefined;
  const parts = pages.flatMap(partsOf).filter(({ text }) => text !== '');
  if (parts.length === 0) return undefined;
  const evidence: Evidence = {
    texts: parts.map(({ text }) => text),
    question: record.question,
    pointerOf: () => '',
    nameOf: (part) => nameOf(parts[part]!),
  };
  const cited = parts.flatMap(({ isCited }, i) => (isCited ? [i] : []));
  return judgeNumbers(evidence, wanted, cited).map(({ places, ...number }) => ({
    ...number,
    places: places.flatMap((place) => placeOn(parts[place.block]!, place) ?? []),
  }));
}

/** What stands in one box of a page, or on the rest of it, as one text. */
export interface Part {
  readonly page: ReadPage;
  readonly pageAt: number;
  /** undefined: outside of the boxes. */
  readonly box: number | undefined;
  readonly isCited: boolean;
  readonly text: string;
  readonly words: readonly PlacedWord[];
  /** Ends of the visual rows in the text, ascending. */
  readonly rowEnds: readonly number[];
}

interface PlacedWord extends Span {
  readonly place: PagePlace;
  readonly row: number;
}

/** Its boxes, and what is outside of them. */
export function partsOf(page: ReadPage): Part[] {
  const inBoxes = page.boxes.map((box) => partOf(page, box, (word) => isIn(word, box)));
  const isOutside = (word: PagePlace): boolean => !page.boxes.some((box) => isIn(word, box));
  return [...inBoxes, partOf(page, undefined, isOutside)];
}

/** Between lines that stand side by side: so far apart, a dash in one is no minus of the number in the next. */
const SIDE_BY_SIDE = '\n\n\n';

function partOf(page: ReadPage, box: ReadPage['boxes'][number] | undefined, keeps: (word: PagePlace) => boolean): Part {
  const words: PlacedWord[] = [];
  const rowEnds: number[] = [];
  let text = '';
  let last: PageLine | undefined;
  for (const line of page.text.lines) {
    const kept = line.words.filter(keeps);
    if (kept.length === 0) continue;
    if (last !== undefined && isBeside(last, line)) text += SIDE_BY_SIDE;
    else if (last !== undefined) {
      rowEnds.push(text.length);
      text += '\n';
    }
    last = line;
    for (const [i, word] of kept.entries()) {
      if (i > 0) text += ' ';
      words.push({ start: text.length, end: text.length + word.text.length, place: word, row: rowEnds.length });
      text += word.text;
    }
  }
  rowEnds.push(text.length);
  return {
    page,
    pageAt: box?.pageAt ?? page.at,
    box: box?.at,
    isCited: box !== undefined || page.boxes.length === 0,
    text,
    words,
    rowEnds,
  };
}

/** Whether the middle of a word lies in a box. */
function isIn(word: PagePlace, box: PagePlace): boolean {
  const x = word.left + word.width / 2;
  const y = word.top + word.height / 2;
  return x >= box.left && x <= box.left + box.width && y >= box.top && y <= box.top + box.height;
}

function isBeside(a: PageLine, b: PageLine): boolean {
  if (!a.upright || !b.upright) return false;
  const middle = b.top + b.height / 2;
  return middle > a.top && middle < a.top + a.height && b.left >= a.left;
}

function nameOf({ page, box }: Part): string {
  if (box !== undefined) return `page ${page.number}, inside box ${box + 1}`;
  return page.boxes.length === 0 ? `page ${page.number}` : `page ${page.number}, outside its boxes`;
}

/** Where a stretch of a part's text stands on its page; undefined: no word has a share in it. */
export function placeOn(
  part: Part,
  place: Pick<NumberPlace, 'inString' | 'cited' | 'isNegative'>,
): PlaceOnPage | undefined {
  const { inString } = place;
  const touched = part.words.filter(({ start, end }) => start < inString.end && end > inString.start);
  const [first] = touched;
  if (first === undefined) return undefined;
  // What runs over the end of a row is shown where it begins.
  const boxes = touched.filter(({ row }) => row === first.row).map((word) => word.place);
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const from = first.row === 0 ? 0 : part.rowEnds[first.row - 1]! + 1;
  const to = part.rowEnds[first.row]!;
  return {
    page: part.page.number,
    pageAt: part.pageAt,
    ...(part.box !== undefined && { box: part.box }),
    name: nameOf(part),
    cited: place.cited,
    isNegative: place.isNegative,
    left,
    top,
    width: Math.max(...boxes.map((box) => box.left + box.width)) - left,
    height: Math.max(...boxes.map((box) => box.top + box.height)) - top,
    // As long as what it replaces: offsets stay.
    row: part.text.slice(from, to).replaceAll(SIDE_BY_SIDE, ' | '),
    inRow: { start: inString.start - from, end: Math.min(inString.end, to) - from },
  };
}
