/** What is kept of files for those who look at their lists. */

interface Timed {
  timer: NodeJS.Timeout | undefined;
}

export interface KeptLists<T> {
  /** Of a file, made where there is none yet. */
  of(uri: string): T;
  get(uri: string): T | undefined;
}

/**
 * That of a file which is at hand stays, however many there are: made anew, it would name all of its records anew. Of the others `most` stay;
 * the one that was asked for longest ago gives way.
 */
export function createKeptLists<T extends Timed>(
  most: number,
  isAtHand: (uri: string) => boolean,
  make: () => T,
): KeptLists<T> {
  const lists = new Map<string, T>();

  function tidy(): void {
    if (lists.size <= most) return;
    const others = [...lists.keys()].filter((uri) => !isAtHand(uri));
    for (const uri of others.slice(0, Math.max(0, others.length - most))) {
      clearTimeout(lists.get(uri)?.timer);
      lists.delete(uri);
    }
  }

  return {
    of(uri) {
      const kept = lists.get(uri) ?? make();
      lists.delete(uri);
      lists.set(uri, kept);
      tidy();
      return kept;
    },
    get: (uri) => lists.get(uri),
  };
}
