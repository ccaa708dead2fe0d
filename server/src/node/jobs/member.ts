/** A thread that checks records: it reads documents itself, and asks for runs of solutions. */
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { createChecker, foundOf, keyNumberOf, refOf } from '../../core/checker.ts';
import type { CheckedText, Checker, Collection, RecordFacts } from '../../core/pipeline.ts';
import type { DocumentReader, RunResult, SolutionRunner } from '../../core/ports.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import { createFactReader, NO_FACTS } from '../facts.ts';
import { createDocumentReader } from '../pages/document-reader.ts';
import type { FileTask, FromMember, MemberData, RecordDone, ToMember } from './messages.ts';
import { isOfShard } from './shard.ts';

/** Serves until the thread is ended from outside. */
export function startMember(): void {
  const port = parentPort;
  if (port === null) throw new Error('This runs in a thread only');
  const { pdfWorker } = workerData as MemberData;
  let reader: DocumentReader | undefined;
  const readerOf = (): DocumentReader =>
    (reader ??= createDocumentReader({ worker: new URL(pdfWorker), trustMs: Infinity }));
  const { runner, answer } = createAsker(port);
  const files = new Map<number, OpenFile>();
  port.on('message', (message: ToMember) => {
    if ('run' in message) answer(message.run, message.result);
    else if ('open' in message) {
      // Files come one after the other.
      files.clear();
      files.set(message.open, openFile(message.task, runner, message.task.looks ? readerOf() : undefined));
    } else {
      const { batch, slots, wanted } = message;
      const file = files.get(message.file)!;
      Promise.all(slots.map((slot) => checkOne(file, slot, wanted))).then(
        (records) => port.postMessage({ done: batch, records } satisfies FromMember),
        (error: unknown) =>
          port.postMessage({
            failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
          } satisfies FromMember),
      );
    }
  });
}

/** Runs solutions elsewhere. */
function createAsker(port: MessagePort): {
  readonly runner: SolutionRunner;
  answer(run: number, result: RunResult): void;
} {
  const asked = new Map<number, (result: RunResult) => void>();
  let next = 0;
  return {
    runner: {
      run: (request) =>
        new Promise((resolve) => {
          const run = next++;
          asked.set(run, resolve);
          port.postMessage({ run, request } satisfies FromMember);
        }),
      dispose: () => Promise.resolve(),
    },
    answer(run, result) {
      asked.get(run)?.(result);
      asked.delete(run);
    },
  };
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

function openFile(task: FileTask, runner: SolutionRunner, documents: DocumentReader | undefined): OpenFile {
  const checker = createChecker(task.settings);
  const { runs, probe, inDataset } = task;
  return {
    task,
    checker,
    // Only its reading half is used: nothing is kept in what stands for the dataset.
    collection: checker.collect(inDataset ? { file: '', kept: new Map() } : undefined),
    factsOf: createFactReader(checker, { ...(runs && { runner }), ...(documents && { documents }), probe }),
  };
}

async function checkOne(file: OpenFile, slot: RecordSlot, wanted: boolean): Promise<RecordDone | undefined> {
  const { checker, collection, task, factsOf } = file;
  const checked = checker.checkText(slot.text, slot.outer);
  const key = keyNumberOf(checked);
  if (task.shard !== undefined && !isOfShard(key, task.shard)) return undefined;
  let unavailable: string | undefined;
  const facts = (wanted && (await factsOf(checked, (message) => (unavailable = message)))) || NO_FACTS;
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
