/** Records, their fields and what their solutions define, for outline and breadcrumbs. */
import { SymbolKind } from 'vscode-languageserver/node';
import type { DocumentSymbol, SymbolInformation } from 'vscode-languageserver/node';
import type { Cancel } from '../../core/ports.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { solutionSymbols } from '../../core/solution/shape.ts';
import type { SolutionSymbol } from '../../core/solution/shape.ts';
import { decodeString, spanInString, spanOfPointer } from '../../core/text/offsets.ts';
import { outlineOf } from '../../core/text/outline.ts';
import type { OutlineNode } from '../../core/text/outline.ts';
import type { Span } from '../../core/finding.ts';
import { lensText } from './lens-text.ts';
import { MANY } from './lenses.ts';
import { shorten } from './markdown.ts';
import { rangeIn } from '../ranges.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

/** Work on the server's thread is cut into slices of so many ms, so that requests get their turn. */
const SLICE_MS = 25;
/** Fields are told in files of up to `MANY` records and so much text, in UTF-16 units. */
const FIELDS_LIMIT = 5_000_000;
/** Nodes of one record: a document that shows it alone has all that people can look through, a file its fields. */
const ALONE = { depth: 4, nodes: 3000 };
const IN_FILE = { depth: 1, nodes: 200 };
const NAME = 80;

const KINDS: Readonly<Record<OutlineNode['kind'], SymbolKind>> = {
  object: SymbolKind.Object,
  array: SymbolKind.Array,
  string: SymbolKind.String,
  number: SymbolKind.Number,
  boolean: SymbolKind.Boolean,
  null: SymbolKind.Null,
};

/** null: no profile fits, or the file changed meanwhile. */
export async function documentSymbols(session: Session, cancel: Cancel): Promise<DocumentSymbol[] | null> {
  if (session.checker === undefined) return null;
  const { version } = session;
  const rows = session.rows();
  const [only] = rows;
  if (only?.lens !== undefined) return symbolsAlone(session, only);
  const withFields = rows.length <= MANY && rows.reduce((sum, { text }) => sum + text.length, 0) <= FIELDS_LIMIT;
  const symbols: DocumentSymbol[] = [];
  let end = performance.now() + SLICE_MS;
  for (const row of rows) {
    if (performance.now() > end) {
      await new Promise((resolve) => setImmediate(resolve));
      if (cancel.aborted || session.version !== version) return null;
      end = performance.now() + SLICE_MS;
    }
    symbols.push(recordSymbol(session, row, withFields));
  }
  return symbols;
}

/** The same for clients that know no trees: the nodes in order, each with the name of the one around it. */
export function flattened(symbols: readonly DocumentSymbol[], uri: string): SymbolInformation[] {
  const flat: SymbolInformation[] = [];
  const add = ({ name, kind, range, children }: DocumentSymbol, containerName?: string): void => {
    flat.push({ name, kind, location: { uri, range }, ...(containerName !== undefined && { containerName }) });
    for (const child of children ?? []) add(child, name);
  };
  for (const symbol of symbols) add(symbol);
  return flat;
}

function recordSymbol(session: Session, row: Row, withFields: boolean): DocumentSymbol {
  if (row.checked === undefined) session.rowAt({ line: row.line, character: row.column });
  const range = rangeIn(row, { start: 0, end: row.text.length });
  return {
    name: recordName(row.index, row.checked?.record),
    detail: stateOf(session, row),
    kind: SymbolKind.Object,
    range,
    selectionRange: range,
    ...(withFields && { children: outlineOf(row.text, IN_FILE).map((node) => fieldSymbol(row, node)) }),
  };
}

/** The id, or the number, with the question. */
export function recordName(
  index: number,
  record: { readonly id: string | undefined; readonly question: string | undefined } | undefined,
): string {
  const id = record?.id?.trim();
  const head = id === undefined || id === '' ? `Record ${index + 1}` : shorten(oneLine(id), NAME);
  const question = record?.question?.trim();
  return question === undefined || question === '' ? head : `${head}: ${shorten(oneLine(question), NAME)}`;
}

function oneLine(text: string): string {
  return text.slice(0, 4 * NAME).replace(/\s+/g, ' ');
}

/** What the solution yields, and how many findings there are. */
function stateOf(session: Session, row: Row): string {
  const outcome = row.checked && session.checker?.outcome(row.checked, row.run);
  const parts = outcome === undefined || (outcome.value === null && outcome.error === null) ? [] : [valueOf(outcome)];
  const findings = session.findingsOf(row);
  for (const severity of ['error', 'warning', 'info'] as const) {
    const count = findings.filter((finding) => finding.severity === severity).length;
    if (count > 0) parts.push(`${count} ${severity}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' · ');
}

function valueOf(outcome: Parameters<typeof lensText>[0]): string {
  return lensText(outcome, 'idle').replace(/^▶ /, '');
}

/** What a document that shows one record has: its fields, or the functions and variables of its solution. */
function symbolsAlone(session: Session, row: Row): DocumentSymbol[] {
  session.rowAt({ line: 0, character: 0 });
  const record = row.checked?.record;
  const pointer = record === undefined ? '' : pointerTo(record, 'solution');
  const token = record?.solution === undefined ? undefined : spanOfPointer(row.text, pointer);
  const source = token && solutionSource(row, token);
  const ofSolution = (): DocumentSymbol[] =>
    token === undefined || source === undefined
      ? []
      : solutionSymbols(source).map((symbol) => pythonSymbol(row, token, symbol));
  if (row.lens?.shows({ start: 0, end: 1 }) === false) return ofSolution();
  return outlineOf(row.text, ALONE).map((node) => {
    const symbol = fieldSymbol(row, node);
    return node.pointer === pointer ? { ...symbol, children: ofSolution() } : symbol;
  });
}

function solutionSource(row: Row, token: Span): string | undefined {
  return row.text.charAt(token.start) === '"' ? decodeString(row.text.slice(token.start, token.end)) : undefined;
}

function fieldSymbol(row: Row, node: OutlineNode): DocumentSymbol {
  const { name, kind, span, nameSpan, value, children } = node;
  const isShort = kind !== 'object' && kind !== 'array';
  const shown = isShort ? row.text.slice(value.start, Math.min(value.end, value.start + NAME)) : '';
  return {
    name: name.trim() === '' ? '""' : shorten(oneLine(name), NAME),
    ...(shown !== '' && { detail: value.end - value.start > NAME ? `${shown.slice(0, -1)}…` : shown }),
    kind: KINDS[kind],
    range: rangeIn(row, span),
    selectionRange: rangeIn(row, nameSpan),
    ...(children.length > 0 && { children: children.map((child) => fieldSymbol(row, child)) }),
  };
}

const PYTHON_KINDS: Readonly<Record<SolutionSymbol['kind'], SymbolKind>> = {
  function: SymbolKind.Function,
  class: SymbolKind.Class,
  variable: SymbolKind.Variable,
};

function pythonSymbol(
  row: Row,
  token: Span,
  { name, kind, span, nameSpan, value, children }: SolutionSymbol,
): DocumentSymbol {
  const rangeOf = (part: Span): DocumentSymbol['range'] => rangeIn(row, spanInString(row.text, token, part));
  return {
    name,
    ...(value !== undefined && value !== '' && { detail: oneLine(value) }),
    kind: PYTHON_KINDS[kind],
    range: rangeOf(span),
    selectionRange: rangeOf(nameSpan),
    ...(children.length > 0 && { children: children.map((child) => pythonSymbol(row, token, child)) }),
  };
}
