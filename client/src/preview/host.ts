/**
 * The evidence preview's host: one panel beside the editor that follows the cursor of the record files, hands the page snapshots of what
 * the server knows, shows in the editor what is chosen there, and makes in the text document what is corrected there.
 */
import * as vscode from 'vscode';
import type { FromPage, PageQuestion, PageQuestions } from '../../../schemas/page.ts';
import type { EvidenceView } from '../../../schemas/protocol.ts';
import { COMMANDS } from '../ids.ts';
import { activeUri } from '../large/documents.ts';
import type { ProblemSteps } from '../records-view/problems.ts';
import type { Server } from '../server.ts';
import { createAnswers } from './answers.ts';
import { createChanges } from './changes.ts';
import { createFollower } from './follow.ts';
import type { Wanted } from './follow.ts';
import { createNavigation } from './navigate.ts';
import { createPanel, newWebview, PREVIEW_VIEW_TYPE } from './panel.ts';
import type { PreviewPanel } from './panel.ts';
import { createServiceSettings } from './service-settings.ts';

/** A record as commands, code lenses and links name it: `(uri, index, pointer?)` or `{ uri, index }`. */
function namedRecord(first: unknown, second?: unknown, third?: unknown): Wanted | null {
  if (typeof first === 'string') {
    const index = typeof second === 'number' ? second : null;
    return { uri: first, index, ...(typeof third === 'string' && { pointer: third }) };
  }
  if (typeof first === 'object' && first !== null && 'uri' in first && typeof first.uri === 'string') {
    return { uri: first.uri, index: 'index' in first && typeof first.index === 'number' ? first.index : null };
  }
  return null;
}

/** How long the status bar says that something was done, in ms. */
const TOLD_MS = 5000;

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export interface Preview {
  /** What the page shows. */
  readonly shown: EvidenceView | null;
  readonly onDidShow: vscode.Event<EvidenceView | null>;
  /** As the page asks. */
  ask<Q extends PageQuestion>(question: Q, ask: PageQuestions[Q]['ask']): Promise<PageQuestions[Q]['answer']>;
}

export function registerPreview(context: vscode.ExtensionContext, server: Server, problems: ProblemSteps): Preview {
  let panel: PreviewPanel | null = null;
  const panelNow = (): PreviewPanel | null => panel;
  const settings = createServiceSettings(context);
  const follower = createFollower(server, panelNow);
  const changes = createChanges(server, follower, panelNow);
  const answers = createAnswers(server, follower, changes, settings, panelNow);
  const navigation = createNavigation(server, follower, problems, panelNow);

  function options(): { readonly type: 'options'; readonly service: boolean } {
    return { type: 'options', service: settings.isSet };
  }

  function adopt(webview: vscode.WebviewPanel): PreviewPanel {
    const adopted = createPanel(
      context.extensionUri,
      webview,
      {
        ready: () => void follower.refresh(),
        receive: (message) => receive(adopted, message),
        disposed() {
          if (panel !== adopted) return;
          panel = null;
          follower.clear();
        },
      },
      options(),
    );
    panel = adopted;
    return adopted;
  }

  /** A page that was let go meanwhile gets no answer. */
  function answer(asked: PreviewPanel, id: number, question: PageQuestion, ask: unknown): void {
    const { generation } = asked;
    const tell = (told: { readonly answer?: unknown; readonly problem?: string }): void => {
      if (panel === asked && asked.generation === generation) asked.post({ type: 'answer', id, ...told });
    };
    answers.answer(question, ask as never).then(
      (given) => tell({ answer: given }),
      (error: unknown) => tell({ problem: errorText(error) }),
    );
  }

  function does(work: Promise<void>): void {
    work.catch((error: unknown) => void vscode.window.showWarningMessage(errorText(error)));
  }

  function receive(from: PreviewPanel, message: Exclude<FromPage, { readonly type: 'ready' }>): void {
    switch (message.type) {
      case 'ask':
        answer(from, message.id, message.question, message.ask);
        break;
      case 'select':
        does(navigation.select(message.index, message.pointer, message.inString));
        break;
      case 'record':
        does(navigation.stepRecord(message.step));
        break;
      case 'problem':
        does(navigation.stepProblem(message.step));
        break;
      case 'reading':
        does(follower.read(message.reading));
        break;
      case 'declare':
        void vscode.commands.executeCommand(COMMANDS.createConfiguration, follower.shown?.uri, message.reading);
        break;
      case 'editSolution':
        does(navigation.editSolution(message.index));
        break;
      case 'copy':
        void vscode.env.clipboard.writeText(message.text);
        break;
      case 'tell':
        if (message.level === 'warning') void vscode.window.showWarningMessage(message.message);
        else vscode.window.setStatusBarMessage(message.message, TOLD_MS);
        break;
      case 'openDocument':
        does(navigation.openDocument(message.page));
        break;
      case 'log':
        server.output[message.level === 'warning' ? 'warn' : message.level](message.message);
        break;
    }
  }

  function open(first: unknown, second: unknown, third: unknown): PreviewPanel {
    const uri = activeUri()?.toString();
    follower.wanted = namedRecord(first, second, third) ?? (uri === undefined ? follower.wanted : { uri, index: null });
    let opened = panel;
    if (opened === null) {
      opened = adopt(newWebview());
    } else {
      opened.reveal();
      void follower.refresh();
    }
    if (follower.wanted === null) {
      opened.show(null, 'Open a dataset file (JSONL or JSON) and put the cursor into a record.');
    }
    return opened;
  }

  context.subscriptions.push(
    settings,
    follower,
    settings.onDidChange(() => panel?.setOptions(options())),
    vscode.commands.registerCommand(COMMANDS.previewEvidence, (first?: unknown, second?: unknown, third?: unknown) => {
      open(first, second, third);
    }),
    vscode.commands.registerCommand(COMMANDS.evidenceOnly, (first?: unknown, second?: unknown, third?: unknown) => {
      open(first, second, third).showEvidenceOnly();
    }),
    vscode.commands.registerCommand(COMMANDS.saveCrop, () => {
      if (panel !== null) panel.post({ type: 'saveCrop' });
      else void vscode.window.showInformationMessage('Open the evidence preview and choose a region in it first.');
    }),
    vscode.window.registerWebviewPanelSerializer(PREVIEW_VIEW_TYPE, {
      deserializeWebviewPanel(webview: vscode.WebviewPanel, state: unknown) {
        follower.wanted = namedRecord(state);
        adopt(webview);
        return Promise.resolve();
      },
    }),
    { dispose: () => panel?.dispose() },
  );

  return {
    get shown() {
      return follower.shown;
    },
    onDidShow: follower.onDidShow,
    ask: answers.answer,
  };
}
