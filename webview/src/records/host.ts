/** The only place that knows what the page runs in: messages of schemas/records-page.ts, and what survives hiding and reloading. */
import type { FromRecordsPage, RecordQuestion, RecordQuestions, ToRecordsPage } from '../../../schemas/records-page.ts';
import type { RecordFilter, RecordOrder } from '../../../schemas/records.ts';

/** What survives. Keys are good only as long as the server is the one of `epoch`. */
export interface KeptState {
  readonly version: 1;
  readonly epoch: string;
  readonly uri: string;
  readonly filter: RecordFilter;
  readonly order: RecordOrder;
  readonly scrollTop: number;
  /** 0-based index of the current record in the file. */
  readonly current: number | null;
  readonly selection: readonly number[];
}

export interface Host {
  post(message: FromRecordsPage): void;
  /** null: there is no answer. */
  ask<Q extends RecordQuestion>(
    question: Q,
    params: RecordQuestions[Q]['params'],
  ): Promise<RecordQuestions[Q]['result'] | null>;
  onMessage(listener: (message: ToRecordsPage) => void): void;
  loadState(): KeptState | null;
  saveState(state: KeptState): void;
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

function isKeptState(value: unknown): value is KeptState {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
}

export function connectHost(): Host {
  const api = acquireVsCodeApi();
  const waiting = new Map<number, (result: unknown) => void>();
  let next = 0;
  const post = (message: FromRecordsPage): void => api.postMessage(message);
  return {
    post,
    ask<Q extends RecordQuestion>(question: Q, params: RecordQuestions[Q]['params']) {
      const id = next++;
      return new Promise<RecordQuestions[Q]['result'] | null>((resolve) => {
        waiting.set(id, (result) => resolve(result as RecordQuestions[Q]['result'] | null));
        post({ type: 'ask', id, question, params });
      });
    },
    onMessage: (listener) =>
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        const data = event.data;
        if (typeof data !== 'object' || data === null || !('type' in data)) return;
        const message = data as ToRecordsPage;
        if (message.type !== 'answer') {
          listener(message);
          return;
        }
        waiting.get(message.id)?.(message.result);
        waiting.delete(message.id);
      }),
    loadState: () => {
      const state = api.getState();
      return isKeptState(state) ? state : null;
    },
    saveState: (state) => api.setState(state),
  };
}
