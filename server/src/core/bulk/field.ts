/** A value of each record by which records are told apart or told together: a field of the profile, a key, or a JSON pointer. */
import type { NoProfile } from '../profile/settings.ts';
import type { FileSettings } from '../profile/types.ts';
import { pointerTo, toCanonical } from '../record/canonical.ts';
import { spanOfPointer } from '../text/offsets.ts';
import { joinPointer, valueAt } from '../text/pointer.ts';

export interface RecordField {
  /** As people call it. */
  readonly name: string;
  /** `text`: the record as it is written. undefined: it has none, or it is no text, number, true or false. */
  of(value: Readonly<Record<string, unknown>>, text: string): FieldValue | undefined;
}

export interface FieldValue {
  readonly text: string;
  readonly raw: unknown;
  readonly pointer: string;
}

const CANONICAL = ['id', 'document', 'category', 'split'] as const;

/** Text: why there is no such field, as a sentence. */
export function recordField(name: string, settings: FileSettings | NoProfile): RecordField | string {
  const profile = 'profile' in settings ? settings.profile : undefined;
  const canonical = CANONICAL.find((field) => field === name);
  if (profile?.records !== undefined && !name.startsWith('/')) {
    return `Records of ${profile.title} lie inside larger elements, which stay whole: name a value of the elements by its JSON pointer, such as /split.`;
  }
  if (profile !== undefined && canonical !== undefined && profile.fields[canonical] !== undefined) {
    return {
      name,
      of(value, written) {
        const record = toCanonical(value, profile);
        const text = record[canonical];
        if (text === undefined) return undefined;
        const pointer = pointerTo(record, canonical);
        const raw = valueAt(value, pointer);
        return { text: exactText(text, raw, written, pointer), raw, pointer };
      },
    };
  }
  const pointer = name.startsWith('/') ? name : joinPointer('', name);
  return {
    name,
    of(value, written) {
      const raw = valueAt(value, pointer);
      const isPlain = typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean';
      return isPlain ? { text: exactText(String(raw), raw, written, pointer), raw, pointer } : undefined;
    },
  };
}

/** Integers from 2^53 are told apart by their digits: read, several are one number. */
function exactText(text: string, raw: unknown, written: string, pointer: string): string {
  if (!Number.isInteger(raw) || Number.isSafeInteger(raw)) return text;
  const span = spanOfPointer(written, pointer);
  return span === undefined ? text : written.slice(span.start, span.end);
}
