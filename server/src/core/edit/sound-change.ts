/** Changes come from outside: what is no number would be written as null, and a place of no number has no edges. */
import type { EvidenceChange } from '../../../../schemas/regions.ts';
import { isBox, isFractions } from '../evidence/geometry.ts';

/** Whether a value is a change that can be made sense of. What it names need not be there. */
export function isSoundChange(value: unknown): value is EvidenceChange {
  if (typeof value !== 'object' || value === null) return false;
  const change = value as Partial<EvidenceChange>;
  switch (change.kind) {
    case 'add':
      return isPage(change.page) && isFractions(change.place) && isTextOrNull(change.label);
    case 'place':
      return isText(change.pointer) && isFractions(change.place);
    case 'numbers':
      return isText(change.pointer) && isBox(change.numbers);
    case 'label':
      return isText(change.pointer) && isTextOrNull(change.label);
    case 'duplicate':
      return isText(change.pointer) && Number.isFinite(change.by?.left) && Number.isFinite(change.by?.top);
    case 'remove':
      return isText(change.pointer);
    case 'order':
      return isText(change.pointer) && Number.isSafeInteger(change.to);
    case 'page':
      return isText(change.pointer) && isPage(change.page);
    case 'citePage':
      return isPage(change.page);
    case 'uncitePage':
      // A page that does not exist may be cited all the same.
      return Number.isSafeInteger(change.page);
    case 'text':
      return isText(change.pointer) && isText(change.was) && isText(change.text) && isSpanOrAbsent(change.inString);
    case 'record': {
      const isPlaced = change.place === null || isFractions(change.place);
      return isPage(change.page) && isPlaced && isTextOrNull(change.label) && isTextOrNull(change.text);
    }
    default:
      return false;
  }
}

function isPage(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isSpanOrAbsent(span: { readonly start: number; readonly end: number } | undefined): boolean {
  return span === undefined || (Number.isSafeInteger(span.start) && Number.isSafeInteger(span.end));
}
