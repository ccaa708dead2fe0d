/** What a profile says of a place in a record: which field's value stands there, which keys an object may have. */
import type { Field, Profile } from '../profile/types.ts';
import { parsePointer } from '../text/pointer.ts';

type Path = readonly (string | number)[];

export interface FieldPlace {
  readonly field: Field;
  /** The way from the field's value (where its pointer has `*`: from an element's) to the place. */
  readonly rest: Path;
  readonly isDecoded: boolean;
}

export interface FieldKey {
  readonly key: string;
  /** The field that the key holds; undefined: it leads to fields that lie deeper. */
  readonly field: Field | undefined;
  /** All spellings of the field's key in this object: a record has one of them. */
  readonly spellings: readonly string[];
  /** A value of the right shape, `$1` where the cursor goes. */
  readonly shape: string;
}

/** The field whose value, or a part of it, stands at a path of the record. */
export function fieldAt(profile: Profile, path: Path): FieldPlace | undefined {
  let best: FieldPlace | undefined;
  for (const [field, keys, isDecoded] of spellingsOf(profile)) {
    if (keys.length > path.length || !keys.every((key, at) => fits(key, path[at]!))) continue;
    const rest = path.slice(keys.length);
    if (best === undefined || rest.length < best.rest.length) best = { field, rest, isDecoded };
  }
  return best;
}

/** Keys that the profile knows in the object at a path, fields first. */
export function keysAt(profile: Profile, path: Path): readonly FieldKey[] {
  const found = new Map<string, FieldKey>();
  for (const [field, keys, isDecoded] of spellingsOf(profile)) {
    const key = keys[path.length];
    if (key === undefined || key === '*' || !path.every((step, at) => fits(keys[at]!, step))) continue;
    const isField = keys.length === path.length + 1;
    const spellings = isField ? siblingsOf(profile, field, path) : [key];
    const shape = isField ? shapeOf(field, isDecoded) : keys[path.length + 1] === '*' ? '[{$1}]' : '{$1}';
    const known = found.get(key);
    if (known === undefined || (known.field === undefined && isField)) {
      found.set(key, { key, field: isField ? field : undefined, spellings, shape });
    }
  }
  if (path.length === 0) {
    for (const key of profile.knownKeys) {
      if (!found.has(key)) found.set(key, { key, field: undefined, spellings: [key], shape: '$1' });
    }
  }
  return [...found.values()];
}

function* spellingsOf({ fields }: Profile): Generator<readonly [Field, readonly string[], boolean]> {
  for (const [field, spec] of Object.entries(fields)) {
    for (const pointer of [spec.at].flat()) {
      const keys = parsePointer(pointer);
      // What lies around a nested record is not part of it.
      if (keys[0] !== '..') yield [field as Field, keys, spec.decoder !== undefined];
    }
  }
}

function siblingsOf(profile: Profile, field: Field, path: Path): string[] {
  const spec = profile.fields[field];
  if (spec === undefined || spec.join === true) return [];
  return [...spellingsOf(profile)].flatMap(([name, keys]) =>
    name === field && keys.length === path.length + 1 && path.every((step, at) => fits(keys[at]!, step))
      ? [keys.at(-1)!]
      : [],
  );
}

function fits(key: string, step: string | number): boolean {
  return key === '*' ? typeof step === 'number' : key === String(step);
}

const SHAPES: Readonly<Record<Field, string>> = {
  id: '"$1"',
  question: '"$1"',
  answer: '"$1"',
  gold: '${1:0}',
  solution: '"$1"',
  context: '["$1"]',
  tableEvidence: '[$1]',
  textEvidence: '[$1]',
  document: '"$1"',
  pages: '[$1]',
  boxes: '[[[$1]]]',
  relativeBoxes: '[[[$1]]]',
  labels: '[["$1"]]',
  images: '["$1"]',
  category: '"$1"',
  split: '"$1"',
  unit: '"$1"',
  answerFormat: '"$1"',
  sources: '["$1"]',
};

/** A field whose spelling ends in a list's element holds one value and no list; decoded ones are texts mostly. */
function shapeOf(field: Field, isDecoded: boolean): string {
  return isDecoded ? '$1' : SHAPES[field];
}

export const FIELD_WORDS: Readonly<Record<Field, string>> = {
  id: 'Tells the record apart from all others: text, or a number that never changes.',
  question: 'The question as it is put to a reader of the document.',
  answer: 'The answer in words or figures.',
  gold: 'The answer as a number: what the solution has to return, in the unit that the question asks for.',
  solution:
    'Python whose function, called without arguments, returns the answer. Every number in it stands in the evidence.',
  context:
    'The paragraphs and tables that the question is about, in the order of the document. Evidence cites them by position.',
  tableEvidence: 'Positions, from 0, of the tables in the context that the answer rests on.',
  textEvidence: 'Positions, from 0, of the paragraphs in the context that the answer rests on.',
  document: 'The name of the document: what its file is called after.',
  pages: 'The pages that the answer rests on, by number.',
  boxes: 'Per page the boxes around what the answer rests on, four numbers each.',
  relativeBoxes: 'The same boxes once more, in the relative coordinates of the profile.',
  labels: 'Per page and box what kind of thing the box holds.',
  images: 'Paths of the page images.',
  category: 'What kind of document or question it is.',
  split: 'The part of the dataset that the record belongs to.',
  unit: 'What the answer is counted in.',
  answerFormat: 'How the answer is to be read: as a number, a text, a list, none.',
  sources: 'Where in the document the evidence stands: text, table, chart.',
};
