import { URI } from 'vscode-uri';
import type { LocationLink, Position, Range } from 'vscode-languageserver/node';
import type { Span } from '../../core/finding.ts';
import type { Cancel } from '../../core/ports.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { hasExternalContext } from '../../core/record/external.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { definitionsOf, mentionAt, mentionsOf } from '../../core/solution/scopes.ts';
import { spanOfPointer } from '../../core/text/offsets.ts';
import type { LocatedNumber } from '../../core/trace/types.ts';
import { namedFiles } from './documents-found.ts';
import { placeAt } from '../place.ts';
import type { Place } from '../place.ts';
import { rangeIn, toPosition } from '../ranges.ts';
import { traceAtOnce, traceWhole } from '../evidence/record-trace.ts';
import type { ServerRuntime } from '../runtime.ts';
import { recordsWith } from './same-value.ts';
import type { SharedField } from './same-value.ts';
import { blockSpot, inFile, spotOf } from './spots.ts';
import type { Spot, SpotServices, Subject } from './spots.ts';
import { citationsAt, completeRecord, numberAt, partOf, solutionAt, stringAt, usesAt } from './targets.ts';

export interface DefinitionServices extends SpotServices {
  /** Document links open a record's documents and pages: a definition of them beside would open both. */
  hasLinks(subject: Subject): boolean;
  readonly runtime: Pick<ServerRuntime, 'readText' | 'documents'>;
}

interface Found {
  /** What is asked about, in the record's text. */
  readonly origin: Span;
  readonly spots: readonly Spot[];
}

/**
 * Where what stands at a position comes from: the block that an index cites, the places of a number in the evidence, the definition of
 * a name in the solution, the file of a document or page, the other records with an id. null: nothing is known of it.
 */
export async function definitionAt(
  services: DefinitionServices,
  subject: Subject,
  position: Position,
  cancel: Cancel,
): Promise<LocationLink[] | null> {
  const { session, row } = subject;
  const place = placeAt(row, position);
  const checked = row.checked;
  if (place === undefined || checked?.record === undefined) return null;
  if (hasExternalContext(checked.record)) await session.complete(row, cancel);
  const found =
    (await citedBlocks(services, subject, place)) ??
    inSolution(subject, place) ??
    (await sourcesOfNumber(services, subject, place, cancel)) ??
    (await files(services, subject, place, cancel)) ??
    (await otherRecords(services, subject, place, cancel)) ??
    usedNumber(subject, place);
  if (found === undefined || found.spots.length === 0 || row.gone) return null;
  return toLinks(rangeIn(row, found.origin), found.spots);
}

function toLinks(origin: Range, spots: readonly Spot[]): LocationLink[] {
  const seen = new Set<string>();
  return spots.flatMap(({ uri, range }) => {
    const key = JSON.stringify([uri, range]);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ originSelectionRange: origin, targetUri: uri, targetRange: range, targetSelectionRange: range }];
  });
}

/** The value's span, or that of its key where the key says what is meant. */
function originOf({ row }: Subject, place: Place, pointer: string): Span | undefined {
  return place.key ?? spanOfPointer(row.text, pointer);
}

async function citedBlocks(services: SpotServices, subject: Subject, place: Place): Promise<Found | undefined> {
  const record = completeRecord(subject.row);
  const citations = record === undefined ? [] : citationsAt(record, place.pointer);
  const [first] = citations;
  const origin = first && originOf(subject, place, first.pointer);
  if (record === undefined || origin === undefined) return undefined;
  const spots = citations.map(({ block }) =>
    blockSpot(services, subject, { pointer: pointerTo(record, 'context', block), block }),
  );
  return { origin, spots: present(await Promise.all(spots)) };
}

function present(spots: readonly (Spot | undefined)[]): readonly Spot[] {
  return spots.filter((spot) => spot !== undefined);
}

function inSolution({ row, session }: Subject, place: Place): Found | undefined {
  const solution = solutionAt(row, place);
  if (solution === undefined) return undefined;
  const mentions = mentionsOf(solution.value);
  const mention = mentionAt(mentions, solution.at);
  if (mention === undefined) return undefined;
  const spots = definitionsOf(mentions, mention).map(({ span }): Spot => {
    return { uri: session.uri, range: rangeIn(row, partOf(row, solution, span)) };
  });
  return { origin: partOf(row, solution, mention.span), spots };
}

/** Where a number of the solution or the answer stands. Pages are waited for only where nothing else is known. */
async function sourcesOfNumber(
  services: SpotServices,
  subject: Subject,
  place: Place,
  cancel: Cancel,
): Promise<Found | undefined> {
  const { row, session } = subject;
  const here = stringAt(row, place);
  const early = here && traceAtOnce(session, row);
  if (here === undefined || early === undefined) return undefined;
  const known = numberAt(early, place.pointer, here.at);
  const number =
    early.pending && (known?.places.length ?? 0) === 0
      ? numberAt((await traceWhole(session, row, cancel)) ?? early, place.pointer, here.at)
      : known;
  if (number === undefined) return undefined;
  return { origin: partOf(row, here, number.inString), spots: await placesOf(services, subject, number) };
}

/** Cited places first. */
export async function placesOf(
  services: SpotServices,
  subject: Subject,
  number: LocatedNumber,
): Promise<readonly Spot[]> {
  const record = subject.row.checked?.record;
  if (record === undefined) return [];
  const cited = <P extends { readonly cited: boolean }>(places: readonly P[]): readonly P[] =>
    [...places].sort((a, b) => Number(b.cited) - Number(a.cited));
  const inBlocks = cited(number.places).map((place) => blockSpot(services, subject, place));
  const onPages = cited(number.onPages).map(({ pageAt, box }) =>
    spotOf(
      services,
      subject,
      box === undefined ? pointerTo(record, 'pages', pageAt) : pointerTo(record, 'boxes', pageAt, box),
    ),
  );
  return present(await Promise.all([...inBlocks, ...onPages]));
}

const START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** The PDF or image of a document or page. An address of a place cannot carry a page; document links can. */
async function files(
  { runtime, hasLinks }: DefinitionServices,
  subject: Subject,
  place: Place,
  cancel: Cancel,
): Promise<Found | undefined> {
  const { session, row } = subject;
  const { checker } = session;
  if (hasLinks(subject)) return undefined;
  const { checked } = row;
  if (checker === undefined || checked?.record === undefined || !namesFiles(checked.record, place.pointer))
    return undefined;
  const named = await namedFiles(checker, checked, runtime.documents, cancel);
  const fitting = named.filter(({ pointer }) => pointer === place.pointer);
  const origin = spanOfPointer(row.text, place.pointer);
  if (fitting.length === 0 || origin === undefined) return undefined;
  return { origin, spots: fitting.map(({ path }) => ({ uri: URI.file(path).toString(), range: START })) };
}

function namesFiles(record: CanonicalRecord, pointer: string): boolean {
  return (['document', 'pages', 'images'] as const).some((field) => {
    const own = pointerTo(record, field).replace(/\/\d+(?=\/|$).*/, '');
    return own !== '' && (pointer === own || pointer.startsWith(`${own}/`));
  });
}

/** Records with the same id, and what rules across records have found at the value. */
async function otherRecords(
  services: SpotServices,
  subject: Subject,
  place: Place,
  cancel: Cancel,
): Promise<Found | undefined> {
  const field = sharedFieldAt(subject, place.pointer);
  const home = await inFile(services, subject);
  const origin = spanOfPointer(subject.row.text, place.pointer);
  if (home === undefined || origin === undefined) return undefined;
  const related = home.session
    .acrossOf(home.row)
    .filter(({ pointer }) => pointer === place.pointer)
    .flatMap((finding) => finding.related)
    .flatMap(({ file, recordIndex, pointer }): Spot[] => {
      if (file?.path !== undefined) {
        const start = toPosition(file.start);
        return [{ uri: URI.file(file.path).toString(), range: { start, end: start } }];
      }
      const row = recordIndex === undefined ? undefined : home.session.row(recordIndex);
      const span = row && row !== home.row ? spanOfPointer(row.text, pointer) : undefined;
      return row === undefined || span === undefined ? [] : [{ uri: home.session.uri, range: rangeIn(row, span) }];
    });
  const same = field !== 'id' ? [] : await sharing(home, field, subject, cancel);
  const spots = [...same.filter(({ row }) => row !== home.row).map(({ spot }) => spot), ...related];
  return spots.length === 0 ? undefined : { origin, spots };
}

/** Which value at a place other records may share. */
export function sharedFieldAt({ row }: Subject, pointer: string): SharedField | undefined {
  const record = row.checked?.record;
  if (record === undefined) return undefined;
  return (['id', 'document'] as const).find((field) => pointerTo(record, field) === pointer && pointer !== '');
}

/** The records of the file that share the record's value, the record itself among them. */
export async function sharing(
  home: Subject,
  field: SharedField,
  { row: asked }: Subject,
  cancel: Cancel,
): Promise<readonly { readonly row: Subject['row']; readonly spot: Spot }[]> {
  const value = asked.checked?.record?.[field];
  if (value === undefined) return [];
  const found = await recordsWith(home.session, field, value, cancel);
  return found.map(({ row, span }) => ({ row, spot: { uri: home.session.uri, range: rangeIn(row, span) } }));
}

/** A number of the context that the solution uses is its own definition: editors show who refers to it then. */
function usedNumber({ session, row }: Subject, place: Place): Found | undefined {
  const here = stringAt(row, place);
  const [use] = usesAt(session, row, place.pointer, here?.at);
  if (use === undefined) return undefined;
  const origin =
    here !== undefined && use.place.pointer === place.pointer
      ? partOf(row, here, use.place.inString)
      : spanOfPointer(row.text, place.pointer);
  return origin && { origin, spots: [{ uri: session.uri, range: rangeIn(row, origin) }] };
}
