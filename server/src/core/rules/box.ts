import { extentAt300, extentOf, isBox, toFractions, edgesOf, fromFractions, cornersOf } from '../evidence/geometry.ts';
import type { BoxNumbers, Extent } from '../evidence/geometry.ts';
import { measureOf } from '../evidence/measure.ts';
import { readingOf } from '../evidence/readings.ts';
import type { Reading } from '../evidence/readings.ts';
import { distanceOf, printedDecimals } from '../evidence/twins.ts';
import type { Distance, Twins } from '../evidence/twins.ts';
import type { Coordinates, Field } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { shortNumber } from '../solution/numbers.ts';
import { boxShapeRule } from './box-shape.ts';
import { keyOfField, show } from './messages.ts';
import type { RecordInput, Report, Rule, SizeInput } from './types.ts';

type BoxField = Extract<Field, 'boxes' | 'relativeBoxes'>;
/** What may lie outside the page, in pixels at 300 dpi. */
const OUTSIDE = 0.5;

const GOOD = [300, 600, 2100, 1500];
const RELATIVE = [117.647059, 181.818182, 823.529412, 454.545455];

function example(bbox: unknown, rel_bbox: unknown = [[RELATIVE]]) {
  const record = {
    query: 'Which row of the table has the largest total?',
    answer: 'North',
    doc_name: 'demo-doc',
    evidence_page: [2],
    bbox,
    rel_bbox,
    subimg_type: [['table']],
    category: 'cs',
  };
  return {
    profile: 'sciegqa',
    lines: [record],
    note: 'Page 2 of demo-doc is of letter size: 2550 × 3300 pixels at 300 dpi.',
  };
}

const quiet = example([[GOOD]]);

export const boxRules: readonly Rule[] = [
  boxShapeRule,
  {
    code: 'box/corner-order',
    severity: 'error',
    needs: 'record',
    title: 'The corners of a box are in the wrong order',
    why: `A box is written as x1, y1, x2, y2 with the upper left corner first. Here x1 exceeds x2 or y1 exceeds y2 (or a width or height is negative). Most readers take such a box for empty: its area is 0 and so is its overlap with any prediction.

Usually the region was drawn from another corner; then the ordered box in the message is right. If the numbers are really an x, y, width and height, or count from the bottom of the page, say so in the configuration (\`coordinates\`).`,
    fires: example([[[2100, 1500, 300, 600]]]),
    quiet,
    checkRecord(input, report) {
      eachFault(input, isDisordered, (field, i, j, box, coordinates) => {
        const { record } = input;
        const proposal = inOrder(box, coordinates);
        const axes = disorderedAxes(box, coordinates).join(' and ');
        report({
          pointer: pointerTo(record, field, i, j),
          message: `The corners of the box ${show(box)} are in the wrong order: ${axes}. In order: [${proposal.join(', ')}].`,
          found: box.join(','),
          ...alsoRelative(input, field, i, j, isDisordered),
        });
      });
    },
  },
  {
    code: 'box/empty',
    severity: 'error',
    needs: 'record',
    title: 'A box has no area',
    why: `The width or the height of the box is 0. It shows nothing, crops of it fail, and its overlap with any other box is 0.

Usually a coordinate was entered twice. Where the record holds the box in relative coordinates as well, these may still have the right one.`,
    fires: example([[[300, 600, 2100, 600]]]),
    quiet,
    checkRecord(input, report) {
      eachFault(input, isEmpty, (field, i, j, box, coordinates) => {
        const { record } = input;
        report({
          pointer: pointerTo(record, field, i, j),
          message: `The box ${show(box)} is empty: its ${emptySides(box, coordinates)} is 0.`,
          found: box.join(','),
          ...alsoRelative(input, field, i, j, isEmpty),
        });
      });
    },
  },
  {
    code: 'box/out-of-page',
    severity: 'error',
    needs: 'size',
    title: 'A box leaves its page',
    why: `The box reaches more than half a pixel (at 300 dpi) beyond an edge of its page. The page's size comes from its image, else from the PDF. Crops fail or are padded, and normalised coordinates leave their range.

A few pixels too many come from drawing across the edge: clip the box. Much more means that the box belongs to another page, was measured at another resolution, or is written in another order; box/mismatch says so where relative coordinates allow.`,
    fires: example([[[-5, 600, 2700, 1500]]]),
    quiet,
    checkSize(input, report) {
      const { record, settings } = input;
      if (record.boxes !== undefined) checkInside(input, 'boxes', settings.coordinates, report);
      else checkInside(input, 'relativeBoxes', settings.relativeCoordinates, report);
    },
  },
  {
    code: 'box/mismatch',
    severity: 'error',
    needs: 'size',
    title: 'A box and its relative twin are different regions',
    why: `The record holds each box twice, in pixels and relative to the page. Converted through the page's own size, the two differ by more than half a pixel (and more than the printed precision explains): one of them is wrong, and readers of one or the other see different evidence.

Where another reading of the numbers makes the two agree, the message names it: a scale of 0-1, 0-100 or 0-1000, PDF points, x, y, width and height instead of two corners, x and y exchanged, counting from the bottom of the page, or pixels at another resolution. Convert the box then; if a whole file is like that, state it in the configuration (\`coordinates\`, \`relativeCoordinates\`).`,
    fires: example([[[118, 182, 824, 455]]]),
    quiet,
    checkSize: checkTwins,
  },
];

type Test = (box: BoxNumbers, coordinates: Coordinates) => boolean;

/** Calls back for boxes that fail the test; for relative ones only where their twin does not fail it already. */
function eachFault(
  { record, settings }: RecordInput,
  fails: Test,
  found: (field: BoxField, i: number, j: number, box: BoxNumbers, coordinates: Coordinates) => void,
): void {
  const { boxes, relativeBoxes } = record;
  const { coordinates, relativeCoordinates } = settings;
  if (boxes !== undefined && coordinates !== undefined) {
    for (let i = 0; i < boxes.length; i++) {
      const page = boxes[i];
      if (!Array.isArray(page)) continue;
      for (let j = 0; j < page.length; j++) {
        const box: unknown = page[j];
        if (isBox(box) && fails(box, coordinates)) found('boxes', i, j, box, coordinates);
      }
    }
  }
  if (relativeBoxes === undefined || relativeCoordinates === undefined) return;
  for (let i = 0; i < relativeBoxes.length; i++) {
    const page = relativeBoxes[i];
    if (!Array.isArray(page)) continue;
    for (let j = 0; j < page.length; j++) {
      const box: unknown = page[j];
      if (!isBox(box) || !fails(box, relativeCoordinates)) continue;
      const twin = boxAt(boxes, i, j);
      if (twin !== undefined && coordinates !== undefined && fails(twin, coordinates)) continue;
      found('relativeBoxes', i, j, box, relativeCoordinates);
    }
  }
}

/** The relative twin as a related place where it has the same fault. */
function alsoRelative({ record, settings }: RecordInput, field: BoxField, i: number, j: number, fails: Test) {
  const twin = field === 'boxes' ? boxAt(record.relativeBoxes, i, j) : undefined;
  const coordinates = settings.relativeCoordinates;
  if (twin === undefined || coordinates === undefined || !fails(twin, coordinates)) return {};
  return { related: [{ message: 'The relative box is so too', pointer: pointerTo(record, 'relativeBoxes', i, j) }] };
}

function boxAt(boxes: readonly unknown[] | undefined, i: number, j: number): BoxNumbers | undefined {
  const page = boxes?.[i];
  const box: unknown = Array.isArray(page) ? page[j] : undefined;
  return isBox(box) ? box : undefined;
}

function isDisordered(box: BoxNumbers, { order }: Coordinates): boolean {
  if (order === 'xyxy') return box[0] > box[2] || box[1] > box[3];
  return order === 'xywh' ? box[2] < 0 || box[3] < 0 : box[0] < 0 || box[1] < 0;
}

function disorderedAxes(box: BoxNumbers, { order }: Coordinates): string[] {
  const [x1, y1, x2, y2] = cornersOf(box, order);
  if (order !== 'xyxy') {
    return [
      ...(x2 < x1 ? [`the width ${shortNumber(x2 - x1)} is negative`] : []),
      ...(y2 < y1 ? [`the height ${shortNumber(y2 - y1)} is negative`] : []),
    ];
  }
  return [...(x1 > x2 ? [`x1 ${x1} > x2 ${x2}`] : []), ...(y1 > y2 ? [`y1 ${y1} > y2 ${y2}`] : [])];
}

function inOrder(box: BoxNumbers, { order }: Coordinates): BoxNumbers {
  const [x1, y1, x2, y2] = cornersOf(box, order);
  const [left, top, right, bottom] = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
  if (order === 'xyxy') return [left, top, right, bottom];
  const size = [Math.abs(order === 'xywh' ? box[2] : box[0]), Math.abs(order === 'xywh' ? box[3] : box[1])] as const;
  return order === 'xywh' ? [left, top, ...size] : [...size, left, top];
}

function isEmpty(box: BoxNumbers, { order }: Coordinates): boolean {
  if (order === 'xyxy') return box[0] === box[2] || box[1] === box[3];
  return order === 'xywh' ? box[2] === 0 || box[3] === 0 : box[0] === 0 || box[1] === 0;
}

function emptySides(box: BoxNumbers, { order }: Coordinates): string {
  const [x1, y1, x2, y2] = cornersOf(box, order);
  return [...(x1 === x2 ? ['width'] : []), ...(y1 === y2 ? ['height'] : [])].join(' and its ');
}

function checkInside(
  { record, settings, document }: SizeInput,
  field: BoxField,
  coordinates: Coordinates | undefined,
  report: Report,
): void {
  const boxes = record[field];
  if (boxes === undefined || coordinates === undefined) return;
  for (let i = 0; i < boxes.length; i++) {
    const page = boxes[i];
    const measure = Array.isArray(page) ? measureOf(document, record.pages?.[i], settings) : undefined;
    const extent = measure && extentOf(coordinates, measure);
    const at300 = measure && extentAt300(coordinates, measure);
    if (measure === undefined || extent === undefined || at300 === undefined) continue;
    for (let j = 0; j < (page as unknown[]).length; j++) {
      const box = (page as unknown[])[j];
      const place = isBox(box) ? toFractions(box, coordinates, measure) : undefined;
      if (place === undefined) continue;
      const x = OUTSIDE / at300.width;
      const y = OUTSIDE / at300.height;
      const right = place.left + place.width;
      const bottom = place.top + place.height;
      // Written so that nothing is made for the boxes that lie inside, which is nearly all.
      if (place.left >= -x && place.top >= -y && right <= 1 + x + 1e-12 && bottom <= 1 + y + 1e-12) continue;
      const sides = [
        ...past(-place.left, x, extent.width, 'left', coordinates),
        ...past(-place.top, y, extent.height, 'top', coordinates),
        ...past(right - 1, x, extent.width, 'right', coordinates),
        ...past(bottom - 1, y, extent.height, 'bottom', coordinates),
      ];
      report({
        pointer: pointerTo(record, field, i, j),
        message: `The box ${show(box)} leaves page ${String(record.pages?.[i])} of ${sizeText(extent, coordinates)}: ${sides.join(', ')}.`,
        found: (box as BoxNumbers).join(','),
      });
    }
  }
}

function past(fraction: number, allowed: number, extent: number, side: string, coordinates: Coordinates): string[] {
  if (fraction <= allowed + 1e-12) return [];
  return [`${shortNumber(fraction * extent, 6)}${unitOf(coordinates)} past the ${side} edge`];
}

function sizeText({ width, height }: Extent, coordinates: Coordinates): string {
  return `${shortNumber(width, 6)} × ${shortNumber(height, 6)}${unitOf(coordinates)}`;
}

function unitOf({ space }: Coordinates): string {
  return space === 'pixel' ? ' px' : space === 'point' ? ' pt' : '';
}

function checkTwins({ record, settings, document }: SizeInput, report: Report): void {
  const { boxes, relativeBoxes, pages } = record;
  const { coordinates, relativeCoordinates } = settings;
  if (boxes === undefined || relativeBoxes === undefined || pages === undefined) return;
  if (coordinates === undefined || relativeCoordinates === undefined) return;
  let relativeDecimals: number | undefined;
  for (let i = 0; i < boxes.length; i++) {
    const inPage = boxes[i];
    const page = Array.isArray(inPage) ? measureOf(document, pages[i], settings) : undefined;
    if (page === undefined) continue;
    for (let j = 0; j < (inPage as unknown[]).length; j++) {
      const box = (inPage as unknown[])[j];
      const relative = boxAt(relativeBoxes, i, j);
      if (!isBox(box) || relative === undefined) continue;
      // An empty box has its own finding, and it tells nothing of the other.
      if (isEmpty(box, coordinates) !== isEmpty(relative, relativeCoordinates)) continue;
      relativeDecimals ??= printedDecimals(relativeBoxes, relativeCoordinates.space);
      const twins = { box, coordinates, relative, relativeCoordinates, relativeDecimals, page };
      const distance = distanceOf(twins);
      if (distance !== undefined) reportTwins(record, i, j, twins, distance, report);
    }
  }
}

function reportTwins(
  record: CanonicalRecord,
  i: number,
  j: number,
  twins: Twins,
  distance: Distance,
  report: Report,
): void {
  const reading = readingOf(twins);
  const isRelative = reading?.of === 'relative';
  const [field, other]: BoxField[] = isRelative ? ['relativeBoxes', 'boxes'] : ['boxes', 'relativeBoxes'];
  const [found, twin] = isRelative ? [twins.relative, twins.box] : [twins.box, twins.relative];
  const declared = isRelative ? twins.relativeCoordinates : twins.coordinates;
  const apart = `they are up to ${shortNumber(distance.pixels, 4)} px apart (${distance.edge}, at 300 dpi)`;
  const twinName = `${keyOfField(record, other!)} ${show(twin)}`;
  report({
    pointer: pointerTo(record, field!, i, j),
    message: `The box ${show(found)} and ${twinName} are different regions: ${apart}. ${cause(record, twins, reading, declared)}`,
    found: found.join(','),
    related: [
      { message: `${keyOfField(record, other!)} says another region`, pointer: pointerTo(record, other!, i, j) },
    ],
  });
}

function cause(record: CanonicalRecord, twins: Twins, reading: Reading | undefined, declared: Coordinates): string {
  if (reading !== undefined) return `They agree if the numbers are read as ${readingText(reading, declared)}.`;
  const meant = meantBox(twins);
  const elsewhere = otherTwin(record, twins);
  if (elsewhere !== undefined) return `It agrees with ${elsewhere} instead: the lists may be in different orders.`;
  return meant === undefined
    ? 'No usual other scale, order or origin explains it.'
    : `${keyOfField(record, 'relativeBoxes')} stands for ${show(meant)}.`;
}

/** The relative box in the numbers of the other one. */
function meantBox({ relative, relativeCoordinates, coordinates, page }: Twins): BoxNumbers | undefined {
  const place = toFractions(relative, relativeCoordinates, page);
  return place && fromFractions(place, coordinates, page, coordinates.space === 'unit' ? 4 : 0);
}

/** Another relative box of the record that is this region. */
function otherTwin(record: CanonicalRecord, twins: Twins): string | undefined {
  for (const [i, page] of (record.relativeBoxes ?? []).entries()) {
    if (!Array.isArray(page)) continue;
    for (let j = 0; j < page.length; j++) {
      const relative: unknown = page[j];
      if (!isBox(relative) || relative === twins.relative) continue;
      const known = edgesOf(relative, twins.relativeCoordinates, twins.page) !== undefined;
      if (known && distanceOf({ ...twins, relative }) === undefined) {
        return `${keyOfField(record, 'relativeBoxes')}[${i}][${j}]`;
      }
    }
  }
  return undefined;
}

const SPACES: Readonly<Record<Coordinates['space'], string>> = {
  pixel: 'pixels',
  point: 'PDF points (72 dpi)',
  unit: '0-1',
  percent: '0-100',
  permille: '0-1000',
};
const ORDERS: Readonly<Record<Coordinates['order'], string>> = {
  xyxy: 'two corners',
  xywh: 'x, y, width and height',
  whxy: 'width, height, x and y',
};

/** What differs from what is declared: "0-1000 instead of pixels at 300 dpi, counted from the bottom left". */
function readingText({ coordinates, exchanged }: Reading, declared: Coordinates): string {
  const parts: string[] = [];
  if (coordinates.space !== declared.space || coordinates.dpi !== declared.dpi) {
    parts.push(`${spaceText(coordinates)} instead of ${spaceText(declared)}`);
  }
  if (coordinates.order !== declared.order)
    parts.push(`${ORDERS[coordinates.order]} instead of ${ORDERS[declared.order]}`);
  if (exchanged) parts.push('x and y exchanged');
  if (coordinates.origin !== declared.origin) {
    parts.push(
      `counted from the ${coordinates.origin.replace('-', ' ')} of the page instead of the ${declared.origin.replace('-', ' ')}`,
    );
  }
  return parts.join(', ');
}

function spaceText({ space, dpi }: Coordinates): string {
  return space === 'pixel' && dpi !== undefined ? `pixels at ${shortNumber(dpi, 4)} dpi` : SPACES[space];
}
