/** Beside each assignment of a solution what it held after the run, and where a number comes from. */
import type { InlayHint, InlayHintLabelPart, Range } from 'vscode-languageserver/node';
import type { RunSteps } from '../../../../schemas/steps.ts';
import type { Span } from '../../core/finding.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { blockName } from '../../core/rules/messages.ts';
import { valuesOf } from '../../core/solution/values.ts';
import type { StatementValues } from '../../core/solution/values.ts';
import { spanOfPointer } from '../../core/text/offsets.ts';
import { verdictWords } from '../../core/trace/plain.ts';
import type { LocatedNumber } from '../../core/trace/types.ts';
import { placesOf } from '../features/definition.ts';
import { shorten } from '../features/markdown.ts';
import { rangeIn } from '../ranges.ts';
import { traceAtOnce } from '../evidence/record-trace.ts';
import type { SpotServices, Subject } from '../features/spots.ts';
import { partOf, stringIn } from '../features/targets.ts';
import type { InString } from '../features/targets.ts';

/** Editors cut what is longer than some 40 characters a line; what is shown first is the value. */
const VALUE = 24;

/** Hints in a range of the document; those of a solution that the document shows on a single line are left out. */
export async function inlayValues(
  services: SpotServices,
  subject: Subject,
  steps: RunSteps,
  range: Range,
): Promise<InlayHint[]> {
  const { session, row } = subject;
  const record = row.checked?.record;
  const solution = record && solutionOf(subject);
  const entryPoint = session.checker?.settings.profile.entryPoint;
  if (record === undefined || solution === undefined || entryPoint === undefined) return [];
  const numbers = (traceAtOnce(session, row)?.numbers ?? []).filter(
    ({ pointer }) => pointer === pointerTo(record, 'solution'),
  );
  const hints = valuesOf(solution.value, entryPoint, steps).map(async (statement): Promise<InlayHint | undefined> => {
    const position = rangeIn(row, partOf(row, solution, lastOf(statement.span))).end;
    if (position.line < range.start.line || position.line > range.end.line) return undefined;
    const label = await labelOf(services, subject, statement, numbers);
    return { position, label, paddingLeft: true };
  });
  return (await Promise.all(hints)).filter((hint) => hint !== undefined);
}

function solutionOf({ row }: Subject): InString | undefined {
  const record = row.checked?.record;
  const pointer = record && pointerTo(record, 'solution');
  const span = pointer === undefined ? undefined : spanOfPointer(row.text, pointer);
  if (pointer === undefined || span === undefined || row.lens?.shows(span) === false) return undefined;
  const { start, end } = rangeIn(row, span);
  const found = stringIn(row.text, pointer, span.start);
  return start.line === end.line && found?.value.includes('\n') === true ? undefined : found;
}

/** The last character of a span: an empty one has no place in a string. */
function lastOf({ start, end }: Span): Span {
  return { start: Math.max(start, end - 1), end };
}

async function labelOf(
  services: SpotServices,
  subject: Subject,
  statement: StatementValues,
  numbers: readonly LocatedNumber[],
): Promise<InlayHintLabelPart[]> {
  const { values, times, isCut, kind } = statement;
  const parts: InlayHintLabelPart[] = [];
  const links: InlayHintLabelPart[] = [];
  for (const { name, value } of values) {
    const number = kind === 'assignment' ? literalOf(statement, name, value, numbers) : undefined;
    const shown = `${shorten(value, VALUE)}${number === undefined ? unitOf(subject, kind) : scaleOf(number)}`;
    const text = values.length === 1 ? `= ${shown}` : `${parts.length > 0 ? ', ' : ''}${name} = ${shown}`;
    parts.push({ value: text, tooltip: kind === 'result' ? `returns ${value}` : `${name} = ${value}` });
    const link = number && (await linkTo(services, subject, number));
    if (link !== undefined) links.push(link);
  }
  if (times > 1 || isCut) {
    const tooltip = isCut
      ? `The first ${times} of its runs are known.`
      : `It ran ${times} times; this is the last value.`;
    parts.push({ value: ` ×${times}${isCut ? ' …' : ''}`, tooltip });
  }
  return [...parts, ...links];
}

/** The number that a name is assigned as it is written. */
function literalOf(
  { span }: StatementValues,
  name: string,
  value: string,
  numbers: readonly LocatedNumber[],
): LocatedNumber | undefined {
  const found = numbers.filter(
    (number) => number.inString.start >= span.start && number.inString.end <= span.end && number.name === name,
  );
  const [only] = found;
  return found.length === 1 && only !== undefined && Number(value) === only.value ? only : undefined;
}

const WORDS: Readonly<Record<number, string>> = { 3: ' thousand', 6: ' million', 9: ' billion', 12: ' trillion' };

/** What the evidence says the number counts in, as far as its literal has not been multiplied out. */
function scaleOf({ places, power = 0 }: LocatedNumber): string {
  const [place] = places;
  if (place === undefined) return '';
  if (place.isPercent) return power === 0 ? ' %' : '';
  return place.scale === undefined ? '' : (WORDS[place.scale.power - power] ?? '');
}

function unitOf({ row }: Subject, kind: StatementValues['kind']): string {
  const unit = row.checked?.record?.unit?.trim() ?? '';
  return kind === 'result' && unit !== '' ? ` ${shorten(unit, 12)}` : '';
}

async function linkTo(
  services: SpotServices,
  subject: Subject,
  number: LocatedNumber,
): Promise<InlayHintLabelPart | undefined> {
  const [spot] = await placesOf(services, subject, number);
  const record = subject.row.checked?.record;
  if (spot === undefined || record === undefined) return undefined;
  const place = number.places.find(({ cited }) => cited) ?? number.places[0];
  const onPage = number.onPages.find(({ cited }) => cited) ?? number.onPages[0];
  const isBlock = place !== undefined && (place.cited || onPage?.cited !== true);
  const name = isBlock ? blockName(record, place.block) : `page ${onPage?.page ?? ''}`;
  const tooltip = `${number.text} ${verdictWords(number)}: ${isBlock ? place.name : (onPage?.name ?? name)}`;
  return { value: ` ↗ ${name}`, tooltip, location: spot };
}
