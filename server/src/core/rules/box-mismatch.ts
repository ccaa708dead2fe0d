import { fixByChoice, replaceValue, withFixes } from '../edit/fixes.ts';
import type { Fix } from '../edit/types.ts';
import { edgesOf, fromFractions, isBox, toFractions, writtenDecimals } from '../evidence/geometry.ts';
import type { BoxNumbers } from '../evidence/geometry.ts';
import { measureOf } from '../evidence/measure.ts';
import { exchange, readingOf } from '../evidence/readings.ts';
import type { Reading } from '../evidence/readings.ts';
import { distanceOf, printedDecimals } from '../evidence/twins.ts';
import type { Distance, Twins } from '../evidence/twins.ts';
import type { Coordinates } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { shortNumber } from '../solution/numbers.ts';
import { GOOD, boxAt, boxExample, isEmpty } from './boxes.ts';
import type { BoxField } from './boxes.ts';
import { keyOfField, show } from './messages.ts';
import type { Report, Rule, SizeInput } from './types.ts';

export const boxMismatchRule: Rule = {
  code: 'box/mismatch',
  severity: 'error',
  needs: 'size',
  title: 'A box and its relative twin are different regions',
  why: `The record holds each box twice, in pixels and relative to the page. Converted through the page's own size, the two differ by more than half a pixel (and more than the printed precision explains): one of them is wrong, and readers of one or the other see different evidence.

Where another reading of the numbers makes the two agree, the message names it: a scale of 0-1, 0-100 or 0-1000, PDF points, x, y, width and height instead of two corners, x and y exchanged, counting from the bottom of the page, or pixels at another resolution. Convert the box then; if a whole file is like that, state it in the configuration (\`coordinates\`, \`relativeCoordinates\`).`,
  fires: boxExample([[[118, 182, 824, 455]]]),
  quiet: boxExample([[GOOD]]),
  checkSize: checkTwins,
};

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
    ...withFixes(...repairs(record, i, j, twins, reading)),
  });
}

/** The conversion that the reading names; without one, either box made from the other. */
function repairs(
  record: CanonicalRecord,
  i: number,
  j: number,
  twins: Twins,
  reading: Reading | undefined,
): readonly (Fix | undefined)[] {
  const { coordinates, relativeCoordinates } = twins;
  const write = (field: BoxField, box: BoxNumbers | undefined, how: string): Fix | undefined => {
    if (box === undefined || isEmpty(box, field === 'boxes' ? coordinates : relativeCoordinates)) return undefined;
    const repaired = field === 'boxes' ? { ...twins, box } : { ...twins, relative: box };
    if (distanceOf(repaired) !== undefined) return undefined;
    const fix = fixByChoice(`${how}: ${show(box)}`, replaceValue(pointerTo(record, field, i, j), box));
    // Boxes that are read in the same way can be converted together.
    const together = reading !== undefined && field === (reading.of === 'box' ? 'boxes' : 'relativeBoxes');
    return together ? { ...fix, conversion: { field, from: reading.coordinates, exchanged: reading.exchanged } } : fix;
  };
  if (reading?.of === 'box') {
    const converted = write('boxes', convertedBox(twins, reading), `Convert to ${spaceText(coordinates)}`);
    return [converted ?? write('boxes', meantBox(twins), `Convert to ${spaceText(coordinates)}`)];
  }
  const relativeName = keyOfField(record, 'relativeBoxes');
  const fromBox = write('relativeBoxes', relativeOf(twins), `Take ${relativeName} from ${keyOfField(record, 'boxes')}`);
  if (reading !== undefined) return [fromBox];
  return [write('boxes', meantBox(twins), `Take the box from ${relativeName}`), fromBox];
}

/** The numbers of the box, read as the hypothesis says, in the coordinates that are declared. */
function convertedBox({ box, coordinates, page }: Twins, reading: Reading): BoxNumbers | undefined {
  const place = toFractions(reading.exchanged ? exchange(box) : box, reading.coordinates, page);
  return place && fromFractions(place, coordinates, page, writtenDecimals(coordinates.space));
}

function relativeOf({ box, coordinates, relativeCoordinates, relativeDecimals, page }: Twins): BoxNumbers | undefined {
  const place = toFractions(box, coordinates, page);
  return place && fromFractions(place, relativeCoordinates, page, relativeDecimals);
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
  return place && fromFractions(place, coordinates, page, writtenDecimals(coordinates.space));
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
