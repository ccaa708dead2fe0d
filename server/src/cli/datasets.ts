import type { FileSettings } from '../core/profile/types.ts';
import type { DatasetMemory } from '../core/rules/types.ts';
import type { Runtime } from '../node/runtime.ts';

/** What is kept between the files of each `datasets` entry, for one invocation. */
const kept = new WeakMap<Runtime, Map<string, Map<string, unknown>>>();

/** The memory of the entry that governs the file; undefined where no entry does. */
export function datasetOf(runtime: Runtime, settings: FileSettings, file: string): DatasetMemory | undefined {
  if (settings.entry === undefined) return undefined;
  let entries = kept.get(runtime);
  if (entries === undefined) kept.set(runtime, (entries = new Map()));
  const key = `${settings.entry} ${settings.configurationFolder ?? ''}`;
  let entry = entries.get(key);
  if (entry === undefined) entries.set(key, (entry = new Map()));
  return { file, kept: entry };
}
