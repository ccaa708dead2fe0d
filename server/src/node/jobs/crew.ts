/**
 * Threads that check records of one file after the other: this one, and others that are started when the first batch comes. A thread
 * takes half a second of its own, to load what checks and to make it fast, so one that only handed on would cost as much as it brings.
 */
import { Worker } from 'node:worker_threads';
import type { DocumentReader, SolutionRunner } from '../../core/ports.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import { createBatchChecker } from './batch.ts';
import type { BatchChecker } from './batch.ts';
import type { FileTask, FromMember, MemberData, RecordDone, ToMember } from './messages.ts';

export interface CrewOptions {
  /** Where a thread starts; it calls `startMember`. */
  readonly entry: URL;
  readonly pdfWorker: URL;
  /** Threads with this one; at least 2. */
  readonly jobs: number;
  /** Runs the solutions of all of them. */
  readonly runner: SolutionRunner;
  /** For this thread; the others have their own. */
  readonly documents: DocumentReader;
}

export interface Crew {
  /** Batches that may be under way, so that no thread waits for the next one. */
  readonly room: number;
  /** Whether threads are at hand already. */
  readonly isStarted: boolean;
  /** The file whose batches come next; the one before must be done. */
  open(task: FileTask): CrewFile;
  dispose(): Promise<void>;
}

export interface CrewFile {
  /** In the order of the slots; undefined: of another shard. Rejects with `MemberLost` where they could not be checked. */
  check(slots: readonly RecordSlot[], wanted: boolean): Promise<readonly (RecordDone | undefined)[]>;
}

/** Batches under way for each thread: one is waited for, one is at work, one is ready. */
const BATCHES = 3;

/** A thread ended before it had done what it was given. */
export class MemberLost extends Error {
  override readonly name = 'MemberLost';
}

interface Waiting {
  resolve(records: readonly (RecordDone | undefined)[]): void;
  reject(error: unknown): void;
}

interface Member {
  readonly thread: Worker;
  /** Batches that it works on. */
  readonly waiting: Map<number, Waiting>;
  /** Number of the file that it knows. */
  file: number;
}

export function createCrew({ entry, pdfWorker, jobs, runner, documents }: CrewOptions): Crew {
  const members: Member[] = [];
  let files = 0;
  let batches = 0;
  let lost: MemberLost | undefined;
  let isOver = false;
  /** Batches that this thread works on, or waits for. */
  let own = 0;
  let turn: Promise<void> = Promise.resolve();

  function lose(reason: string): void {
    if (isOver) return;
    lost ??= new MemberLost(reason);
    for (const { waiting } of members) {
      for (const { reject } of waiting.values()) reject(lost);
      waiting.clear();
    }
  }

  function hear(member: Member, message: FromMember): void {
    if ('failed' in message) lose(message.failed);
    else if ('done' in message) {
      member.waiting.get(message.done)?.resolve(message.records);
      member.waiting.delete(message.done);
    } else {
      const { run, request } = message;
      runner.run(request).then(
        (result) => send(member, { run, result }),
        (error: unknown) => lose(String(error)),
      );
    }
  }

  function start(): Member {
    const thread = new Worker(entry, { workerData: { pdfWorker: pdfWorker.href } satisfies MemberData });
    const member: Member = { thread, waiting: new Map(), file: 0 };
    thread.on('message', (message: FromMember) => hear(member, message));
    thread.on('messageerror', (error) => lose(error.message));
    thread.on('error', (error) => lose(error instanceof Error ? error.message : String(error)));
    thread.on('exit', (code) => lose(`it ended with code ${code}`));
    return member;
  }

  function send(member: Member, message: ToMember): void {
    if (!isOver) member.thread.postMessage(message);
  }

  async function checkHere(checker: BatchChecker, slots: readonly RecordSlot[], wanted: boolean) {
    own++;
    try {
      // The others hand in what they have done between two batches.
      turn = turn.then(nextTurn);
      await turn;
      return await checker.check(slots, wanted);
    } finally {
      own--;
    }
  }

  return {
    room: jobs * BATCHES,
    get isStarted() {
      return members.length > 0;
    },
    open(task) {
      const file = ++files;
      const here = createBatchChecker(task, runner, documents);
      return {
        check(slots, wanted) {
          if (lost !== undefined) return Promise.reject(lost);
          while (members.length < jobs - 1) members.push(start());
          const member = members.reduce((best, one) => (one.waiting.size < best.waiting.size ? one : best));
          if (member.waiting.size >= BATCHES && own <= member.waiting.size) return checkHere(here, slots, wanted);
          if (member.file !== file) send(member, { open: file, task });
          member.file = file;
          const batch = ++batches;
          return new Promise((resolve, reject) => {
            member.waiting.set(batch, { resolve, reject });
            try {
              send(member, { batch, file, slots, wanted });
            } catch {
              // What is nested some thousand levels deep is not copied to another thread.
              member.waiting.delete(batch);
              checkHere(here, slots, wanted).then(resolve, reject);
            }
          });
        },
      };
    },
    async dispose() {
      isOver = true;
      await Promise.all(members.map(({ thread }) => thread.terminate()));
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
