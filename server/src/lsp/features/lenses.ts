import type { CodeLens } from 'vscode-languageserver/node';
import { LENS_COMMANDS } from '../../../../schemas/protocol.ts';
import { lensText } from './lens-text.ts';
import { rangeIn } from '../ranges.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

/** Above so many records only faulty ones and the one under the cursor get lenses: editors cannot ask for a part. */
export const MANY = 1000;

export interface LensData {
  readonly uri: string;
  readonly index: number;
  readonly kind: 'run' | 'preview' | 'editRecord' | 'editSolution';
}

/**
 * Lenses without titles; `resolveLens` gives them when they come into view. `opens`: the client carries out the commands that open
 * something; running a solution is done by the server where it does not.
 */
export function lensesOf(session: Session, cursor: Row | undefined, opens: boolean): CodeLens[] {
  const rows = session.rows();
  const few = rows.length <= MANY;
  return rows.flatMap((row) => {
    if (row.checked?.record === undefined) return [];
    if (!few && row !== cursor && session.findingsOf(row).length === 0) return [];
    return lensesOfRow(session, row, opens);
  });
}

function lensesOfRow({ uri, shows }: Session, row: Row, opens: boolean): CodeLens[] {
  const start = rangeIn(row, { start: 0, end: 0 });
  const lens = (kind: LensData['kind']): CodeLens => {
    const data: LensData = { uri, index: row.index, kind };
    return { range: start, data };
  };
  const run = row.checked?.solution === undefined ? [] : [lens('run')];
  if (!opens) return run;
  return [
    ...run,
    ...(showsEvidence(row) ? [lens('preview')] : []),
    ...(row.lens === undefined ? [lens('editRecord')] : []),
    ...(row.checked?.record?.solution !== undefined && shows !== 'solution' ? [lens('editSolution')] : []),
  ];
}

function showsEvidence(row: Row): boolean {
  const record = row.checked?.record;
  return record !== undefined && (record.context ?? record.pages ?? record.boxes ?? record.images) !== undefined;
}

export function resolveLens(lens: CodeLens, data: LensData, session: Session, row: Row, trusted: boolean): CodeLens {
  const args = [data.uri, data.index];
  if (data.kind === 'preview') {
    return { ...lens, command: { title: 'Preview evidence', command: LENS_COMMANDS.preview, arguments: args } };
  }
  if (data.kind === 'editRecord' || data.kind === 'editSolution') {
    const title = data.kind === 'editRecord' ? 'Edit record' : 'Edit solution';
    return { ...lens, command: { title, command: LENS_COMMANDS[data.kind], arguments: args } };
  }
  const outcome = row.checked && session.checker?.outcome(row.checked, row.run);
  if (outcome === undefined)
    return { ...lens, command: { title: '▶ Run solution', command: LENS_COMMANDS.run, arguments: args } };
  if (row.checked?.solution?.runnable !== true)
    return { ...lens, command: { title: '▷ Solution cannot be run', command: '' } };
  const state = session.isRunning(row) ? 'running' : trusted ? 'idle' : 'untrusted';
  return { ...lens, command: { title: lensText(outcome, state), command: LENS_COMMANDS.run, arguments: args } };
}
