import type { EvidenceView } from '../../../../schemas/protocol.ts';
import { editableValues } from '../../core/edit/value-text.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { blocksOf, codeOf } from './evidence-blocks.ts';
import { pagesOf } from './evidence-pages.ts';
import { evidenceTrace } from './evidence-trace.ts';
import type { RecordTrace } from './record-trace.ts';
import type { SpaceInUse } from './space-in-use.ts';
import type { Place } from '../place.ts';
import { offsetInText } from '../place.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

/**
 * Everything the preview shows of one record; what could not be found is said in place of it. `space`: how its boxes are read, as
 * declared or as it is being tried; findings are those of what is declared. `cursor`: where the editor's cursor is in the record.
 */
export function evidenceOf(
  session: Session,
  row: Row,
  trace: RecordTrace | undefined,
  cursor: Place | undefined,
  space?: SpaceInUse,
): EvidenceView | null {
  const { checker } = session;
  const { checked } = row;
  if (checker === undefined || checked === undefined) return null;
  const { record } = checked;
  const findings = session.findingsOf(row);
  const { settings } = checker;
  const document = space === undefined ? row.document : space.document;
  // Numbers were looked up on the pages as they are declared to be counted.
  const isOfPages = space === undefined || space.settings.pageBase === settings.pageBase;
  return {
    uri: session.uri,
    version: session.version,
    index: row.index,
    records: session.records(),
    id: record?.id ?? null,
    profile: settings.profile.title,
    question: record?.question ?? null,
    answer: record === undefined ? null : answerOf(record),
    solution: checker.outcome(checked, row.run) ?? null,
    code: record === undefined ? null : codeOf(record),
    document: record?.document ?? null,
    pages: record === undefined ? [] : pagesOf(record, checked, document, space?.settings ?? settings, findings),
    blocks: record === undefined ? [] : blocksOf(record, row.document),
    ...(settings.profile.fields.labels && { labels: settings.profile.enums.labels ?? [] }),
    ...(record && { editable: editableValues(record) }),
    ...(space && { coordinates: space.coordinates }),
    trace: record === undefined || trace === undefined || !isOfPages ? null : evidenceTrace(record, row, trace),
    problems: findings.map(({ severity, code, message, pointer }) => ({ severity, code, message, pointer })),
    cursor: cursor?.pointer ?? null,
    cursorAt: cursor === undefined ? null : offsetInText(row, cursor),
  };
}

/** The answer as text, else the gold. */
export function answerOf(record: CanonicalRecord): string | null {
  const value = record.answer ?? record.gold;
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
