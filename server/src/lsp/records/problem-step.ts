import type { ProblemStep, ProblemStepParams, RecordFilter } from '../../../../schemas/records.ts';
import { FILE_ORDER, NO_FILTER } from '../../../../schemas/records.ts';
import type { Finding } from '../../core/finding.ts';
import type { Summary } from '../../core/list/summary.ts';
import { compare, toPosition, toRange } from '../ranges.ts';
import { openFindings } from './record-list.ts';
import type { RecordTable } from './record-list.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

/** The finding after a place (or before it), through the records of a list and round its end. */
export function stepOf(session: Session, table: RecordTable, params: ProblemStepParams): ProblemStep | null {
  const { filter, order } = params.within ?? { filter: NO_FILTER, order: FILE_ORDER };
  const rows = session.rows();
  const wanted = wantedFindings(filter);
  const positions = [...table.filter({ filter, order }).positions].filter(
    (at) => wanted.count(table.summaries[at]!) > 0,
  );
  if (positions.length === 0) return null;
  const here = session.rowAt(params.position);
  const at = here === undefined ? -1 : positions.indexOf(here.index);
  const findingsAt = (place: number): readonly Finding[] =>
    openFindings(session, rows[positions[place]!]!).filter(wanted.fits);
  const inside = at === -1 ? undefined : besides(findingsAt(at), params);
  if (inside !== undefined) return result(at, inside);
  const step = params.by;
  let next = at === -1 ? neighbour(positions, here, step) : at + step;
  // What the list says of a record may be a moment old: it may have no such finding any more.
  for (let tries = 0; tries < positions.length; tries++, next += step) {
    const place = (next + positions.length) % positions.length;
    const count = findingsAt(place).length;
    if (count > 0) return result(place, step > 0 ? 0 : count - 1);
  }
  return null;

  function result(place: number, which: number): ProblemStep {
    const findings = findingsAt(place);
    const finding = findings[which]!;
    const { code, severity, message, pointer, fingerprint } = finding;
    let number = which + 1;
    let of = 0;
    positions.forEach((position, before) => {
      const count = before === place ? findings.length : wanted.count(table.summaries[position]!);
      if (before < place) number += count;
      of += count;
    });
    const { index } = rows[positions[place]!]!;
    const range = toRange(finding);
    return { uri: session.uri, index, pointer, range, code, severity, message, fingerprint, number, of };
  }
}

/** The same inside a document that shows one record; undefined: none of its findings follows. */
export function stepInside(session: Session, params: ProblemStepParams): ProblemStep | undefined {
  const row = session.rowAt({ line: 0, character: 0 });
  if (row === undefined) return undefined;
  const { fits } = wantedFindings(params.within?.filter ?? NO_FILTER);
  const findings = openFindings(session, row).filter(fits);
  const at = besides(findings, params);
  const finding = at === undefined ? undefined : findings[at];
  if (at === undefined || finding === undefined) return undefined;
  const { code, severity, message, pointer, fingerprint } = finding;
  const place = { uri: session.uri, index: row.index, pointer, range: toRange(finding) };
  return { ...place, code, severity, message, fingerprint, number: at + 1, of: findings.length };
}

/** Which of the record's own findings is next; undefined: none of them is. */
function besides(findings: readonly Finding[], { position, by, last }: ProblemStepParams): number | undefined {
  const stepped = findings.findIndex(({ fingerprint }) => fingerprint === last);
  if (stepped !== -1 && compare(toPosition(findings[stepped]!.start), position) === 0) {
    return findings[stepped + by] === undefined ? undefined : stepped + by;
  }
  const lies = ({ start }: Finding): number => compare(toPosition(start), position);
  const found = by > 0 ? findings.findIndex((one) => lies(one) > 0) : findings.findLastIndex((one) => lies(one) < 0);
  return found === -1 ? undefined : found;
}

/** From a record that is not in the list: the next one of the list in the order of the file, where it has that order. */
function neighbour(positions: readonly number[], here: Row | undefined, by: 1 | -1): number {
  if (here === undefined) return by > 0 ? 0 : positions.length - 1;
  const after = positions.findIndex((position) => position > here.index);
  if (by > 0) return after === -1 ? 0 : after;
  return after === -1 ? positions.length - 1 : after - 1;
}

function wantedFindings({ facets }: RecordFilter): {
  count(summary: Summary): number;
  fits(finding: Pick<Finding, 'code' | 'severity'>): boolean;
} {
  const { rule = [], severity = [] } = facets;
  const fits = (finding: Pick<Finding, 'code' | 'severity'>): boolean =>
    (rule.length === 0 || rule.includes(finding.code)) &&
    (severity.length === 0 || severity.includes(finding.severity));
  return {
    fits,
    count: ({ findings }) => findings.reduce((sum, finding) => sum + (fits(finding) ? finding.count : 0), 0),
  };
}
