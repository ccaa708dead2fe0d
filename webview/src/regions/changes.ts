/**
 * The changes that are made to regions: shown at once where the page can show them, asked for one after the other, and taken back
 * where the answer is no.
 */
import type { ChangeAnswer, ShownEvidence } from '../../../schemas/page.ts';
import type { EvidenceChange, FitRegionParams, PlaceOnPage } from '../../../schemas/regions.ts';
import type { Host } from '../host.ts';
import { samePlace } from './geometry.ts';
import type { Item, Items } from './items.ts';
import { createItems } from './items.ts';
import { createQueue } from './queue.ts';

/** A region that the record does not have yet. */
export interface Draft {
  readonly page: number;
  place: PlaceOnPage;
}

export interface ChangeListener {
  /** Places or drafts have changed. */
  shown(): void;
  /** `busy` has changed. */
  turned(): void;
  /** A change was made; `pointer`: of its region now. `fresh`: it is another region than before, or none. */
  made(pointer: string | null, words: string, fresh: boolean, gone: Item | null): void;
  /** Nothing was changed; as a sentence. null: all is well again. */
  problem(message: string | null): void;
  /** A word about what was looked for on the page. */
  said(words: string): void;
}

export interface RegionChanges {
  readonly items: Items;
  evidence(): ShownEvidence | null;
  update(evidence: ShownEvidence | null, same: boolean): void;
  /** Where a region is shown. null: it is being taken away. */
  placeOf(item: Item): PlaceOnPage | null;
  /** By pointer: regions that are shown elsewhere than the record has them. */
  previews(): ReadonlyMap<string, PlaceOnPage | null>;
  drafts(): readonly Draft[];
  /** `snap`: its edges go to what is near them first. */
  place(item: Item, place: PlaceOnPage, snap: boolean): void;
  /** One of a burst: asked for when the burst is over, or at `flush`. */
  nudge(item: Item, place: PlaceOnPage): void;
  flush(): void;
  /** Something is on its way into the record. */
  busy(): boolean;
  add(page: number, place: PlaceOnPage, label: string | null, snap: boolean): void;
  fit(item: Item, how: FitRegionParams['how']): void;
  remove(item: Item): void;
  /** Anything else about a region. null: it is nothing any more. */
  change(item: Item, change: (item: Item) => EvidenceChange | null): void;
  undo(redo: boolean): void;
}

/** A burst of nudges is over. */
const PAUSE_MS = 150;

interface Shown {
  place: PlaceOnPage | null;
  /** Jobs that are not done yet. */
  jobs: number;
}

export function createRegionChanges(host: Pick<Host, 'ask'>, listener: ChangeListener): RegionChanges {
  const items = createItems();
  const shown = new Map<number, Shown>();
  const drafts = new Set<Draft>();
  let evidence: ShownEvidence | null = null;
  let burst: { readonly id: number; readonly timer: ReturnType<typeof setTimeout> } | null = null;
  const queue = createQueue(() => evidence?.version ?? null, listener.turned);

  function show(id: number, place: PlaceOnPage | null): void {
    const entry = shown.get(id) ?? { place, jobs: 0 };
    entry.place = place;
    shown.set(id, entry);
    listener.shown();
  }

  function hold(id: number): void {
    const entry = shown.get(id);
    if (entry !== undefined) {
      entry.jobs += 1;
    }
  }

  /** The job is done: where no other one is waiting, the record is right again. */
  function letGo(id: number): void {
    const entry = shown.get(id);
    if (entry !== undefined) {
      entry.jobs -= 1;
      if (entry.jobs <= 0 && burst?.id !== id) {
        shown.delete(id);
      }
      listener.shown();
    }
  }

  function shownRecord(): ShownEvidence {
    if (evidence === null) {
      throw new Error('No record is shown.');
    }
    return evidence;
  }

  async function ask(change: EvidenceChange): Promise<ChangeAnswer> {
    const { uri, index, version } = shownRecord();
    return host.ask('change', { uri, index, version, change });
  }

  async function fitted(
    page: number,
    place: PlaceOnPage,
    how: FitRegionParams['how'],
  ): Promise<{ place: PlaceOnPage; says: string | null; problem: string | null }> {
    try {
      const { uri, index } = shownRecord();
      return await host.ask('fit', { uri, index, page, place, how });
    } catch (error) {
      return { place, says: null, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Queues a change of one region. `told`: more to say than the change's title. */
  function queueChange(
    id: number,
    change: (item: Item) => EvidenceChange | null,
    more: { prepare?: () => Promise<void>; told?: () => string; fresh?: boolean } = {},
  ): void {
    let target: Item | null = null;
    hold(id);
    queue.add({
      ...(more.prepare && { prepare: more.prepare }),
      async ask() {
        target = items.byId(id);
        if (target === null) {
          return { done: false, problem: 'The region is not in the record any more.' };
        }
        const wanted = change(target);
        return wanted === null ? null : ask(wanted);
      },
      done(answer, problem) {
        if (answer !== null && answer.pointer !== null && more.fresh !== true) {
          items.adopt(answer.pointer, id);
        }
        letGo(id);
        listener.problem(problem);
        const told = more.told?.() ?? '';
        if (answer !== null) {
          const words = [answer.title, told].filter((part) => part !== '').join('. ');
          const moved = more.fresh === true || answer.pointer !== target?.region.pointer;
          listener.made(answer.pointer, words, moved, answer.pointer === null ? target : null);
        } else if (told !== '') {
          listener.said(told);
        }
      },
    });
  }

  function recorded(item: Item): PlaceOnPage {
    const { left, top, width, height } = item.region;
    return { left, top, width, height };
  }

  function placeOf(item: Item): PlaceOnPage | null {
    const entry = shown.get(item.id);
    return entry === undefined ? recorded(item) : entry.place;
  }

  /** What fitting came to, in words. */
  function fitWords(how: FitRegionParams['how'], found: { says: string | null; problem: string | null }): string {
    const verbs = { snap: 'Snapped to', grow: 'Grown to', shrink: 'Shrunk to' };
    return found.problem ?? (found.says === null ? '' : `${verbs[how]} ${found.says}`);
  }

  function placeChange(item: Item, place: PlaceOnPage): EvidenceChange | null {
    return samePlace(recorded(item), place) ? null : { kind: 'place', pointer: item.region.pointer, place };
  }

  function place(item: Item, wanted: PlaceOnPage, how: FitRegionParams['how'] | null, always: boolean): void {
    let target = wanted;
    let told = '';
    show(item.id, wanted);
    const prepare = async (): Promise<void> => {
      if (how !== null) {
        const found = await fitted(item.page.number, wanted, how);
        target = found.place;
        told = fitWords(how, found);
        if (told === '' && always) {
          told = samePlace(found.place, wanted) ? 'The region stays as it is' : '';
        }
        // A later gesture may have put it elsewhere meanwhile.
        const entry = shown.get(item.id);
        if (entry?.jobs === 1) {
          show(item.id, target);
        }
      }
    };
    queueChange(item.id, (now) => placeChange(now, target), { prepare, told: () => told });
  }

  function flush(): void {
    if (burst === null) {
      return;
    }
    const { id, timer } = burst;
    clearTimeout(timer);
    burst = null;
    const target = shown.get(id)?.place ?? null;
    if (target !== null) {
      queueChange(id, (item) => placeChange(item, target));
    }
  }

  /** Another record comes: what was typed a moment ago is still made, on the record that it was typed on. */
  function leave(): void {
    const item = burst === null ? null : items.byId(burst.id);
    const target = item === null ? null : placeOf(item);
    if (burst !== null) {
      clearTimeout(burst.timer);
      burst = null;
    }
    const change = item === null || target === null ? null : placeChange(item, target);
    if (change !== null) {
      ask(change).then(
        (answer) => listener.problem(answer.done ? null : answer.problem),
        (error: unknown) => listener.problem(error instanceof Error ? error.message : String(error)),
      );
    }
    if (queue.clear() > 0) {
      listener.problem('A change was not made: another record came first.');
    }
    shown.clear();
    drafts.clear();
  }

  return {
    items,
    evidence: () => evidence,
    update(next, same) {
      if (!same) {
        leave();
      }
      evidence = next;
      items.update(next, same);
      queue.arrived();
    },
    placeOf,
    previews() {
      const places = new Map<string, PlaceOnPage | null>();
      for (const [id, entry] of shown) {
        const item = items.byId(id);
        if (item !== null) {
          places.set(item.region.pointer, entry.place);
        }
      }
      return places;
    },
    drafts: () => [...drafts],
    place(item, wanted, snap) {
      flush();
      place(item, wanted, snap ? 'snap' : null, false);
    },
    nudge(item, wanted) {
      if (burst !== null && burst.id !== item.id) {
        flush();
      }
      if (burst !== null) {
        clearTimeout(burst.timer);
      }
      burst = { id: item.id, timer: setTimeout(flush, PAUSE_MS) };
      show(item.id, wanted);
    },
    flush,
    busy: () => burst !== null || queue.busy(),
    fit(item, how) {
      flush();
      const now = placeOf(item);
      if (now !== null) {
        place(item, now, how, true);
      }
    },
    add(page, wanted, label, snap) {
      flush();
      const draft: Draft = { page, place: wanted };
      drafts.add(draft);
      listener.shown();
      let told = '';
      queue.add({
        async prepare() {
          if (snap) {
            const found = await fitted(page, wanted, 'snap');
            draft.place = found.place;
            told = fitWords('snap', found);
            listener.shown();
          }
        },
        ask: () => ask({ kind: 'add', page, place: draft.place, label }),
        done(answer, problem) {
          drafts.delete(draft);
          listener.shown();
          listener.problem(problem);
          if (answer !== null) {
            const words = [answer.title, told].filter((part) => part !== '').join('. ');
            listener.made(answer.pointer, words, true, null);
          }
        },
      });
    },
    remove(item) {
      flush();
      show(item.id, null);
      queueChange(item.id, ({ region }) => ({ kind: 'remove', pointer: region.pointer }), { fresh: true });
    },
    change(item, change) {
      flush();
      const fresh = change(item)?.kind === 'duplicate';
      queueChange(item.id, change, { fresh });
    },
    undo(redo) {
      flush();
      queue.add({
        ask: async () => host.ask('undo', { uri: shownRecord().uri, redo }),
        done(answer, problem) {
          listener.problem(problem);
          if (answer !== null) {
            listener.made(answer.pointer, answer.title, answer.pointer !== null, null);
          }
        },
      });
    },
  };
}
