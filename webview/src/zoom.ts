/** Zoom as a curator meets it: fitted to the panel, or a factor of the page's own size. */

export type Zoom = 'fit' | number;

const STEPS = [0.1, 0.15, 0.2, 0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5] as const;
const SMALLEST = STEPS[0];
const LARGEST = STEPS[STEPS.length - 1] ?? 1;
/** Steps closer than this to where we are would not be seen as a step. */
const SAME = 0.01;

export function nextZoom(factor: number, direction: 1 | -1): number {
  if (direction > 0) {
    return STEPS.find((step) => step > factor + SAME) ?? LARGEST;
  }
  return STEPS.findLast((step) => step < factor - SAME) ?? SMALLEST;
}

/** `deltaY` of a wheel event in px; a notch (100 px) changes the size by about a fifth. */
export function wheelZoom(factor: number, deltaY: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, factor * Math.exp(-deltaY * 0.002)));
}

export function formatZoom(factor: number): string {
  return `${Math.round(factor * 100)} %`;
}
