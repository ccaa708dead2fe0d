/** Changes made in the preview (schemas/regions.ts), as edits of the document that shows the record, or of its file. */
import type { Connection } from 'vscode-languageserver/node';
import { CHANGE_EVIDENCE } from '../../../../schemas/regions.ts';
import type { ChangeEvidenceParams, ChangeEvidenceResult, EvidenceChange } from '../../../../schemas/regions.ts';
import type { Changed } from '../../core/edit/changed.ts';
import { placeEdits } from '../../core/edit/edits.ts';
import { newRecord } from '../../core/edit/new-record.ts';
import { changeRegions } from '../../core/edit/regions.ts';
import { isSoundChange } from '../../core/edit/sound-change.ts';
import { changeText } from '../../core/edit/value-text.ts';
import type { TextEdit } from '../../core/edit/types.ts';
import type { Cancel, DocumentFacts } from '../../core/ports.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import { withContext } from '../../core/record/external.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { cancelOf } from '../cancel.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import { editsIn, rangeIn } from '../ranges.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { insertionAfter, neighboursOf } from './new-record.ts';
import { withPage } from './with-page.ts';

export interface ChangeServices {
  readonly log: Log;
  readonly runtime: Pick<ServerRuntime, 'documents'>;
  /** Of a file, open or not, or of a document of one record, once its configuration is known. */
  session(uri: string): Promise<Session | undefined>;
  /** The record in its file that a document shows; undefined: it is no such document. */
  recordOf(uri: string): Promise<{ readonly file: Session; readonly row: Row } | undefined>;
}

const FAILED = problem('The language server failed on this; its output says why.');
const STALE: ChangeEvidenceResult = { kind: 'stale' };

export function registerChanges(connection: Connection, services: ChangeServices): void {
  connection.onRequest(
    CHANGE_EVIDENCE,
    guarded<ChangeEvidenceParams, ChangeEvidenceResult>(CHANGE_EVIDENCE, services.log, FAILED, (params, token) =>
      changeEvidence(params, services, cancelOf(token)),
    ),
  );
}

async function changeEvidence(
  { uri, index, version, change }: ChangeEvidenceParams,
  services: ChangeServices,
  cancel: Cancel,
): Promise<ChangeEvidenceResult> {
  if (!isSoundChange(change)) return problem('This is no change that can be made.');
  const session = await services.session(uri);
  if (session === undefined) return problem('The record is not there any more.');
  if (version !== null && session.version !== version) return STALE;
  const row = session.row(index);
  if (row === undefined || session.checker === undefined) return problem('The record is not there any more.');
  const own = await editsOf(session, row, change, services, cancel);
  if (own !== 'not shown') return own;
  // A document of the solution alone: what it does not show is changed in the file.
  const shown = await services.recordOf(uri);
  if (shown === undefined) return problem('The record is not in its file any more.');
  const inFile = await editsOf(shown.file, shown.row, change, services, cancel);
  return inFile === 'not shown' ? problem('What is to be changed is not shown in the document.') : inFile;
}

async function editsOf(
  session: Session,
  row: Row,
  change: EvidenceChange,
  { runtime }: ChangeServices,
  cancel: Cancel,
): Promise<ChangeEvidenceResult | 'not shown'> {
  const { version, checker } = session;
  if (checker === undefined) return problem('No profile fits the file.');
  await session.complete(row, cancel);
  const record = row.checked?.record;
  if (record === undefined) return problem('The record is no JSON object that could be changed.');
  const page = pageOf(change);
  const known = row.document;
  const document =
    known === undefined || page === undefined
      ? known
      : await withPage(record, known, page, checker.settings, runtime, cancel);
  if (session.version !== version || row.gone || session.checker !== checker) return STALE;
  const context = { settings: checker.settings, document };
  if (change.kind === 'record') return recordBehind(session, row, record, change, context);
  const changed = changeOf(record, change, context);
  if (changed.kind === 'problem') return changed;
  const placed = placeEdits(changed.edits, row.text);
  if (placed === undefined) return problem('The record’s text does not hold what is to be changed.');
  return resultOf(session, row, placed, changed);
}

interface Context {
  readonly settings: FileSettings;
  readonly document: DocumentFacts | undefined;
}

function changeOf(
  record: CanonicalRecord,
  change: Exclude<EvidenceChange, { kind: 'record' }>,
  context: Context,
): Changed {
  if (change.kind === 'text') return changeText(withContext(record, context.document), change);
  return changeRegions(record, change, context);
}

/** Only files hold several records. */
function recordBehind(
  session: Session,
  row: Row,
  record: CanonicalRecord,
  change: Extract<EvidenceChange, { kind: 'record' }>,
  context: Context,
): ChangeEvidenceResult | 'not shown' {
  if (session.shows !== 'file') return 'not shown';
  const made = newRecord(record, row.text, change, context, neighboursOf(session, record, row));
  if (made.kind === 'problem') return made;
  const insertion = insertionAfter(row, session.text().replace(/^\ufeff/, ''), session.form, made);
  if (insertion === undefined) return problem('The record is no element of a list, so no other one can follow it.');
  const { uri, version } = session;
  const edits = [{ range: rangeIn(row, insertion.span), newText: insertion.text }];
  return { kind: 'edits', uri, version, edits, pointer: made.pointer, index: row.index + 1, title: made.title };
}

function resultOf(
  session: Session,
  row: Row,
  placed: readonly TextEdit[],
  { pointer, title }: Extract<Changed, { kind: 'changed' }>,
): ChangeEvidenceResult | 'not shown' {
  const edits = editsIn(row, placed, () => session.text());
  if (edits === undefined) return 'not shown';
  const { uri, version } = session;
  return { kind: 'edits', uri, version, edits, pointer, index: row.index, title };
}

/** The page that a change brings in, which may not be cited yet. */
function pageOf(change: EvidenceChange): number | undefined {
  return 'page' in change ? change.page : undefined;
}

function problem(message: string): Extract<ChangeEvidenceResult, { kind: 'problem' }> {
  return { kind: 'problem', message };
}
