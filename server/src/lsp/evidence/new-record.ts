/** Where a new record comes to stand in its file, and what of the other records it follows from. */
import type { Neighbours, NewRecord } from '../../core/edit/new-record.ts';
import type { TextEdit } from '../../core/edit/types.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { textAround } from '../../node/disk/around.ts';
import { withPlainLines } from '../../node/index/record-index.ts';
import { valueAt } from '../../core/text/pointer.ts';
import type { FileForm } from '../../core/text/types.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

/** Records of the same document that are looked at. */
const MOST_ALIKE = 50;

/** Of a file with thousands of records that nobody has looked at yet, each is parsed once. */
export function neighboursOf(session: Session, record: CanonicalRecord, row: Row): Neighbours {
  const ids = new Set<string>();
  const ofDocument: Readonly<Record<string, unknown>>[] = [];
  const wantsIds = record.id !== undefined;
  for (const other of session.rows()) {
    const isNear = Math.abs(other.index - row.index) <= MOST_ALIKE;
    if (!wantsIds && !isNear) continue;
    // Of a file that is not in memory, what is kept of each record tells its id.
    const kept = other.brief?.facts?.id;
    if (!isNear && kept !== undefined) {
      if (kept !== null) ids.add(kept);
      continue;
    }
    if (!isNear && other.brief !== undefined) {
      const { id = null } = other.brief.facts ?? {};
      if (id !== null) ids.add(id);
      continue;
    }
    const source = other.checked?.record?.source ?? parsed(other.text);
    if (source === undefined) continue;
    const id = wantsIds ? valueAt(source, pointerTo(record, 'id')) : undefined;
    if (typeof id === 'string' || typeof id === 'number') ids.add(String(id));
    const isAlike = isNear && other !== row && ofDocument.length < MOST_ALIKE;
    if (isAlike && valueAt(source, pointerTo(record, 'document')) === record.document) ofDocument.push(source);
  }
  return { ids, ofDocument };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** A record, and a text in which it stands as in its file: all of the file, or of a file that is not in memory what is around it. */
export async function surroundingsOf(
  session: Session,
  row: Row,
): Promise<[record: Pick<Row, 'offset' | 'text'>, text: string]> {
  const { large } = session;
  if (large === undefined) return [row, session.text().replace(/^\ufeff/, '')];
  const { path, index } = large.file;
  const { starts, lengths } = index.places;
  const around = await textAround(path, starts[row.index] ?? 0, lengths[row.index] ?? 0);
  const [before, after] = [withPlainLines(around.before), withPlainLines(around.after)];
  const { text } = row;
  return [{ offset: before.length, text }, before + text + after];
}

/**
 * What is inserted at the end of a record so that another one follows: a line of JSONL, or an element of the list that the record
 * is an element of, parted from it like its neighbours are. undefined: it is neither, but all of a file or a member of an object.
 * @param file without a byte order mark, with LF as the line end
 */
export function insertionAfter(
  row: Pick<Row, 'offset' | 'text'>,
  file: string,
  form: FileForm,
  { text }: Extract<NewRecord, { kind: 'record' }>,
): TextEdit | undefined {
  const end = row.text.length;
  const after = file.slice(row.offset + end);
  const span = { start: end, end };
  const signAt = lastSign(file, row.offset);
  const sign = file.charAt(signAt);
  if (sign === '[' || sign === ',') {
    const gap = /^\s*,(\s*)(?=[^\s\]])/.exec(after)?.[1] ?? file.slice(signAt + 1, row.offset);
    return { span, text: `,${gap}${text}` };
  }
  if (form === 'json' || sign === ':') return undefined;
  return { span, text: `\n${text}` };
}

/** Where the last sign before an offset stands that is no blank; -1: none does. */
function lastSign(file: string, offset: number): number {
  let at = offset - 1;
  while (at >= 0 && /\s/.test(file.charAt(at))) at--;
  return at;
}
