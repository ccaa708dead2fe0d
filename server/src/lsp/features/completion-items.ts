/** Items of a completion: keys, values, and what a solution is made of. */
import { CompletionItemKind, InsertTextFormat } from 'vscode-languageserver/node';
import type { CompletionItem, CompletionList, TextEdit } from 'vscode-languageserver/node';
import { documentFolders, documentNames } from '../../core/complete/documents.ts';
import { blockChoices, evidenceValues } from '../../core/complete/evidence.ts';
import type { EvidenceValue } from '../../core/complete/evidence.ts';
import { FIELD_WORDS, fieldAt, keysAt } from '../../core/complete/fields.ts';
import type { FieldPlace } from '../../core/complete/fields.ts';
import type { WritingPlace } from '../../core/complete/place.ts';
import { EXPRESSION_WORDS, FUNCTIONS, namesBefore, STATEMENT_WORDS } from '../../core/complete/python.ts';
import type { PythonPlace } from '../../core/complete/python.ts';
import type { UsedValues } from '../../core/complete/used.ts';
import type { Span } from '../../core/finding.ts';
import type { Checker, CheckedText } from '../../core/pipeline.ts';
import type { Cancel, DocumentReader } from '../../core/ports.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { spanInString } from '../../core/text/offsets.ts';
import { traceOf } from '../../core/trace/trace.ts';
import { rangeIn } from '../ranges.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

export interface ItemContext {
  readonly session: Session;
  readonly row: Row;
  readonly checker: Checker;
  /** Of the record as it is, or as it would be with something at the place. */
  readonly checked: CheckedText;
  /** With its context. */
  readonly record: CanonicalRecord | undefined;
  readonly place: WritingPlace;
  readonly snippets: boolean;
}

/** What an item needs to be told in full. */
export interface ItemData {
  readonly uri: string;
  readonly index: number;
  readonly block: number;
  /** Offsets in the block's text. */
  readonly span?: Span;
}

/** Most items of one list; nobody reads more, and typing narrows them down. */
const MOST = 500;

const inOrder = (at: number): string => String(at).padStart(5, '0');

export function keyItems(context: ItemContext, used: UsedValues<Row>, isIncomplete: boolean): CompletionList {
  const { place, checker, snippets } = context;
  const present = new Set(place.keys);
  const uses = used.keysAt(place.path);
  const known = keysAt(checker.settings.profile, place.path);
  const items: CompletionItem[] = [];
  const told = new Set<string>();
  const add = (key: string, shape: string, rank: number, more: Partial<CompletionItem>): void => {
    if (told.has(key)) return;
    told.add(key);
    const value = place.hasColon ? '' : `: ${snippets ? shape : shape.replace(/\$\{1:(.*?)\}|\$1/g, '$1')}`;
    const token = snippets ? escapeSnippet(JSON.stringify(key)) : JSON.stringify(key);
    items.push({
      label: key,
      kind: CompletionItemKind.Property,
      filterText: JSON.stringify(key),
      sortText: `${rank}${inOrder(items.length)}`,
      ...(snippets && !place.hasColon && { insertTextFormat: InsertTextFormat.Snippet }),
      ...written(context, token + value),
      ...more,
    });
  };
  for (const { key, field, spellings, shape } of known) {
    const count = uses.get(key)?.count ?? 0;
    // One spelling is enough, that which the file uses.
    const isOther = spellings.some((other) => other !== key && (uses.get(other)?.count ?? 0) > count);
    const lacks = !present.has(key) && !spellings.some((other) => present.has(other));
    const rank = !lacks ? 8 : isOther ? 4 : field !== undefined ? (count > 0 || uses.size === 0 ? 0 : 1) : 2;
    const described = field === undefined ? undefined : FIELD_WORDS[field];
    add(key, uses.get(key)?.shape ?? shape, rank, {
      ...(described !== undefined && field !== undefined && { documentation: described, detail: field }),
    });
  }
  for (const [key, { count, shape }] of uses) {
    if (items.length >= MOST) break;
    const detail = `in ${count.toLocaleString('en')} ${count === 1 ? 'record' : 'records'}`;
    add(key, shape, present.has(key) ? 9 : 3, { detail });
  }
  // A second member of the same name helps nobody.
  return { items: items.filter(({ label }) => !present.has(label)), isIncomplete };
}

export async function valueItems(
  context: ItemContext,
  used: UsedValues<Row>,
  documents: Pick<DocumentReader, 'names'>,
  cancel: Cancel,
): Promise<CompletionItem[]> {
  const { place, checker } = context;
  const field = fieldAt(checker.settings.profile, place.path);
  const items = field === undefined ? [] : await fieldItems(context, field, documents, cancel);
  const texts = used.textsAt(place.path);
  // Each record has its own of these.
  if (field?.field === 'id' || field?.field === 'question') return items;
  const told = new Map(items.map((item) => [item.label, item]));
  for (const [text, count] of [...(texts ?? [])].sort(([, one], [, other]) => other - one).slice(0, MOST)) {
    // What is being written here is no example for itself.
    if (count === 1 && isWritten(context, text)) continue;
    const detail = `in ${count.toLocaleString('en')} ${count === 1 ? 'place' : 'places'} of the file`;
    const known = told.get(text);
    if (known !== undefined) known.detail = known.detail === undefined ? detail : `${known.detail}, ${detail}`;
    else items.push(textItem(context, text, CompletionItemKind.Value, `5${inOrder(items.length)}`, detail));
  }
  return items;
}

function isWritten({ row, place }: ItemContext, text: string): boolean {
  return row.text.slice(place.token.start, place.token.end) === JSON.stringify(text);
}

async function fieldItems(
  context: ItemContext,
  { field, rest, isDecoded }: FieldPlace,
  documents: Pick<DocumentReader, 'names'>,
  cancel: Cancel,
): Promise<CompletionItem[]> {
  const { profile } = context.checker.settings;
  if (field === 'document') return rest.length > 0 ? [] : documentItems(context, documents);
  if (
    field === 'labels' ||
    field === 'category' ||
    field === 'split' ||
    field === 'answerFormat' ||
    field === 'sources'
  ) {
    const values = profile.enums[field] ?? [];
    return values.map((text, at) =>
      textItem(context, text, CompletionItemKind.EnumMember, `1${inOrder(at)}`, undefined),
    );
  }
  if (isDecoded || rest.length > 1) return [];
  if (field === 'pages') return pageItems(context, cancel);
  if ((field === 'tableEvidence' || field === 'textEvidence') && rest.length === 1) return blockItems(context, field);
  return [];
}

function textItem(
  context: ItemContext,
  text: string,
  kind: CompletionItemKind,
  sortText: string,
  detail: string | undefined,
): CompletionItem {
  const token = JSON.stringify(text);
  return {
    label: text,
    kind,
    sortText,
    filterText: token,
    ...(detail !== undefined && { detail }),
    ...written(context, token),
  };
}

async function documentItems(
  context: ItemContext,
  documents: Pick<DocumentReader, 'names'>,
): Promise<CompletionItem[]> {
  const folders = documentFolders(context.checker.settings);
  const found = new Set<string>();
  for (const folder of folders) {
    for (const name of documentNames(folder, (await documents.names?.(folder.folder, folder.root)) ?? []))
      found.add(name);
  }
  return [...found]
    .sort()
    .slice(0, MOST)
    .map((name, at) => textItem(context, name, CompletionItemKind.File, `1${inOrder(at)}`, 'a document that is there'));
}

/** Pages of the PDF, and images of pages. */
async function pageItems(context: ItemContext, cancel: Cancel): Promise<CompletionItem[]> {
  const { session, row, checker, place, record } = context;
  if (row.document === undefined) await session.complete(row, cancel);
  const { pdf, imageNumbers = [] } = row.document ?? {};
  const labels = new Map<number, string>();
  const { pageBase } = checker.settings;
  if (pdf?.state === 'ok') {
    pdf.pages.slice(0, 5_000).forEach((_, at) => labels.set(at + pageBase, pdf.labels?.[at] ?? ''));
  }
  for (const number of imageNumbers) if (!labels.has(number)) labels.set(number, '');
  const images = new Set(imageNumbers);
  const cited = new Set(place.elements);
  const asText = typeof record?.pages?.find((page) => page !== null) === 'string' || place.isString;
  return [...labels].flatMap(([number, label], at): CompletionItem[] => {
    const token = asText ? JSON.stringify(String(number)) : String(number);
    if (cited.has(token)) return [];
    const told = [
      ...(label !== '' && label !== String(number) ? [`labelled ${label}`] : []),
      ...(pdf?.state !== 'ok' ? ['page image'] : images.has(number) ? ['with an image'] : []),
    ];
    return [
      {
        label: String(number),
        kind: CompletionItemKind.Reference,
        sortText: `1${inOrder(at)}`,
        filterText: asText ? token : `${token} ${label}`,
        ...(told.length > 0 && { detail: told.join(', ') }),
        ...written(context, token),
      },
    ];
  });
}

/** Blocks of the context by their position; those that hold the numbers of the solution first. */
function blockItems(context: ItemContext, field: 'tableEvidence' | 'textEvidence'): CompletionItem[] {
  const { record, checked, place, row, session } = context;
  if (record === undefined) return [];
  const numbers = traceOf({ ...checked, record })?.numbers ?? [];
  const used = new Set(
    numbers.flatMap(({ verdict, places }) => (verdict === 'constant' ? [] : places.map(({ block }) => block))),
  );
  const cited = new Set(place.elements);
  return blockChoices(record, field, used).flatMap(({ block, kind, head, isUsed }, at): CompletionItem[] => {
    if (cited.has(String(block)) || at >= MOST) return [];
    const data: ItemData = { uri: session.uri, index: row.index, block };
    return [
      {
        label: String(block),
        labelDetails: { description: kind },
        kind: CompletionItemKind.Reference,
        detail: `${isUsed ? 'holds numbers of the solution · ' : ''}${head}`,
        sortText: `1${inOrder(at)}`,
        filterText: `${block} ${head}`,
        data,
        ...written(context, String(block)),
      },
    ];
  });
}

export function pythonItems(
  context: ItemContext,
  source: string,
  at: number,
  place: PythonPlace,
): CompletionList | null {
  const range = rangeOfPart(context, { start: place.start, end: at }, source);
  if (range === undefined) return null;
  const { settings } = context.checker;
  const word = (label: string, kind: CompletionItemKind, rank: number, more: Partial<CompletionItem> = {}) => ({
    label,
    kind,
    sortText: `${rank}${inOrder(more.sortText === undefined ? 0 : Number(more.sortText))}`,
    textEdit: { range, newText: label },
    ...(({ sortText: _, ...rest }) => rest)(more),
  });
  if (place.kind === 'module') {
    const modules = settings.solutions.allowedImports;
    return { items: modules.map((name) => word(name, CompletionItemKind.Module, 1)), isIncomplete: false };
  }
  const { isNumber, isStart, target, prefix } = place;
  const items: CompletionItem[] = [];
  let isIncomplete = false;
  if (!isNumber) {
    namesBefore(source, at).forEach(({ name, written: detail }, order) => {
      const more = { sortText: String(order), ...(detail !== undefined && { detail: `= ${detail}`.slice(0, 100) }) };
      items.push(word(name, CompletionItemKind.Variable, 1, more));
    });
    const words = isStart ? STATEMENT_WORDS : EXPRESSION_WORDS;
    items.push(...words.map((name) => word(name, CompletionItemKind.Keyword, 8)));
    if (!isStart) items.push(...FUNCTIONS.map((name) => word(name, CompletionItemKind.Function, 7)));
  }
  if (!isStart && context.record !== undefined) {
    const isScaled = settings.profile.fields.unit !== undefined;
    const wanted = target ?? context.record.question ?? '';
    const { values, isCut } = evidenceValues(context.record, wanted, isNumber ? prefix : '', isScaled);
    isIncomplete = isCut;
    values.forEach((value, order) => items.push(numberItem(context, source, at, place, value, order)));
  }
  return { items, isIncomplete };
}

function numberItem(
  context: ItemContext,
  source: string,
  at: number,
  { start, prefix, isNumber }: Extract<PythonPlace, { kind: 'expression' }>,
  value: EvidenceValue,
  order: number,
): CompletionItem {
  const { plain, written: spelled, words, name, states, block, inString } = value;
  // In `max(1,2` the second number alone is meant, unless 1,2… is one.
  const isGrouped = prefix.includes(',') && !spelled.startsWith(prefix);
  const from = isGrouped ? start + prefix.lastIndexOf(',') + 1 : start;
  const range = rangeOfPart(context, { start: from, end: at }, source);
  const isNegated = plain.startsWith('-') && /-\s*$/.test(source.slice(0, from));
  const newText = isNegated ? plain.slice(1) : plain;
  const data: ItemData = { uri: context.session.uri, index: context.row.index, block, span: inString };
  return {
    label: newText,
    kind: CompletionItemKind.Value,
    detail: states === undefined ? name : `${name} (${states})`,
    sortText: `${isNumber ? 0 : 2}${inOrder(order)}`,
    filterText: isNumber ? `${newText.replace(/^-/, '')} ${spelled}` : `${words} ${newText} ${spelled}`,
    data,
    ...(range === undefined ? { insertText: newText } : { textEdit: { range, newText } }),
  };
}

/** The range of a part of the solution; what is empty has a place, too. */
function rangeOfPart({ row, place }: ItemContext, { start, end }: Span, source: string): TextEdit['range'] | undefined {
  const { token } = place;
  if (start > source.length) return undefined;
  // The place of an offset is the end of what stands before it.
  const position = (offset: number): TextEdit['range']['start'] =>
    offset === 0
      ? rangeIn(row, { start: token.start + 1, end: token.start + 1 }).start
      : rangeIn(row, spanInString(row.text, token, { start: offset - 1, end: offset })).end;
  return { start: position(start), end: position(end) };
}

/** What takes the place of what stands there, with the commas that are missing around it. */
function written(
  { row, place }: ItemContext,
  newText: string,
): Pick<CompletionItem, 'textEdit' | 'additionalTextEdits'> {
  const { token, commaAt, wantsComma } = place;
  const comma = commaAt === undefined ? undefined : rangeIn(row, { start: commaAt, end: commaAt });
  return {
    textEdit: { range: rangeIn(row, token), newText: wantsComma ? `${newText},` : newText },
    ...(comma !== undefined && { additionalTextEdits: [{ range: comma, newText: ',' }] }),
  };
}

function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
