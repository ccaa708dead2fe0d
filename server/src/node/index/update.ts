/** The index of a file after some of its records were changed in place: the others are only moved, and nothing else is read again. */
import { createNesting } from '../../core/text/nested.ts';
import { parseRecordText } from '../../core/text/parse.ts';
import { readRecords } from '../../core/text/reader.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import { copyPlaces, emptyPlaces, markOf } from './record-index.ts';
import type { FileStamp, Place, Places, RecordIndex } from './record-index.ts';

/** As `BytePatch` in node/disk/patches.ts: in bytes of the file before all patches, in order of place. */
export interface Patch {
  readonly at: number;
  readonly removed: Uint8Array;
  readonly added: Uint8Array;
}

/** A record, or an element with the records in it, that patches lie in. */
interface Unit {
  readonly place: Place;
  /** In `elements`; undefined: the unit is a record itself. */
  readonly element: number | undefined;
  /** Its records: the first one, and behind the last one. */
  readonly first: number;
  readonly end: number;
  readonly patches: Patch[];
}

/** By how much what follows is moved; columns of what begins in line `line` (of the file before) only. */
interface Shift {
  bytes: number;
  units: number;
  lines: number;
  columns: number;
  line: number;
}

export interface Updated {
  readonly index: RecordIndex;
  /** 0-based indices of the records that were changed. */
  readonly changed: ReadonlySet<number>;
}

/**
 * `read` reads bytes of the file as it is now. undefined: it takes a pass over the file to tell, as where records have come or
 * gone, or where the file has faults of its own that might be others now.
 */
export function updateIndex(
  index: RecordIndex,
  patches: readonly Patch[],
  stamp: FileStamp,
  read: (start: number, length: number) => Uint8Array | undefined,
): Updated | undefined {
  const units = unitsOf(index, patches);
  if (units === undefined || !keepsFaults(index, patches)) return undefined;
  const places = copyPlaces(index.places, 0, index.places.count, emptyPlaces(index.places.count), 0);
  const { elements: old } = index;
  const elements = old && copyPlaces(old, 0, old.count, emptyPlaces(old.count), 0);
  const changed = new Set<number>();
  const shift: Shift = { bytes: 0, units: 0, lines: 0, columns: 0, line: -1 };
  let record = 0;
  let element = 0;
  for (const unit of units) {
    for (; record < unit.first; record++) move(index.places, places, record, shift);
    const before = unit.element ?? 0;
    for (; old && elements && element < before; element++) move(old, elements, element, shift);
    const start = movedPlace(unit.place, shift);
    const slots = slotsOf(index, unit, start, read);
    if (slots?.records.length !== unit.end - unit.first) return undefined;
    for (const slot of slots.records) {
      put(places, record, slot, slots.whole, start.start);
      changed.add(record++);
    }
    if (elements && unit.element !== undefined) {
      put(elements, unit.element, slots.whole, slots.whole, start.start);
      element = unit.element + 1;
    }
    const next = unit.end < places.count ? placeAt(index.places, unit.end) : undefined;
    if (!advance(shift, unit, slots.whole, next)) return undefined;
    // Where an element begins in the line in which the one before ends, and its records do not.
    const nextElement = old && element < old.count ? placeAt(old, element) : undefined;
    if (nextElement?.line === shift.line && next?.line !== shift.line) return undefined;
  }
  for (; record < places.count; record++) move(index.places, places, record, shift);
  for (; old && elements && element < old.count; element++) move(old, elements, element, shift);
  return { index: { ...index, places, elements, stamp }, changed };
}

/** undefined: a patch is not inside of one record or element. */
function unitsOf({ places, elements, elementOf }: RecordIndex, patches: readonly Patch[]): Unit[] | undefined {
  const units: Unit[] = [];
  for (const patch of patches) {
    const end = patch.at + patch.removed.length;
    const last = units.at(-1);
    if (last !== undefined && isInside(last.place, patch.at, end)) {
      last.patches.push(patch);
      continue;
    }
    const unit = recordUnit(places, elements, elementOf, patch.at, last?.end ?? 0);
    if (unit === undefined || !isInside(unit.place, patch.at, end)) return undefined;
    unit.patches.push(patch);
    units.push(unit);
  }
  return units;
}

function recordUnit(
  places: Places,
  elements: Places | undefined,
  elementOf: Uint32Array | undefined,
  at: number,
  /** Records before it are of the units before. */
  from: number,
): Unit | undefined {
  if (elements && elementOf) {
    const element = lastBefore(elements, at);
    // What is in no element that has records may have some now.
    if (element === undefined || !isInside(placeAt(elements, element), at, at)) return undefined;
    const first = elementOf.indexOf(element, from);
    let end = first + 1;
    while (elementOf[end] === element) end++;
    return { place: placeAt(elements, element), element, first, end, patches: [] };
  }
  const record = lastBefore(places, at);
  if (record === undefined) return undefined;
  return { place: placeAt(places, record), element: undefined, first: record, end: record + 1, patches: [] };
}

/** Strictly: what begins or ends with a record may as well be something beside it. */
function isInside({ start, length }: Place, at: number, end: number): boolean {
  return start < at && end < start + length;
}

/** The last place that begins before a byte. */
function lastBefore({ starts, count }: Places, at: number): number | undefined {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : low - 1;
}

/** Messages of faults name lines and bytes. */
function keepsFaults({ faults }: RecordIndex, patches: readonly Patch[]): boolean {
  if (faults.length === 0) return true;
  const lines = patches.reduce((sum, { removed, added }) => sum + lineEnds(added) - lineEnds(removed), 0);
  return lines === 0 && faults.every(({ code }) => code === 'file/blank-line');
}

function slotsOf(
  { form, records }: RecordIndex,
  { place, element, patches }: Unit,
  start: Place,
  read: (start: number, length: number) => Uint8Array | undefined,
): { readonly whole: RecordSlot; readonly records: readonly RecordSlot[] } | undefined {
  const length = patches.reduce((sum, { removed, added }) => sum + added.length - removed.length, place.length);
  const text = textOf(read(start.start, length));
  if (text === undefined) return undefined;
  // In an array, whatever keys it has; in a line of its own, where records are lines.
  const before = form === 'lines' ? '' : '[';
  const found = readRecords(form === 'lines' ? text : `[${text}]`, form);
  const [slot, another] = found.slots;
  if (slot?.text !== text || another !== undefined || found.faults.length > 0) return undefined;
  if (slot.offset !== before.length) return undefined;
  // A line ends where it ends; a broken element of an array may reach into what follows.
  if (form !== 'lines' && parseRecordText(text).value === undefined) return undefined;
  if (!keepsLineEnds(text, patches)) return undefined;
  const { line, column, offset } = start;
  const whole = { ...slot, line, column, offset };
  if (element === undefined) return { whole, records: [whole] };
  const nesting = createNesting(records);
  const nested = nesting.expand([whole]);
  return nesting.faults.length > 0 || nested.some(({ outer }) => outer === undefined)
    ? undefined
    : { whole, records: nested };
}

/** Whether the line ends that were added are those of the file: where others of the record are there to tell. */
function keepsLineEnds(text: string, patches: readonly Patch[]): boolean {
  const added = patches.reduce((sum, patch) => sum + lineEnds(patch.added), 0);
  if (added === 0) return true;
  const all = text.split('\n').length - 1;
  const returns = text.split('\r\n').length - 1;
  return all > added && (returns === 0 || returns === all);
}

/** undefined: it is not UTF-8. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** `whole`: the unit that the slot lies in, `start` its first byte. */
function put(
  places: Places,
  at: number,
  { text, line, column, offset }: RecordSlot,
  whole: RecordSlot,
  start: number,
): void {
  const { high, low } = markOf(text);
  places.starts[at] = start + Buffer.byteLength(whole.text.slice(0, offset - whole.offset));
  places.lengths[at] = Buffer.byteLength(text);
  places.lines[at] = line;
  places.columns[at] = column;
  places.offsets[at] = offset;
  places.marks[2 * at] = high;
  places.marks[2 * at + 1] = low;
}

/** What follows a unit is moved with its end. false: what was removed is no text. `next`: the old place of the record behind it. */
function advance(
  shift: Shift,
  { place, patches }: Unit,
  { line, column, text }: RecordSlot,
  next: Place | undefined,
): boolean {
  let units = 0;
  for (const { removed, added } of patches) {
    const [old, fresh] = [textOf(removed), textOf(added)];
    if (old === undefined || fresh === undefined) return false;
    units += fresh.length - old.length;
    shift.bytes += added.length - removed.length;
    shift.lines += lineEnds(added) - lineEnds(removed);
  }
  shift.units += units;
  const lastLine = text.lastIndexOf('\n');
  const endColumn = lastLine < 0 ? column + text.length : text.length - lastLine - 1;
  shift.line = line + lineEnds(Buffer.from(text)) - shift.lines;
  const between = next === undefined ? 0 : next.offset - (place.offset + text.length - units);
  shift.columns = next?.line === shift.line ? endColumn + between - next.column : 0;
  return true;
}

function move(from: Places, to: Places, at: number, shift: Shift): void {
  const { start, offset, line, column } = movedPlace(placeAt(from, at), shift);
  to.starts[at] = start;
  to.offsets[at] = offset;
  to.lines[at] = line;
  to.columns[at] = column;
}

function movedPlace(place: Place, { bytes, units, lines, columns, line }: Shift): Place {
  return {
    start: place.start + bytes,
    length: place.length,
    offset: place.offset + units,
    line: place.line + lines,
    column: place.column + (place.line === line ? columns : 0),
  };
}

function placeAt({ starts, lengths, offsets, lines, columns }: Places, at: number): Place {
  return {
    start: starts[at]!,
    length: lengths[at]!,
    offset: offsets[at]!,
    line: lines[at]!,
    column: columns[at]!,
  };
}

function lineEnds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}
