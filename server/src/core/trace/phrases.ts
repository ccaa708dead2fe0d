/** The words of an answer that is text, and where they stand: as a whole, else its parts, else the names in it. */
import type { Span } from '../finding.ts';
import { termsOf } from '../page/terms.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { blockName } from '../rules/messages.ts';
import { readQuery } from '../search/terms.ts';
import { citedBlocks } from './cited.ts';
import { indexBlock, mentionAt } from './index.ts';
import { partsOf, placeOn } from './pages.ts';
import type { ReadPage } from './pages.ts';
import type { LocatedPhrase, NumberPlace, PlaceOnPage } from './types.ts';

/** A stretch of an answer that may stand in the evidence. */
export interface Phrase {
  readonly text: string;
  readonly pointer: string;
  readonly inString: Span;
  /** `whole`: all of a text; `part`: of an enumeration; `name`: in a part that is a sentence, which evidence rarely has as it is. */
  readonly kind: 'whole' | 'part' | 'name';
}

/** Answers beyond this length, in UTF-16 units, are texts of their own, and elements of a list beyond this count. */
const LONGEST = 2000;
const ELEMENTS = 50;
/** A part with more words is a sentence, and what it stands in is prose. */
const SENTENCE = 8;
/** Places given per phrase. */
const PLACES = 8;

/** Numbers, units and words that say nothing alone. */
const TELLING_NOTHING =
  /[\d.,%\p{Sc}()+\-–−]+|\b(?:yes|no|none|true|false|n\/?a|not|million|billion|thousand|percent|per|cent|basis|points?|bps|usd|eur|gbp|us|dollars?|days?|weeks?|months?|quarters?|years?|shares?|units?|times|x|the|an?|of|in|is|are|was|were|and|or|for|to)\b/giu;

/** Phrases to look for in the order in which they are written; where a whole is found, its parts need not be. */
export function phrasesOf(record: CanonicalRecord): readonly Phrase[] {
  const { answer } = record;
  const pointer = pointerTo(record, 'answer');
  if (typeof answer === 'string') return phrasesIn(answer, pointer);
  if (!Array.isArray(answer)) return [];
  return answer
    .slice(0, ELEMENTS)
    .flatMap((element, at) => (typeof element === 'string' ? phrasesIn(element, pointerTo(record, 'answer', at)) : []));
}

function phrasesIn(answer: string, pointer: string): Phrase[] {
  if (answer.length > LONGEST) return [];
  const whole = trimmed(answer, 0, answer.length);
  if (whole === undefined) return [];
  const phrase = (span: Span, kind: Phrase['kind']): Phrase => ({
    text: answer.slice(span.start, span.end),
    pointer,
    inString: span,
    kind,
  });
  const spans = partsIn(answer);
  const isProse = spans.some(({ start, end }) => answer.slice(start, end).split(/\s+/).length > SENTENCE);
  const parts = spans.flatMap((span): Phrase[] => {
    const text = answer.slice(span.start, span.end);
    if (!isProse) return [phrase(span, 'part')];
    return termsOf(text).flatMap((term) =>
      tells(term.text)
        ? [phrase({ start: span.start + term.inString.start, end: span.start + term.inString.end }, 'name')]
        : [],
    );
  });
  return [phrase(whole, 'whole'), ...parts];
}

/** Parts of an enumeration, and sentences. */
function partsIn(answer: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  const borders = [...answer.matchAll(/[;\n]+|,(?!\d)|[.!?](?=\s)|\s(?:and|or)\s/gi), { index: answer.length, 0: '' }];
  for (const border of borders) {
    const span = trimmed(answer, start, border.index);
    if (span !== undefined) spans.push(span);
    start = border.index + border[0].length;
  }
  return spans;
}

/** Without blanks and marks around it; undefined: it tells nothing. */
function trimmed(text: string, from: number, to: number): Span | undefined {
  const part = text.slice(from, to);
  const start = from + (part.length - part.replace(/^[\s"'“‘([•*–—-]+/u, '').length);
  const end = to - (part.length - part.replace(/[\s"'”’)\].,;:!?]+$/u, '').length);
  return start < end && tells(text.slice(start, end)) ? { start, end } : undefined;
}

function tells(text: string): boolean {
  return /\p{L}{2}/u.test(text.replace(TELLING_NOTHING, ' '));
}

/** The places of each phrase in the context, cited blocks first. `record` with its context. */
export function phrasePlaces(record: CanonicalRecord, phrases: readonly Phrase[]): readonly (readonly NumberPlace[])[] {
  const context = record.context ?? [];
  const cited = new Set(citedBlocks(record));
  const order = [...cited, ...[...context.keys()].filter((block) => !cited.has(block))];
  return phrases.map(({ text }) => {
    const pattern = patternOf(text);
    const places: NumberPlace[] = [];
    for (const block of order) {
      const content = context[block];
      if (pattern === undefined || places.length >= PLACES || typeof content !== 'string') continue;
      if (places.length > 0 && !cited.has(block)) break;
      for (const found of content.matchAll(pattern)) {
        const { cell } = mentionAt(indexBlock(content), found.index, found.index + found[0].length);
        places.push({
          pointer: pointerTo(record, 'context', block),
          name: blockName(record, block),
          ...(cell !== undefined && { cell }),
          inString: { start: found.index, end: found.index + found[0].length },
          cited: cited.has(block),
          block,
          isNegative: false,
          isPercent: false,
        });
      }
    }
    return places.slice(0, PLACES);
  });
}

/** The places of each phrase on pages, inside boxes first. */
export function phrasesOnPages(
  phrases: readonly Phrase[],
  pages: readonly ReadPage[],
): readonly (readonly PlaceOnPage[])[] {
  const parts = pages.flatMap(partsOf).sort((a, b) => Number(b.isCited) - Number(a.isCited));
  return phrases.map(({ text }) => {
    const pattern = patternOf(text);
    if (pattern === undefined) return [];
    return parts
      .flatMap((part) =>
        [...part.text.matchAll(pattern)].flatMap((found) => {
          const inString = { start: found.index, end: found.index + found[0].length };
          return placeOn(part, { inString, cited: part.isCited, isNegative: false }) ?? [];
        }),
      )
      .slice(0, PLACES);
  });
}

/** In any case; blanks, ends of lines and borders of cells are one; quotation marks and dashes of any kind. */
function patternOf(text: string): RegExp | undefined {
  const { phrase } = readQuery(text);
  if (phrase === undefined || text.length > LONGEST / 4) return undefined;
  const source = phrase.source
    .replace(/['’‘]/gu, "['’‘]")
    .replace(/["“”]/gu, '["“”]')
    .replace(/[-–—‑−]/gu, '[-–—‑−]');
  return new RegExp(`${source}(?![\\p{L}\\p{N}])`, 'giu');
}

/** What is shown: a whole that is found, else its parts. Names that are not found say nothing: a sentence may be put otherwise. */
export function locatePhrases(
  phrases: readonly Phrase[],
  inContext: readonly (readonly NumberPlace[])[],
  onPages: readonly (readonly PlaceOnPage[])[] | undefined,
): readonly LocatedPhrase[] {
  const located = phrases.map(({ kind, ...phrase }, at) => ({
    kind,
    phrase: { ...phrase, places: inContext[at] ?? [], onPages: onPages?.[at] ?? [] },
  }));
  const isFound = ({ places, onPages: others }: LocatedPhrase): boolean => places.length + others.length > 0;
  const found = new Set(
    located.flatMap(({ kind, phrase }) => (kind === 'whole' && isFound(phrase) ? [phrase.pointer] : [])),
  );
  return located.flatMap(({ kind, phrase }) => {
    const isWhole = kind === 'whole';
    if (found.has(phrase.pointer)) return isWhole ? [phrase] : [];
    if (isWhole) return [];
    return kind === 'part' || isFound(phrase) ? [phrase] : [];
  });
}
