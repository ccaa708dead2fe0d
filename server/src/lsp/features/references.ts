import type { Position } from 'vscode-languageserver/node';
import type { Cancel } from '../../core/ports.ts';
import { blockAt, citationsOf } from '../../core/record/citations.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { hasExternalContext } from '../../core/record/external.ts';
import { mentionAt, mentionsOf, sameName } from '../../core/solution/scopes.ts';
import { offsetIn, pointerAt } from '../../core/text/offsets.ts';
import { placesOf, sharedFieldAt, sharing } from './definition.ts';
import { placeAt } from '../place.ts';
import type { Place } from '../place.ts';
import { rangeIn } from '../ranges.ts';
import { traceAtOnce } from '../evidence/record-trace.ts';
import { blockSpot, inFile, outerSlot, spotOf } from './spots.ts';
import type { Spot, SpotServices, Subject } from './spots.ts';
import { citationsAt, completeRecord, numberAt, partOf, solutionAt, stringAt, stringIn, usesAt } from './targets.ts';
import type { Session } from '../session/session.ts';

/**
 * Who refers to what stands at a position: the indices that cite a block, the literals that use a number of it, the mentions of a name in
 * the solution, the records that share an id or a document. `declared`: with the place itself.
 */
export async function referencesAt(
  services: SpotServices,
  session: Session,
  position: Position,
  declared: boolean,
  cancel: Cancel,
): Promise<readonly Spot[] | null> {
  const row = session.rowAt(position);
  const place = row && placeAt(row, position);
  if (row === undefined || place === undefined) return inOuter(services, session, position, declared);
  const subject: Subject = { session, row };
  if (row.checked?.record === undefined) return null;
  if (hasExternalContext(row.checked.record)) await session.complete(row, cancel);
  const found =
    mentionsAt(subject, place, declared) ??
    (await ofNumber(services, subject, place)) ??
    (await ofCitation(services, subject, place, declared)) ??
    (await ofBlock(services, subject, place.pointer, stringAt(row, place)?.at, declared)) ??
    (await ofSharedValue(services, subject, place, declared, cancel));
  return found === undefined || row.gone ? null : withoutRepeats(found);
}

function withoutRepeats(spots: readonly (Spot | undefined)[]): Spot[] {
  const byPlace = new Map<string, Spot>();
  for (const spot of spots) if (spot !== undefined) byPlace.set(JSON.stringify(spot), spot);
  return [...byPlace.values()];
}

function mentionsAt({ session, row }: Subject, place: Place, declared: boolean): readonly Spot[] | undefined {
  const solution = solutionAt(row, place);
  const mentions = solution && mentionsOf(solution.value);
  const mention = mentions && mentionAt(mentions, solution.at);
  if (solution === undefined || mentions === undefined || mention === undefined) return undefined;
  return sameName(mentions, mention)
    .filter(({ isRead }) => declared || isRead)
    .map(({ span }) => ({ uri: session.uri, range: rangeIn(row, partOf(row, solution, span)) }));
}

/** Of a number of the solution or the answer: where it stands in the evidence. */
async function ofNumber(services: SpotServices, subject: Subject, place: Place): Promise<readonly Spot[] | undefined> {
  const here = stringAt(subject.row, place);
  const trace = here && traceAtOnce(subject.session, subject.row);
  const number = trace && numberAt(trace, place.pointer, here.at);
  return number && placesOf(services, subject, number);
}

/** Of a citation: what else cites the same block. */
async function ofCitation(
  services: SpotServices,
  subject: Subject,
  place: Place,
  declared: boolean,
): Promise<readonly (Spot | undefined)[] | undefined> {
  const record = completeRecord(subject.row);
  const [citation] = record === undefined ? [] : citationsAt(record, place.pointer);
  return citation && citing(services, subject, citation.block, declared);
}

/** Of a number of a block: the literals that use it; of anything else in it: what cites the block. */
async function ofBlock(
  services: SpotServices,
  subject: Subject,
  pointer: string,
  at: number | undefined,
  declared: boolean,
): Promise<readonly (Spot | undefined)[] | undefined> {
  const record = completeRecord(subject.row);
  const block = record && blockAt(record, pointer);
  if (block === undefined) return undefined;
  const uses = usesAt(subject.session, subject.row, pointer, at);
  if (uses.length === 0) return citing(services, subject, block, declared);
  const literals = uses.map(({ number }) => spotOf(services, subject, number.pointer, number.inString));
  const [first] = uses;
  const own = declared && first !== undefined ? [blockSpot(services, subject, first.place)] : [];
  return Promise.all([...own, ...literals]);
}

function citing(
  services: SpotServices,
  subject: Subject,
  block: number,
  declared: boolean,
): Promise<readonly (Spot | undefined)[]> {
  const record = completeRecord(subject.row)!;
  const own = declared ? [blockSpot(services, subject, { pointer: pointerTo(record, 'context', block), block })] : [];
  const indices = citationsOf(record).filter((citation) => citation.block === block);
  return Promise.all([...own, ...indices.map(({ pointer }) => spotOf(services, subject, pointer))]);
}

async function ofSharedValue(
  services: SpotServices,
  subject: Subject,
  { pointer }: Place,
  declared: boolean,
  cancel: Cancel,
): Promise<readonly Spot[] | undefined> {
  const field = sharedFieldAt(subject, pointer);
  const home = field && (await inFile(services, subject));
  if (field === undefined || home === undefined) return undefined;
  const found = await sharing(home, field, subject, cancel);
  return found.filter(({ row }) => declared || row !== home.row).map(({ spot }) => spot);
}

/** Records told of one element of the file. */
const NESTED = 200;

/** In what nested records lie in: the paragraphs and the table that they share. */
async function inOuter(
  services: SpotServices,
  session: Session,
  position: Position,
  declared: boolean,
): Promise<readonly Spot[] | null> {
  if (session.checker?.settings.profile.records === undefined) return null;
  const next = session.rowAt(position);
  if (next === undefined) return null;
  const rows = session.rows();
  for (const near of [next, rows[next.index - 1], rows[next.index + 1]]) {
    const outer = near && outerSlot(session, near);
    const offset = outer && offsetIn(outer, { line: position.line, column: position.character });
    const inside = offset === undefined || outer === undefined ? undefined : pointerAt(outer.text, offset);
    if (outer === undefined || inside === undefined || inside === '') continue;
    const at = stringIn(outer.text, inside, offset!)?.at;
    const sharing = rows.filter((row) => row.outer?.text === outer.text).slice(0, NESTED);
    const found = await Promise.all(
      sharing.map((row) => {
        session.rowAt({ line: row.line, character: row.column });
        return ofBlock(services, { session, row }, `/..${inside}`, at, declared);
      }),
    );
    return withoutRepeats(found.flatMap((spots) => spots ?? []));
  }
  return null;
}
