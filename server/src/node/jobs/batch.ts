/** Records of one file, checked by a thread that does not know those before them. */
import { createChecker, foundOf, keyNumberOf, refOf } from '../../core/checker.ts';
import type { CheckedText, Checker, Collection, RecordFacts } from '../../core/pipeline.ts';
import type { DocumentReader, SolutionRunner } from '../../core/ports.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import { createFactReader, NO_FACTS } from '../facts.ts';
import type { FileTask, RecordDone } from './messages.ts';
import { isOfShard } from './shard.ts';

export interface BatchChecker {
  /** In the order of the slots; undefined: of another shard. */
  check(slots: readonly RecordSlot[], wanted: boolean): Promise<(RecordDone | undefined)[]>;
}

interface OpenFile {
  readonly task: FileTask;
  readonly checker: Checker;
  readonly collection: Collection;
  readonly factsOf: (
    checked: CheckedText,
    onUnavailable: (message: string) => void,
  ) => Promise<RecordFacts> | undefined;
}

/** `runner` and `documents` are used as far as the task wants them. */
export function createBatchChecker(
  task: FileTask,
  runner: SolutionRunner,
  documents: DocumentReader | undefined,
): BatchChecker {
  const checker = createChecker(task.settings);
  const { runs, looks, probe, inDataset } = task;
  const file: OpenFile = {
    task,
    checker,
    // Only its reading half is used: nothing is kept in what stands for the dataset.
    collection: checker.collect(inDataset ? { file: '', kept: new Map() } : undefined),
    factsOf: createFactReader(checker, { ...(runs && { runner }), ...(looks && documents && { documents }), probe }),
  };
  return { check: (slots, wanted) => Promise.all(slots.map((slot) => checkOne(file, slot, wanted))) };
}

async function checkOne(file: OpenFile, slot: RecordSlot, wanted: boolean): Promise<RecordDone | undefined> {
  const { checker, collection, task, factsOf } = file;
  const checked = checker.checkText(slot.text, slot.outer);
  const key = keyNumberOf(checked);
  if (task.shard !== undefined && !isOfShard(key, task.shard)) return undefined;
  let unavailable: string | undefined;
  const later = wanted ? factsOf(checked, (message) => (unavailable = message)) : undefined;
  // What is done at once is let go before the next record comes.
  const facts = later === undefined ? NO_FACTS : await later;
  const findings = wanted ? checker.findings(slot, checked, facts) : [];
  const hasOutcome = wanted && (checked.solution ?? checked.record?.program) !== undefined;
  const outcome = hasOutcome ? checker.outcome(checked, facts.run) : undefined;
  return {
    key,
    ref: refOf(slot, checked),
    isReadable: checked.parsed.value !== undefined,
    items: collection.digest(checked, facts),
    findings,
    founds: findings.map(foundOf),
    ...(outcome !== undefined && { outcome }),
    ...(unavailable !== undefined && { unavailable }),
  };
}
