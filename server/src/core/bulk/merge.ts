/**
 * Which records a merge of files has, decided by their ids: a record that several files have is taken once where it says the same, and
 * is a conflict where it does not. Records are named by file and position; their texts stay where they are.
 */
import type { Differences } from './differences.ts';
import { createFreshIds } from './fresh-ids.ts';

/** What is done where records of one id differ. `first` and `last`: of the files as they are given. */
export type OnConflict = 'stop' | 'first' | 'last' | 'keep-both';

export interface MergedRecord {
  /** Position of its file among those merged. */
  readonly file: number;
  /** 0-based, in its file. */
  readonly index: number;
  /** 0-based. */
  readonly line: number;
}

export interface MergeConflict {
  readonly id: string;
  /** Of the file that comes first. */
  readonly ours: MergedRecord;
  readonly theirs: MergedRecord;
  readonly differences: Differences;
}

export interface Taken {
  readonly record: MergedRecord;
  /** It gets this id. */
  readonly id?: string;
}

export interface MergePlan {
  /** In the order of the merged file. */
  readonly taken: readonly Taken[];
  /** Records that another one has said already. */
  readonly repeated: number;
  /** The first ones in full. */
  readonly conflicts: readonly MergeConflict[];
  readonly conflictCount: number;
}

export interface MergeHost {
  /** What two records say differently. */
  compare(ours: MergedRecord, theirs: MergedRecord): Promise<Differences>;
}

/** Conflicts that are kept to be shown; all are counted. */
const KEPT_CONFLICTS = 200;

export interface Merge {
  /**
   * The next record, in the order of the files. `id` undefined: it is known by what it says alone. `content`: a hash of the record as it is
   * written, blanks left out.
   */
  add(record: MergedRecord, id: string | undefined, content: string): Promise<void>;
  end(): MergePlan;
}

interface Known {
  record: MergedRecord;
  content: string;
  /** Position among those taken. */
  readonly at: number;
}

export function createMerge(onConflict: OnConflict, { compare }: MergeHost): Merge {
  const taken: { record: MergedRecord; likeId?: string }[] = [];
  const byId = new Map<string, Known[]>();
  const contents = new Set<string>();
  const conflicts: MergeConflict[] = [];
  let conflictCount = 0;
  let repeated = 0;

  function take(record: MergedRecord, likeId?: string): number {
    taken.push({ record, ...(likeId !== undefined && { likeId }) });
    return taken.length - 1;
  }

  async function addKnown(known: Known[], record: MergedRecord, id: string, content: string): Promise<void> {
    let first: Differences | undefined;
    for (const one of known) {
      if (one.content === content) return void repeated++;
      const found = await compare(one.record, record);
      if (found.total === 0) return void repeated++;
      first ??= found;
    }
    const [ours] = known;
    conflictCount++;
    if (conflicts.length < KEPT_CONFLICTS) {
      conflicts.push({ id, ours: ours!.record, theirs: record, differences: first! });
    }
    if (onConflict === 'last') {
      taken[ours!.at] = { record };
      ours!.record = record;
      ours!.content = content;
    } else if (onConflict === 'keep-both') {
      known.push({ record, content, at: take(record, id) });
    }
  }

  return {
    async add(record, id, content) {
      if (id === undefined) {
        if (contents.has(content)) return void repeated++;
        contents.add(content);
        take(record);
        return;
      }
      const known = byId.get(id);
      if (known !== undefined) return addKnown(known, record, id, content);
      byId.set(id, [{ record, content, at: take(record) }]);
    },
    end() {
      const fresh = createFreshIds(byId.keys());
      return {
        taken: taken.map(({ record, likeId }): Taken =>
          likeId === undefined ? { record } : { record, id: fresh(likeId) },
        ),
        repeated,
        conflicts,
        conflictCount,
      };
    },
  };
}
