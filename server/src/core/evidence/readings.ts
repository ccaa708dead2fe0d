import type { Coordinates, CornerOrder, Origin, SpaceName } from '../profile/types.ts';
import { cornersOf, edgesOf, extentAt300, extentOf } from './geometry.ts';
import type { BoxNumbers, Corners, Extent, PageMeasure } from './geometry.ts';
import { misfitOf, ordered, precisionOf, printedDecimals, slackOf, uncertaintyOf } from './twins.ts';
import type { PerAxis, Twins } from './twins.ts';

/** Hypotheses on twins that differ: other coordinates under which the numbers of one are the region of the other. */
export interface Reading {
  /** Whose numbers are read in another way. */
  readonly of: 'box' | 'relative';
  readonly coordinates: Coordinates;
  /** x and y stand in each other's place. */
  readonly exchanged: boolean;
}

const USUAL_DPI = [
  72, 96, 100, 110, 120, 144, 150, 160, 180, 192, 200, 216, 220, 240, 250, 288, 300, 350, 360, 400, 432, 450, 500, 600,
  720, 1200,
];
/** Outside of these a ratio of pixels is no resolution that pages are rendered at. */
const DPI_RANGE = { least: 30, most: 1300 };
const ORDERS: readonly CornerOrder[] = ['xyxy', 'xywh', 'whxy'];
const ORIGINS: readonly Origin[] = ['top-left', 'bottom-left'];
const RELATIVE_SPACES: readonly SpaceName[] = ['unit', 'percent', 'permille'];
/** As a fraction of the page: what a region may reach beyond it and still be one. */
const OFF_PAGE = 0.01;

const NO_SLACK: PerAxis = [0, 0];

interface Candidate {
  readonly reading: Reading;
  /** How many of space, order, exchange and origin differ from what is declared. */
  readonly changes: number;
  readonly misfit: number;
}

/** The region that a reading must hit. */
interface Target {
  readonly edges: Corners;
  readonly page: PageMeasure;
  readonly extent: Extent;
  readonly tolerance: PerAxis;
}

/**
 * The reading with the fewest changes that makes the twins one region, within half a unit of its own space and the
 * printed precision: of the box, before one of its relative twin; among equals the best fit. undefined: none does.
 */
export function readingOf(twins: Twins): Reading | undefined {
  const { box, coordinates, relative, relativeCoordinates, page } = twins;
  const extent = extentAt300(coordinates, page);
  const edges = edgesOf(box, coordinates, page);
  const relativeEdges = edgesOf(relative, relativeCoordinates, page);
  if (extent === undefined || edges === undefined || relativeEdges === undefined) return undefined;
  const printed = precisionOf(relativeCoordinates, twins.relativeDecimals, page, extent);
  const target = { edges: ordered(relativeEdges), page, extent, tolerance: printed };
  const ofBox = best('box', box, coordinates, spacesOfBox(coordinates), target);
  const ofRelative = best('relative', relative, relativeCoordinates, spacesOfRelative(coordinates), {
    ...target,
    edges: ordered(edges),
    tolerance: slackOf(box, coordinates, page, extent),
  });
  if (ofBox !== undefined && (ofRelative === undefined || ofBox.changes <= ofRelative.changes)) return ofBox.reading;
  return ofRelative?.reading ?? unusualDpi(twins, target);
}

function spacesOfBox(declared: Coordinates): Coordinates[] {
  const { order, origin } = declared;
  const relative = [...RELATIVE_SPACES, 'point' as const].map((space) => ({ space, order, origin }));
  // 72 dpi are points, which is what they are called then.
  const dpis = USUAL_DPI.filter((dpi) => dpi !== 72 && dpi !== declared.dpi);
  return [declared, ...relative, ...dpis.map((dpi) => ({ space: 'pixel' as const, dpi, order, origin }))];
}

function spacesOfRelative(box: Coordinates): Coordinates[] {
  const { order, origin } = box;
  const spaces: Coordinates[] = [...RELATIVE_SPACES, 'point' as const].map((space) => ({ space, order, origin }));
  return [...spaces, box];
}

function best(
  of: Reading['of'],
  box: BoxNumbers,
  declared: Coordinates,
  spaces: readonly Coordinates[],
  target: Target,
): Candidate | undefined {
  let found: Candidate | undefined;
  for (const space of spaces) {
    for (const order of ORDERS) {
      for (const origin of ORIGINS) {
        for (const exchanged of [false, true]) {
          const coordinates = { ...space, order, origin };
          const changes = changesBetween(declared, coordinates) + Number(exchanged);
          if (changes === 0 || changes > (found?.changes ?? Infinity)) continue;
          const misfit = misfitUnder(exchanged ? exchange(box) : box, coordinates, target);
          if (misfit > 1 || (changes === found?.changes && misfit >= found.misfit)) continue;
          found = { reading: { of, coordinates, exchanged }, changes, misfit };
        }
      }
    }
  }
  return found;
}

function changesBetween(a: Coordinates, b: Coordinates): number {
  const space = a.space !== b.space || (a.space === 'pixel' && a.dpi !== b.dpi);
  return Number(space) + Number(a.order !== b.order) + Number(a.origin !== b.origin);
}

/** [y1, x1, y2, x2] for [x1, y1, x2, y2], and the like for the other orders. */
export function exchange([a, b, c, d]: BoxNumbers): BoxNumbers {
  return [b, a, d, c];
}

function misfitUnder(box: BoxNumbers, coordinates: Coordinates, { edges, page, extent, tolerance }: Target): number {
  const read = edgesOf(box, coordinates, page);
  // Two wrong readings can meet off the page; that explains nothing.
  if (read === undefined || read.some((edge) => edge < -OFF_PAGE || edge > 1 + OFF_PAGE)) return Infinity;
  const own = precisionOf(coordinates, printedDecimals(box, coordinates.space), page, extent);
  // An image that was not seen: the page at that resolution may be a broken pixel wider.
  const size = page.points === undefined ? NO_SLACK : uncertaintyOf(coordinates, { points: page.points }, extent);
  return misfitOf(ordered(read), edges, extent, [own[0] + tolerance[0] + size[0], own[1] + tolerance[1] + size[1]]);
}

/** A resolution that is none of the usual ones, from the ratio of the box to its twin. */
function unusualDpi({ box, coordinates, page }: Twins, target: Target): Reading | undefined {
  const extent = extentOf(coordinates, page);
  if (coordinates.space !== 'pixel' || coordinates.dpi === undefined || coordinates.origin !== 'top-left')
    return undefined;
  if (extent === undefined) return undefined;
  const corners = ordered(cornersOf(box, coordinates.order));
  const meant = target.edges.map((edge, i) => edge * (i % 2 === 0 ? extent.width : extent.height));
  let products = 0;
  let squares = 0;
  for (let i = 0; i < 4; i++) {
    products += corners[i]! * meant[i]!;
    squares += meant[i]! ** 2;
  }
  const dpi = (coordinates.dpi * products) / squares;
  if (!(dpi >= DPI_RANGE.least && dpi <= DPI_RANGE.most) || Math.abs(dpi - coordinates.dpi) <= 1) return undefined;
  const scale = dpi / coordinates.dpi;
  const half = 0.5 / 10 ** printedDecimals(box, 'pixel');
  const fits = corners.every(
    (corner, i) => Math.abs(corner - meant[i]! * scale) <= half * 1.01 + target.tolerance[i % 2]!,
  );
  return fits ? { of: 'box', coordinates: { ...coordinates, dpi }, exchanged: false } : undefined;
}
