import { createNumberList } from './number-list.ts';

/** Indices of records, as runs: what holds for a record mostly holds for its neighbours, and a run takes eight bytes however long it is. */
export interface IndexRuns {
  readonly length: number;
  push(index: number): void;
  /** In the order in which they came. */
  [Symbol.iterator](): Iterator<number>;
}

export function createIndexRuns(): IndexRuns {
  const starts = createNumberList();
  const ends = createNumberList();
  /** The run at hand, its end not included. */
  let start = 0;
  let end = 0;
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(index) {
      if (index !== end) {
        if (end > start) {
          starts.push(start);
          ends.push(end);
        }
        start = index;
      }
      end = index + 1;
      length += 1;
    },
    *[Symbol.iterator]() {
      for (let run = 0; run < starts.length; run++) yield* between(starts.at(run), ends.at(run));
      yield* between(start, end);
    },
  };
}

function* between(start: number, end: number): Generator<number> {
  for (let index = start; index < end; index++) yield index;
}
