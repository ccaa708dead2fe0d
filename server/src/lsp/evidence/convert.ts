/** Boxes that are read in another way than declared, written as what is declared (schemas/regions.ts), where somebody asks for it. */
import type { Connection } from 'vscode-languageserver/node';
import { CONVERT_BOXES } from '../../../../schemas/regions.ts';
import type { ConvertBoxesParams, ConvertBoxesResult } from '../../../../schemas/regions.ts';
import { convertReading, convertWithOthers, fileTitle } from '../../core/edit/convert-reading.ts';
import { placeEdits } from '../../core/edit/edits.ts';
import type { TextEdit } from '../../core/edit/types.ts';
import { isReading } from '../../core/evidence/spaces.ts';
import type { Cancel } from '../../core/ports.ts';
import { baseName } from '../../core/profile/paths.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { cancelOf } from '../cancel.ts';
import { hazardOf } from '../features/code-actions.ts';
import { guarded } from '../guard.ts';
import type { LargeRecords } from '../session/large-table.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { carryOut } from './changes.ts';
import type { ChangeServices, Made } from './changes.ts';
import { documentAs } from './space-in-use.ts';

const FAILED = problem('The language server failed on this; its output says why.');
const GONE = problem('The record is not there any more.');
type Unmade = Exclude<ConvertBoxesResult, { kind: 'edits' | 'written' }>;
const STALE: Unmade = { kind: 'stale' };
/** Boxes that are converted in one step to undo. */
const MOST_BOXES = 20_000;
/** Records whose documents are looked for now where that was not done yet. */
const MOST_LOOKS = 500;

export function registerConvert(connection: Connection, services: ChangeServices): void {
  connection.onRequest(
    CONVERT_BOXES,
    guarded<ConvertBoxesParams, ConvertBoxesResult>(CONVERT_BOXES, services.log, FAILED, (params, token) =>
      convert(params, services, cancelOf(token)),
    ),
  );
}

async function convert(
  params: ConvertBoxesParams,
  services: ChangeServices,
  cancel: Cancel,
): Promise<ConvertBoxesResult> {
  const { uri, index, scope, reading } = params;
  if (!isReading(reading)) return problem('Boxes cannot be read so.');
  const session = await services.session(uri);
  const row = session?.checker === undefined ? undefined : session.row(index);
  if (session === undefined || row === undefined) return GONE;
  // A document of one record shows that record; the others stand in its file.
  const inFile = await services.recordOf(uri);
  const onDisk = params.onDisk === true;
  if (scope === 'file') {
    const made = await convertFile(inFile?.file ?? session, inFile?.row ?? row, params, services, cancel);
    const done = await carryOut(made, onDisk, services);
    return done === 'not shown' ? GONE : done;
  }
  const own = await carryOut(await convertRecord(session, row, params, services, cancel), onDisk, services);
  if (own !== 'not shown') return own;
  const made = inFile && (await convertRecord(inFile.file, inFile.row, params, services, cancel));
  const other = made && (await carryOut(made, onDisk, services));
  return other === undefined || other === 'not shown' ? problem('The boxes are not shown in the document.') : other;
}

async function convertRecord(
  session: Session,
  row: Row,
  { reading, scope, pointer }: ConvertBoxesParams,
  { runtime }: ChangeServices,
  cancel: Cancel,
): Promise<Made | Unmade> {
  const { checker, version } = session;
  if (checker === undefined) return GONE;
  await session.complete(row, cancel);
  const record = row.checked?.record;
  if (record === undefined) return problem('The record is no JSON object that could be changed.');
  if (scope === 'box' && pointer === undefined) return problem('It is not said which box is to be converted.');
  const { settings } = checker;
  const document = await documentAs(record, row.document, settings, reading, runtime, cancel);
  if (session.version !== version || row.gone || session.checker !== checker) return STALE;
  const changed = convertReading({ record, settings, document, reading }, scope === 'box' ? pointer : undefined);
  if (changed.kind === 'problem') return changed;
  const hazard = hazardIn(session);
  if (hazard !== undefined) return problem(hazard);
  const placed = placeEdits(changed.edits, row.text);
  if (placed === undefined) return GONE;
  const rows = new Map([[row, placed]]);
  return { kind: 'made', session, rows, pointer: changed.pointer, index: row.index, title: changed.title };
}

async function convertFile(
  session: Session,
  shown: Row,
  { reading }: ConvertBoxesParams,
  { runtime }: ChangeServices,
  cancel: Cancel,
): Promise<Made | Unmade> {
  const { checker, version } = session;
  const hazard = hazardIn(session);
  if (checker === undefined) return GONE;
  if (hazard !== undefined) return problem(hazard);
  const { settings } = checker;
  const counts = { boxes: 0, records: 0, left: 0, unknown: 0, looks: 0 };
  const rows = new Map<Row, readonly TextEdit[]>();
  for (const row of session.rows()) {
    // Of a file that is not in memory: the record need not be read.
    if (row.brief?.boxes === 0) continue;
    if (row.document === undefined && counts.looks < MOST_LOOKS) {
      counts.looks++;
      await session.complete(row, cancel);
    }
    if (row.brief?.boxes === 0) continue;
    const record = session.large === undefined ? row.checked?.record : await inTurn(session.large, row);
    if (record?.boxes === undefined || record.boxes.length === 0) continue;
    const document = await documentAs(record, row.document, settings, reading, runtime, cancel);
    if (cancel.aborted || session.version !== version || session.checker !== checker) return STALE;
    const converted = convertWithOthers({ record, settings, document, reading });
    if (converted.state === 'unknown') counts.unknown++;
    if (converted.state === 'left') counts.left++;
    if (converted.state !== 'converted') continue;
    const placed = placeEdits(converted.edits, row.text);
    if (placed === undefined) return GONE;
    rows.set(row, placed);
    counts.boxes += converted.boxes;
    counts.records++;
    if (counts.boxes > MOST_BOXES) return problem(tooMany(session));
  }
  if (counts.unknown > 0) return problem(half(counts.unknown));
  if (counts.records === 0)
    return problem('No record of the file has boxes that make sense so and say something else.');
  const title = fileTitle(reading, settings, counts);
  return { kind: 'made', session, rows, pointer: null, index: shown.index, title };
}

/** A record of a large file, read when others had their turn. */
async function inTurn(large: LargeRecords, row: Row): Promise<CanonicalRecord | undefined> {
  await new Promise((resolve) => setImmediate(resolve));
  return large.passing(() => row.checked?.record);
}

/** What saving the file from an editor would change beside the boxes, as a sentence. */
function hazardIn(session: Session): string | undefined {
  const hazard = session.shows === 'file' ? hazardOf(session) : undefined;
  if (hazard === undefined) return undefined;
  if (hazard.kind === 'refused') return hazard.reason;
  return 'The file mixes line ends, which saving it from an editor would change: repair them first.';
}

function half(unknown: number): string {
  const records = unknown === 1 ? '1 record are' : `${unknown.toLocaleString('en')} records are`;
  return `The sizes of the pages of ${records} not known (yet): the file would be half converted.`;
}

function tooMany({ path }: Session): string {
  const most = MOST_BOXES.toLocaleString('en');
  return `The file has more than ${most} boxes to convert: \`auditable-qa fix ${baseName(path)} --rule box/coordinate-space --write\` does it on the disk.`;
}

function problem(message: string): Extract<ConvertBoxesResult, { kind: 'problem' }> {
  return { kind: 'problem', message };
}
