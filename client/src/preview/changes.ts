/**
 * What is corrected on the page, made in the text document: one after the other, each as one edit that VS Code can undo. A gesture is
 * made on what the page showed; where the document has changed since, it is made on what it says now, or not at all.
 */
import * as vscode from 'vscode';
import type { ChangeAnswer, PageQuestions } from '../../../schemas/page.ts';
import type { EvidenceView, RecordAt, RecordAtParams } from '../../../schemas/protocol.ts';
import { EVIDENCE, RECORD_AT } from '../../../schemas/protocol.ts';
import type {
  ChangeEvidenceParams,
  ChangeEvidenceResult,
  ConvertBoxesParams,
  EvidenceChange,
} from '../../../schemas/regions.ts';
import { CHANGE_EVIDENCE, CONVERT_BOXES } from '../../../schemas/regions.ts';
import { replaceIn } from '../edits.ts';
import { stepOnDisk } from '../large/disk-undo.ts';
import { documentOf } from '../large/documents.ts';
import type { Server } from '../server.ts';
import { refOf } from '../views/address.ts';
import type { Follower } from './follow.ts';
import type { PreviewPanel } from './panel.ts';
import { nameOf } from './record-file.ts';
import { isSameRecord } from './snapshots.ts';
import type { Snapshot } from './snapshots.ts';
import { undoIn } from './undo.ts';

export interface Changes {
  change(ask: PageQuestions['change']['ask']): Promise<ChangeAnswer>;
  convert(ask: PageQuestions['convert']['ask']): Promise<ChangeAnswer>;
  undo(ask: PageQuestions['undo']['ask']): Promise<ChangeAnswer>;
}

/** An edit is asked for anew when its document was typed in meanwhile. */
const TRIES = 10;
export const NO_ANSWER = 'The language server does not answer.';
const BUSY = 'The document is being changed all the time: try again.';
const OTHER = 'The record has changed since, and this is not there any more.';
const TRIED = 'The boxes are shown as they are not declared: convert them or go back first.';

const problem = (text: string): ChangeAnswer => ({ done: false, problem: text });

/** One answer of the server, asked for on what the record says now. `onDisk`: VS Code has no document of its file. */
type Asker = (current: Snapshot, onDisk: boolean) => Promise<ChangeEvidenceResult | null>;

export function createChanges(server: Server, follower: Follower, panelNow: () => PreviewPanel | null): Changes {
  const { snapshots } = follower;
  let turn: Promise<unknown> = Promise.resolve();
  /** By what was shown, the document that its changes went into last. */
  const changed = new Map<string, string>();
  /** Record files that were changed later than any document of one of their records. */
  const inFile = new Set<string>();

  function inTurn(work: () => Promise<ChangeAnswer>): Promise<ChangeAnswer> {
    const told = turn
      .then(work)
      .catch((error: unknown) => problem(error instanceof Error ? error.message : String(error)));
    // The next one is made on what this one has left.
    turn = told.then((answer) => (answer.done ? follower.refresh() : undefined)).catch(() => undefined);
    return told;
  }

  /** What the record says now. undefined: it is gone. */
  async function current(asked: Snapshot): Promise<Snapshot | undefined> {
    const document = await documentOf(asked.uri);
    const last = snapshots.last(asked.uri, asked.index);
    if (document !== null && last?.version === document.version) return last;
    const view = await server.request<EvidenceView>(EVIDENCE, { uri: asked.uri, index: asked.index });
    return view === null ? undefined : snapshots.add(view);
  }

  async function make(asked: Snapshot, pointer: string | null, adds: boolean, ask: Asker): Promise<ChangeAnswer> {
    const onDisk = (await documentOf(fileOf(asked.uri))) === null;
    for (let tries = 0; tries < TRIES; tries++) {
      const now = await current(asked);
      if (now === undefined) return problem(NO_ANSWER);
      if (!isSameRecord(asked, now)) return problem(OTHER);
      const result = await ask(now, onDisk);
      if (result === null) return problem(NO_ANSWER);
      if (result.kind === 'problem') return problem(result.message);
      if (result.kind === 'stale') continue;
      if (result.kind === 'edits' && !(await follower.quietly(() => apply(result)))) continue;
      const { uri, index } = now;
      const document = await documentOf(uri);
      const version = document === null && result.uri === uri ? result.version : (document?.version ?? now.version);
      snapshots.note({
        uri,
        index,
        version: version ?? 0,
        from: pointer && (snapshots.pointerIn(pointer, asked, now) ?? null),
        to: result.pointer,
      });
      changed.set(uri, result.uri);
      if (result.uri === fileOf(uri)) inFile.add(result.uri);
      else inFile.delete(fileOf(uri));
      // A new record; what a document of one record does not show was changed in the file.
      if (result.index !== index && (result.uri === uri || adds)) {
        follower.wanted = { uri: result.uri, index: result.index };
      }
      const isSame = result.kind === 'edits' ? result.edits.length === 0 : result.unchanged === true;
      return { done: true, pointer: result.pointer, title: result.title, ...(isSame && { unchanged: true }) };
    }
    return problem(BUSY);
  }

  return {
    change({ uri, index, version, change }) {
      const asked = snapshots.find(uri, index, version);
      return inTurn(async () => {
        if (asked === undefined) return problem(OTHER);
        if (asked.tried && isPlaced(change)) return problem(TRIED);
        // A copy is another region than the one that it was made of.
        const pointer = 'pointer' in change && change.kind !== 'duplicate' ? change.pointer : null;
        return make(asked, pointer, change.kind === 'record', async (now, onDisk) => {
          const moved = moveTo(change, (old) => (isRegion(asked, old) ? snapshots.pointerIn(old, asked, now) : old));
          if (moved === undefined) return { kind: 'problem', message: OTHER };
          const { uri, version } = now;
          const params: ChangeEvidenceParams = { uri, index, version, change: moved, ...(onDisk && { onDisk }) };
          return server.request<ChangeEvidenceResult>(CHANGE_EVIDENCE, params);
        });
      });
    },
    convert({ uri, index, reading, scope, pointer }) {
      const asked = snapshots.last(uri, index);
      return inTurn(async () => {
        if (asked === undefined) return problem(OTHER);
        const answer = await make(asked, null, false, async (now, onDisk) => {
          const at = pointer === undefined ? undefined : snapshots.pointerIn(pointer, asked, now);
          if (pointer !== undefined && at === undefined) return { kind: 'problem', message: OTHER };
          const params: ConvertBoxesParams = {
            uri: now.uri,
            index,
            reading,
            scope,
            ...(at !== undefined && { pointer: at }),
            ...(onDisk && { onDisk }),
          };
          return server.request<ChangeEvidenceResult>(CONVERT_BOXES, params);
        });
        // What they were read as is what they are now.
        if (answer.done && scope !== 'box') void follower.read(null);
        return answer;
      });
    },
    undo({ uri, redo }) {
      return inTurn(async () => {
        const target = lastChangedFor(uri);
        const document = await documentOf(target);
        if (document === null) return undoOnDisk(target, uri, redo);
        const place = await follower.quietly(() => undoIn(document, redo, panelNow()));
        const title = redo ? 'Redo' : 'Undo';
        if (place === undefined)
          return problem(`There is nothing to ${title.toLowerCase()} in ${nameOf(document.uri.toString())}.`);
        await showUndone(document.uri.toString() === uri ? { uri, position: place } : undefined);
        return { done: true, pointer: null, title };
      });
    },
  };

  /** Where the last change is that is undone from what is shown: a record may have been shown from its file a moment ago. */
  function lastChangedFor(uri: string): string {
    const file = fileOf(uri);
    return inFile.has(file) ? file : (changed.get(uri) ?? uri);
  }

  /** `shown`: what the page is about, the file itself or a document of one record of it. */
  async function undoOnDisk(file: string, shown: string, redo: boolean): Promise<ChangeAnswer> {
    const result = await stepOnDisk(server, file, redo);
    if (result === null) return problem(NO_ANSWER);
    if (result.kind === 'problem') return problem(result.message);
    const { record } = result;
    if (shown === file && record !== null && record !== follower.shown?.index) {
      follower.wanted = { uri: file, index: record };
    }
    return { done: true, pointer: null, title: `${redo ? 'Redo' : 'Undo'}: ${result.title}` };
  }

  /** The record in which something was undone, where it is another one. */
  async function showUndone(params: RecordAtParams | undefined): Promise<void> {
    const at = params && (await server.request<RecordAt>(RECORD_AT, params));
    if (at && params && at.index !== follower.shown?.index) follower.wanted = { uri: params.uri, index: at.index };
  }
}

/** Makes the edits in their document. false: it was typed in meanwhile. */
async function apply({ uri, version, edits }: Extract<ChangeEvidenceResult, { kind: 'edits' }>): Promise<boolean> {
  const document = await documentOf(uri);
  if (document?.version !== version) return false;
  if (edits.length === 0) return true;
  if (await replaceIn(document, edits)) return true;
  if (document.version !== version) return false;
  throw new Error(`${nameOf(uri)} could not be changed.`);
}

/** The record file behind what is shown. */
function fileOf(uri: string): string {
  return refOf(vscode.Uri.parse(uri, true))?.file ?? uri;
}

/** Whether a change says where something lies on the page. */
function isPlaced({ kind }: EvidenceChange): boolean {
  return kind === 'add' || kind === 'place' || kind === 'duplicate' || kind === 'page' || kind === 'record';
}

function isRegion({ regions }: Snapshot, pointer: string): boolean {
  return regions.some((region) => region.pointer === pointer);
}

/** The change, of the same region where that stands now. undefined: it is gone. */
function moveTo(change: EvidenceChange, now: (pointer: string) => string | undefined): EvidenceChange | undefined {
  if (!('pointer' in change)) return change;
  const pointer = now(change.pointer);
  return pointer === undefined ? undefined : { ...change, pointer };
}
