/** All pages of a record's document, for thumbnails and for citing those that are not cited (schemas/regions.ts). */
import type { Connection } from 'vscode-languageserver/node';
import type { RecordParams } from '../../../../schemas/protocol.ts';
import { DOCUMENT_PAGES } from '../../../../schemas/regions.ts';
import type { DocumentPagesResult } from '../../../../schemas/regions.ts';
import { absence } from '../../core/evidence/absence.ts';
import { allPagesRequest, gapsIn, labelOf, numbersOfPages } from '../../core/evidence/document-pages.ts';
import { unitsOf } from '../../core/evidence/units.ts';
import type { Cancel, DocumentFacts } from '../../core/ports.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { cancelOf } from '../cancel.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Session } from '../session/session.ts';
import { aspectOf, measureOf, sourceOf } from './evidence-pages.ts';

export interface DocumentPageServices {
  readonly log: Log;
  readonly runtime: Pick<ServerRuntime, 'documents'>;
  /** Of a file, open or not, or of a document of one record, once its configuration is known. */
  session(uri: string): Promise<Session | undefined>;
}

const FAILED = 'The language server failed on this; its output says why.';
const GONE = 'The record is not there any more.';
const NO_DOCUMENT = 'The record names no document.';
const NO_PLACE = 'It is not known where the documents are; `auditable-qa.json` can say it.';

export function registerDocumentPages(connection: Connection, { log, runtime, session }: DocumentPageServices): void {
  connection.onRequest(
    DOCUMENT_PAGES,
    guarded<RecordParams, DocumentPagesResult>(DOCUMENT_PAGES, log, none(null, FAILED), async (params, token) => {
      const from = await session(params.uri);
      const row = from?.checker === undefined ? undefined : from.row(params.index);
      if (from?.checker === undefined || row === undefined) return none(null, GONE);
      const { settings } = from.checker;
      const cancel = cancelOf(token);
      await from.complete(row, cancel);
      const record = row.checked?.record;
      if (record === undefined || row.gone) return none(null, GONE);
      const document = await readAll(record, row.document, settings, runtime, cancel);
      return pagesOfDocument(record, document, settings);
    }),
  );
}

/** The same document with the sizes of all its page images and not of the cited ones alone: headers only. */
async function readAll(
  record: CanonicalRecord,
  known: DocumentFacts | undefined,
  settings: FileSettings,
  { documents }: Pick<ServerRuntime, 'documents'>,
  cancel: Cancel,
): Promise<DocumentFacts | undefined> {
  if (known === undefined) return undefined;
  const request = allPagesRequest(record, known, settings);
  return request === undefined ? known : documents.read(request, cancel);
}

/** `document`: with the images of all its pages. */
export function pagesOfDocument(
  record: CanonicalRecord,
  document: DocumentFacts | undefined,
  settings: FileSettings,
): DocumentPagesResult {
  const name = record.document ?? null;
  if (name === null) return none(null, NO_DOCUMENT);
  if (document === undefined) return none(name, NO_PLACE);
  const numbers = numbersOfPages(document, settings);
  const pages = numbers.map((number) => {
    const measure = measureOf(number, document, settings);
    return {
      number,
      label: labelOf(document, number, settings),
      source: sourceOf(number, document, settings),
      aspect: aspectOf(measure),
      units: unitsOf(record, settings, measure) ?? null,
    };
  });
  return { name, pages, problem: problemOf(numbers, document, settings) };
}

function none(name: string | null, problem: string): DocumentPagesResult {
  return { name, pages: [], problem };
}

/** Why there are no pages, or not all of them. */
function problemOf(numbers: readonly number[], document: DocumentFacts, settings: FileSettings): string | null {
  const { pdf, images, imageNumbers } = document;
  const absent = pdf !== undefined && pdf.state !== 'ok' ? absence('PDF', pdf, settings) : undefined;
  if (numbers.length === 0) {
    const [first] = images?.values() ?? [];
    const image = first !== undefined && first.state !== 'ok' ? absence('Page image', first, settings) : undefined;
    return [absent, image].filter((reason) => reason !== undefined).join(' ') || NO_PLACE;
  }
  if (pdf?.state === 'ok') return null;
  if (imageNumbers === undefined || imageNumbers.length === 0) {
    const why = absent === undefined ? 'page images in folders of their own cannot be counted.' : absent;
    return `Only the cited pages are known: ${why}`;
  }
  const gaps = gapsIn(numbers);
  if (gaps.length > 0)
    return `There ${gaps.length === 1 ? 'is no image of page' : 'are no images of pages'} ${listed(gaps)}.`;
  return pdf?.state === 'unreadable' ? (absent ?? null) : null;
}

/** Numbers that are told one by one. */
const LISTED = 10;

function listed(numbers: readonly number[]): string {
  const shown = numbers.slice(0, LISTED).join(', ');
  return numbers.length > LISTED ? `${shown} and ${numbers.length - LISTED} more` : shown;
}
