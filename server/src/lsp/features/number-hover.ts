/** The card on a number of a solution or of an answer: where it comes from. */
import { parseBlock, shownFinder } from '../../core/evidence/blocks.ts';
import type { Span } from '../../core/finding.ts';
import type { Cancel } from '../../core/ports.ts';
import { withContext } from '../../core/record/external.ts';
import { spanInString, spanOfPointer } from '../../core/text/offsets.ts';
import { isUnsupported } from '../../core/trace/merge.ts';
import { excerptAt, excerptOf, verdictWords } from '../../core/trace/plain.ts';
import type { Excerpt } from '../../core/trace/plain.ts';
import { wantedOf } from '../../core/trace/trace.ts';
import type { LocatedNumber, NumberPlace } from '../../core/trace/types.ts';
import { escapeMarkdown, inlineCode, shorten } from './markdown.ts';
import { decodedOffset } from '../place.ts';
import type { Place } from '../place.ts';
import { traceWhole } from '../evidence/record-trace.ts';
import type { RecordTrace } from '../evidence/record-trace.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

export interface NumberCard {
  readonly markdown: string;
  /** Offsets of the number in the record's text. */
  readonly span: Span;
}

/** Places told. */
const PLACES = 3;

/** undefined: there is no number of the solution or the answer at the place. Waits for the record's pages. */
export async function numberCardAt(
  session: Session,
  row: Row,
  place: Place,
  cancel: Cancel,
): Promise<NumberCard | undefined> {
  const { checked } = row;
  if (place.key !== undefined || checked?.record === undefined) return undefined;
  const wanted = wantedOf(checked.record, checked)?.wanted ?? [];
  if (!wanted.some(({ pointer }) => pointer === place.pointer)) return undefined;
  const token = spanOfPointer(row.text, place.pointer);
  if (token === undefined || row.text.charAt(token.start) !== '"') return undefined;
  const at = decodedOffset(row.text, token, place.offset);
  const index = wanted.findIndex(({ span }) => span.start <= at && at <= span.end);
  if (index < 0) return undefined;
  if (row.document === undefined && checked.record.document !== undefined) await session.complete(row, cancel);
  const trace = await traceWhole(session, row, cancel);
  const number = trace?.numbers[index];
  if (trace === undefined || number === undefined || row.gone) return undefined;
  return { markdown: cardOf(number, trace, row), span: spanInString(row.text, token, number.inString) };
}

function cardOf(number: LocatedNumber, trace: RecordTrace, row: Row): string {
  const name = number.name === undefined ? '' : ` (${inlineCode(shorten(number.name, 80))})`;
  const mark = isUnsupported(number) ? '⚠ ' : '';
  const lines = [`**${escapeMarkdown(number.text)}**${name} ${mark}${escapeMarkdown(verdictWords(number))}.`];
  const isFree = number.name !== undefined && row.run?.probed?.withoutEffect?.includes(number.name) === true;
  if (isFree) lines.push(`The result stays the same when ${inlineCode(number.name)} changes.`);
  const unread = trace.unread.map(String).join(', ');
  if (isUnsupported(number) && unread !== '') {
    lines.push(`Page ${unread} ${trace.unread.length === 1 ? 'has' : 'have'} no text to look in; it may stand there.`);
  }
  const places = placesOf(number, row);
  return [lines.join('  \n'), ...(places.length > 0 ? [places.join('\n')] : [])].join('\n\n');
}

function placesOf(number: LocatedNumber, row: Row): string[] {
  const context =
    row.checked?.record === undefined ? [] : (withContext(row.checked.record, row.document).context ?? []);
  const inBlocks = number.places.map(
    (place) => [place.cited, placeLine(nameOf(place), excerpt(context, place))] as const,
  );
  const onPages = number.onPages.map(
    ({ cited, name, row: text, inRow }) => [cited, placeLine(name, excerptAt(text, inRow))] as const,
  );
  const all = [...inBlocks, ...onPages].sort(([a], [b]) => Number(b) - Number(a)).map(([, line]) => line);
  const told = [...new Set(all)];
  const more = told.length - PLACES;
  return [...told.slice(0, PLACES), ...(more > 0 ? [`- … and ${more} more`] : [])];
}

function nameOf({ name, cell, row, column }: NumberPlace): string {
  if (cell === undefined || (row !== undefined && column !== undefined)) return name;
  return `${name}, table row ${cell.row + 1}, column ${cell.column + 1}`;
}

function excerpt(context: readonly unknown[], { block, inString }: NumberPlace): Excerpt | undefined {
  const text = context[block];
  if (typeof text !== 'string') return undefined;
  const shown = shownFinder(text)(inString.start, inString.end);
  return shown === undefined ? undefined : excerptOf(parseBlock(text), shown);
}

function placeLine(name: string, found: Excerpt | undefined): string {
  const line = `- ${escapeMarkdown(name)}`;
  if (found === undefined) return line;
  const { before, text, after } = found;
  const quoted = `${escapeMarkdown(before)}**${escapeMarkdown(text)}**${escapeMarkdown(after)}`;
  return `${line}: “${quoted.trim()}”`;
}
