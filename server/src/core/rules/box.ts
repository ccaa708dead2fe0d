import { fixByChoice, replaceValue, safeFix, withFixes } from '../edit/fixes.ts';
import type { Fix } from '../edit/types.ts';
import { cornersOf, extentAt300, extentOf, fromFractions, isBox, toFractions } from '../evidence/geometry.ts';
import type { BoxNumbers, Extent, Fractions, PageMeasure } from '../evidence/geometry.ts';
import { measureOf } from '../evidence/measure.ts';
import { distanceOf, printedDecimals } from '../evidence/twins.ts';
import type { Coordinates } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import { shortNumber } from '../solution/numbers.ts';
import { boxMismatchRule } from './box-mismatch.ts';
import { boxShapeRule } from './box-shape.ts';
import { GOOD, boxAt, boxExample, isEmpty } from './boxes.ts';
import type { BoxField } from './boxes.ts';
import { keyOfField, show } from './messages.ts';
import type { RecordInput, Report, Rule, SizeInput } from './types.ts';

/** By how much ratios of corners may differ: relative coordinates are rounded. */
const SAME_RATIO = 0.02;

/** What may lie outside the page, in pixels at 300 dpi. */
const OUTSIDE = 0.5;

const quiet = boxExample([[GOOD]]);

export const boxRules: readonly Rule[] = [
  boxShapeRule,
  {
    code: 'box/corner-order',
    severity: 'error',
    needs: 'record',
    title: 'The corners of a box are in the wrong order',
    why: `A box is written as x1, y1, x2, y2 with the upper left corner first. Here x1 exceeds x2 or y1 exceeds y2 (or a width or height is negative). Most readers take such a box for empty: its area is 0 and so is its overlap with any prediction.

Usually the region was drawn from another corner; then the ordered box in the message is right. If the numbers are really an x, y, width and height, or count from the bottom of the page, say so in the configuration (\`coordinates\`).`,
    fires: boxExample([[[2100, 1500, 300, 600]]]),
    quiet,
    asks: hasFaultyBox,
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
          ...withFixes(orderCorners(input, field, i, j, proposal, coordinates)),
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
    fires: boxExample([[[300, 600, 2100, 600]]]),
    quiet,
    asks: hasFaultyBox,
    checkRecord(input, report) {
      eachFault(input, isEmpty, (field, i, j, box, coordinates) => {
        const { record } = input;
        report({
          pointer: pointerTo(record, field, i, j),
          message: `The box ${show(box)} is empty: its ${emptySides(box, coordinates)} 0.`,
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
    fires: boxExample([[[-5, 600, 2700, 1500]]]),
    quiet,
    checkSize(input, report) {
      const { record, settings } = input;
      if (record.boxes !== undefined) checkInside(input, 'boxes', settings.coordinates, report);
      else checkInside(input, 'relativeBoxes', settings.relativeCoordinates, report);
    },
  },
  boxMismatchRule,
];

type Test = (box: BoxNumbers, coordinates: Coordinates) => boolean;

function hasFaultyBox({ record, settings }: RecordInput): boolean {
  return (
    isAnyFaulty(record.boxes, settings.coordinates) || isAnyFaulty(record.relativeBoxes, settings.relativeCoordinates)
  );
}

function isAnyFaulty(boxes: readonly unknown[] | undefined, coordinates: Coordinates | undefined): boolean {
  if (boxes === undefined || coordinates === undefined) return false;
  for (let i = 0; i < boxes.length; i++) {
    const page = boxes[i];
    if (!Array.isArray(page)) continue;
    for (let j = 0; j < page.length; j++) {
      const box: unknown = page[j];
      if (isBox(box) && (isDisordered(box, coordinates) || isEmpty(box, coordinates))) return true;
    }
  }
  return false;
}

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

/**
 * Two corners are the same region in whatever order; but the numbers may be no corners, and a file written as x, y, width and height
 * would be spoilt. So it is safe only where the relative box says the same.
 */
function orderCorners(
  { record, settings }: RecordInput,
  field: BoxField,
  i: number,
  j: number,
  proposal: BoxNumbers,
  { order }: Coordinates,
): Fix {
  const edits = [replaceValue(pointerTo(record, field, i, j), proposal)];
  const twin = field === 'boxes' ? boxAt(record.relativeBoxes, i, j) : undefined;
  const relative = settings.relativeCoordinates;
  if (twin !== undefined && relative !== undefined && isDisordered(twin, relative)) {
    edits.push(replaceValue(pointerTo(record, 'relativeBoxes', i, j), inOrder(twin, relative)));
  }
  const title = `Order the corners: ${show(proposal)}`;
  const confirmed =
    order === 'xyxy' &&
    twin !== undefined &&
    relative?.order === 'xyxy' &&
    isSameUpToScale(proposal, inOrder(twin, relative));
  return confirmed ? safeFix(title, ...edits) : fixByChoice(title, ...edits);
}

/** Corners of one region in two scales stand in the same ratio, however large the page is. */
function isSameUpToScale([x1, y1, x2, y2]: BoxNumbers, [u1, v1, u2, v2]: BoxNumbers): boolean {
  const near = (one: number, other: number): boolean => Math.abs(one - other) <= SAME_RATIO;
  return near(x1 / x2, u1 / u2) && near(y1 / y2, v1 / v2);
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

function emptySides(box: BoxNumbers, { order }: Coordinates): string {
  const [x1, y1, x2, y2] = cornersOf(box, order);
  if (x1 === x2 && y1 === y2) return 'width and its height are';
  return x1 === x2 ? 'width is' : 'height is';
}

function checkInside(input: SizeInput, field: BoxField, coordinates: Coordinates | undefined, report: Report): void {
  const { record, settings, document } = input;
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
        message: `The box ${show(box)} leaves page ${String(record.pages?.[i])}${sizeText(extent, coordinates)}: ${sides.join(', ')}.`,
        found: (box as BoxNumbers).join(','),
        ...withFixes(clip(input, field, i, j, place, measure)),
      });
    }
  }
}

/** The box cut at the page's edges, and its relative twin with it where that does not stay the same region. */
function clip(
  { record, settings }: RecordInput,
  field: BoxField,
  i: number,
  j: number,
  place: Fractions,
  page: PageMeasure,
): Fix | undefined {
  const coordinates = settings[field === 'boxes' ? 'coordinates' : 'relativeCoordinates'];
  const box = boxAt(record[field], i, j);
  const left = Math.max(0, place.left);
  const top = Math.max(0, place.top);
  const width = Math.min(1, place.left + place.width) - left;
  const height = Math.min(1, place.top + place.height) - top;
  if (coordinates === undefined || box === undefined || width <= 0 || height <= 0) return undefined;
  const inside = { left, top, width, height };
  const clipped = fromFractions(inside, coordinates, page, printedDecimals(box, coordinates.space));
  if (clipped === undefined || isEmpty(clipped, coordinates)) return undefined;
  const edits = [replaceValue(pointerTo(record, field, i, j), clipped)];
  const relative = field === 'boxes' ? boxAt(record.relativeBoxes, i, j) : undefined;
  const { relativeCoordinates } = settings;
  if (relative !== undefined && relativeCoordinates !== undefined) {
    const relativeDecimals = printedDecimals(record.relativeBoxes!, relativeCoordinates.space);
    const twins = { box: clipped, coordinates, relative, relativeCoordinates, relativeDecimals, page };
    const moved = fromFractions(inside, relativeCoordinates, page, relativeDecimals);
    if (distanceOf(twins) !== undefined && moved !== undefined) {
      edits.push(replaceValue(pointerTo(record, 'relativeBoxes', i, j), moved));
      const title = `Clip to the page, in ${keyOfField(record, 'relativeBoxes')} too: ${show(clipped)}`;
      return fixByChoice(title, ...edits);
    }
  }
  return fixByChoice(`Clip to the page: ${show(clipped)}`, ...edits);
}

function past(fraction: number, allowed: number, extent: number, side: string, coordinates: Coordinates): string[] {
  if (fraction <= allowed + 1e-12) return [];
  return [`${shortNumber(fraction * extent, 6)}${unitOf(coordinates)} past the ${side} edge`];
}

function sizeText({ width, height }: Extent, coordinates: Coordinates): string {
  const unit = unitOf(coordinates);
  // Relative to the page, every page is as wide and as high.
  if (unit === '') return `, which is ${width} wide and high`;
  return ` of ${shortNumber(width, 6)} × ${shortNumber(height, 6)}${unit}`;
}

function unitOf({ space }: Coordinates): string {
  return space === 'pixel' ? ' px' : space === 'point' ? ' pt' : '';
}
