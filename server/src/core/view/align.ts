/** Which child of one version of an object or list is which in another version. */
import type { Node } from './tree.ts';
import { decodeToken } from './tokens.ts';
import { commonEnds } from '../edit/difference.ts';

/** Per child of the old version its index in the new one, -1 where it is gone; no index twice. */
export type Alignment = readonly number[];

/** A version of a container, with the text that it stands in. */
export interface Version {
  readonly node: Node;
  readonly text: string;
}

/** More comparisons than this are not made for one list: then only what is there once finds its place. */
const MOST_COMPARISONS = 1_000_000;
/** So many elements that are neither the same nor as many are compared by their content. */
const MOST_LIKENESSES = 400;

export function alignChildren(old: Version, fresh: Version): Alignment {
  return old.node.kind === 'object' ? alignMembers(old.node, fresh.node) : alignElements(old, fresh);
}

/** The inverse: per child of the new version its index in the old one, -1 where it is new. */
export function invert(alignment: Alignment, length: number): Alignment {
  const inverse = Array.from({ length }, () => -1);
  for (const [old, fresh] of alignment.entries()) if (fresh >= 0) inverse[fresh] = old;
  return inverse;
}

/** Members go by their keys, repeated ones in order; what has another key at the same place has been renamed. */
function alignMembers(old: Node, fresh: Node): Alignment {
  const aligned = Array.from({ length: old.children.length }, () => -1);
  const taken = Array.from({ length: fresh.children.length }, () => false);
  const match = (one: number, two: number): void => {
    aligned[one] = two;
    taken[two] = true;
  };
  const byKey = indicesByKey(fresh.children);
  for (const [key, ones] of indicesByKey(old.children)) {
    const twos = byKey.get(key) ?? [];
    const isSame = ones.length === twos.length;
    const same = isSame ? [] : commonSequence(idsAt(old, ones), idsAt(fresh, twos));
    for (const [one, two] of same) match(ones[one]!, twos[two]!);
    const rest = twos.filter((two) => !taken[two]);
    for (const one of ones) if (aligned[one] === -1 && rest.length > 0) match(one, rest.shift()!);
  }
  for (const { olds, freshes } of gapsOf(aligned, taken)) {
    const byId = new Map<number, number[]>();
    for (const two of freshes.toReversed()) {
      const { id } = fresh.children[two]!;
      addTo(byId, id, two);
    }
    for (const one of olds) {
      const two = byId.get(old.children[one]!.id)?.pop();
      if (two !== undefined) match(one, two);
    }
    const [ones, twos] = [olds.filter((one) => aligned[one] === -1), freshes.filter((two) => !taken[two])];
    if (ones.length === twos.length) for (const [i, one] of ones.entries()) match(one, twos[i]!);
  }
  return aligned;
}

function indicesByKey(children: readonly Node[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [index, { key = '' }] of children.entries()) addTo(found, key, index);
  return found;
}

/** Puts a value to the others of its group. */
export function addTo<K, V>(groups: Map<K, V[]>, group: K, value: V): void {
  const known = groups.get(group);
  if (known === undefined) groups.set(group, [value]);
  else known.push(value);
}

function idsAt({ children }: Node, indices: readonly number[]): number[] {
  return indices.map((index) => children[index]!.id);
}

/** Children of both versions without a counterpart, grouped by the counterparts that they follow. */
function gapsOf(aligned: Alignment, taken: readonly boolean[]): { olds: number[]; freshes: number[] }[] {
  const gaps = new Map<number, { olds: number[]; freshes: number[] }>();
  const gapAfter = (place: number): { olds: number[]; freshes: number[] } => {
    const known = gaps.get(place) ?? { olds: [], freshes: [] };
    gaps.set(place, known);
    return known;
  };
  let place = -1;
  for (const [one, two] of aligned.entries()) {
    if (two >= 0) place = two;
    else gapAfter(place).olds.push(one);
  }
  place = -1;
  for (const [two, isTaken] of taken.entries()) {
    if (isTaken) place = two;
    else gapAfter(place).freshes.push(two);
  }
  return [...gaps.values()].filter(({ olds, freshes }) => olds.length > 0 && freshes.length > 0);
}

/** Elements keep their order: one that moves goes at one place and comes at another. */
function alignElements(old: Version, fresh: Version): Alignment {
  const [olds, freshes] = [old.node.children, fresh.node.children];
  // The corners of a box: the second number is the second number.
  const isTuple = olds.length === freshes.length && [...olds, ...freshes].every(({ kind }) => kind === 'plain');
  if (isTuple) return olds.map((_, index) => index);
  const aligned = Array.from({ length: olds.length }, () => -1);
  const same = commonSequence(
    olds.map(({ id }) => id),
    freshes.map(({ id }) => id),
  );
  let [one, two] = [0, 0];
  for (const [nextOne, nextTwo] of [...same, [olds.length, freshes.length] as const]) {
    for (const [i, j] of pairUp(old, fresh, [one, nextOne], [two, nextTwo])) aligned[i] = j;
    if (nextOne < olds.length) aligned[nextOne] = nextTwo;
    [one, two] = [nextOne + 1, nextTwo + 1];
  }
  return aligned;
}

/** Elements that have been changed: as many as there were, or those that are alike. */
function pairUp(
  old: Version,
  fresh: Version,
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): [number, number][] {
  const [rows, columns] = [to - from, end - start];
  if (rows === columns) return Array.from({ length: rows }, (_, i) => [from + i, start + i]);
  if (rows === 0 || columns === 0 || rows * columns > MOST_LIKENESSES) return [];
  const alike = (i: number, j: number): boolean =>
    isAlike(old.node.children[from + i]!, old.text, fresh.node.children[start + j]!, fresh.text);
  return longestChain(rows, columns, alike).map(([i, j]) => [from + i, start + j]);
}

/** Whether one value may have become the other by a small change. */
function isAlike(one: Node, text: string, two: Node, other: string): boolean {
  if (one.kind !== two.kind || one.kind === 'plain') return false;
  if (one.kind === 'string') {
    const [a, b] = [decodeToken(text, one.start, one.end), decodeToken(other, two.start, two.end)];
    const { head, tail } = commonEnds(a, b);
    return (head + tail) * 2 >= Math.max(a.length, b.length);
  }
  const known = new Set(one.children.map(({ key, id }) => `${key} ${id}`));
  const shared = two.children.filter(({ key, id }) => known.has(`${key} ${id}`)).length;
  return shared * 2 >= Math.max(one.children.length, two.children.length) && shared > 0;
}

/** Pairs of indices of a longest common sequence, or of a long one where the lists are long. */
function commonSequence(one: readonly number[], two: readonly number[]): [number, number][] {
  const shorter = Math.min(one.length, two.length);
  let head = 0;
  while (head < shorter && one[head] === two[head]) head++;
  let tail = 0;
  while (tail < shorter - head && one[one.length - 1 - tail] === two[two.length - 1 - tail]) tail++;
  const [rows, columns] = [one.length - head - tail, two.length - head - tail];
  const isEqual = (i: number, j: number): boolean => one[head + i] === two[head + j];
  const middle =
    rows * columns <= MOST_COMPARISONS
      ? longestChain(rows, columns, isEqual)
      : uniqueChain(one.slice(head, head + rows), two.slice(head, head + columns));
  return [
    ...Array.from({ length: head }, (_, i): [number, number] => [i, i]),
    ...middle.map(([i, j]): [number, number] => [head + i, head + j]),
    ...Array.from({ length: tail }, (_, i): [number, number] => [one.length - tail + i, two.length - tail + i]),
  ];
}

/** The longest ascending sequence of pairs that fit, by the usual table. */
function longestChain(rows: number, columns: number, fits: (i: number, j: number) => boolean): [number, number][] {
  if (rows === 0 || columns === 0) return [];
  const width = columns + 1;
  const lengths = new Int32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      lengths[i * width + j] = fits(i, j)
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < rows && j < columns;) {
    if (fits(i, j)) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}

/** Pairs of what stands once in each of the lists, as far as they stand in the same order. */
function uniqueChain(one: readonly number[], two: readonly number[]): [number, number][] {
  const places = uniquePlaces(two);
  const pairs: [number, number][] = [];
  for (const [id, i] of uniquePlaces(one)) {
    const j = places.get(id);
    if (i >= 0 && j !== undefined && j >= 0) pairs.push([i, j]);
  }
  return longestAscent(pairs.map(([, j]) => j)).map((index) => pairs[index]!);
}

/** Per number its index; -1 where it stands more than once. */
function uniquePlaces(ids: readonly number[]): Map<number, number> {
  const places = new Map<number, number>();
  for (const [index, id] of ids.entries()) places.set(id, places.has(id) ? -1 : index);
  return places;
}

/** The indices of a longest ascending sequence. */
export function longestAscent(values: readonly number[]): number[] {
  /** Per length the index at which the smallest sequence of that length ends. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[ends[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    before.push(low === 0 ? -1 : ends[low - 1]!);
    ends[low] = index;
  }
  const chain: number[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index]!) chain.push(index);
  return chain.reverse();
}
