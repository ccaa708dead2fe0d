/** What to do when the server has ended without being asked to. */
export interface RestartDecision {
  readonly restart: boolean;
  /** To be shown to the user; undefined: it was told already. */
  readonly message?: string;
}

const LIMIT = 4;
const WINDOW_MS = 3 * 60_000;

/**
 * Restarts a server that ended up to four times in three minutes, and says so once: the first end of a series is told, and
 * the giving up. `now` is a clock in ms.
 */
export function createRestartPolicy(now: () => number): { ended(): RestartDecision; reset(): void } {
  let ends: number[] = [];
  return {
    ended() {
      const at = now();
      ends = ends.filter((end) => at - end < WINDOW_MS);
      ends.push(at);
      if (ends.length > LIMIT) {
        return {
          restart: false,
          message: `The language server ended ${ends.length} times in three minutes and is not started again.`,
        };
      }
      if (ends.length > 1) return { restart: true };
      return { restart: true, message: 'The language server ended unexpectedly and was started again.' };
    },
    reset() {
      ends = [];
    },
  };
}
