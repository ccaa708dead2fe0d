/**
 * The only place that knows what the page runs in. Everything else in this room sends and receives the messages of
 * schemas/page.ts and could as well stand in a plain browser tab.
 */
import type { FromPage, ToPage } from '../../schemas/page.ts';

/** What survives hiding, moving and reloading the panel. The evidence itself belongs to the host. */
export interface ViewState {
  readonly version: 1;
  /** The record that was shown: with it the host restores the panel after a reload. */
  readonly uri: string;
  readonly index: number;
  /** `fit`: pages as wide as the panel; else a factor, 1 being 100 %. */
  readonly zoom: 'fit' | number;
  /** The card at the top edge, and how far it is scrolled past that edge, as a fraction of its height. */
  readonly anchor: { readonly card: string; readonly fraction: number } | null;
  readonly scrollLeft: number;
  /** Nothing but the evidence is shown, and whether the answer of this record was asked for. */
  readonly evidenceOnly?: boolean;
  readonly revealed?: boolean;
}

export interface Host {
  post(message: FromPage): void;
  onMessage(listener: (message: ToPage) => void): void;
  loadState(): ViewState | null;
  saveState(state: ViewState): void;
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

function isViewState(value: unknown): value is ViewState {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
}

export function connectHost(): Host {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    onMessage: (listener) =>
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        const data = event.data;
        if (typeof data === 'object' && data !== null && 'type' in data) {
          listener(data as ToPage);
        }
      }),
    loadState: () => {
      const state = api.getState();
      return isViewState(state) ? state : null;
    },
    saveState: (state) => api.setState(state),
  };
}
