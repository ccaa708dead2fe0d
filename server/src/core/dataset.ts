/** What rules across files keep of single files, so that a shell can read each file once and put them together anew. */
import type { CanonicalRecord } from './record/types.ts';
import type { FileSettings } from './profile/types.ts';
import { collectorOf, isAcross } from './rules/across.ts';
import { levelOf, RULES } from './rules/registry.ts';
import type { DatasetMemory } from './rules/types.ts';
import type { RecordSlot } from './text/types.ts';

/** Hashes and short texts of one file, by rule. */
export interface FileDigest {
  readonly kept: ReadonlyMap<string, unknown>;
  readonly records: number;
}

export interface DigestBuilder {
  /** In the order of the file. */
  add(record: CanonicalRecord, slot: RecordSlot): void;
  end(): FileDigest;
}

const JOINING = RULES.filter(isAcross).flatMap((rule) =>
  rule.join === undefined ? [] : [{ ...rule, join: rule.join }],
);

/** Whether a rule that is on compares the file with others of its `datasets` entry. */
export function comparesFiles({ entry, rules }: FileSettings): boolean {
  return entry !== undefined && JOINING.some(({ code }) => levelOf(code, rules) !== 'off');
}

/** `file` and `path`: see `DatasetMemory`. */
export function createDigest(settings: FileSettings, { file, path }: { file: string; path: string }): DigestBuilder {
  const memory: DatasetMemory = { file, path, kept: new Map() };
  const collectors = JOINING.map((rule) => collectorOf(rule, settings, memory));
  let records = 0;
  return {
    add(record, slot) {
      records += 1;
      for (const collector of collectors) collector.add({ record, settings, solution: undefined, nonFinite: [] }, slot);
    },
    end: () => ({ kept: memory.kept, records }),
  };
}

/** What reading the files one after the other would have kept; in steps of about a millisecond. */
export function* joinDigests(digests: readonly FileDigest[]): Generator<undefined, DatasetMemory['kept']> {
  const kept: DatasetMemory['kept'] = new Map();
  for (const { code, join } of JOINING) {
    kept.set(code, yield* join(digests.flatMap((digest) => digest.kept.get(code) ?? [])));
  }
  return kept;
}
