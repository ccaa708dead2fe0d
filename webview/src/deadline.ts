/** Waiting with an end. */

/**
 * Settles as `work` does, or rejects with `late()` after `ms`. Time in which the page is not visible does not count:
 * the browser pauses drawing then.
 */
export function deadline<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const arm = (): void => {
      timer = setTimeout(() => (document.visibilityState === 'visible' ? reject(late()) : arm()), ms);
    };
    arm();
    const settled = (): void => {
      if (timer !== null) {
        clearTimeout(timer);
      }
    };
    work.then(
      (value) => {
        settled();
        resolve(value);
      },
      (error: unknown) => {
        settled();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
