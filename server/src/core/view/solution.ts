/**
 * The text of one string of a record, its solution, as a document. Editors keep neither mixed line ends nor halves of surrogate pairs
 * nor a byte order mark: what they cannot hold is shown as they will make it, and where the document still says the same, the record
 * keeps what it had. New lines end as most of the string's do.
 */
import { applyEdits, placeEdits } from '../edit/edits.ts';
import type { TextEdit } from '../edit/types.ts';
import { BOM, CR, LF, QUOTE } from '../text/chars.ts';
import { spanOfPointer } from '../text/offsets.ts';
import { describePointer, parsePointer, pointerOf } from '../text/pointer.ts';
import type { TextFault } from '../text/types.ts';
import { commonEnds } from '../edit/difference.ts';
import { isLoneSurrogate } from './shown.ts';
import { createSolutionLens, NOTHING_SHOWN } from './solution-lens.ts';
import type { ViewedRecord } from './types.ts';

/** The string at a pointer, its lines ended by LF; undefined where no string stands there. */
export function solutionDocument(recordText: string, pointer: string): string | undefined {
  const stored = stringAt(recordText, pointer);
  if (stored === undefined) return undefined;
  return SPECIAL.test(stored) ? shownParts(stored).join('') : stored;
}

/**
 * The record with the document's text in the place of the string at the pointer, or as a new member where there is none. `faults`:
 * the record has no place for it.
 */
export function readSolutionDocument(documentText: string, recordText: string, pointer: string): ViewedRecord {
  const stored = stringAt(recordText, pointer);
  const shown = normalised(documentText);
  const edits =
    stored === undefined
      ? insertion(recordText, pointer, shown)
      : replacement(recordText, pointer, restored(shown, stored));
  if (edits === undefined) {
    return { text: recordText, lens: NOTHING_SHOWN, faults: [noPlace(recordText, pointer)] };
  }
  const text = applyEdits(recordText, edits);
  return { text, lens: lensOf(documentText, text, pointer), faults: [] };
}

function lensOf(documentText: string, text: string, pointer: string): ViewedRecord['lens'] {
  const span = spanOfPointer(text, pointer);
  if (span === undefined || text.charCodeAt(span.start) !== QUOTE) return NOTHING_SHOWN;
  return createSolutionLens(documentText, text, span, (changed) => solutionDocument(changed, pointer));
}

function stringAt(text: string, pointer: string): string | undefined {
  const span = spanOfPointer(text, pointer);
  if (span === undefined || text.charCodeAt(span.start) !== QUOTE) return undefined;
  try {
    return JSON.parse(text.slice(span.start, span.end)) as string;
  } catch {
    return undefined;
  }
}

function replacement(recordText: string, pointer: string, value: string): readonly TextEdit[] | undefined {
  return placeEdits([{ kind: 'replace', pointer, value }], recordText);
}

/** The string in the place of another value, or as a new member; objects around it that are missing come too. */
function insertion(recordText: string, pointer: string, value: string): readonly TextEdit[] | undefined {
  // Nothing has been written yet.
  if (value === '') return [];
  if (spanOfPointer(recordText, pointer) !== undefined) return replacement(recordText, pointer, value);
  const segments = parsePointer(pointer);
  let inner: unknown = value;
  for (let depth = segments.length; depth > 0; depth--) {
    const parent = pointerOf(segments.slice(0, depth - 1));
    if (spanOfPointer(recordText, parent) !== undefined) {
      return placeEdits([{ kind: 'insert', pointer: pointerOf(segments.slice(0, depth)), value: inner }], recordText);
    }
    inner = { [segments[depth - 1]!]: inner };
  }
  return undefined;
}

/** The text with its lines ended by LF, without byte order marks before them. */
function normalised(text: string): string {
  return text.replace(/^\ufeff+|\r(?=\n)/g, '').replaceAll('\r', '\n');
}

/** What a string may hold that editors do not keep. */
const SPECIAL = /[\r\p{Cs}]|^\ufeff/u;

/** What the document shows of each unit or pair of units of a string. */
function shownParts(stored: string): string[] {
  const parts: string[] = [];
  let marks = 0;
  for (let at = 0; at < stored.length; at++) {
    const code = stored.charCodeAt(at);
    if (code === CR) parts.push(stored.charCodeAt(at + 1) === LF ? '' : '\n');
    else if (code === BOM && at === marks) {
      marks++;
      parts.push('');
    } else if (isLoneSurrogate(stored, at)) parts.push('\ufffd');
    else parts.push(stored.charAt(at));
  }
  return parts;
}

/** The document's text with what stands in the string wherever the string is shown so. */
function restored(text: string, stored: string): string {
  if (!SPECIAL.test(stored)) return text;
  const parts = shownParts(stored);
  const shown = parts.join('');
  if (text === shown) return stored;
  const { head, tail } = commonEnds(shown, text);
  const changed = text.slice(head, text.length - tail);
  const lineEnd = usualLineEnd(stored);
  const middle = lineEnd === '\n' ? changed : changed.replaceAll('\n', lineEnd);
  // Byte order marks stay at the start.
  let first = 0;
  while (stored.charCodeAt(first) === BOM) first++;
  const from = lengthShown(parts, first, head);
  return stored.slice(0, from) + middle + stored.slice(lengthShown(parts, first, shown.length - tail));
}

/** How many units of the string the first characters of the document stand for, those before `first` included. */
function lengthShown(parts: readonly string[], first: number, shown: number): number {
  let at = first;
  for (let rest = shown; at < parts.length && rest > 0; at++) rest -= parts[at]!.length;
  return at;
}

function usualLineEnd(text: string): string {
  const counts = { '\r\n': 0, '\r': 0, '\n': 0 };
  for (const [end] of text.matchAll(/\r\n?|\n/g)) counts[end as keyof typeof counts]++;
  if (counts['\n'] >= counts['\r\n'] && counts['\n'] >= counts['\r']) return '\n';
  return counts['\r\n'] >= counts['\r'] ? '\r\n' : '\r';
}

function noPlace(recordText: string, pointer: string): TextFault {
  return {
    code: 'file/invalid-json',
    message: `The record has no place for the text of ${describePointer(pointer)}: what should hold it is no object, or cannot be read.`,
    span: { start: 0, end: recordText.length },
  };
}
