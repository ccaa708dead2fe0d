import type { Field } from '../profile/types.ts';
import type { CompiledProfile } from '../record/fields.ts';
import { parsePointer } from '../text/pointer.ts';
import { nearestName } from './nearest.ts';

/** A value that does not fit: where it stands in the record, and what it is of the canonical record. */
export interface Place {
  readonly field: Field;
  /** How many lists of the field stand around the value. */
  readonly depth: number;
  readonly pointer: string;
  readonly value: unknown;
  readonly profile: CompiledProfile;
}

const TEXT = ['a text'];
const INDICES = ['a list of indices', 'a whole number: the index of a block'];
const BOXES = [
  'a list of pages, each with the list of its boxes',
  'the list of the boxes of one page',
  'a box: a list of four numbers',
  'a number',
];
/** What is expected, from the field itself inwards. */
const EXPECTED: Readonly<Record<Field, readonly string[]>> = {
  id: ['a text or a number'],
  question: TEXT,
  answer: TEXT,
  gold: ['a number'],
  solution: ['a text: the code'],
  context: ['a list of paragraphs and tables', 'a text: a paragraph or a table'],
  tableEvidence: INDICES,
  textEvidence: INDICES,
  document: ['a text: the name of the document'],
  pages: ['a list of pages', 'a whole number: a page'],
  boxes: BOXES,
  relativeBoxes: BOXES,
  labels: [
    'a list of pages, each with the list of its labels',
    'the list of the labels of one page',
    'a text: a label',
  ],
  images: ['a list of paths', 'a text: the path of an image'],
  category: TEXT,
  split: TEXT,
  unit: TEXT,
  answerFormat: TEXT,
  sources: ['a list of texts', 'a text'],
};

/** A JSON pointer as people write it: `bbox[0][0]`, `regions[2].box`. */
export function nameOf(pointer: string): string {
  return parsePointer(pointer).reduce((name, key) => {
    if (/^\d+$/.test(key)) return `${name}[${key}]`;
    return name === '' ? key : `${name}.${key}`;
  }, '');
}

/** A value as it stands in JSON, cut where it is long or deep: a record may nest thousands of lists. */
export function show(value: unknown): string {
  const text = brief(value, 4);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function brief(value: unknown, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100));
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  if (depth === 0) return isList ? '[…]' : '{…}';
  if (isList)
    return `[${value
      .slice(0, 20)
      .map((element) => brief(element, depth - 1))
      .join(',')}]`;
  const entries = Object.entries(value).slice(0, 10);
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${brief(inner, depth - 1)}`).join(',')}}`;
}

export function requiredMessage(names: readonly string[], misnamed: string | undefined): string {
  const [first, ...others] = names;
  const wanted = others.length === 0 ? `${first}` : `${first} (or ${others.join(', ')})`;
  const hint = misnamed === undefined ? '' : ` The key ${misnamed} may be meant as ${first}.`;
  return `The record has no ${wanted}.${hint}`;
}

export function typeMessage(place: Place): string {
  const { field, depth, pointer, value } = place;
  const expected = EXPECTED[field][depth] ?? 'something else';
  const found = `${typeWord(value)} ${show(value)}`.trim();
  const what = isInsideText(place) ? `The list in ${nameOf(pointer)} holds` : `${nameOf(pointer)} is`;
  return `${what} ${found}; expected is ${expected}.${hint(place)}`;
}

/** Whether the value is an element of a list that is stored as text, which has no pointer of its own. */
function isInsideText({ field, depth, profile }: Place): boolean {
  return depth > 0 && profile.fields[field]?.decoder !== undefined;
}

function typeWord(value: unknown): string {
  if (value === null || typeof value === 'boolean') return '';
  if (Array.isArray(value)) return 'the list';
  if (typeof value === 'number') return 'the number';
  return typeof value === 'string' ? 'the text' : 'the object';
}

/** Whether a whole number stands as text where a number belongs. */
export function isNumberHere({ field, depth, value }: Place): boolean {
  if (typeof value !== 'string' || !isIntegerText(value) || depth + 1 < EXPECTED[field].length) return false;
  return !EXPECTED[field][depth]?.startsWith('a text');
}

function hint(place: Place): string {
  const { field, depth, value, profile } = place;
  const expectsList = depth + 1 < EXPECTED[field].length;
  if (expectsList && typeof value === 'string' && profile.fields[field]?.decoder === 'list-in-string') {
    return ' The text cannot be read as a list.';
  }
  if (expectsList) {
    const wrapped = wrappedElement(place);
    return wrapped === undefined ? '' : ` Write ${show(wrapped)}.`;
  }
  if (isNumberHere(place)) return ` Write ${Number(value)} without quotes.`;
  if (field === 'pages' && typeof value === 'number') {
    const [before, after] = String(value).split('.');
    return after === undefined ? '' : ` Two pages are written ${before}, ${after}.`;
  }
  return '';
}

/** One value where a list of one stands in all other records: that list. */
export function wrappedElement({ field, depth, value }: Place): readonly unknown[] | undefined {
  const missing = EXPECTED[field].length - 1 - depth;
  const isElement =
    field === 'pages' ? depth === 0 && isInteger(value) : field === 'labels' && depth <= 1 && typeof value === 'string';
  if (!isElement || missing < 1) return undefined;
  const element = field === 'pages' ? Number(value) : value;
  return missing === 1 ? [element] : [[element]];
}

function isInteger(value: unknown): boolean {
  return typeof value === 'string' ? isIntegerText(value) : Number.isInteger(value);
}

function isIntegerText(text: string): boolean {
  return /^\s*[-+]?\d{1,15}\s*$/.test(text);
}

export function integerMessage(pointer: string, written: string): string {
  return `${nameOf(pointer)} is written ${written}; expected is a whole number without a fraction: ${Number(written)}.`;
}

export function constraintMessage({ field, pointer, value }: Place, keyword: string): string {
  if (Array.isArray(value) && (field === 'boxes' || field === 'relativeBoxes')) {
    const numbers = value.length === 1 ? '1 number' : `${value.length} numbers`;
    return `${nameOf(pointer)} has ${numbers}; a box has four: ${show(value)}.`;
  }
  return keyword === 'pattern'
    ? `${nameOf(pointer)} is blank.`
    : `${nameOf(pointer)} is ${show(value)}, which does not fit.`;
}

export function enumMessage(pointer: string, found: string, allowed: Iterable<string>): string {
  const near = nearestName(found, allowed);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return `${nameOf(pointer)} is ${show(found)}; allowed are ${[...allowed].join(', ')}.${hint}`;
}
