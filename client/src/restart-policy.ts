/** What to do when the server has ended without being asked to. */
export interface RestartDecision {
  readonly restart: boolean;
  /** To be shown to the user; undefined: it was told already. */
  readonly message?: string;
}

const LIMIT = 4;
const WINDOW_MS = 3 * 60_000;

export interface RestartPolicy {
  /** The server has ended without being asked to. */
  ended(): RestartDecision;
  /** It did not come up; gives what to tell. */
  failedToStart(): string | undefined;
  /** Somebody starts it: what failed before is another series. */
  reset(): void;
}

/**
 * Restarts a server that ended up to four times in three minutes. A series is told once: its first failure, be it an end or a
 * failed start, and the giving up. It is over when three minutes pass without a failure. `now` is a clock in ms.
 */
export function createRestartPolicy(now: () => number): RestartPolicy {
  let ends: number[] = [];
  let last = -Infinity;
  let toldGivingUp = false;

  /** Whether it is the first failure of a series. */
  function fail(): boolean {
    const isFirst = now() - last >= WINDOW_MS;
    last = now();
    if (isFirst) toldGivingUp = false;
    return isFirst;
  }

  return {
    ended() {
      const isFirst = fail();
      ends = ends.filter((end) => last - end < WINDOW_MS);
      ends.push(last);
      if (ends.length > LIMIT) {
        if (toldGivingUp) return { restart: false };
        toldGivingUp = true;
        return {
          restart: false,
          message: `The language server ended ${ends.length} times in three minutes and is not started again.`,
        };
      }
      if (!isFirst) return { restart: true };
      return { restart: true, message: 'The language server ended unexpectedly and was started again.' };
    },
    failedToStart: () => (fail() ? 'The language server did not start.' : undefined),
    reset() {
      ends = [];
      last = -Infinity;
      toldGivingUp = false;
    },
  };
}
