import type { EvidenceBlock, EvidenceView } from '../../../../schemas/protocol.ts';
import { editableValues } from '../../core/edit/value-text.ts';
import { parseBlock } from '../../core/evidence/blocks.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { withContext } from '../../core/record/external.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { blockName } from '../../core/rules/messages.ts';
import { pagesOf } from './evidence-pages.ts';
import { evidenceTrace } from './evidence-trace.ts';
import type { RecordTrace } from './record-trace.ts';
import type { SpaceInUse } from './space-in-use.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

/**
 * Everything the preview shows of one record; what could not be found is said in place of it. `space`: how its boxes are read, as
 * declared or as it is being tried; findings are those of what is declared.
 */
export function evidenceOf(
  session: Session,
  row: Row,
  trace: RecordTrace | undefined,
  cursor: string | null,
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
    document: record?.document ?? null,
    pages: record === undefined ? [] : pagesOf(record, checked, document, space?.settings ?? settings, findings),
    blocks: record === undefined ? [] : blocksOf(withContext(record, row.document)),
    ...(settings.profile.fields.labels && { labels: settings.profile.enums.labels ?? [] }),
    ...(record && { editable: editableValues(record) }),
    ...(space && { coordinates: space.coordinates }),
    trace: record === undefined || trace === undefined || !isOfPages ? null : evidenceTrace(record, row, trace),
    problems: findings.map(({ severity, code, message, pointer }) => ({ severity, code, message, pointer })),
    cursor,
  };
}

/** The answer as text, else the gold. */
export function answerOf(record: CanonicalRecord): string | null {
  const value = record.answer ?? record.gold;
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function blocksOf(record: CanonicalRecord): EvidenceBlock[] {
  const context = record.context ?? [];
  return (['tableEvidence', 'textEvidence'] as const).flatMap((field) =>
    (record[field] ?? []).map((index, at): EvidenceBlock => {
      const place = typeof index === 'number' ? index : String(index);
      const blockPointer = pointerTo(record, 'context', place);
      const common = {
        pointer: pointerTo(record, field, at),
        blockPointer,
        name: typeof place === 'number' ? blockName(record, place) : nameOf(blockPointer),
      };
      const block = typeof index === 'number' ? context[index] : undefined;
      if (block === undefined) {
        const text = `There is no ${common.name}: the record has ${context.length} blocks.`;
        return { ...common, kind: 'missing', text };
      }
      const text = typeof block === 'string' ? block : JSON.stringify(block, null, 2);
      const { kind, before, rows, after } = parseBlock(text);
      return { ...common, kind, text, ...(kind === 'table' && { table: { before, rows, after } }) };
    }),
  );
}

/** `/paragraphs/3` as messages name it: `paragraphs[3]`. */
function nameOf(pointer: string): string {
  const parts = pointer.slice(1).split('/');
  const last = parts.pop();
  return `${parts.join('.')}[${last}]`;
}
