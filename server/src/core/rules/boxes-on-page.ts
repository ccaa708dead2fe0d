import { cornersOf, extentAt300, toFractions } from '../evidence/geometry.ts';
import type { BoxNumbers, Fractions } from '../evidence/geometry.ts';
import { measureOf } from '../evidence/measure.ts';
import type { CornerOrder } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import { shortNumber } from '../solution/numbers.ts';
import { GOOD, boxAt, boxExample, isEmpty } from './boxes.ts';
import type { BoxField } from './boxes.ts';
import { percent, placeOfElement, show } from './messages.ts';
import type { RecordInput, Rule, SizeInput } from './types.ts';

/** Rules on boxes that need the record or the size of its pages. */

/** Share of the smaller box from which one counts as lying in the other. */
const NESTED = 0.9;
/** Pixels at 300 dpi; the smallest side of the benchmark's 2,497 boxes is 55. */
const TINY = 10;
/** SciEGQA's convention for regions, as a share of the page. */
const AREA = { least: 0.05, most: 0.7 };

const quiet = boxExample([[GOOD]]);

function several(...boxes: number[][]) {
  const { profile, lines, note } = boxExample([boxes]);
  const { rel_bbox, ...record } = lines[0] as Readonly<Record<string, unknown>>;
  void rel_bbox;
  return {
    profile,
    lines: [{ ...record, subimg_type: [boxes.map(() => 'table')] }],
    ...(note !== undefined && { note }),
  };
}

export const boxesOnPageRules: readonly Rule[] = [
  {
    code: 'box/nested',
    severity: 'warning',
    needs: 'record',
    title: 'A box lies in another one of the same label',
    why: `At least nine tenths of the smaller box lie in another box of the same page and label. One of them adds nothing: crops show the same thing twice, and measures of overlap count one of the two as missed.

Keep the one that holds the whole block. A box of another label in it, such as a table inside a figure, is not reported.`,
    fires: several(GOOD, [310, 610, 2090, 1490]),
    quiet: several(GOOD, [300, 1600, 2100, 1730]),
    checkRecord(input, report) {
      const { record, settings } = input;
      const field: BoxField = record.boxes === undefined ? 'relativeBoxes' : 'boxes';
      const coordinates = field === 'boxes' ? settings.coordinates : settings.relativeCoordinates;
      const boxes = record[field];
      if (boxes === undefined || coordinates === undefined) return;
      for (let i = 0; i < boxes.length; i++) {
        const page = boxes[i];
        if (!Array.isArray(page) || page.length < 2) continue;
        for (let j = 0; j < page.length; j++) {
          const k = outerOf(record, field, i, j, coordinates.order);
          if (k === undefined) continue;
          const box = boxAt(boxes, i, j)!;
          const other = boxAt(boxes, i, k)!;
          const share = shareInside(cornersOf(box, coordinates.order), cornersOf(other, coordinates.order));
          report({
            pointer: pointerTo(record, field, i, j),
            message: `${percent(share)} of the box ${show(box)} lie in ${show(other)}, which has the same label.`,
            found: box.join(','),
            related: [{ message: 'The box around it', pointer: pointerTo(record, field, i, k) }],
          });
        }
      }
    },
  },
  {
    code: 'box/tiny',
    severity: 'warning',
    needs: 'size',
    title: 'A box is too thin to hold anything',
    why: `A side of the box is shorter than 10 pixels at 300 dpi, less than a millimetre: no line of text fits into it. Such boxes come from a click without dragging, from rounding in a small coordinate space, or from merging.

Draw the box again or take it out.`,
    fires: several(GOOD, [300, 1600, 2100, 1603]),
    quiet,
    checkSize(input, report) {
      eachPlace(input, (place, box, field, i, j, page) => {
        const width = place.width * page.width;
        const height = place.height * page.height;
        if (Math.min(width, height) >= TINY) return;
        report({
          pointer: pointerTo(input.record, field, i, j),
          message: `The box ${show(box)} is ${shortNumber(width, 3)} × ${shortNumber(height, 3)} px at 300 dpi; a side under ${TINY} px holds nothing.`,
          found: box.join(','),
        });
      });
    },
  },
  {
    code: 'box/area',
    severity: 'info',
    off: true,
    needs: 'size',
    title: 'A box is smaller or larger than a region should be',
    why: `SciEGQA's convention: a region takes 0.05 to 0.70 of the page. Smaller ones are often parts of a block, larger ones nearly the whole page. The rule is off unless it is switched on.

Draw the box around one whole block.`,
    fires: several([300, 600, 700, 800]),
    quiet,
    checkSize(input, report) {
      eachPlace(input, (place, box, field, i, j) => {
        const area = place.width * place.height;
        if (area >= AREA.least && area <= AREA.most) return;
        report({
          pointer: pointerTo(input.record, field, i, j),
          message: `The box ${show(box)} takes ${percent(area)} of the page; ${area < AREA.least ? 'at least' : 'at most'} ${percent(area < AREA.least ? AREA.least : AREA.most)} are meant.`,
          found: box.join(','),
        });
      });
    },
  },
  {
    code: 'page/label-ambiguous',
    severity: 'warning',
    off: true,
    needs: 'size',
    title: 'The PDF calls another page by the number that is cited',
    why: `The PDF has page labels of its own, as front matter with Roman numerals brings them about: readers show page 5 of the file as "iii" and call a later one "5". The cited number is counted from the start of the file, so somebody who types it into a reader lands on another page, and the annotator may have read it there. The rule is off unless it is switched on.

Open both pages and see which one holds the evidence.`,
    fires: {
      profile: 'mmlongbench-doc',
      lines: [
        {
          doc_id: 'demo-labels.pdf',
          doc_type: 'Report',
          question: 'How many parcels did North handle, in thousands?',
          answer: '2550',
          evidence_pages: '[2]',
          evidence_sources: "['Table']",
          answer_format: 'Int',
        },
      ],
    },
    quiet: {
      profile: 'mmlongbench-doc',
      lines: [
        {
          doc_id: 'demo-doc.pdf',
          doc_type: 'Report',
          question: 'How many parcels did North handle, in thousands?',
          answer: '2550',
          evidence_pages: '[2]',
          evidence_sources: "['Table']",
          answer_format: 'Int',
        },
      ],
    },
    checkSize({ record, settings, document }, report) {
      const labels = document.pdf?.state === 'ok' ? document.pdf.labels : undefined;
      if (labels === undefined) return;
      for (const [i, number] of (record.pages ?? []).entries()) {
        if (typeof number !== 'number' || record.pages!.indexOf(number) !== i) continue;
        const own = labels[number - settings.pageBase];
        const other = labels.indexOf(String(number));
        if (own === undefined || other < 0 || own === String(number)) continue;
        report({
          ...placeOfElement(record, 'pages', i),
          message: `Page ${number} of the file bears the label "${own}" in the PDF, which calls page ${other + settings.pageBase} of the file "${number}".`,
          found: String(number),
        });
      }
    },
  },
];

/** Position of a box of the same label in which box `j` of page `i` lies. */
function outerOf(
  record: RecordInput['record'],
  field: BoxField,
  i: number,
  j: number,
  order: CornerOrder,
): number | undefined {
  const page = record[field]![i] as readonly unknown[];
  const labels = record.labels?.[i];
  for (let k = 0; k < page.length; k++) {
    if (k === j || (Array.isArray(labels) && labels[j] !== labels[k])) continue;
    if (isIn(record, field, i, j, k, order)) return k;
  }
  return undefined;
}

function isIn(
  record: RecordInput['record'],
  field: BoxField,
  i: number,
  j: number,
  k: number,
  order: CornerOrder,
): boolean {
  const box = boxAt(record[field], i, j);
  const other = boxAt(record[field], i, k);
  if (box === undefined || other === undefined) return false;
  const own = cornersOf(box, order);
  const outer = cornersOf(other, order);
  const ownArea = areaOf(own);
  const outerArea = areaOf(outer);
  // Of two equal ones the later is reported.
  if (!(ownArea > 0 && outerArea > 0) || ownArea > outerArea || (ownArea === outerArea && j < k)) return false;
  return shareInside(own, outer) >= NESTED;
}

type Corners = readonly [number, number, number, number];

function areaOf([x1, y1, x2, y2]: Corners): number {
  return x2 > x1 && y2 > y1 ? (x2 - x1) * (y2 - y1) : 0;
}

/** Share of the first that lies in the second. */
function shareInside(box: Corners, other: Corners): number {
  const width = Math.min(box[2], other[2]) - Math.max(box[0], other[0]);
  const height = Math.min(box[3], other[3]) - Math.max(box[1], other[1]);
  return width > 0 && height > 0 ? (width * height) / areaOf(box) : 0;
}

/** Boxes of known pages, as fractions, with the page's size at 300 dpi; boxes without area are box/empty's. */
export function eachPlace(
  { record, settings, document }: SizeInput,
  call: (
    place: Fractions,
    box: BoxNumbers,
    field: BoxField,
    i: number,
    j: number,
    page: { readonly width: number; readonly height: number },
  ) => void,
): void {
  const field: BoxField = record.boxes === undefined ? 'relativeBoxes' : 'boxes';
  const coordinates = field === 'boxes' ? settings.coordinates : settings.relativeCoordinates;
  const boxes = record[field];
  if (boxes === undefined || coordinates === undefined) return;
  for (let i = 0; i < boxes.length; i++) {
    const inPage = boxes[i];
    const measure = Array.isArray(inPage) ? measureOf(document, record.pages?.[i], settings) : undefined;
    const page = measure && extentAt300(coordinates, measure);
    if (measure === undefined || page === undefined) continue;
    for (let j = 0; j < (inPage as unknown[]).length; j++) {
      const box = boxAt(boxes, i, j);
      if (box === undefined || isEmpty(box, coordinates)) continue;
      const place = toFractions(box, coordinates, measure);
      if (place !== undefined) call(place, box, field, i, j, page);
    }
  }
}
