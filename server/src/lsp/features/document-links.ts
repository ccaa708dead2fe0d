import type { DocumentLink } from 'vscode-languageserver/node';
import { LENS_COMMANDS } from '../../../../schemas/protocol.ts';
import type { Cancel } from '../../core/ports.ts';
import { baseName } from '../../core/profile/paths.ts';
import { spanOfPointer } from '../../core/text/offsets.ts';
import { addressOf, namedFiles } from './documents-found.ts';
import type { NamedFile } from './documents-found.ts';
import { MANY } from './lenses.ts';
import { rangeIn } from '../ranges.ts';
import type { Row } from '../session/rows.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Session } from '../session/session.ts';

export interface LinkServices {
  readonly runtime: Pick<ServerRuntime, 'documents'>;
  /** The client carries out the commands of links (`command:`), so that a page opens in the evidence preview. */
  readonly commands: boolean;
}

/** Links told of one file. */
const MOST = 5000;
/** Records whose files are looked for at the same time. */
const PORTION = 50;

/**
 * Document names, pages and page images whose files are there, and values that are addresses of the web. Editors cannot ask for a
 * part of a file, and ask once: of large files the first `MANY` records have links.
 */
export async function documentLinks(
  session: Session,
  services: LinkServices,
  cancel: Cancel,
): Promise<DocumentLink[] | null> {
  if (session.checker === undefined) return null;
  const { version } = session;
  const links: DocumentLink[] = [];
  const rows = session.rows().slice(0, MANY);
  for (let first = 0; first < rows.length && links.length < MOST; first += PORTION) {
    const portion = rows.slice(first, first + PORTION);
    const found = await Promise.all(portion.map((row) => linksOf(session, row, services, cancel)));
    if (cancel.aborted || session.version !== version) return null;
    for (const own of found) links.push(...own);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return links.slice(0, MOST);
}

/** Whether the documents and pages of a record have links. */
export function isLinked(row: Row): boolean {
  return row.lens !== undefined || row.index < MANY;
}

async function linksOf(session: Session, row: Row, services: LinkServices, cancel: Cancel): Promise<DocumentLink[]> {
  const { checker } = session;
  if (row.checked === undefined) session.rowAt({ line: row.line, character: row.column });
  const { checked } = row;
  if (checker === undefined || checked === undefined) return [];
  const files = await namedFiles(checker, checked, services.runtime.documents, cancel);
  const links = files.flatMap((file): DocumentLink[] => {
    const span = spanOfPointer(row.text, file.pointer);
    if (span === undefined || row.lens?.shows(span) === false) return [];
    const isText = row.text.charAt(span.start) === '"';
    const inner = isText && span.end - span.start > 2 ? { start: span.start + 1, end: span.end - 1 } : span;
    return [{ range: rangeIn(row, inner), ...targetOf(file, session.uri, row, services) }];
  });
  return [...links, ...webLinks(row)];
}

function targetOf(
  file: NamedFile,
  uri: string,
  row: Row,
  { commands }: LinkServices,
): Pick<DocumentLink, 'target' | 'tooltip'> {
  const name = baseName(file.path.replaceAll('\\', '/'));
  if (file.kind !== 'page') return { target: addressOf(file), tooltip: `Open ${name}` };
  if (!commands) return { target: addressOf(file), tooltip: `Open page ${file.page} of ${name}` };
  const args = encodeURIComponent(JSON.stringify([uri, row.index, file.pointer]));
  return {
    target: `command:${LENS_COMMANDS.preview}?${args}`,
    tooltip: `Show page ${file.page} in the evidence preview`,
  };
}

/** A string that is an address and nothing else, without escapes. */
const WEB = /"(https?:\/\/[^\s"\\]{3,2000})"/g;

function webLinks(row: Row): DocumentLink[] {
  if (!row.text.includes('"http')) return [];
  return [...row.text.matchAll(WEB)].flatMap((match): DocumentLink[] => {
    const span = { start: match.index + 1, end: match.index + match[0].length - 1 };
    // A key, or the end of one string up to the beginning of another, is none.
    if (/^\s*:/.test(row.text.slice(span.end + 1, span.end + 20)) || row.lens?.shows(span) === false) return [];
    if (!URL.canParse(match[1]!)) return [];
    return [{ range: rangeIn(row, span), target: match[1]! }];
  });
}
