/** Three versions of one object or list: which children stay, go and come. */
import { addTo, alignChildren, invert, longestAscent } from './align.ts';
import type { Alignment, Version } from './align.ts';
import type { Node } from './tree.ts';

/** A child of the merged object or list. */
export type Placed =
  /** A child of the current version, by its index; `moved`: it stood elsewhere. */
  | { readonly kind: 'current'; readonly index: number; readonly moved: boolean }
  /** A child of the edited version that is new. */
  | { readonly kind: 'edited'; readonly index: number };

/** A child that all three versions have; indices. */
export interface Pair {
  readonly base: number;
  readonly edited: number;
  readonly current: number;
}

export interface MergedChildren {
  readonly sequence: readonly Placed[];
  /** Whether the sequence is the current one. */
  readonly same: boolean;
  readonly pairs: readonly Pair[];
  /** New keys of current children, by index. */
  readonly renamed: ReadonlyMap<number, string>;
  /** Keys or indices in the current version; undefined: the object or list as a whole. */
  readonly conflicts: readonly (string | number | undefined)[];
}

export function mergeChildren(base: Version, edited: Version, current: Version): MergedChildren {
  const toEdited = alignChildren(base, edited);
  const toCurrent = current.node === base.node ? toEdited.map((_, i) => i) : alignChildren(base, current);
  const merge: State = {
    base: base.node,
    edited: edited.node,
    current: current.node,
    toEdited,
    toCurrent,
    fromEdited: invert(toEdited, edited.node.children.length),
    fromCurrent: invert(toCurrent, current.node.children.length),
    conflicts: [],
  };
  const removed = new Set<number>();
  const pairs: Pair[] = [];
  const renamed = new Map<number, string>();
  for (const [i, child] of base.node.children.entries()) {
    const [mine, theirs] = [toEdited[i]!, toCurrent[i]!];
    if (mine >= 0 && theirs >= 0) {
      pairs.push({ base: i, edited: mine, current: theirs });
      const key = newKey(merge, i);
      if (key !== undefined) renamed.set(theirs, key);
    } else if (theirs >= 0) {
      removed.add(theirs);
      if (!isSame(child, current.node.children[theirs]!)) conflict(merge, theirs);
    } else if (mine >= 0 && !isSame(child, edited.node.children[mine]!)) {
      merge.conflicts.push(child.key);
    }
  }
  const skipped = base.node.kind === 'object' ? sameMembers(merge, renamed) : sameInsertions(merge);
  const sequence = sequenceOf(merge, removed, skipped);
  const same =
    sequence.length === current.node.children.length &&
    sequence.every((placed, i) => placed.kind === 'current' && placed.index === i);
  return { sequence, same, pairs, renamed, conflicts: merge.conflicts };
}

interface State {
  readonly base: Node;
  readonly edited: Node;
  readonly current: Node;
  readonly toEdited: Alignment;
  readonly toCurrent: Alignment;
  readonly fromEdited: Alignment;
  readonly fromCurrent: Alignment;
  readonly conflicts: (string | number | undefined)[];
}

function isSame(one: Node, two: Node): boolean {
  return one.id === two.id && one.key === two.key;
}

function conflict({ current, conflicts }: State, index: number): void {
  conflicts.push(current.children[index]?.key ?? index);
}

function newKey(merge: State, index: number): string | undefined {
  const { key } = merge.base.children[index]!;
  const mine = merge.edited.children[merge.toEdited[index]!]!.key;
  const theirs = merge.current.children[merge.toCurrent[index]!]!.key;
  if (mine === key || mine === theirs) return undefined;
  if (theirs !== key) conflict(merge, merge.toCurrent[index]!);
  return mine;
}

/** New members of the edited version that the current one has already; those with another value there are conflicts. */
function sameMembers(merge: State, renamed: ReadonlyMap<number, string>): ReadonlySet<number> {
  const { edited, current, fromEdited, fromCurrent, base } = merge;
  const skipped = new Set<number>();
  /** Keys that are new to the current version: added, or given to a member. */
  const fresh = new Map<string, number>();
  for (const [i, child] of current.children.entries()) {
    const old = fromCurrent[i]!;
    if (old < 0 || base.children[old]!.key !== child.key) fresh.set(child.key ?? '', i);
  }
  for (const [i, child] of edited.children.entries()) {
    if (fromEdited[i]! >= 0) continue;
    const there = fresh.get(child.key ?? '');
    if (there === undefined) continue;
    if (fromCurrent[there]! < 0 && isSame(child, current.children[there]!)) skipped.add(i);
    else conflict(merge, there);
  }
  for (const key of renamed.values()) {
    const there = fresh.get(key);
    if (there !== undefined) conflict(merge, there);
  }
  return skipped;
}

/** A run of elements that one side has replaced: base indices from (inclusive) to (exclusive), and what came. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly added: readonly number[];
}

/** New elements that the current version has already. Where both sides have put something at one place it is a conflict. */
function sameInsertions(merge: State): ReadonlySet<number> {
  const skipped = new Set<number>();
  const mine = hunksOf(merge.toEdited, merge.fromEdited);
  const theirs = hunksOf(merge.toCurrent, merge.fromCurrent);
  let first = 0;
  for (const own of mine) {
    while (first < theirs.length && theirs[first]!.to < own.from) first++;
    for (let i = first; i < theirs.length && theirs[i]!.from <= own.to; i++) {
      const other = theirs[i]!;
      if (isAlike(merge, own, other)) {
        for (const index of own.added) skipped.add(index);
      } else if (clash(own, other)) {
        merge.conflicts.push(other.added[0]);
      }
    }
  }
  return skipped;
}

function hunksOf(forth: Alignment, back: Alignment): Hunk[] {
  const hunks: Hunk[] = [];
  let next = 0;
  for (let from = 0; from <= forth.length;) {
    let to = from;
    while (to < forth.length && forth[to] === -1) to++;
    const end = to < forth.length ? forth[to]! : back.length;
    const added: number[] = [];
    for (; next < end; next++) added.push(next);
    next = end + 1;
    if (to > from || added.length > 0) hunks.push({ from, to, added });
    from = to + 1;
  }
  return hunks;
}

function isAlike({ edited, current }: State, mine: Hunk, theirs: Hunk): boolean {
  return (
    mine.from === theirs.from &&
    mine.to === theirs.to &&
    mine.added.length === theirs.added.length &&
    mine.added.every((index, i) => edited.children[index]!.id === current.children[theirs.added[i]!]!.id)
  );
}

/** Both removing something is none; nor is it where one side puts something beside what the other took away. */
function clash(mine: Hunk, theirs: Hunk): boolean {
  if (mine.added.length === 0 && theirs.added.length === 0) return false;
  if (mine.added.length > 0 && theirs.added.length > 0) return true;
  return mine.from < theirs.to && theirs.from < mine.to;
}

function sequenceOf(merge: State, removed: ReadonlySet<number>, skipped: ReadonlySet<number>): Placed[] {
  const { edited, fromEdited, toCurrent, toEdited, base } = merge;
  const common = base.children.flatMap((_, i) => (toEdited[i]! >= 0 && toCurrent[i]! >= 0 ? [i] : []));
  const reordered = !ascends(common.map((i) => toEdited[i]!));
  if (!reordered) return currentSequence(merge, removed, skipped);
  if (!ascends(common.map((i) => toCurrent[i]!))) {
    const byCurrent = common.toSorted((one, two) => toCurrent[one]! - toCurrent[two]!);
    if (ascends(byCurrent.map((i) => toEdited[i]!))) return currentSequence(merge, removed, skipped);
    merge.conflicts.push(undefined);
  }
  const sequence: Placed[] = [];
  const added = addedAfter(merge, removed);
  const addFrom = (place: number): void => {
    for (const index of added.get(place) ?? []) sequence.push({ kind: 'current', index, moved: false });
  };
  addFrom(-1);
  for (const index of edited.children.keys()) {
    const old = fromEdited[index]!;
    if (old < 0) {
      if (!skipped.has(index)) sequence.push({ kind: 'edited', index });
    } else if (toCurrent[old]! >= 0) {
      sequence.push({ kind: 'current', index: toCurrent[old]!, moved: false });
      addFrom(toCurrent[old]!);
    }
  }
  return withMoves(sequence);
}

function ascends(values: readonly number[]): boolean {
  return values.every((value, i) => i === 0 || values[i - 1]! < value);
}

/** The current order, with what the edited version has new after what stands before it there. */
function currentSequence(
  { edited, current, fromEdited, toCurrent }: State,
  removed: ReadonlySet<number>,
  skipped: ReadonlySet<number>,
): Placed[] {
  const after = new Map<number, number[]>();
  let place = -1;
  for (const index of edited.children.keys()) {
    const old = fromEdited[index]!;
    if (old >= 0) place = toCurrent[old]! >= 0 ? toCurrent[old]! : place;
    else if (!skipped.has(index)) addTo(after, place, index);
  }
  const sequence: Placed[] = (after.get(-1) ?? []).map((index) => ({ kind: 'edited', index }));
  for (const index of current.children.keys()) {
    if (!removed.has(index)) sequence.push({ kind: 'current', index, moved: false });
    for (const fresh of after.get(index) ?? []) sequence.push({ kind: 'edited', index: fresh });
  }
  return sequence;
}

/** What only the current version has, by the child that it follows there and that stays. */
function addedAfter({ current, fromCurrent }: State, removed: ReadonlySet<number>): Map<number, number[]> {
  const after = new Map<number, number[]>();
  let place = -1;
  for (const index of current.children.keys()) {
    if (fromCurrent[index]! < 0) addTo(after, place, index);
    else if (!removed.has(index)) place = index;
  }
  return after;
}

/** As many as possible stay where they are. */
function withMoves(sequence: readonly Placed[]): Placed[] {
  const staying = sequence.flatMap((placed) => (placed.kind === 'current' ? [placed.index] : []));
  const kept = new Set(longestAscent(staying).map((i) => staying[i]!));
  return sequence.map((placed) => (placed.kind === 'current' ? { ...placed, moved: !kept.has(placed.index) } : placed));
}
