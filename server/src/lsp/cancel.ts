import type { CancellationToken } from 'vscode-languageserver/node';
import type { Cancel } from '../core/ports.ts';

export interface CancelSource extends Cancel {
  abort(): void;
}

export function createCancel(): CancelSource {
  const listeners = new Set<() => void>();
  let aborted = false;
  return {
    get aborted() {
      return aborted;
    },
    onAbort(listener) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    abort() {
      if (aborted) return;
      aborted = true;
      for (const listener of [...listeners]) listener();
      listeners.clear();
    },
  };
}

export function cancelOf(token: CancellationToken): Cancel {
  return {
    get aborted() {
      return token.isCancellationRequested;
    },
    onAbort: (listener) => token.onCancellationRequested(listener),
  };
}
