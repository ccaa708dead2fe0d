/** Another text in the place of a value: a question, an answer, a block, a cell. What is no text stays what it is. */
import type { EvidenceChange } from '../../../../schemas/regions.ts';
import { isTable } from '../evidence/blocks.ts';
import type { Span } from '../finding.ts';
import { pointerTo } from '../record/canonical.ts';
import { blockAt } from '../record/citations.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { parsePointer, valueAt } from '../text/pointer.ts';
import { changed, problem } from './changed.ts';
import type { Changed } from './changed.ts';
import { commonEnds } from './difference.ts';
import { replaceInString, replaceValue, writeNumber } from './fixes.ts';
import type { Edit } from './types.ts';

type TextChange = Extract<EvidenceChange, { kind: 'text' }>;

/** Where question, answer and solution can be changed in place; absent: the record has no such value of its own. */
export function editableValues(record: CanonicalRecord): {
  readonly question?: string;
  readonly answer?: string;
  readonly solution?: string;
} {
  const question = record.question === undefined ? undefined : ownPointer(record, pointerTo(record, 'question'));
  const answer = answerPointer(record);
  const hasSolution = record.solution !== undefined || record.program !== undefined;
  const solution = hasSolution ? ownPointer(record, pointerTo(record, 'solution')) : undefined;
  return { ...(question && { question }), ...(answer && { answer }), ...(solution && { solution }) };
}

function answerPointer(record: CanonicalRecord): string | undefined {
  const field = record.answer !== undefined ? 'answer' : record.gold !== undefined ? 'gold' : undefined;
  return field && ownPointer(record, pointerTo(record, field));
}

/** undefined: it stands in what the record is nested in, or nowhere. */
function ownPointer(record: CanonicalRecord, pointer: string): string | undefined {
  const isOuter = parsePointer(pointer)[0] === '..';
  return isOuter || valueAt(record.source, pointer) === undefined ? undefined : pointer;
}

/** `record` with its context. */
export function changeText(record: CanonicalRecord, change: TextChange): Changed {
  const { pointer, inString, was, text } = change;
  const title = `Edit ${nameOf(record, pointer)}`;
  if (parsePointer(pointer)[0] === '..') return problem(OUTSIDE);
  const value = valueAt(record.source, pointer);
  if (value === undefined) return problem('The record has no such value any more.');
  if (typeof value !== 'string') {
    if (inString !== undefined)
      return problem('This part of the record is no text of its own; edit the record itself.');
    if (JSON.stringify(value) !== was) return problem(CHANGED);
    return valueOf(pointer, value, text, title);
  }
  const part = inString ?? partOf(record, pointer, value, was);
  const old = part && value.slice(part.start, part.end);
  if (part === undefined || old === undefined || part.end > value.length) return problem(CHANGED);
  const cell = inString !== undefined && isTable(value) ? cellsOf(value) : undefined;
  if (old !== was && cell?.read(old) !== was) return problem(CHANGED);
  const line = part.end - part.start < value.length && inString === undefined;
  if (line && text.includes('\n')) return problem('Here it is one line of a longer text: it cannot have line breaks.');
  return changed(textEdits(pointer, part.start, old, cell?.write(text) ?? text), pointer, title);
}

const CHANGED = 'The record has another text there by now.';
const OUTSIDE = 'It stands outside of the record, in what several records share; edit the file itself.';

/** The whole text, or where a field is the last part of a longer text (a chat), that part. */
function partOf(record: CanonicalRecord, pointer: string, value: string, was: string): Span | undefined {
  if (value === was) return { start: 0, end: value.length };
  const isPart = (['question', 'answer'] as const).some(
    (field) => record[field] === was && pointerTo(record, field) === pointer,
  );
  const start = isPart && was !== '' ? value.lastIndexOf(was) : -1;
  return start < 0 ? undefined : { start, end: start + was.length };
}

/** Only what differs. */
function textEdits(pointer: string, offset: number, old: string, text: string): readonly Edit[] {
  if (old === text) return [];
  const { head, tail } = commonEnds(old, text);
  const span = { start: offset + head, end: offset + old.length - tail };
  return [replaceInString(pointer, span, text.slice(head, text.length - tail))];
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A value that is no text, from how it is typed. */
function valueOf(pointer: string, old: unknown, text: string, title: string): Changed {
  const typed = text.trim();
  if (typeof old === 'number') {
    if (!NUMBER.test(typed)) {
      return problem(
        `${JSON.stringify(typed)} is no number as JSON writes it, and a number stands there: digits, a point, no signs between.`,
      );
    }
    // What stands there may be spelled otherwise, and be the same all the same.
    return changed(typed === JSON.stringify(old) ? [] : [writeNumber(pointer, typed)], pointer, title);
  }
  let value: unknown;
  try {
    value = JSON.parse(typed);
  } catch {
    value = undefined;
  }
  if (value === undefined || kindOf(value) !== kindOf(old)) {
    return problem(`${JSON.stringify(typed)} is no ${kindOf(old)} as JSON writes it, and such a one stands there.`);
  }
  return changed([replaceValue(pointer, value)], pointer, title);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'true or false' : typeof value;
}

/** How a table of some kind writes what stands in a cell, which is one line. */
interface Cells {
  read(written: string): string;
  write(text: string): string;
}

const PIPES: Cells = {
  read: (written) => written.replaceAll('\\|', '|').trim(),
  write: (text) => inOneLine(text).replace(/(?<!\\)\|/g, '\\|'),
};
const HTML: Cells = {
  read: (written) => written.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim(),
  write: (text) => inOneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
};
const TABS: Cells = { read: (written) => written.trim(), write: (text) => inOneLine(text).replaceAll('\t', ' ') };

function cellsOf(table: string): Cells {
  if (/<t[dh]\b/i.test(table)) return HTML;
  return table.includes('|') ? PIPES : TABS;
}

function inOneLine(text: string): string {
  return text.replace(/\s*\r?\n\s*/g, ' ');
}

function nameOf(record: CanonicalRecord, pointer: string): string {
  if (record.question !== undefined && pointer === pointerTo(record, 'question')) return 'the question';
  if (pointer === answerPointer(record)) return 'the answer';
  if (pointer === pointerTo(record, 'solution')) return 'the solution';
  return blockAt(record, pointer) === undefined ? 'the record' : 'the evidence';
}
