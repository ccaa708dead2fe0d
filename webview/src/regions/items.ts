/** The regions that are shown, each known again in the next snapshot whatever its pointer is by then. */
import type { ShownEvidence, ShownPage } from '../../../schemas/page.ts';
import type { EvidenceRegion } from '../../../schemas/protocol.ts';

export interface Item {
  /** Ours; stays with the region over snapshots of its record. */
  readonly id: number;
  readonly region: EvidenceRegion;
  readonly page: ShownPage;
  /** 0-based, among the regions of its page. */
  readonly position: number;
  /** As it is called: 1-based over the whole record. */
  readonly number: number;
}

export interface Items {
  all(): readonly Item[];
  byId(id: number): Item | null;
  byPointer(pointer: string): Item | null;
  /** `same`: of the record that was shown before. */
  update(evidence: ShownEvidence | null, same: boolean): void;
  /** The region at a pointer is the one that `id` was: what a change has said. */
  adopt(pointer: string, id: number): void;
}

type Unnamed = Pick<Item, 'page' | 'region'>;

const likeness = ({ page, region }: Unnamed): string => JSON.stringify([page.number, region.text, region.label]);
const likenessAnywhere = ({ region }: Unnamed): string => JSON.stringify([region.text, region.label]);

export function createItems(): Items {
  let items: readonly Item[] = [];
  let ids = new Map<number, Item>();
  let pointers = new Map<string, Item>();
  let last = 0;

  function keep(next: readonly Item[]): void {
    items = next;
    ids = new Map(next.map((item) => [item.id, item]));
    pointers = new Map(next.map((item) => [item.region.pointer, item]));
  }

  /** Ids of what was there: by what it looks like, also on another page; then by pointer, for what looks otherwise now. */
  function known(fresh: readonly Omit<Item, 'id'>[]): (number | null)[] {
    const taken = new Set<number>();
    const take = (item: Item | undefined): number | null => {
      if (item === undefined || taken.has(item.id)) {
        return null;
      }
      taken.add(item.id);
      return item.id;
    };
    /** Those that are left, by what they look like; each is given once. */
    const alike = (look: (item: Unnamed) => string): ((item: Unnamed) => Item | undefined) => {
      const left = new Map<string, Item[]>();
      for (const item of items) {
        if (!taken.has(item.id)) {
          const same = left.get(look(item));
          if (same === undefined) {
            left.set(look(item), [item]);
          } else {
            same.push(item);
          }
        }
      }
      return (item) => left.get(look(item))?.shift();
    };
    const onPage = alike(likeness);
    const found = fresh.map((item) => take(onPage(item)));
    const anywhere = alike(likenessAnywhere);
    const moved = fresh.map((item, at) => found[at] ?? take(anywhere(item)));
    return moved.map((id, at) => id ?? take(pointers.get(fresh[at]?.region.pointer ?? '')));
  }

  return {
    all: () => items,
    byId: (id) => ids.get(id) ?? null,
    byPointer: (pointer) => pointers.get(pointer) ?? null,
    update(evidence, same) {
      if (!same) {
        keep([]);
      }
      let number = 0;
      const fresh = (evidence?.pages ?? []).flatMap((page) =>
        page.regions.map((region, position) => ({ region, page, position, number: (number += 1) })),
      );
      const found = known(fresh);
      keep(fresh.map((item, at) => ({ ...item, id: found[at] ?? (last += 1) })));
    },
    adopt(pointer, id) {
      const item = pointers.get(pointer);
      if (item !== undefined && item.id !== id) {
        keep(items.map((one) => (one === item ? { ...one, id } : one.id === id ? { ...one, id: (last += 1) } : one)));
      }
    },
  };
}
