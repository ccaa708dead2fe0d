import { URI } from 'vscode-uri';
import type { Cancel, DocumentReader } from '../../core/ports.ts';
import type { Checker, CheckedText } from '../../core/pipeline.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { pageNumberAt } from '../../core/evidence/cited-regions.ts';

/** A value of a record that names a file that is there. */
export interface NamedFile {
  readonly pointer: string;
  readonly kind: 'document' | 'page' | 'image';
  /** Absolute path of the PDF or the image. */
  readonly path: string;
  /** Of a page in a PDF, or of the first page that is cited: 0-based position in it. */
  readonly pageIndex?: number;
  /** Of a page: as the record writes it. */
  readonly page?: number;
}

/**
 * The document's name, its pages and its page images as far as their files are there. A page is told with its PDF, else with its
 * image; `image` holds the latter too.
 */
export async function namedFiles(
  checker: Checker,
  checked: CheckedText,
  documents: Pick<DocumentReader, 'find'>,
  cancel: Cancel,
): Promise<readonly NamedFile[]> {
  const { record } = checked;
  const request = record && checker.documentRequest(checked);
  const found = request && (await documents.find?.(request, cancel));
  if (record === undefined || found === undefined) return [];
  const { pdf, images } = found;
  const { pageBase } = checker.settings;
  const cited = (record.pages ?? []).flatMap((_, at) => {
    const page = pageNumberAt(record, at);
    return page === undefined ? [] : [{ pointer: pointerTo(record, 'pages', at), page, pageIndex: page - pageBase }];
  });
  const files: NamedFile[] = [];
  const first = cited.find(({ pageIndex }) => pageIndex >= 0)?.pageIndex;
  const pointer = pointerTo(record, 'document');
  if (pdf !== undefined) {
    files.push({ pointer, kind: 'document', path: pdf, ...(first !== undefined && { pageIndex: first }) });
  }
  for (const { pointer: at, page, pageIndex } of cited) {
    const path = pdf ?? images.get(page);
    if (path !== undefined && pageIndex >= 0) files.push({ pointer: at, kind: 'page', path, page, pageIndex });
  }
  return [...files, ...imageFiles(record, [...images.values()])];
}

function imageFiles(record: CanonicalRecord, paths: readonly string[]): NamedFile[] {
  return (record.images ?? []).flatMap((image, at): NamedFile[] => {
    if (typeof image !== 'string') return [];
    const name = image.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
    const path = paths.find((one) => name !== '' && one.replaceAll('\\', '/').endsWith(`/${name}`));
    return path === undefined ? [] : [{ pointer: pointerTo(record, 'images', at), kind: 'image', path }];
  });
}

/** Address of a file; of a PDF with the page that readers open it at (1-based, as RFC 8118 has it). */
export function addressOf({ path, pageIndex }: Pick<NamedFile, 'path' | 'pageIndex'>): string {
  const uri = URI.file(path).toString();
  return pageIndex === undefined || !/\.pdf$/i.test(path) ? uri : `${uri}#page=${pageIndex + 1}`;
}
