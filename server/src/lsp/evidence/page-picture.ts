/** A page image that browsers cannot show, as PNG (schemas/regions.ts). Which file it is says the record, never the request. */
import type { Connection } from 'vscode-languageserver/node';
import { PAGE_PICTURE } from '../../../../schemas/regions.ts';
import type { PagePictureParams, PagePictureResult } from '../../../../schemas/regions.ts';
import { documentRequest } from '../../core/profile/locations.ts';
import { cancelOf } from '../cancel.ts';
import { guarded } from '../guard.ts';
import type { DocumentPageServices } from './document-pages.ts';

const FAILED = 'The language server failed on this; its output says why.';
const GONE = 'The record is not there any more.';
const UNREADABLE = 'The page image could not be read: it is damaged, too large, or of a kind that is not decoded.';

export function registerPagePicture(connection: Connection, { log, runtime, session }: DocumentPageServices): void {
  const { documents } = runtime;
  connection.onRequest(
    PAGE_PICTURE,
    guarded<PagePictureParams, PagePictureResult>(PAGE_PICTURE, log, none(FAILED), async (params, token) => {
      const from = await session(params.uri);
      const row = from?.checker === undefined ? undefined : from.row(params.index);
      if (from?.checker === undefined || row === undefined) return none(GONE);
      const cancel = cancelOf(token);
      await from.complete(row, cancel);
      const record = row.checked?.record;
      const request = record && documentRequest({ ...record, pages: [params.page] }, from.checker.settings);
      if (request === undefined || row.gone) return none(GONE);
      const document = await documents.read(request, cancel);
      const picture = await documents.readPicture?.(document, params.page, cancel);
      if (picture === undefined) return none(UNREADABLE);
      const { png, width, height } = picture;
      return { png: Buffer.from(png).toString('base64'), width, height, problem: null };
    }),
  );
}

function none(problem: string): PagePictureResult {
  return { png: null, width: 0, height: 0, problem };
}
