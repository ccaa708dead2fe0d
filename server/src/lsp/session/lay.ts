import type { Finding } from '../../core/finding.ts';
import type { Checker, CheckedText } from '../../core/pipeline.ts';
import type { Row } from './rows.ts';

/** The findings of a record, by all that is known of it. */
export function layRow(row: Row, checked: CheckedText, checker: Checker): Finding[] {
  const { run, document, pageFindings } = row;
  return checker.findings(
    row,
    checked,
    {
      ...(run && { run }),
      ...(document && { document }),
      ...(pageFindings && { pageFindings }),
    },
    row.ordinal,
  );
}
