/** How the boxes of a record are read for the preview: as declared, or in a way that is being tried. */
import type { CoordinateReading, EvidenceCoordinates } from '../../../../schemas/regions.ts';
import { describeCoordinates, hasCoordinates } from '../../core/evidence/describe-coordinates.ts';
import { isReading, settingsAs } from '../../core/evidence/spaces.ts';
import type { Cancel, DocumentFacts } from '../../core/ports.ts';
import { documentRequest } from '../../core/profile/locations.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { fileBoxFacts } from './file-boxes.ts';

export interface SpaceInUse {
  readonly settings: FileSettings;
  readonly document: DocumentFacts | undefined;
  readonly coordinates: EvidenceCoordinates;
}

type Documents = Pick<ServerRuntime, 'documents'>;

/**
 * `file`: the session of the record's file, for the vote of all its boxes. undefined: the record's dataset has no boxes, or
 * nothing says what they are in.
 */
export async function spaceInUse(
  session: Session,
  row: Row,
  file: Session,
  reading: unknown,
  runtime: Documents,
  cancel: Cancel,
): Promise<SpaceInUse | undefined> {
  const declared = session.checker?.settings;
  const record = row.checked?.record;
  if (declared === undefined || record === undefined || !hasCoordinates(declared)) return undefined;
  if (declared.profile.fields.boxes === undefined) return undefined;
  const facts = await fileBoxFacts(file);
  const tried = isReading(reading) ? reading : undefined;
  const subject = { record, document: row.document, settings: declared, ...(facts && { facts }) };
  const document =
    tried === undefined ? row.document : await documentAs(record, row.document, declared, tried, runtime, cancel);
  const coordinates = describeCoordinates({ ...subject, document }, tried);
  const settings = coordinates.tried && tried !== undefined ? settingsAs(declared, tried) : declared;
  return { settings, document, coordinates };
}

/** The document with the images of its pages as they are where pages are counted so. */
export async function documentAs(
  record: CanonicalRecord,
  known: DocumentFacts | undefined,
  declared: FileSettings,
  reading: CoordinateReading,
  { documents }: Documents,
  cancel: Cancel,
): Promise<DocumentFacts | undefined> {
  if (known === undefined || reading.pageBase === declared.pageBase || known.images === undefined) return known;
  const request = documentRequest(record, settingsAs(declared, reading));
  return request === undefined ? known : documents.read(request, cancel);
}
