/** Changes one after the other: each is asked for on the snapshot that shows the one before. */
import type { ChangeAnswer } from '../../../schemas/page.ts';

export interface Job {
  /** Comes before, and may take its time. */
  prepare?(): Promise<void>;
  /** Asks for the change, on the snapshot that is shown by then. null: nothing is left to be changed. */
  ask(): Promise<ChangeAnswer | null>;
  /** After the snapshot that shows it, or at once where nothing was changed. `problem`: why, as a sentence. */
  done(answer: Extract<ChangeAnswer, { done: true }> | null, problem: string | null): void;
}

export interface Queue {
  add(job: Job): void;
  /** A snapshot of the record has arrived. */
  arrived(): void;
  /** Another record is shown: what is waiting is dropped, what is under way is not heard any more. Returns how many were not asked for. */
  clear(): number;
  busy(): boolean;
}

/** A snapshot that does not come, as when the server is started anew, holds up nothing for longer. */
const SNAPSHOT_MS = 2000;

/** `version`: of the snapshot that is shown. `turned`: called when it becomes busy or idle. */
export function createQueue(version: () => number | null, turned: () => void): Queue {
  let waiting: Job[] = [];
  let running = false;
  let preparing = false;
  let round = 0;
  let wake: (() => void) | null = null;
  let arrivals = 0;

  /** Until a snapshot of another version is there than the one that the change was asked for on. */
  function shown(asked: number | null, since: number): Promise<void> {
    const there = (): boolean => arrivals > since && (asked === null || version() !== asked);
    if (there()) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        wake = null;
        resolve();
      };
      const timer = setTimeout(end, SNAPSHOT_MS);
      wake = () => {
        if (there()) {
          end();
        }
      };
    });
  }

  async function run(job: Job, mine: number): Promise<void> {
    let answer: ChangeAnswer | null = null;
    let problem: string | null = null;
    let asked: number | null = null;
    let since = 0;
    try {
      preparing = true;
      await job.prepare?.();
      if (mine !== round) {
        return;
      }
      preparing = false;
      asked = version();
      since = arrivals;
      answer = await job.ask();
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    if (mine !== round) {
      return;
    }
    if (answer?.done === true) {
      if (answer.unchanged !== true) {
        await shown(asked, since);
      }
      if (mine === round) {
        job.done(answer, null);
      }
    } else {
      job.done(null, answer === null ? problem : answer.problem);
    }
  }

  async function next(): Promise<void> {
    if (running) {
      return;
    }
    const job = waiting.shift();
    if (job === undefined) {
      turned();
      return;
    }
    running = true;
    turned();
    const mine = round;
    await run(job, mine);
    if (mine === round) {
      running = false;
      void next();
    }
  }

  return {
    add(job) {
      waiting.push(job);
      void next();
    },
    arrived() {
      arrivals += 1;
      wake?.();
    },
    clear() {
      const dropped = waiting.length + (preparing ? 1 : 0);
      round += 1;
      waiting = [];
      preparing = false;
      running = false;
      wake?.();
      wake = null;
      return dropped;
    },
    busy: () => running,
  };
}
