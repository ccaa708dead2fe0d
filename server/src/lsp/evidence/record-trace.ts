/** Where the numbers of one record come from, for hover and preview: in its context at once, on its pages when they are read. */
import { pageNumberAt } from '../../core/evidence/cited-regions.ts';
import type { Checker, CheckedText } from '../../core/pipeline.ts';
import type { Cancel, CitedPage, DocumentFacts, PageText } from '../../core/ports.ts';
import { withContext } from '../../core/record/external.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { mergeTraces } from '../../core/trace/merge.ts';
import { tracePages } from '../../core/trace/pages.ts';
import type { ReadPage } from '../../core/trace/pages.ts';
import { locatePhrases, phrasePlaces, phrasesOf, phrasesOnPages } from '../../core/trace/phrases.ts';
import { numbersShown, traceShown } from '../../core/trace/trace.ts';
import type {
  LocatedNumber,
  LocatedPhrase,
  PageTracedNumber,
  PlaceOnPage,
  TracedNumber,
} from '../../core/trace/types.ts';
import { boxesOn } from './evidence-pages.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

export interface RecordTrace {
  readonly numbers: readonly LocatedNumber[];
  /** The words of an answer that is text. */
  readonly phrases: readonly LocatedPhrase[];
  /** Cited pages without words that could be read: a number may stand there all the same. */
  readonly unread: readonly number[];
  /** The pages have not been looked at yet. */
  readonly pending: boolean;
}

/** More pages than one record's numbers are looked up on. */
const MAX_PAGES = 20;
/** Pages asked for at once: what others ask for meanwhile comes in between. */
const PORTION = 4;

interface OnPages {
  readonly numbers: readonly PageTracedNumber[] | undefined;
  /** Of each phrase of the answer (`phrasesOf`). */
  readonly phrases: readonly (readonly PlaceOnPage[])[];
  readonly unread: readonly number[];
}

interface Known extends OnPages {
  readonly checker: Checker;
  /** The sizes of the document's pages: another object when the file has changed. */
  readonly document: unknown;
}

/** By what was found out from a record's text: goes with it. Numbers and their places only, no pages. */
const known = new WeakMap<CheckedText, Known>();

/** What is known at once. undefined: there is nothing to look numbers up in, or no number. */
export function traceAtOnce(session: Session, row: Row): RecordTrace | undefined {
  const { checked } = row;
  const { checker } = session;
  if (checked === undefined || checker === undefined) return undefined;
  const inContext = contextNumbers(checked, row.document);
  const document = documentToRead(checked, row.document, checker);
  const onPages = document && recall(checked, document, checker);
  const { record } = checked;
  const phrases = record === undefined ? [] : locatedPhrases(record, row.document, onPages);
  const nothing = inContext === undefined && phrases.length === 0;
  if (nothing && (document === undefined || (onPages !== undefined && !tells(onPages)))) {
    return undefined;
  }
  return {
    numbers: mergeTraces(inContext, onPages?.numbers).map(withoutChance),
    phrases,
    unread: onPages?.unread ?? [],
    pending: document !== undefined && onPages === undefined,
  };
}

/** Where nothing was looked through, nothing is said. */
function locatedPhrases(
  own: CanonicalRecord,
  document: DocumentFacts | undefined,
  onPages: OnPages | undefined,
): readonly LocatedPhrase[] {
  const record = withContext(own, document);
  const hasText = record.context?.some((block) => typeof block === 'string' && block.trim() !== '') === true;
  const phrases = hasText || onPages !== undefined ? phrasesOf(record) : [];
  if (phrases.length === 0) return [];
  const located = locatePhrases(phrases, phrasePlaces(record, phrases), onPages?.phrases);
  // A page without text may have what is found nowhere else.
  const isOpen = !hasText && (onPages === undefined || onPages.unread.length > 0);
  return isOpen ? located.filter(({ places, onPages: others }) => places.length + others.length > 0) : located;
}

/** A constant stands everywhere by chance: its places tell nothing. */
function withoutChance(number: LocatedNumber): LocatedNumber {
  return number.verdict === 'constant' ? { ...number, places: [], onPages: [] } : number;
}

/** The same with the pages. They are read a few at a time; where that is not wanted any more, what is known at once. */
export async function traceWhole(session: Session, row: Row, cancel: Cancel): Promise<RecordTrace | undefined> {
  const { checked, document } = row;
  const { checker } = session;
  if (checked === undefined || checker === undefined) return undefined;
  const toRead = documentToRead(checked, document, checker);
  if (toRead !== undefined && recall(checked, toRead, checker) === undefined) {
    const found = await readNumbers(session, checked, toRead, checker, cancel);
    if (found !== undefined) known.set(checked, { ...found, checker, document: versionOf(toRead) });
  }
  return traceAtOnce(session, row);
}

function contextNumbers(
  checked: CheckedText,
  document: DocumentFacts | undefined,
): readonly TracedNumber[] | undefined {
  const { record } = checked;
  if (record === undefined) return undefined;
  const complete = withContext(record, document);
  return traceShown(checked, complete);
}

/** The document, where numbers of the record may stand on cited pages of it. */
function documentToRead(
  checked: CheckedText,
  document: DocumentFacts | undefined,
  checker: Checker,
): DocumentFacts | undefined {
  const { record } = checked;
  if (record === undefined || document?.pdf?.state !== 'ok') return undefined;
  if (pagesToRead(record, document, checker).length === 0) return undefined;
  return numbersShown(record, checked).length + phrasesOf(record).length > 0 ? document : undefined;
}

function tells({ numbers, phrases, unread }: OnPages): boolean {
  return numbers !== undefined || unread.length > 0 || phrases.some((places) => places.length > 0);
}

function versionOf({ pdf }: DocumentFacts): unknown {
  return pdf?.state === 'ok' ? pdf.pages : undefined;
}

function recall(checked: CheckedText, document: DocumentFacts, checker: Checker): OnPages | undefined {
  const found = known.get(checked);
  return found?.checker === checker && found.document === versionOf(document) ? found : undefined;
}

function pagesToRead(record: CanonicalRecord, document: DocumentFacts, { settings }: Checker): CitedPage[] {
  const count = document.pdf?.state === 'ok' ? document.pdf.pages.length : 0;
  const numbers = (record.pages ?? []).map((_, at) => pageNumberAt(record, at));
  return [...new Set(numbers)].slice(0, MAX_PAGES).flatMap((number) => {
    const index = number === undefined ? -1 : number - settings.pageBase;
    return number !== undefined && index >= 0 && index < count ? [{ number, index }] : [];
  });
}

/** undefined: cancelled. */
async function readNumbers(
  session: Session,
  checked: CheckedText,
  document: DocumentFacts,
  checker: Checker,
  cancel: Cancel,
): Promise<OnPages | undefined> {
  const record = checked.record!;
  const wanted = pagesToRead(record, document, checker);
  // Without the images: only words are wanted.
  const pdfOnly: DocumentFacts = { name: document.name, ...(document.pdf && { pdf: document.pdf }) };
  const texts = new Map<number, PageText>();
  for (let first = 0; first < wanted.length; first += PORTION) {
    if (cancel.aborted) return undefined;
    const read = await session.readPages(pdfOnly, wanted.slice(first, first + PORTION));
    for (const [number, { text }] of read) if (text !== undefined && text.lines.length > 0) texts.set(number, text);
  }
  if (cancel.aborted) return undefined;
  const pages = [...texts].map(([number, text]): ReadPage => {
    const ats = record.pages!.flatMap((_, at) => (pageNumberAt(record, at) === number ? [at] : []));
    const boxes = ats.flatMap((at) => boxesOn(record, at, document, checker.settings));
    return { number, at: ats[0]!, text, boxes };
  });
  return {
    numbers: tracePages(record, checked, pages),
    phrases: phrasesOnPages(phrasesOf(record), pages),
    unread: wanted.map(({ number }) => number).filter((number) => !texts.has(number)),
  };
}
