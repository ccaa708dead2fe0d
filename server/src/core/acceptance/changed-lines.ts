/** Which lines of a file a diff touches. Lines are 0-based and end at LF. */
export interface ChangedLines {
  /** Whether any line from `first` to `last` is new or changed, or something between two of them is gone. */
  touches(first: number, last: number): boolean;
}

export const ALL_LINES: ChangedLines = { touches: () => true };
export const NO_LINES: ChangedLines = { touches: () => false };

/** Reads one file's unified diff without context (`git diff --unified=0`). */
export function parseChangedLines(diff: string): ChangedLines {
  if (/^Binary files .* differ$/m.test(diff)) return ALL_LINES;
  // Half-open in half lines: line n is [2n, 2n+1), and what was deleted behind it leaves a mark at 2n+1.
  const ranges: { readonly start: number; readonly end: number }[] = [];
  for (const [, start, count = '1'] of diff.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm)) {
    const first = Number(start);
    const lines = Number(count);
    if (lines === 0) ranges.push({ start: 2 * first - 1, end: 2 * first });
    else ranges.push({ start: 2 * (first - 1), end: 2 * (first - 1 + lines) - 1 });
  }
  return {
    touches(first, last) {
      const [from, to] = [2 * first, 2 * last + 1];
      let low = 0;
      let high = ranges.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (ranges[middle]!.end <= from) low = middle + 1;
        else high = middle;
      }
      const next = ranges[low];
      return next !== undefined && next.start < to;
    },
  };
}
