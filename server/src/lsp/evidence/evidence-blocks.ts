/** What a record cites of its context, and its solution, as texts that the preview shows and lets edit. */
import type { EvidenceBlock, EvidenceView } from '../../../../schemas/protocol.ts';
import { cellSpans, parseBlock } from '../../core/evidence/blocks.ts';
import type { DocumentFacts } from '../../core/ports.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { withContext } from '../../core/record/external.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { blockName } from '../../core/rules/messages.ts';
import { valueAt } from '../../core/text/pointer.ts';

export function blocksOf(own: CanonicalRecord, document: DocumentFacts | undefined): EvidenceBlock[] {
  const record = withContext(own, document);
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
      // What lies in a file of its own, or in what several records share, is edited there.
      const editable = typeof block === 'string' && valueAt(own.source, blockPointer) === block;
      return { ...common, ...contentOf(block), ...(editable && { editable }) };
    }),
  );
}

function contentOf(block: unknown): Pick<EvidenceBlock, 'kind' | 'text' | 'table'> {
  const text = typeof block === 'string' ? block : JSON.stringify(block, null, 2);
  const { kind, before, rows, after } = parseBlock(text);
  if (kind === 'text') return { kind, text };
  const cells = cellSpans(text).map((row) => row.map((span) => span ?? null));
  return { kind, text, table: { before, rows, after, cells } };
}

/** `/paragraphs/3` as messages name it: `paragraphs[3]`. */
function nameOf(pointer: string): string {
  const parts = pointer.slice(1).split('/');
  const last = parts.pop();
  return `${parts.join('.')}[${last}]`;
}

/** The solution as it is written; null: the record has none that is text. */
export function codeOf(record: CanonicalRecord): NonNullable<EvidenceView['code']> | null {
  const { solution, program } = record;
  const text = solution ?? program?.source;
  if (text === undefined || text.trim() === '') return null;
  return { pointer: pointerTo(record, 'solution'), text, language: program?.language ?? 'python' };
}
