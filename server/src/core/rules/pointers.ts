/** Where a field stands, by record: nearly always in the same place, so that only the others take memory. */
import { createNumberList } from '../number-list.ts';
import type { NumberList } from '../number-list.ts';

export interface Pointers {
  /** Indices must ascend. */
  set(index: number, pointer: string): void;
  at(index: number): string;
}

export function createPointers(): Pointers {
  let usual: string | undefined;
  const others = new Map<string, NumberList>();
  return {
    set(index, pointer) {
      usual ??= pointer;
      if (pointer === usual) return;
      let indices = others.get(pointer);
      if (indices === undefined) others.set(pointer, (indices = createNumberList()));
      indices.push(index);
    },
    at(index) {
      for (const [pointer, indices] of others) if (holds(indices, index)) return pointer;
      return usual ?? '';
    },
  };
}

function holds(ascending: NumberList, value: number): boolean {
  let from = 0;
  let to = ascending.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ascending.at(middle) < value) from = middle + 1;
    else to = middle;
  }
  return from < ascending.length && ascending.at(from) === value;
}
