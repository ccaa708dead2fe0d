/** Which records are chosen, and which one is current. Records are named by key; the current one also has its place in the list. */

export interface Selection {
  readonly keys: ReadonlySet<number>;
  /** Position in the list; -1: there is none. */
  readonly position: number;
  /** Key of the current record, as far as its row is at hand. */
  readonly key: number | null;
  /** Where a range begins. */
  readonly anchor: number;
}

export const NOTHING_CHOSEN: Selection = { keys: new Set(), position: -1, key: null, anchor: -1 };

export function only(position: number, key: number | null): Selection {
  return { keys: new Set(key === null ? [] : [key]), position, key, anchor: position };
}

/** The current record moves, what is chosen stays. */
export function moved(selection: Selection, position: number, key: number | null): Selection {
  return { ...selection, position, key };
}

export function toggled(selection: Selection, position: number, key: number): Selection {
  const keys = new Set(selection.keys);
  if (!keys.delete(key)) keys.add(key);
  return { keys, position, key, anchor: position };
}

/** From the anchor to a position; `range` has the keys of all rows between. */
export function extended(
  { anchor }: Selection,
  position: number,
  key: number | null,
  range: readonly number[],
): Selection {
  return { keys: new Set(range), position, key, anchor: anchor === -1 ? position : anchor };
}
