/** One number, or phrase, at a time is followed: framed where it is written and wherever it stands. */

export interface Tracing {
  /** Position among the record's numbers; null: none. */
  show(number: number | null): void;
  /** After what is shown was built anew. */
  again(): void;
}

/** `roots`: what holds the texts and the pages. */
export function createTracing(roots: readonly Element[]): Tracing {
  let shown: number | null = null;

  function mark(): void {
    for (const root of roots) {
      for (const element of root.querySelectorAll('.traced')) {
        element.classList.remove('traced');
      }
      if (shown !== null) {
        for (const element of root.querySelectorAll(`[data-numbers~="${shown}"], [data-literal="${shown}"]`)) {
          element.classList.add('traced');
        }
      }
    }
  }

  return {
    show(number) {
      shown = number;
      mark();
    },
    again: mark,
  };
}
