import type { Position, Range, SelectionRange } from 'vscode-languageserver/node';
import { enclosingInSolution } from '../../core/solution/shape.ts';
import { enclosingInString, enclosingValues, inText } from '../../core/text/enclosing.ts';
import type { Span } from '../../core/finding.ts';
import { outerSlot } from './spots.ts';
import { placeAt } from '../place.ts';
import { contains, rangeIn } from '../ranges.ts';
import type { Session } from '../session/session.ts';
import { solutionAt, stringAt } from './targets.ts';

/**
 * For each position what is selected as the selection grows: word, line, string, value, member, object, record; in a solution
 * token, expression, statement, function. A position outside of the records gets itself.
 */
export function selectionRanges(session: Session, positions: readonly Position[]): SelectionRange[] {
  return positions.map((position) => nested(rangesAt(session, position), position));
}

function rangesAt(session: Session, position: Position): readonly Range[] {
  const row = session.rowAt(position);
  const place = row && placeAt(row, position);
  if (row === undefined || place === undefined) return [];
  const solution = solutionAt(row, place);
  const text = solution ?? stringAt(row, place);
  const parts: readonly Span[] =
    solution !== undefined
      ? enclosingInSolution(solution.value, solution.at)
      : text !== undefined
        ? enclosingInString(text.value, text.at)
        : [];
  const inside = text === undefined ? [] : inText(row.text, text.token, parts);
  const spans = [...inside, ...enclosingValues(row.text, place.offset)];
  const ranges = spans.filter((span) => row.lens?.shows(span) !== false).map((span) => rangeIn(row, span));
  const outer = outerSlot(session, row);
  return outer === undefined ? ranges : [...ranges, rangeIn(outer, { start: 0, end: outer.text.length })];
}

/** Each range inside the next; those that do not hold the one before are left out. */
function nested(ranges: readonly Range[], position: Position): SelectionRange {
  const chain: Range[] = [];
  for (const range of ranges) {
    if (!contains(range, position)) continue;
    const last = chain.at(-1);
    const isAround = last === undefined || (contains(range, last.start) && contains(range, last.end));
    if (isAround && (last === undefined || JSON.stringify(range) !== JSON.stringify(last))) chain.push(range);
  }
  let found: SelectionRange | undefined;
  for (const range of chain.reverse()) found = { range, ...(found && { parent: found }) };
  return found ?? { range: { start: position, end: position } };
}
