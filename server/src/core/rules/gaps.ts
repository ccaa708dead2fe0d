import type { Field } from '../profile/types.ts';
import { createIndexRuns } from '../index-runs.ts';
import type { IndexRuns } from '../index-runs.ts';
import { pointerTo } from '../record/canonical.ts';
import { isAllBlank } from '../text/chars.ts';
import { count, lastKey, listNames, valueAt } from './messages.ts';
import type { RecordInput, Reducer } from './types.ts';

/** Answers that are not there, counted per split: a whole split may hide its answers, a single gap is a fault. */
interface Split {
  answered: number;
  gaps: number;
  /** The records with a gap, by its pointer: one for each spelling of the field. */
  readonly places: Map<string, IndexRuns>;
}

/** Reports each gap in a split that has answers. */
export function reduceMissing(): Reducer<GapItem> {
  const { add, splits } = countGaps();
  return {
    add,
    end(report) {
      for (const { answered, places } of splits.values()) {
        if (answered === 0) continue;
        const others =
          answered === 1 ? 'another record of the file has one' : `${answered} other records of the file have one`;
        for (const [pointer, indices] of places) {
          const message = `${lastKey(pointer)} is missing or empty, while ${others}.`;
          for (const index of indices) report(index, { pointer, message });
        }
      }
    },
  };
}

/** Reports once where the file, or splits in it, have no answer at all. */
export function reduceHidden(): Reducer<GapItem> {
  const { add, splits } = countGaps();
  return {
    add,
    end(report) {
      const hidden = [...splits].filter(([, { answered, gaps }]) => answered === 0 && gaps > 0);
      if (hidden.length === 0) return;
      const records = hidden.reduce((sum, [, { gaps }]) => sum + gaps, 0);
      const [first = ''] = hidden[0]![1].places.keys();
      const key = lastKey(first);
      const names = hidden.map(([name]) => name).filter((name) => name !== '');
      const all = splits.size === hidden.length;
      const which = all
        ? `all ${count(records, 'record')}`
        : `${count(records, 'record')} of the split ${listNames(names)}`;
      report(null, {
        pointer: '',
        message: `${key} is hidden (null, empty or absent) in ${all && records === 1 ? 'the only record' : which} of the file; solutions get no verdict there.`,
      });
    },
  };
}

/** The split of a record that has an answer; else the split, and the pointer of the gap where it is one. */
type GapItem = string | readonly [split: string, pointer?: string];

export function gapOf(input: RecordInput): GapItem | undefined {
  // Two rules ask for it.
  if (latest !== input) {
    gapOfLatest = findGap(input);
    latest = input;
  }
  return gapOfLatest;
}

let latest: RecordInput | undefined;
let gapOfLatest: GapItem | undefined;

function findGap({ record, nonFinite }: RecordInput): GapItem | undefined {
  const { fields, required } = record.profile;
  const field: Field | undefined =
    fields.gold !== undefined ? 'gold' : fields.answer !== undefined ? 'answer' : undefined;
  if (field === undefined) return undefined;
  const split = record.split ?? '';
  // A dataset with both may have no number where the answer is text, and the other way round.
  const other: Field = field === 'gold' ? 'answer' : 'gold';
  if (!isGap(record[field], field) || !isGap(record[other], other)) return split;
  const pointer = pointerTo(record, field);
  if (nonFinite.includes(pointer)) return split;
  // An absent field that the profile requires is schema/required's.
  const isOthers = required.includes(field) && valueAt(record.source, pointer) === undefined;
  return isOthers ? [split] : [split, pointer];
}

function countGaps(): {
  readonly add: (item: GapItem, place: { readonly index: number }) => void;
  readonly splits: Map<string, Split>;
} {
  const splits = new Map<string, Split>();
  return {
    splits,
    add(item, { index }) {
      const [name, pointer] = typeof item === 'string' ? [item] : item;
      let split = splits.get(name);
      if (split === undefined) splits.set(name, (split = { answered: 0, gaps: 0, places: new Map() }));
      if (typeof item === 'string') split.answered += 1;
      if (pointer === undefined) return;
      split.gaps += 1;
      const indices = split.places.get(pointer) ?? createIndexRuns();
      split.places.set(pointer, indices);
      indices.push(index);
    },
  };
}

/** An empty list is no answer either; a numeric gold that is a list has the wrong type. */
function isGap(value: unknown, field: Field): boolean {
  if (typeof value === 'string') return isAllBlank(value);
  return value === undefined || value === null || (field === 'answer' && Array.isArray(value) && value.length === 0);
}
