/**
 * Works off slow questions about records, a few at a time, in order, urgent ones first. A lane never rejects: what fails
 * is logged and the next one is taken.
 */
export interface Lane<T> {
  /** Replaces what waits; what is under way goes on. */
  want(items: readonly T[]): void;
  first(item: T): void;
  /** Takes nothing new for so many ms, but what is urgent: somebody types. */
  rest(ms: number): void;
  /** Items that wait or are under way. */
  readonly size: number;
}

/** What answers at once, one after the other, would never let the thread hear a keystroke: after so many ms it does. */
const SLICE_MS = 5;

export function createLane<T>(width: number, work: (item: T) => Promise<void>, idle: () => void): Lane<T> {
  let waiting: readonly T[] = [];
  let next = 0;
  let urgent: T[] = [];
  const running = new Set<T>();
  let sliceStart = 0;
  let restUntil = 0;
  let paused = false;
  /** Work was done since `idle` was last told: who hears it may want again, and must not be told for wanting nothing. */
  let worked = false;

  function take(): T | undefined {
    const item = urgent.shift() ?? waiting[next++];
    if (item === undefined) {
      waiting = [];
      next = 0;
    }
    return item;
  }

  function goOn(): void {
    if (paused) return;
    const now = performance.now();
    if (now < restUntil) pause((resume) => setTimeout(resume, restUntil - now));
    else if (now - sliceStart < SLICE_MS) fill();
    else pause(setImmediate);
  }

  function pause(wait: (resume: () => void) => unknown): void {
    paused = true;
    wait(() => {
      paused = false;
      sliceStart = performance.now();
      if (sliceStart < restUntil) return goOn();
      fill();
      settle();
    });
  }

  function settle(): void {
    if (!worked || paused || running.size > 0) return;
    worked = false;
    idle();
  }

  function fill(): void {
    while (running.size < width) {
      const item = take();
      if (item === undefined) return;
      if (running.has(item)) continue;
      running.add(item);
      worked = true;
      void work(item).finally(() => {
        running.delete(item);
        goOn();
        settle();
      });
    }
  }

  return {
    want(items) {
      waiting = items;
      next = 0;
      goOn();
    },
    rest(ms) {
      restUntil = performance.now() + ms;
    },
    first(item) {
      urgent = [item, ...urgent.filter((other) => other !== item)];
      fill();
    },
    get size() {
      return running.size + urgent.length + Math.max(0, waiting.length - next);
    },
  };
}
