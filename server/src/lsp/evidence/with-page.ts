import type { Cancel, DocumentFacts } from '../../core/ports.ts';
import { documentRequest } from '../../core/profile/locations.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import type { ServerRuntime } from '../runtime.ts';

/** The document with the image of one page, which need not be cited. */
export async function withPage(
  record: CanonicalRecord,
  known: DocumentFacts,
  page: number,
  settings: FileSettings,
  { documents }: Pick<ServerRuntime, 'documents'>,
  cancel: Cancel,
): Promise<DocumentFacts> {
  if (known.images?.has(page) === true) return known;
  const request = documentRequest({ ...record, pages: [page] }, settings);
  if (request === undefined || request.images.size === 0) return known;
  const { images } = await documents.read(request, cancel);
  return images === undefined ? known : { ...known, images: new Map([...(known.images ?? []), ...images]) };
}
