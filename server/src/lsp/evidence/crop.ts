/** A part of a page as a picture (schemas/crops.ts): the same pixels that the command line writes. */
import type { Connection } from 'vscode-languageserver/node';
import { CROP } from '../../../../schemas/crops.ts';
import type { CropParams, CropResult } from '../../../../schemas/crops.ts';
import { planPart } from '../../core/crops/plan.ts';
import { shownPath } from '../../core/evidence/absence.ts';
import { isFractions } from '../../core/evidence/geometry.ts';
import { isReading, settingsAs } from '../../core/evidence/spaces.ts';
import { cancelOf } from '../cancel.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Session } from '../session/session.ts';
import { documentAs } from './space-in-use.ts';
import { withPage } from './with-page.ts';

export interface CropServices {
  readonly log: Log;
  readonly runtime: Pick<ServerRuntime, 'documents' | 'drawCrop'>;
  /** Of a file, open or not, or of a document of one record, once its configuration is known. */
  session(uri: string): Promise<Session | undefined>;
}

const FAILED = 'The language server failed on this; its output says why.';
const GONE = 'The record is not there any more.';
const NO_PLACE = 'This is no place on a page.';
const NO_DOCUMENT = 'The record names no document, or it is not known where the documents are.';

export function registerCrop(connection: Connection, { log, runtime, session }: CropServices): void {
  connection.onRequest(
    CROP,
    guarded<CropParams, CropResult>(CROP, log, none(FAILED), async (params, token) => {
      const { uri, index, page, place, reading } = params;
      if (place !== null && !isFractions(place)) return none(NO_PLACE);
      const from = await session(uri);
      const row = from?.checker === undefined ? undefined : from.row(index);
      if (from?.checker === undefined || row === undefined) return none(GONE);
      const declared = from.checker.settings;
      const settings = isReading(reading) ? settingsAs(declared, reading) : declared;
      const cancel = cancelOf(token);
      await from.complete(row, cancel);
      const record = row.checked?.record;
      if (record === undefined || row.gone) return none(GONE);
      const known = isReading(reading)
        ? await documentAs(record, row.document, declared, reading, runtime, cancel)
        : row.document;
      if (known === undefined) return none(NO_DOCUMENT);
      const document = await withPage(record, known, page, settings, runtime, cancel);
      const planned = planPart(record.document ?? '', page, place, document, settings);
      if (typeof planned === 'string') return none(planned);
      const drawn = await runtime.drawCrop(planned);
      if (typeof drawn === 'string') return none(`${shownPath(planned.source.path, settings)} ${drawn}.`);
      const { bytes = new Uint8Array(), width, height } = drawn;
      return { png: Buffer.from(bytes).toString('base64'), width, height, problem: null };
    }),
  );
}

function none(problem: string): CropResult {
  return { png: null, width: 0, height: 0, problem };
}
