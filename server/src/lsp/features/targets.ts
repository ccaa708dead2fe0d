/** What a place of a record is about, for definition and references alike. */
import { citationsOf, isWithin } from '../../core/record/citations.ts';
import type { Citation } from '../../core/record/citations.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { withContext } from '../../core/record/external.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import type { Span } from '../../core/finding.ts';
import { valueAt } from '../../core/text/pointer.ts';
import { decodeString, spanInString, spanOfPointer } from '../../core/text/offsets.ts';
import type { LocatedNumber, NumberPlace } from '../../core/trace/types.ts';
import { decodedOffset } from '../place.ts';
import type { Place } from '../place.ts';
import { traceAtOnce } from '../evidence/record-trace.ts';
import type { RecordTrace } from '../evidence/record-trace.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { cellPointer } from './spots.ts';

/** The record with its context, where that has been read. */
export function completeRecord(row: Row): CanonicalRecord | undefined {
  const record = row.checked?.record;
  return record && withContext(record, row.document);
}

/** The citations that are written at a place. */
export function citationsAt(record: CanonicalRecord, pointer: string): readonly Citation[] {
  return citationsOf(record).filter((citation) => isWithin(pointer, citation.pointer));
}

/** A string of the record's text and a place in it. */
export interface InString {
  readonly token: Span;
  readonly value: string;
  /** UTF-16 units of the decoded string before the place. */
  readonly at: number;
}

/** undefined: the place is not on a string's value. */
export function stringAt(row: Row, place: Place): InString | undefined {
  if (place.key !== undefined) return undefined;
  return stringIn(row.text, place.pointer, place.offset);
}

/** The same for any text of JSON. */
export function stringIn(text: string, pointer: string, offset: number): InString | undefined {
  const token = spanOfPointer(text, pointer);
  if (token === undefined || text.charAt(token.start) !== '"') return undefined;
  const value = decodeString(text.slice(token.start, token.end));
  return { token, value, at: decodedOffset(text, token, offset) };
}

/** The solution that a place is in, Python only; undefined: it is in none. */
export function solutionAt(row: Row, place: Place): InString | undefined {
  const record = row.checked?.record;
  if (record?.solution === undefined || place.pointer !== pointerTo(record, 'solution')) return undefined;
  return stringAt(row, place);
}

/** The span in the record's text of a part of a string. */
export function partOf(row: Row, { token }: InString, part: Span): Span {
  return spanInString(row.text, token, part);
}

/** The number of the solution or the answer that a place is on. */
export function numberAt(trace: RecordTrace, pointer: string, at: number): LocatedNumber | undefined {
  return trace.numbers.find(
    (number) => number.pointer === pointer && number.inString.start <= at && at <= number.inString.end,
  );
}

/** A number in the context that the solution or the answer uses. */
export interface UsedNumber {
  readonly number: LocatedNumber;
  readonly place: NumberPlace;
}

/** Uses of the number of the context at a pointer, and there at `at` where it is a string (of a table: any in the cell). */
export function usesAt(session: Session, row: Row, pointer: string, at: number | undefined): readonly UsedNumber[] {
  const record = row.checked?.record;
  const trace = record && traceAtOnce(session, row);
  if (record === undefined || trace === undefined) return [];
  const isThere = (place: NumberPlace): boolean => {
    if (place.pointer === pointer && at !== undefined) return place.inString.start <= at && at <= place.inString.end;
    if (place.cell === undefined || !isWithin(pointer, place.pointer)) return false;
    return cellPointer(valueAt(record.source, place.pointer), place.pointer, place.cell) === pointer;
  };
  return trace.numbers.flatMap((number) => {
    const place = number.places.find(isThere);
    return place === undefined ? [] : [{ number, place }];
  });
}
