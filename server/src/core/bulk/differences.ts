/** What two versions of a record say differently, by JSON pointer. */
import { joinPointer } from '../text/pointer.ts';
import { createTreeReader } from '../view/tree.ts';
import type { Node } from '../view/tree.ts';
import { saySame } from '../view/tokens.ts';
import { withoutBlanks } from './one-line.ts';

export interface Difference {
  readonly pointer: string;
  /** As it is spelled, shortened; null: it is not there. */
  readonly ours: string | null;
  readonly theirs: string | null;
}

export interface Differences {
  readonly first: readonly Difference[];
  readonly total: number;
}

const SHOWN_TEXT = 60;

/**
 * The order of keys and the spelling of strings are no difference; of numbers `1` and `1.0` are one (an integer and a float for
 * Python), `1e3` and `1000.0` are none. Both texts must have been read without fault. `most`: so many are given out, all are counted.
 */
export function differences(ours: string, theirs: string, most: number): Differences {
  if (ours === theirs || saySame(ours, theirs)) return { first: [], total: 0 };
  const { read } = createTreeReader();
  const first: Difference[] = [];
  let total = 0;
  const add = (pointer: string, one: Node | undefined, two: Node | undefined): void => {
    if (total++ < most) first.push({ pointer, ours: shown(ours, one), theirs: shown(theirs, two) });
  };
  const open: { readonly pointer: string; readonly one: Node | undefined; readonly two: Node | undefined }[] = [
    { pointer: '', one: read(ours), two: read(theirs) },
  ];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const { pointer, one, two } = pair;
    if (one === undefined || two === undefined || one.kind !== two.kind) add(pointer, one, two);
    else if (one.id === two.id) continue;
    else if (one.kind === 'string') add(pointer, one, two);
    else if (one.kind === 'plain') {
      if (!areSameNumbers(ours.slice(one.start, one.end), theirs.slice(two.start, two.end))) add(pointer, one, two);
    } else {
      const children = one.kind === 'list' ? byIndex(one, two) : byKey(one, two);
      // The last one is looked at first.
      for (const [name, child, other] of children.reverse()) {
        open.push({ pointer: joinPointer(pointer, name), one: child, two: other });
      }
    }
  }
  return { first, total };
}

type Pair = readonly [string | number, Node | undefined, Node | undefined];

function byIndex(one: Node, two: Node): Pair[] {
  const length = Math.max(one.children.length, two.children.length);
  return Array.from({ length }, (_, at) => [at, one.children[at], two.children[at]] as const);
}

/** A key that stands twice is compared with itself in order. */
function byKey(one: Node, two: Node): Pair[] {
  const others = new Map<string, Node[]>();
  for (const child of two.children) others.set(child.key!, [...(others.get(child.key!) ?? []), child]);
  const pairs: Pair[] = one.children.map((child) => [child.key!, child, others.get(child.key!)?.shift()]);
  for (const [key, left] of others) for (const child of left) pairs.push([key, undefined, child]);
  return pairs;
}

function areSameNumbers(one: string, two: string): boolean {
  if (!/^-?\d/.test(one) || !/^-?\d/.test(two)) return false;
  const isFloat = /[.eE]/;
  return isFloat.test(one) && isFloat.test(two) && Number(one) === Number(two);
}

function shown(text: string, node: Node | undefined): string | null {
  if (node === undefined) return null;
  const token = withoutBlanks(text.slice(node.start, node.end));
  return token.length > SHOWN_TEXT ? `${token.slice(0, SHOWN_TEXT)}…` : token;
}
