/** One figure of a bench: the time of a thing over the time of its reference, measured in the same run. */
export interface Ratio {
  readonly name: string;
  readonly ratio: number;
  /** The ratio we want to stay below. */
  readonly goal: number;
  /** Medians in ms, to read along; not to compare between machines. Absent for ratios of memory. */
  readonly ms?: number;
  readonly referenceMs?: number;
}

/** Runs both in turn, so that a drift of the machine's speed meets both, and gives the median of the pairwise ratios. */
export async function ratio(
  name: string,
  goal: number,
  thing: () => unknown,
  reference: () => unknown,
  rounds = 9,
): Promise<Ratio> {
  await thing();
  await reference();
  const times: { thing: number; reference: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push({ thing: await timed(thing), reference: await timed(reference) });
  }
  return {
    name,
    ratio: median(times.map((pair) => pair.thing / pair.reference)),
    goal,
    ms: median(times.map((pair) => pair.thing)),
    referenceMs: median(times.map((pair) => pair.reference)),
  };
}

async function timed(task: () => unknown): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
