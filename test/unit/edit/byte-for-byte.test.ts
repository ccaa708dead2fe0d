import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { applyEdits, invertEdits, placeEdits } from '../../../server/src/core/edit/edits.ts';
import type { RecordSlot } from '../../../server/src/core/text/types.ts';
import type { Edit } from '../../../server/src/core/edit/types.ts';
import { parsePointer, valueAt } from '../../../server/src/core/text/pointer.ts';
import { locateEdits } from '../../../server/src/node/files/locate.ts';
import { editedBytes } from '../../../server/src/node/files/write.ts';
import { oddLine, oddLines, pointersIn, tokensOf } from './odd-json.ts';
import type { Json, Spelled } from './odd-json.ts';

const RUNS = process.env['SOAK'] === undefined ? 1000 : 10_000;

const values: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(0, 7, -3, 2.5, 300, 'word', 'a/b', 'é €', 'x\n"y"', '😀', true, null),
  fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 4 }),
  fc.constant({ label: 'table', box: [1, 2, 3, 4] }),
);
const lexemes = fc.constantFrom('3', '3.0', '-1e2', '0.50', '12');
const words = fc.constantFrom('', 'x', 'é', '😀', '"', '\n', 'and/or');

/** What to do where; the place is chosen from those that the record has. */
const gesture = fc.record({
  kind: fc.constantFrom('replace', 'lexeme', 'remove', 'insert', 'copy', 'renameKey', 'string', 'text' as const),
  place: fc.nat(),
  other: fc.nat(),
  value: values,
  lexeme: lexemes,
  word: words,
  from: fc.nat(8),
  to: fc.nat(8),
});
type Gesture = typeof gesture extends fc.Arbitrary<infer G> ? G : never;

interface Expected {
  readonly edit: Edit;
  /** The record's value afterwards. */
  readonly value: Json;
  /** Pointers of what was there before, and of what is there now, that may differ. */
  readonly old: readonly string[];
  readonly fresh: readonly string[];
  /** Where an old pointer is found now. */
  moved(pointer: string): string;
}

const NEW_KEY = 'a new key é';

describe('edits change the bytes of the edited value and nothing else', () => {
  for (const [name, records] of [
    ['records on one line', oddLine],
    ['records over several lines', oddLines],
  ] as const) {
    it(name, function () {
      this.timeout(600_000);
      const seen = new Map<string, number>();
      fc.assert(
        fc.property(records, gesture, (record, wanted) => {
          const expected = plan(record, wanted);
          if (expected === undefined) return;
          checkEdit(record.text, expected);
          seen.set(wanted.kind, (seen.get(wanted.kind) ?? 0) + 1);
        }),
        { numRuns: RUNS, seed: 7 },
      );
      assert.equal(seen.size, 8, `kinds that were tried: ${[...seen.keys()].join(', ')}`);
    });
  }
});

describe('edits of a record change no byte of the file around it', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(path.join(tmpdir(), 'auditable-qa-bytes-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const between = fc.constantFrom('\n', '\r\n', '\n\n', ' \r\n', '\n\ufeff', '\n \t');
  const line = fc.record({ record: oddLine, end: between });

  it('with a mark, blank lines and mixed line ends', async function () {
    this.timeout(600_000);
    const file = path.join(folder, 'data.jsonl');
    const places = fc.record({ record: fc.nat(), gesture });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('', '\ufeff'),
        fc.array(line, { minLength: 1, maxLength: 5 }),
        places,
        async (mark, lines, { record, gesture: wanted }) => {
          const at = record % lines.length;
          const expected = plan(lines[at]!.record, wanted);
          if (expected === undefined) return;
          const { text } = lines[at]!.record;
          const edits = placeEdits([expected.edit], text)!;
          const whole = (changed: string): Buffer =>
            Buffer.from(mark + lines.map((one, i) => (i === at ? changed : one.record.text) + one.end).join(''));
          writeFileSync(file, whole(text));
          const layout = { form: 'lines', records: undefined } as const;
          // Blanks before a record on its line belong to its text.
          const editsOf = (slot: RecordSlot) => (slot.index === at ? placeEdits([expected.edit], slot.text) : []);
          const located = await locateEdits(file, layout, editsOf, []);
          const pieces: Uint8Array[] = [];
          for await (const piece of editedBytes(file, located.edits)) pieces.push(Uint8Array.from(piece));
          assert.ok(Buffer.concat(pieces).equals(whole(applyEdits(text, edits))));
        },
      ),
      { numRuns: RUNS / 5, seed: 5 },
    );
  });
});

function checkEdit(text: string, { edit, value, old, fresh, moved }: Expected): void {
  const edits = placeEdits([edit], text);
  assert.ok(edits, `not placed: ${JSON.stringify(edit)} in ${text}`);
  const edited = applyEdits(text, edits);
  assert.deepEqual(JSON.parse(edited), value, `${JSON.stringify(edit)}: ${text} → ${edited}`);
  const [before, after] = [tokensOf(text), tokensOf(edited)];
  const isIn = (pointer: string, roots: readonly string[]): boolean =>
    roots.some((root) => pointer === root || pointer.startsWith(`${root}/`) || pointer === `${root}#`);
  for (const [pointer, token] of before) {
    if (isIn(pointer, old)) continue;
    assert.equal(
      after.get(moved(pointer)),
      token,
      `${pointer} was touched by ${JSON.stringify(edit)}: ${text} → ${edited}`,
    );
  }
  assert.equal(applyEdits(edited, invertEdits(text, edits)), text, 'undo');
  // Blanks outside of what is edited stay: taken out of both, nothing else is left than was there.
  const outside = [...after.keys()].filter((pointer) => !isIn(pointer, fresh)).length;
  assert.equal(outside, [...before.keys()].filter((pointer) => !isIn(pointer, old)).length);
}

/** The edit, and what it must lead to; undefined: the record has no place for it. */
function plan({ value, text }: Spelled, wanted: Gesture): Expected | undefined {
  const places = [...pointersIn(value)];
  const [pointer, here] = places[wanted.place % places.length]!;
  const parent = pointer.slice(0, pointer.lastIndexOf('/'));
  const key = parsePointer(pointer).at(-1)!;
  const holder = valueAt(value, parent) as Json;
  const inList = Array.isArray(holder);
  const stay = { old: [pointer], fresh: [pointer], moved: (one: string) => one };
  switch (wanted.kind) {
    case 'replace': {
      const edit = { kind: 'replace', pointer, value: wanted.value } as const;
      return { edit, value: put(value, parsePointer(pointer), wanted.value), ...stay };
    }
    case 'lexeme': {
      const edit = { kind: 'lexeme', pointer, lexeme: wanted.lexeme } as const;
      return { edit, value: put(value, parsePointer(pointer), Number(wanted.lexeme)), ...stay };
    }
    case 'string': {
      if (typeof here !== 'string') return undefined;
      const [from, to] = between(here, wanted.from, wanted.to);
      const edit = { kind: 'string', pointer, inString: { start: from, end: to }, text: wanted.word } as const;
      return {
        edit,
        value: put(value, parsePointer(pointer), here.slice(0, from) + wanted.word + here.slice(to)),
        ...stay,
      };
    }
    case 'text': {
      if (typeof here !== 'boolean') return undefined;
      const token = tokensOf(text).get(pointer)!;
      // A word outside of strings, at the only place it has.
      if (text.split(token).length !== 2) return undefined;
      const start = text.indexOf(token);
      const edit = { kind: 'text', span: { start, end: start + token.length }, text: 'null' } as const;
      return { edit, value: put(value, parsePointer(pointer), null), ...stay };
    }
    case 'renameKey': {
      if (inList) return undefined;
      const renamed = `${parent}/${NEW_KEY}`;
      return {
        edit: { kind: 'renameKey', pointer, key: NEW_KEY },
        value: put(put(value, parsePointer(pointer), undefined), parsePointer(renamed), here),
        old: [`${pointer}#`],
        fresh: [`${renamed}#`],
        moved: (one) => (one === pointer || one.startsWith(`${pointer}/`) ? renamed + one.slice(pointer.length) : one),
      };
    }
    case 'remove':
      return {
        edit: { kind: 'remove', pointer },
        value: put(value, parsePointer(pointer), undefined),
        old: [pointer],
        fresh: [],
        moved: (one) => (inList ? shifted(one, parent, Number(key) + 1, -1) : one),
      };
    default: {
      const target = containerOf(value, places, wanted.other);
      if (target === undefined) return undefined;
      const [at, container] = target;
      const length = Array.isArray(container) ? container.length : 0;
      const name = Array.isArray(container) ? String(wanted.from % (length + 1)) : NEW_KEY;
      const into = `${at}/${name}`;
      const added = wanted.kind === 'copy' ? here : wanted.value;
      return {
        edit:
          wanted.kind === 'copy'
            ? { kind: 'copy', from: pointer, pointer: into }
            : { kind: 'insert', pointer: into, value: added },
        value: put(value, parsePointer(into), added, true),
        old: [],
        fresh: [into],
        moved: (one) => (Array.isArray(container) ? shifted(one, at, Number(name), 1) : one),
      };
    }
  }
}

/** Offsets that do not cut a character in two. */
function between(text: string, a: number, b: number): readonly [number, number] {
  const ends = [0];
  for (const character of text) ends.push(ends.at(-1)! + character.length);
  const [from, to] = [ends[a % ends.length]!, ends[b % ends.length]!];
  return from <= to ? [from, to] : [to, from];
}

function containerOf(value: Json, places: readonly (readonly [string, Json])[], choice: number) {
  const containers = [
    ['', value] as const,
    ...places.filter(([, child]) => typeof child === 'object' && child !== null),
  ];
  return containers[choice % containers.length];
}

/** A pointer into a list whose elements from an index on have moved. */
function shifted(pointer: string, list: string, from: number, by: number): string {
  if (!pointer.startsWith(`${list}/`)) return pointer;
  const [index = '', ...rest] = pointer.slice(list.length + 1).split('/');
  if (!/^\d+$/.test(index) || Number(index) < from) return pointer;
  return [list, Number(index) + by, ...rest].join('/');
}

/** The value with another one at the path; undefined takes it out, `insert` makes room in lists. */
function put(value: Json, path: readonly string[], fresh: Json | undefined, insert = false): Json {
  const [key, ...rest] = path as [string, ...string[]];
  if (Array.isArray(value)) {
    const list = [...(value as readonly Json[])];
    if (rest.length > 0) list[Number(key)] = put(list[Number(key)]!, rest, fresh, insert);
    else if (fresh === undefined) list.splice(Number(key), 1);
    else list.splice(Number(key), insert ? 0 : 1, fresh);
    return list;
  }
  const entries = new Map(Object.entries(value as Readonly<Record<string, Json>>));
  if (rest.length > 0) entries.set(key, put(entries.get(key)!, rest, fresh, insert));
  else if (fresh === undefined) entries.delete(key);
  else entries.set(key, fresh);
  return Object.fromEntries(entries);
}
