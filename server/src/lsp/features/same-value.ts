import type { Span } from '../../core/finding.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { spanOfPointer } from '../../core/text/offsets.ts';
import type { Cancel } from '../../core/ports.ts';
import { isChecked } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

/** What several records of a file may have in common. */
export type SharedField = 'id' | 'document';

/** Records told at most. */
const MOST = 1000;
/** Work on the server's thread is cut into slices of so many ms. */
const SLICE_MS = 25;

/** The records of a file that have a value in a field, with the value's span, in the order of the file. */
export async function recordsWith(
  session: Session,
  field: SharedField,
  value: string,
  cancel: Cancel,
): Promise<readonly { readonly row: Row; readonly span: Span }[]> {
  const written = JSON.stringify(value).slice(1, -1);
  // The value may be escaped in another way than JSON.stringify does it.
  const mayHave = ({ text }: Row): boolean => text.includes(written) || text.includes('\\u');
  const found: { row: Row; span: Span }[] = [];
  const { version } = session;
  let end = performance.now() + SLICE_MS;
  for (const row of session.rows()) {
    if (performance.now() > end) {
      await new Promise((resolve) => setImmediate(resolve));
      if (cancel.aborted || session.version !== version) return [];
      end = performance.now() + SLICE_MS;
    }
    if (row.brief !== undefined && row.brief.facts?.[field] !== value) continue;
    if (!isChecked(row) && !mayHave(row)) continue;
    const record = (row.checked ?? session.checker?.checkText(row.text, row.outer))?.record;
    if (record?.[field] !== value) continue;
    const span = spanOfPointer(row.text, pointerTo(record, field));
    if (span !== undefined) found.push({ row, span });
    if (found.length >= MOST) break;
  }
  return found;
}
