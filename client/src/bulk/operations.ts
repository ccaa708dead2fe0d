/** Operations on records: asked for in words, planned by the server, made in the open document or on disk. */
import * as vscode from 'vscode';
import type { BulkApplied, BulkApplyParams, BulkOperation, BulkPlan } from '../../../schemas/bulk.ts';
import { BULK_APPLY, BULK_PLAN } from '../../../schemas/bulk.ts';
import { replaceIn } from '../edits.ts';
import { stepOnDisk } from '../large/disk-undo.ts';
import { openDocument } from '../records-view/answers.ts';
import type { Server } from '../server.ts';
import type { Changes } from './changes.ts';
import { shownName, tellProblem, withWork } from './work.ts';

/** The text may change between the question and the edit. */
const TRIES = 4;
const TOLD_MS = 8000;
const APPLY = 'Apply';

export interface Operations {
  /** `look`: what changes is shown first, and made when that is agreed to. */
  run(uri: string, operation: BulkOperation, look: boolean): Promise<void>;
}

export function createOperations(server: Server, changes: Changes): Operations {
  async function agreed(uri: string, operation: BulkOperation, plan: Extract<BulkPlan, { kind: 'plan' }>) {
    if (!(await changes.show(uri, operation, plan.title))) return false;
    const undo = plan.onDisk
      ? 'The file is written; “Undo last change on disk” takes it back.'
      : 'One undo takes it back.';
    const message = `${plan.title} in ${shownName(uri)}? ${undo}`;
    const answer = await vscode.window.showInformationMessage(message, APPLY, 'Discard');
    await changes.close();
    return answer === APPLY;
  }

  /** `expected`: what was agreed to; nothing else is done. */
  async function apply(
    uri: string,
    operation: BulkOperation,
    title: string,
    expected: string | undefined,
  ): Promise<BulkApplied | null> {
    for (let tries = 0; tries < TRIES; tries++) {
      const document = openDocument(uri);
      const params: Omit<BulkApplyParams, 'work'> = {
        uri,
        operation,
        dirty: document?.isDirty ?? false,
        ...(expected !== undefined && { expected }),
      };
      const applied = await withWork<BulkApplied>(server, title, BULK_APPLY, params);
      if (applied?.kind !== 'edits') return applied;
      if (document === undefined || document.version !== applied.version) continue;
      if (await replaceIn(document, applied.edits)) return applied;
    }
    return { kind: 'problem', message: 'The file was changed at the same time: nothing was done.' };
  }

  async function tellWritten(uri: string, title: string): Promise<void> {
    const undo = 'Undo';
    const answer = await vscode.window.showInformationMessage(`${title}: ${shownName(uri)} is written.`, undo);
    if (answer !== undo) return;
    const undone = await stepOnDisk(server, uri, false, title);
    if (undone?.kind === 'problem') tellProblem(undone.message);
  }

  return {
    async run(uri, operation, look) {
      const plan = await withWork<BulkPlan>(server, 'Planning the change', BULK_PLAN, { uri, operation });
      if (plan === null) return;
      if (plan.kind === 'problem') {
        tellProblem(plan.message);
        return;
      }
      if (look && !(await agreed(uri, operation, plan))) return;
      const applied = await apply(uri, operation, plan.title, look ? plan.mark : undefined);
      if (applied === null) return;
      if (applied.kind === 'problem') tellProblem(applied.message);
      else if (applied.kind === 'written') void tellWritten(uri, applied.title);
      else vscode.window.setStatusBarMessage(`${applied.title}: one undo takes it back.`, TOLD_MS);
    },
  };
}
