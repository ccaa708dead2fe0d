/**
 * What the page was shown last. A gesture names a region by its pointer in the snapshot that it was made on; by the time it comes to be
 * made, the record may have another one, and the same pointer may mean another region. Pure.
 */
import type { EvidenceView } from '../../../schemas/protocol.ts';

/** A region, by what tells it from others. */
interface KnownRegion {
  readonly pointer: string;
  readonly page: number;
  readonly text: string;
  readonly label: string | null;
}

export interface Snapshot {
  readonly uri: string;
  readonly index: number;
  readonly version: number | null;
  readonly id: string | null;
  readonly question: string | null;
  readonly regions: readonly KnownRegion[];
  /** Boxes are shown as they are not declared. */
  readonly tried: boolean;
}

/** What a change of our own did to the region that it was about. */
export interface Move {
  readonly uri: string;
  readonly index: number;
  /** Of the document, after the change. */
  readonly version: number;
  /** null: it was not there before. */
  readonly from: string | null;
  /** null: it is gone. */
  readonly to: string | null;
}

export interface Snapshots {
  /** A change of our own; its snapshot follows. */
  note(move: Move): void;
  add(view: EvidenceView): Snapshot;
  /** The document was closed: its versions begin anew. */
  forget(uri: string): void;
  /** undefined: too many came since. */
  find(uri: string, index: number, version: number | null): Snapshot | undefined;
  /** The last one of a record. */
  last(uri: string, index: number): Snapshot | undefined;
  /** Where a region of `from` is in `to`. undefined: it is not there any more, or not known. */
  pointerIn(pointer: string, from: Snapshot, to: Snapshot): string | undefined;
}

/** A page that is so far behind does not answer any more. */
const KEPT = 30;

export function snapshotOf(view: EvidenceView): Snapshot {
  const { uri, index, version, id, question, pages, coordinates } = view;
  const regions = pages.flatMap((page) =>
    page.regions.map(({ pointer, text, label }) => ({ pointer, page: page.number, text, label })),
  );
  return { uri, index, version, id, question, regions, tried: coordinates?.tried === true };
}

export function createSnapshots(): Snapshots {
  /** Newest last, each with the pointers of the one of the same record before. */
  let kept: { readonly snapshot: Snapshot; readonly pointers: ReadonlyMap<string, string> }[] = [];
  let noted: Move[] = [];

  /** The changes of a record up to a version. */
  function take({ uri, index, version }: Snapshot): Move[] {
    const isIn = (move: Move): boolean =>
      move.uri === uri && move.index === index && (version === null || move.version <= version);
    const taken = noted.filter(isIn);
    noted = noted.filter((move) => !isIn(move));
    return taken;
  }

  function last(uri: string, index: number): Snapshot | undefined {
    return kept.findLast(({ snapshot }) => snapshot.uri === uri && snapshot.index === index)?.snapshot;
  }

  return {
    note: (move) => void noted.push(move),
    add(view) {
      const snapshot = snapshotOf(view);
      const before = last(view.uri, view.index);
      if (before !== undefined && JSON.stringify(before) === JSON.stringify(snapshot)) return before;
      const moves = take(snapshot);
      kept.push({ snapshot, pointers: before === undefined ? new Map() : pointersFrom(before, snapshot, moves) });
      if (kept.length > KEPT) kept.shift();
      return snapshot;
    },
    forget(uri) {
      kept = kept.filter(({ snapshot }) => snapshot.uri !== uri);
      noted = noted.filter((move) => move.uri !== uri);
    },
    find: (uri, index, version) =>
      kept.findLast(({ snapshot }) => snapshot.uri === uri && snapshot.index === index && snapshot.version === version)
        ?.snapshot,
    last,
    pointerIn(pointer, from, to) {
      let now: string | undefined = pointer;
      let passed = false;
      for (const { snapshot, pointers } of kept) {
        if (snapshot.uri === from.uri && snapshot.index === from.index) {
          if (passed) now = now === undefined ? undefined : pointers.get(now);
          passed ||= snapshot === from;
        }
        if (snapshot === to) break;
      }
      return passed ? now : undefined;
    },
  };
}

/** Whether two snapshots are of one record: lines above may have come or gone. */
export function isSameRecord(a: Snapshot, b: Snapshot): boolean {
  return a.id === null && b.id === null ? a.question === b.question : a.id === b.id;
}

/** The pointers of regions before, with their pointers now; those that are gone have none. */
function pointersFrom(before: Snapshot, now: Snapshot, moves: readonly Move[]): Map<string, string> {
  const found = new Map<string, string>();
  const from = new Set(moves.map((move) => move.from));
  const to = new Set(moves.map((move) => move.to));
  for (const move of moves) if (move.from !== null && move.to !== null) found.set(move.from, move.to);
  const free = now.regions.filter(({ pointer }) => !to.has(pointer));
  const left = before.regions.filter(({ pointer }) => !from.has(pointer));
  const match = (isSame: (a: KnownRegion, b: KnownRegion) => boolean): void => {
    for (const region of [...left]) {
      const at = free.findIndex((other) => isSame(region, other));
      if (at === -1) continue;
      found.set(region.pointer, free[at]!.pointer);
      free.splice(at, 1);
      left.splice(left.indexOf(region), 1);
    }
  };
  const looksSame = (a: KnownRegion, b: KnownRegion): boolean =>
    a.page === b.page && a.text === b.text && a.label === b.label;
  // Of several that look the same the one that did not move, else the first.
  match((a, b) => a.pointer === b.pointer && looksSame(a, b));
  match(looksSame);
  // Typed in, or undone: the only ones that are left at their places.
  if (left.length === free.length) match((a, b) => a.pointer === b.pointer && a.page === b.page);
  return found;
}
