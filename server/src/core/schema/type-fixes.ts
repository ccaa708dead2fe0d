import { fixByChoice, replaceValue, safeFix, writeNumber } from '../edit/fixes.ts';
import type { Fix } from '../edit/types.ts';
import { isNumberHere, show, wrappedElement } from './words.ts';
import type { Place } from './words.ts';

/** A number as text becomes the number, an element without its list gets it; undefined: there is no likely repair. */
export function typeFix(place: Place): Fix | undefined {
  const { pointer, value, field, profile } = place;
  // What is stored as text has no places of its own inside.
  if (profile.fields[field]?.decoder !== undefined) return undefined;
  const wrapped = wrappedElement(place);
  if (wrapped !== undefined) return fixByChoice(`Write ${show(wrapped)}`, replaceValue(pointer, wrapped));
  if (typeof value !== 'string' || !isNumberHere(place)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number)
    ? safeFix(`Write the number ${number}`, writeNumber(pointer, String(number)))
    : undefined;
}
