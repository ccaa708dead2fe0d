/** Where the numbers of a record come from, as the preview shows it. */
import type {
  EvidenceNumber,
  EvidencePhrase,
  EvidenceTrace,
  NumberInBlock,
  NumberOnPage,
} from '../../../../schemas/protocol.ts';
import { shownFinder } from '../../core/evidence/blocks.ts';
import type { ShownPlace } from '../../core/evidence/blocks.ts';
import { regionsOnPage } from '../../core/evidence/cited-regions.ts';
import { withContext } from '../../core/record/external.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { isUnsupported } from '../../core/trace/merge.ts';
import { phraseWords, verdictWords } from '../../core/trace/plain.ts';
import type { NumberPlace, PlaceOnPage } from '../../core/trace/types.ts';
import type { RecordTrace } from './record-trace.ts';
import type { Row } from '../session/rows.ts';

export function evidenceTrace(record: CanonicalRecord, row: Row, trace: RecordTrace): EvidenceTrace {
  const context = withContext(record, row.document).context ?? [];
  const finders = new Map<number, ReturnType<typeof shownFinder>>();

  function shownIn({ block, inString }: NumberPlace): ShownPlace | undefined {
    const text = context[block];
    if (typeof text !== 'string') return undefined;
    let finder = finders.get(block);
    if (finder === undefined) {
      finder = shownFinder(text);
      finders.set(block, finder);
    }
    return finder(inString.start, inString.end);
  }

  function inBlock(place: NumberPlace): NumberInBlock {
    // What is not cited is not shown either.
    const shown = place.cited ? shownIn(place) : undefined;
    return {
      kind: 'block',
      blockPointer: place.pointer,
      inString: place.inString,
      name: place.name,
      cited: place.cited,
      shown: shown === undefined ? null : { part: shown.part, start: shown.start, end: shown.end, ...shown.cell },
    };
  }

  function onPage({ pageAt, box, name, cited, left, top, width, height }: PlaceOnPage): NumberOnPage {
    const region = box === undefined ? null : (regionsOnPage(record, pageAt)[box]?.pointer ?? null);
    return { kind: 'page', page: pageAt, region, name, cited, left, top, width, height };
  }

  return {
    numbers: trace.numbers.map((number): EvidenceNumber => {
      const { text, name, verdict, pointer, inString } = number;
      return {
        text,
        name: name ?? null,
        verdict,
        says: verdictWords(number),
        unsupported: isUnsupported(number),
        pointer,
        inString,
        places: [...number.places.map(inBlock), ...number.onPages.map(onPage)],
      };
    }),
    ...(trace.phrases.length > 0 && {
      phrases: trace.phrases.map((phrase): EvidencePhrase => {
        const { text, pointer, inString, places, onPages } = phrase;
        return {
          text,
          pointer,
          inString,
          says: phraseWords(phrase),
          unsupported: places.length + onPages.length === 0,
          places: [...places.map(inBlock), ...onPages.map(onPage)],
        };
      }),
    }),
    unread: trace.unread,
    pending: trace.pending,
  };
}
