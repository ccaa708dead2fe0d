/**
 * Messages of a service that proposes regions on a page: region-service.schema.json says the same for those who write one. The
 * request goes by POST as JSON; the answer is read by `readServiceAnswer` alone, since it comes from outside.
 */
import type { PlaceOnPage } from './regions.ts';

export interface ServiceRequest {
  readonly version: 1;
  readonly page: {
    /** A PNG file in base64: the page as displayed. */
    readonly png: string;
    /** Pixels of the PNG file. */
    readonly width: number;
    readonly height: number;
  };
  /** The labels that regions can have; empty where they have none. */
  readonly labels: readonly string[];
}

/** A region as the service gives it, checked: within the page, its label one of those asked for. */
export interface ServiceRegion extends PlaceOnPage {
  readonly label: string | null;
  /** 0–1; null: the service does not say. */
  readonly score: number | null;
}

export type ServiceAnswer =
  /** By falling score; those without a score last. */
  | { readonly kind: 'regions'; readonly regions: readonly ServiceRegion[] }
  /** Why the answer cannot be used, as a sentence without the service's name. */
  | { readonly kind: 'problem'; readonly message: string };

/** More regions than a page can have; a longer answer is refused. */
export const MOST_REGIONS = 1000;
/** What edges may lie outside of the page by rounding, in fractions of the page. */
const ROUNDING = 1e-3;

export function serviceRequest(page: ServiceRequest['page'], labels: readonly string[]): ServiceRequest {
  return { version: 1, page, labels };
}

/**
 * Reads what a service answered.
 * @param answer parsed JSON
 * @param labels those of the request: others are left out
 */
export function readServiceAnswer(answer: unknown, labels: readonly string[]): ServiceAnswer {
  const regions = isObject(answer) ? answer['regions'] : undefined;
  if (!Array.isArray(regions)) return problem('The answer has no list of "regions".');
  if (regions.length > MOST_REGIONS) {
    return problem(`The answer has ${regions.length} regions; at most ${MOST_REGIONS} are taken.`);
  }
  const read: ServiceRegion[] = [];
  for (const [at, region] of regions.entries()) {
    const fault = isObject(region) ? faultOf(region) : 'is no object';
    if (fault !== undefined) return problem(`Region ${at + 1} of the answer ${fault}.`);
    read.push(regionOf(region as Record<string, unknown>, labels));
  }
  // Equal scores, and regions without, stay in the order of the service.
  return { kind: 'regions', regions: read.sort((a, b) => (b.score ?? -1) - (a.score ?? -1)) };
}

function problem(message: string): ServiceAnswer {
  return { kind: 'problem', message };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with a region, as the end of a sentence. */
function faultOf(region: Record<string, unknown>): string | undefined {
  for (const key of ['left', 'top', 'width', 'height']) {
    const value = region[key];
    if (typeof value !== 'number' || !Number.isFinite(value)) return `has no number "${key}"`;
    if (value < -ROUNDING || value > 1 + ROUNDING) {
      return `has "${key}": ${value}; fractions of the page, from 0 to 1, are wanted`;
    }
  }
  const { left, top, width, height } = region as Record<string, number>;
  const { label, score } = region;
  if (width! <= 0 || height! <= 0) return 'is empty';
  if (left! + width! > 1 + ROUNDING || top! + height! > 1 + ROUNDING) return 'reaches beyond the page';
  if (label !== undefined && label !== null && typeof label !== 'string') return 'has a "label" that is no text';
  if (score !== undefined && score !== null && !(typeof score === 'number' && score >= 0 && score <= 1)) {
    return 'has a "score" that is no number from 0 to 1';
  }
  return undefined;
}

function regionOf(region: Record<string, unknown>, labels: readonly string[]): ServiceRegion {
  const { left, top, width, height } = region as Record<string, number>;
  const x = within(left!);
  const y = within(top!);
  const label = region['label'];
  const score = region['score'];
  return {
    left: x,
    top: y,
    width: within(left! + width!) - x,
    height: within(top! + height!) - y,
    label: typeof label === 'string' && labels.includes(label) ? label : null,
    score: typeof score === 'number' ? score : null,
  };
}

function within(value: number): number {
  return Math.min(1, Math.max(0, value));
}
