/** JSON Pointers as places: which shown thing does the editor's cursor mean? */

/** Whether `outer` is `inner` or contains it: `/bbox/0` holds `/bbox/0/1/3`, not `/bbox/01`. */
export function holds(outer: string, inner: string): boolean {
  return inner === outer || (inner.startsWith(outer) && inner.charAt(outer.length) === '/');
}

export interface Target {
  /** Places in the record that mean this target; the first is its own. */
  readonly pointers: readonly string[];
}

/**
 * The targets that the pointer stands in; else those that stand in it (the cursor is on a list of boxes). The whole
 * record (`''`) means nothing in particular.
 */
export function targetsAt<T extends Target>(targets: readonly T[], pointer: string | null): readonly T[] {
  if (pointer === null || pointer === '') {
    return [];
  }
  let closest: T | null = null;
  let length = -1;
  for (const target of targets) {
    for (const place of target.pointers) {
      if (place.length > length && holds(place, pointer)) {
        closest = target;
        length = place.length;
      }
    }
  }
  if (closest !== null) {
    return [closest];
  }
  return targets.filter((target) => target.pointers.some((place) => holds(pointer, place)));
}
