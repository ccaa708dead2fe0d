/**
 * The value below and above which half of all weight lies; undefined without values.
 * @param pairs value and weight
 */
export function weightedMedian(pairs: readonly (readonly [number, number])[]): number | undefined {
  const sorted = [...pairs].sort(([a], [b]) => a - b);
  let rest = sorted.reduce((sum, [, weight]) => sum + weight, 0) / 2;
  for (const [value, weight] of sorted) {
    rest -= weight;
    if (rest <= 0) return value;
  }
  return undefined;
}
