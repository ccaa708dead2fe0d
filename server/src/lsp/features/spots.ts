/** Parts of a record as places in documents: the one that is asked about, else one that shows them. */
import { URI } from 'vscode-uri';
import type { Range } from 'vscode-languageserver/node';
import type { Span } from '../../core/finding.ts';
import { hasExternalContext } from '../../core/record/external.ts';
import { spanInString, spanOfPointer, spansOfPattern } from '../../core/text/offsets.ts';
import { valueAt } from '../../core/text/pointer.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import { rangeIn } from '../ranges.ts';
import type { Row } from '../session/rows.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Session } from '../session/session.ts';
import type { Views } from '../views/views.ts';
import { isView } from '../views/views.ts';

export interface Spot {
  readonly uri: string;
  readonly range: Range;
}

/** A record in a document: in its file, or in one that shows it alone. */
export interface Subject {
  readonly session: Session;
  readonly row: Row;
}

export interface SpotServices {
  readonly views: Pick<Views, 'recordOf' | 'sessions'>;
  readonly runtime: Pick<ServerRuntime, 'readText'>;
}

/** How a pointer into what a nested record lies in begins (`Profile.records`). */
const OUTER = '/../';

/**
 * The value at a pointer of the record, or a part of a string (`inString`, in its decoded text). Where the document does not show it: in
 * an open document of the whole record, else in the file. undefined: there is no such place.
 */
export async function spotOf(
  { views }: SpotServices,
  subject: Subject,
  pointer: string,
  inString?: Span,
): Promise<Spot | undefined> {
  const own = spotIn(subject, pointer, inString);
  if (own !== undefined || !isView(subject.session.uri)) return own;
  const home = await views.recordOf(subject.session.uri);
  if (home === undefined) return undefined;
  for (const session of views.sessions()) {
    if (session === subject.session || session.path !== home.file.path) continue;
    const [row] = session.rows();
    const shown = row?.index === home.row.index ? spotIn({ session, row }, pointer, inString) : undefined;
    if (shown !== undefined) return shown;
  }
  return spotIn({ session: home.file, row: home.row }, pointer, inString);
}

function spotIn({ session, row }: Subject, pointer: string, inString: Span | undefined): Spot | undefined {
  const isOuter = pointer.startsWith(OUTER) && row.outer !== undefined;
  const slot = isOuter ? outerSlot(session, row) : row;
  const span = slot && spanOfPointer(slot.text, isOuter ? pointer.slice(OUTER.length - 1) : pointer);
  if (slot === undefined || span === undefined) return undefined;
  const isPart = inString !== undefined && slot.text.charAt(span.start) === '"';
  const part = isPart ? spanInString(slot.text, span, inString) : span;
  if (slot.lens?.shows(part) === false) return undefined;
  return { uri: session.uri, range: rangeIn(slot, part) };
}

/** The element of the file that a nested record lies in; undefined where a document shows the record alone. */
export function outerSlot(session: Session, row: Row): RecordSlot | undefined {
  const { outer } = row;
  const pattern = session.checker?.settings.profile.records;
  if (outer === undefined || pattern === undefined || row.lens !== undefined) return undefined;
  const rows = session.rows();
  const same = spansOfPattern(outer.text, pattern).filter(
    ({ start, end }) => end - start === row.text.length && outer.text.startsWith(row.text, start),
  );
  // Of records with the same text the first one is the first of the element.
  let before = 0;
  for (let at = row.index - 1; rows[at]?.outer?.text === outer.text; at--) if (rows[at]!.text === row.text) before++;
  const span = same[Math.min(before, same.length - 1)];
  if (span === undefined) return undefined;
  const offset = row.offset - span.start;
  const head = outer.text.slice(0, span.start);
  const lines = head.split('\n').length - 1;
  const column = lines === 0 ? row.column - span.start : columnIn(session.text(), offset);
  return { index: row.index, line: row.line - lines, column, offset, text: outer.text };
}

function columnIn(text: string, offset: number): number {
  return offset - text.lastIndexOf('\n', offset - 1) - 1;
}

/** A block of the context, or a part of it; it may lie in a file of its own. `pointer`: of the block in the record. */
export async function blockSpot(
  services: SpotServices,
  subject: Subject,
  { pointer, block, inString, cell }: BlockPlace,
): Promise<Spot | undefined> {
  const record = subject.row.checked?.record;
  if (record === undefined) return undefined;
  if (hasExternalContext(record)) return externalSpot(services, subject.row, block, inString);
  const whole = valueAt(record.source, pointer);
  const inCell = cell && cellPointer(whole, pointer, cell);
  const exact = inCell === undefined ? undefined : await spotOf(services, subject, inCell);
  return exact ?? spotOf(services, subject, pointer, inString);
}

export interface BlockPlace {
  readonly pointer: string;
  readonly block: number;
  readonly inString?: Span;
  readonly cell?: { readonly row: number; readonly column: number };
}

/** Where a cell stands in a table that is a list of rows, or in a row that is a block of its own (read below the first row). */
export function cellPointer(
  block: unknown,
  pointer: string,
  { row, column }: { readonly row: number; readonly column: number },
): string | undefined {
  if (!Array.isArray(block)) return undefined;
  if (Array.isArray(block[0])) return `${pointer}/${row}/${column}`;
  const isFirst = pointer.endsWith('/0');
  return row === (isFirst ? 0 : 1) ? `${pointer}/${column}` : undefined;
}

/** In the file that holds the context of the record (`report-file`). */
async function externalSpot(
  { runtime }: SpotServices,
  row: Row,
  block: number,
  inString: Span | undefined,
): Promise<Spot | undefined> {
  const context = row.document?.context;
  if (context?.state !== 'ok') return undefined;
  const read = await runtime.readText(context.path);
  if ('problem' in read) return undefined;
  const { text } = read;
  const uri = URI.file(context.path).toString();
  const list = text.trimStart().startsWith('[') ? '' : '/context';
  for (const member of ['/context', '/text', '']) {
    const span = spanOfPointer(text, `${list}/${block}${member}`);
    if (span === undefined) continue;
    const isPart = inString !== undefined && text.charAt(span.start) === '"';
    const slot: RecordSlot = { index: 0, line: 0, column: 0, offset: 0, text };
    return { uri, range: rangeIn(slot, isPart ? spanInString(text, span, inString) : span) };
  }
  return undefined;
}

/** The record in its file, where another document shows it. */
export async function inFile({ views }: SpotServices, subject: Subject): Promise<Subject | undefined> {
  if (!isView(subject.session.uri)) return subject;
  const home = await views.recordOf(subject.session.uri);
  return home && { session: home.file, row: home.row };
}
