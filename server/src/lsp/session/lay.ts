import type { Finding } from '../../core/finding.ts';
import type { Checker, CheckedText } from '../../core/pipeline.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import type { Row } from './rows.ts';

/** The findings of a record, by all that is known of it. */
export function layRow(row: Row, checked: CheckedText, checker: Checker): Finding[] {
  const { run, document, pageFindings } = row;
  return checker.findings(
    slotOf(row, checked),
    checked,
    {
      ...(run && { run }),
      ...(document && { document }),
      ...(pageFindings && { pageFindings }),
    },
    row.ordinal,
  );
}

/**
 * The record as a slot. Of a large file one that is let go: what is found out about a slot's text, such as where its lines begin, is
 * remembered for as long as the slot is there.
 */
export function slotOf(row: Row, { text }: CheckedText): RecordSlot {
  if (row.brief === undefined) return row;
  const { index, line, column, offset } = row;
  return { index, line, column, offset, text };
}
