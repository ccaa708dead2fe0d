/** Shards of a check put together: what they found, and what the rules across records make of all that they read. */
import { createChecker } from '../../core/checker.ts';
import type { Finding } from '../../core/finding.ts';
import type { RecordItems } from '../../core/pipeline.ts';
import type { Cancel } from '../../core/ports.ts';
import type { NoProfile } from '../../core/profile/settings.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import type { RecordPlace } from '../../core/rules/types.ts';
import type { RecordSource } from '../files/read.ts';
import { placeFileFindings, resolveFirst } from '../session.ts';
import type { SessionResult, SessionServices, SessionSink } from '../session.ts';
import { settingsMark } from './settings-mark.ts';

/** What was read of one record for the rules across records. */
export interface ReadRecord {
  readonly place: RecordPlace;
  /** How often its key came before; all records with a key are in one shard. */
  readonly ordinal: number;
  readonly items: RecordItems;
}

/** What one shard tells of a file. */
export interface FilePart {
  /** Name of its report, for people. */
  readonly report: string;
  readonly records: number;
  readonly unreadable: number;
  /** In the order of the file. */
  readonly findings: readonly Finding[];
  /** Of the rules that `items` name by their place. */
  readonly codes: readonly string[];
  /** In the order of the file. */
  readonly read: readonly ReadRecord[];
  /** @see settingsMark */
  readonly settings: string;
  /** Why solutions could not be run at all. */
  readonly unavailable?: string;
}

/** The shards do not fit each other, or the file; the message says how. */
export class NotJoined extends Error {
  override readonly name = 'NotJoined';
}

/** As `checkSource`, from what the shards have found. `cwd`: as in `settingsMark`. Rejects with `NotJoined`. */
export async function joinSource(
  source: RecordSource,
  resolve: (samples: readonly unknown[]) => Promise<FileSettings | NoProfile>,
  parts: readonly FilePart[],
  cwd: string,
  services: SessionServices,
  sink: SessionSink,
  cancel?: Cancel,
): Promise<SessionResult> {
  const { settings, result } = await resolveFirst(source, resolve);
  if (settings === undefined) return result;
  if (parts.length === 0) throw new NotJoined('no shard has checked it, and a profile fits it now');
  const mark = settingsMark(settings, cwd);
  const other = parts.find((part) => part.settings !== mark);
  if (other !== undefined) throw new NotJoined(`its configuration is not the one with which ${other.report} was made`);
  sink.settings?.(settings);
  for (const { unavailable } of parts) if (unavailable !== undefined) sink.unavailable?.(unavailable);
  tellFindings(parts, sink);
  const checker = createChecker(settings);
  const collection = checker.collect(services.dataset?.(settings));
  const repeats = new Map<number, number>();
  for (const { place, ordinal, items, part } of inOrder(parts)) {
    if (part.codes.join() !== collection.codes.join()) throw new NotJoined(`${part.report} is damaged`);
    if (ordinal > 0) repeats.set(place.index, ordinal);
    try {
      collection.reduce(place, items);
    } catch {
      throw new NotJoined(`${part.report} is damaged`);
    }
  }
  await placeFileFindings(source, checker, { collection, repeats }, services, sink, cancel);
  return {
    records: parts.reduce((sum, { records }) => sum + records, 0),
    unreadable: parts.reduce((sum, { unreadable }) => sum + unreadable, 0),
  };
}

/** Record by record in the order of the file, then those about the file, as they are found without shards. */
function tellFindings(parts: readonly FilePart[], sink: SessionSink): void {
  const byRecord = new Map<number, Finding[]>();
  const ofFile: Finding[] = [];
  for (const finding of parts.flatMap(({ findings }) => findings)) {
    const { record } = finding;
    const same = record === null ? ofFile : byRecord.get(record.index);
    if (same !== undefined) same.push(finding);
    else if (record !== null) byRecord.set(record.index, [finding]);
  }
  for (const [, findings] of [...byRecord].sort(([a], [b]) => a - b)) sink.findings(findings);
  sink.findings(ofFile);
}

/** Merges what the shards read, each of them in order already. */
function* inOrder(parts: readonly FilePart[]): Generator<ReadRecord & { readonly part: FilePart }> {
  const next = parts.map(() => 0);
  for (;;) {
    let best: ReadRecord | undefined;
    let from = -1;
    for (const [i, { read }] of parts.entries()) {
      const one = read[next[i]!];
      if (one !== undefined && (best === undefined || one.place.index < best.place.index)) {
        best = one;
        from = i;
      }
    }
    if (best === undefined) return;
    next[from]! += 1;
    yield { ...best, part: parts[from]! };
  }
}
