/** What the page asks, and who answers. Every question gets an answer, or why there is none. */
import * as vscode from 'vscode';
import type { PageQuestion, PageQuestions } from '../../../schemas/page.ts';
import type { RecordParams } from '../../../schemas/protocol.ts';
import type {
  DocumentPagesResult,
  FitRegionResult,
  PagePictureResult,
  ProposeRegionsResult,
  RegionTextResult,
} from '../../../schemas/regions.ts';
import { DOCUMENT_PAGES, FIT_REGION, PAGE_PICTURE, PROPOSE_REGIONS, REGION_TEXT } from '../../../schemas/regions.ts';
import { CROP } from '../../../schemas/crops.ts';
import type { CropResult } from '../../../schemas/crops.ts';
import { documentOf } from '../large/documents.ts';
import type { Server } from '../server.ts';
import type { Changes } from './changes.ts';
import { NO_ANSWER } from './changes.ts';
import type { Follower } from './follow.ts';
import type { PreviewPanel } from './panel.ts';
import { askForFile, fileName, writePicture } from './picture-file.ts';
import { proposeByService } from './region-service.ts';
import { documentsOf, withAddresses } from './resources.ts';
import type { ServiceSettings } from './service-settings.ts';

type Answerers = {
  readonly [Q in PageQuestion]: (ask: PageQuestions[Q]['ask']) => Promise<PageQuestions[Q]['answer']>;
};

/** A page of a large document on a slow disk may take long, but not forever. */
const TIMEOUT_MS = 60_000;

export interface Answers {
  /** Rejects with words for people. */
  answer<Q extends PageQuestion>(question: Q, ask: PageQuestions[Q]['ask']): Promise<PageQuestions[Q]['answer']>;
}

export function createAnswers(
  server: Server,
  follower: Follower,
  changes: Changes,
  settings: ServiceSettings,
  panelNow: () => PreviewPanel | null,
): Answers {
  /** Asks the server about a record that the page was shown. */
  async function request<R>(method: string, ask: RecordParams): Promise<R> {
    if (ask.uri !== follower.shown?.uri && follower.snapshots.last(ask.uri, ask.index) === undefined) {
      throw new Error('This record is not shown any more.');
    }
    // What is open is what counts.
    await documentOf(ask.uri);
    const cancel = new vscode.CancellationTokenSource();
    const timer = setTimeout(() => cancel.cancel(), TIMEOUT_MS);
    try {
      const result = await server.request<R>(method, ask, cancel.token);
      if (result !== null) return result;
      throw new Error(cancel.token.isCancellationRequested ? 'It takes too long.' : NO_ANSWER);
    } finally {
      clearTimeout(timer);
      cancel.dispose();
    }
  }

  const answerers: Answerers = {
    change: changes.change,
    convert: changes.convert,
    undo: changes.undo,
    fit: (ask) => request<FitRegionResult>(FIT_REGION, ask),
    crop: (ask) => request<CropResult>(CROP, ask),
    async saveCrop({ name, ...ask }) {
      // First: while a name is chosen, the record may become another one.
      const { png, problem } = await request<CropResult>(CROP, ask);
      if (png === null) throw new Error(problem ?? NO_ANSWER);
      const target = await askForFile(ask.uri, name);
      if (target === undefined) return { saved: null };
      await writePicture(target, Buffer.from(png, 'base64'));
      return { saved: fileName(target) };
    },
    pagePicture: (ask) => request<PagePictureResult>(PAGE_PICTURE, ask),
    regionText: (ask) => request<RegionTextResult>(REGION_TEXT, ask),
    async propose({ service: picture, ...ask }) {
      if (picture === undefined) return request<ProposeRegionsResult>(PROPOSE_REGIONS, ask);
      const service = await settings.service();
      if (service === undefined) return { proposals: [], problem: 'No region service is set.' };
      return proposeByService(service, picture, follower.shown?.labels ?? []);
    },
    async documentPages(ask) {
      const { name, pages, problem } = await request<DocumentPagesResult>(DOCUMENT_PAGES, ask);
      const panel = panelNow();
      if (panel === null) throw new Error('The panel was closed.');
      panel.allow(ask.uri, documentsOf(pages));
      return { name, pages: withAddresses(pages, panel.webview), problem };
    },
  };

  return {
    async answer(question, ask) {
      const answerer: Answerers[typeof question] | undefined = answerers[question];
      if (answerer === undefined) throw new Error(`Nothing is known of the question “${question}”.`);
      return answerer(ask);
    },
  };
}
