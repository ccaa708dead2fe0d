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
import { baseName } from '../../core/profile/paths.ts';
import { cancelOf } from '../cancel.ts';
import type { DiskWriter } from '../disk/writer.ts';
import { hazardOf } from '../features/code-actions.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import { editsIn } from '../ranges.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { insertionAfter, neighboursOf, surroundingsOf } from './new-record.ts';
import { withPage } from './with-page.ts';

export interface ChangeServices {
  readonly log: Log;
  readonly runtime: Pick<ServerRuntime, 'documents'>;
  /** Of a file, open or not, or of a document of one record, once its configuration is known. */
  session(uri: string): Promise<Session | undefined>;
  /** The record in its file that a document shows; undefined: it is no such document. */
  recordOf(uri: string): Promise<{ readonly file: Session; readonly row: Row } | undefined>;
  /** Whether an editor has the file open. */
  isOpen(uri: string): boolean;
  readonly disk: Pick<DiskWriter, 'edit'>;
}

const FAILED = problem('The language server failed on this; its output says why.');
type Unmade = Exclude<ChangeEvidenceResult, { kind: 'edits' | 'written' }>;
const STALE: Unmade = { kind: 'stale' };

export function registerChanges(connection: Connection, services: ChangeServices): void {
  connection.onRequest(
    CHANGE_EVIDENCE,
    guarded<ChangeEvidenceParams, ChangeEvidenceResult>(CHANGE_EVIDENCE, services.log, FAILED, (params, token) =>
      changeEvidence(params, services, cancelOf(token)),
    ),
  );
}

async function changeEvidence(
  { uri, index, version, change, onDisk = false }: ChangeEvidenceParams,
  services: ChangeServices,
  cancel: Cancel,
): Promise<ChangeEvidenceResult> {
  if (!isSoundChange(change)) return problem('This is no change that can be made.');
  const session = await services.session(uri);
  if (session === undefined) return problem('The record is not there any more.');
  if (version !== null && session.version !== version) return STALE;
  const row = session.row(index);
  if (row === undefined || session.checker === undefined) return problem('The record is not there any more.');
  const own = await madeOf(session, row, change, services, cancel);
  const done = own === 'not shown' ? own : await carryOut(own, onDisk, services);
  if (done !== 'not shown') return done;
  // A document of the solution alone: what it does not show is changed in the file.
  const shown = await services.recordOf(uri);
  if (shown === undefined) return problem('The record is not in its file any more.');
  const inFile = await madeOf(shown.file, shown.row, change, services, cancel);
  const doneInFile = inFile === 'not shown' ? inFile : await carryOut(inFile, onDisk, services);
  return doneInFile === 'not shown' ? problem('What is to be changed is not shown in the document.') : doneInFile;
}

/** What is to be done in a document or a file. `index`: of the record that is to be shown then. */
export interface Made {
  readonly kind: 'made';
  readonly session: Session;
  readonly rows: ReadonlyMap<Row, readonly TextEdit[]>;
  readonly pointer: string | null;
  readonly index: number;
  readonly title: string;
}

/** As edits for the client; or, of a file that it has no document of, on the disk. */
export async function carryOut<R extends Exclude<ChangeEvidenceResult, { kind: 'edits' | 'written' }>>(
  made: Made | R,
  onDisk: boolean,
  { isOpen, disk }: Pick<ChangeServices, 'isOpen' | 'disk'>,
): Promise<ChangeEvidenceResult | 'not shown'> {
  if (made.kind !== 'made') return made;
  const { session, rows, pointer, index, title } = made;
  const { uri, version } = session;
  if (!onDisk || session.shows !== 'file' || isOpen(uri)) {
    const edits = [];
    for (const [row, own] of rows) {
      const shown = editsIn(row, own, () => session.text());
      if (shown === undefined) return 'not shown';
      edits.push(...shown);
    }
    return { kind: 'edits', uri, version, edits, pointer, index, title };
  }
  const hazard = hazardOf(session);
  if (hazard?.kind === 'refused') return problem(hazard.reason);
  const isEmpty = [...rows.values()].every((edits) => edits.length === 0);
  const refused = isEmpty ? undefined : await disk.edit(session, { rows, repairs: [] }, title);
  if (refused !== undefined) return problem(`${baseName(session.path)} ${refused}.`);
  const { version: now } = session;
  return { kind: 'written', uri, version: now, pointer, index, title, ...(isEmpty && { unchanged: true }) };
}

async function madeOf(
  session: Session,
  row: Row,
  change: EvidenceChange,
  { runtime }: ChangeServices,
  cancel: Cancel,
): Promise<Made | Unmade | 'not shown'> {
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
  const { pointer, title } = changed;
  return { kind: 'made', session, rows: new Map([[row, placed]]), pointer, index: row.index, title };
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
async function recordBehind(
  session: Session,
  row: Row,
  record: CanonicalRecord,
  change: Extract<EvidenceChange, { kind: 'record' }>,
  context: Context,
): Promise<Made | Unmade | 'not shown'> {
  if (session.shows !== 'file') return 'not shown';
  const made = newRecord(record, row.text, change, context, neighboursOf(session, record, row));
  if (made.kind === 'problem') return made;
  const insertion = insertionAfter(...(await surroundingsOf(session, row)), session.form, made);
  if (insertion === undefined) return problem('The record is no element of a list, so no other one can follow it.');
  const { pointer, title } = made;
  return { kind: 'made', session, rows: new Map([[row, [insertion]]]), pointer, index: row.index + 1, title };
}

/** The page that a change brings in, which may not be cited yet. */
function pageOf(change: EvidenceChange): number | undefined {
  return 'page' in change ? change.page : undefined;
}

function problem(message: string): Extract<ChangeEvidenceResult, { kind: 'problem' }> {
  return { kind: 'problem', message };
}
