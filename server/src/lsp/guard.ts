import type { CancellationToken } from 'vscode-languageserver/node';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';

export type Log = (message: string) => void;

/**
 * Wraps a handler: lets notifications that came meanwhile go first, answers cancelled requests as such, and turns a failure
 * into a log line and the neutral value, so that no request ends the server.
 */
export function guarded<P, R>(
  name: string,
  log: Log,
  neutral: R,
  handler: (params: P, token: CancellationToken) => R | Promise<R>,
): (params: P, token: CancellationToken) => Promise<R | ResponseError<void>> {
  return async (params, token) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (token.isCancellationRequested) return cancelled();
    try {
      const result = await handler(params, token);
      return token.isCancellationRequested ? cancelled() : result;
    } catch (error) {
      log(`${name} failed: ${describe(error)}`);
      return neutral;
    }
  };
}

/** The same for notifications, which must be handled in the order in which they come: nothing yields before them. */
export function guardedNotification<P>(
  name: string,
  log: Log,
  handler: (params: P) => void | Promise<void>,
): (params: P) => void {
  const failed = (error: unknown): void => log(`${name} failed: ${describe(error)}`);
  return (params) => {
    try {
      const done = handler(params);
      if (done instanceof Promise) done.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

export function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function cancelled(): ResponseError<void> {
  return new ResponseError<void>(LSPErrorCodes.RequestCancelled, 'The request was cancelled');
}
