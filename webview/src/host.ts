/**
 * The only place that knows what the page runs in. Everything else in this room sends and receives the messages of
 * schemas/page.ts and could as well stand in a plain browser tab.
 */
import type { Drafts } from './record/panel.ts';
import type { FromPage, PageQuestion, PageQuestions, ToPage } from '../../schemas/page.ts';

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
  /** Share of the width that the record has where it stands beside the pages, 0 to 1; and how far it is scrolled, in CSS px. */
  readonly split?: number;
  readonly sideScroll?: number;
  /** What was typed into the record and not saved. */
  readonly drafts?: Drafts;
  /** Which pages are shown and how: what webview/src/document/state.ts reads, with a version of its own. */
  readonly document?: unknown;
  /** Edges of regions snap to what is on the page; the list of regions is open. */
  readonly regions?: { readonly snap: boolean; readonly listed: boolean };
  /** How boxes are read is shown. */
  readonly coordinates?: boolean;
}

export interface Host {
  post(message: FromPage): void;
  /** Rejects with words for people where there is no answer. */
  ask<Q extends PageQuestion>(question: Q, ask: PageQuestions[Q]['ask']): Promise<PageQuestions[Q]['answer']>;
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
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(problem: Error): void }>();
  let asked = 0;

  function listen(listener: (message: ToPage) => void): void {
    window.addEventListener('message', (event: MessageEvent<unknown>) => {
      const data = event.data;
      if (typeof data === 'object' && data !== null && 'type' in data) {
        listener(data as ToPage);
      }
    });
  }

  listen((message) => {
    if (message.type !== 'answer') {
      return;
    }
    const asker = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.problem === undefined) {
      asker?.resolve(message.answer);
    } else {
      asker?.reject(new Error(message.problem));
    }
  });

  return {
    post: (message) => api.postMessage(message),
    ask: (question, ask) =>
      new Promise((resolve, reject) => {
        asked += 1;
        waiting.set(asked, { resolve: (answer) => resolve(answer as never), reject });
        api.postMessage({ type: 'ask', id: asked, question, ask });
      }),
    onMessage: listen,
    loadState: () => {
      const state = api.getState();
      return isViewState(state) ? state : null;
    },
    saveState: (state) => api.setState(state),
  };
}
