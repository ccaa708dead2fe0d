import { copyValue, fixByChoice, isPlainList, removeElement, removeValue, withFixes } from '../edit/fixes.ts';
import type { Fix } from '../edit/types.ts';
import { hasColumns, isTable, parseBlock } from '../evidence/blocks.ts';
import type { Field } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import { partSizes, writtenIndex } from '../record/evidence-numbers.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { blockName, count, keyOfField, placeOfElement, rangeOf, show } from './messages.ts';
import type { Report, Rule } from './types.ts';

type EvidenceField = Extract<Field, 'tableEvidence' | 'textEvidence'>;
const LISTS: readonly EvidenceField[] = ['tableEvidence', 'textEvidence'];

/** Prose around a table, in characters, from which a block may be cited as text as well. */
const PROSE_BESIDE_TABLE = 300;

const BLOCKS = [
  'Widget revenue grew in 2032. Amounts are in thousands.',
  '| Item | 2031 | 2032 |\n| Widget revenue | 1,200 | 1,350 |',
  'Gadget demand fell.',
];
const QUESTION = 'What was widget revenue in 2032? (in thousand)';

function example(tableEvidence: readonly number[], paragraphEvidence: readonly number[]) {
  return {
    profile: 'docmath-eval',
    lines: [
      {
        question_id: 'demo-0',
        question: QUESTION,
        paragraphs: BLOCKS,
        table_evidence: tableEvidence,
        paragraph_evidence: paragraphEvidence,
      },
    ],
  };
}

export const evidenceRules: readonly Rule[] = [
  {
    code: 'evidence/index-out-of-range',
    severity: 'error',
    needs: 'record',
    title: 'An evidence index points outside the context',
    why: `The evidence lists hold 0-based indices into the record's list of context blocks. An index below 0 or beyond the last block points to nothing; code that reads the record stops there, and Python silently takes -1 for the last block.

Likely causes: the index was counted from 1, blocks were removed after the evidence had been chosen, or the index belongs to another record.

Open the record, find the block that was meant, and write its index. The message says how many blocks there are and which indices are possible.`,
    fires: example([7], [0]),
    quiet: example([1], [0]),
    checkRecord({ record }, report) {
      const blocks = record.context?.length;
      if (blocks === undefined) return;
      for (const field of LISTS) checkRange(record, field, blocks, report);
    },
  },
  {
    code: 'evidence/duplicate-index',
    severity: 'warning',
    needs: 'record',
    title: 'An evidence index stands twice in one list',
    why: `The same block is cited twice in one evidence list. Measures such as recall divide by the length of the list, so the repeat changes a score, and often another index was meant.

Compare with the neighbouring blocks: if another one was meant, correct the index, else remove the repeat.`,
    fires: example([1], [0, 2, 0]),
    quiet: example([1], [0, 2]),
    checkRecord({ record }, report) {
      for (const field of LISTS) checkRepeats(record, field, report);
    },
  },
  {
    code: 'evidence/kind-mismatch',
    severity: 'warning',
    needs: 'record',
    title: 'A table is cited as text, or text as a table',
    why: `The dataset keeps two lists of evidence, one for tables and one for paragraphs. Here a block stands in the list of the other kind. Studies by evidence type then count it wrongly, and a renderer shows it in the wrong form.

A block counts as a table when it holds rows with pipes (with or without a separator row, widths may differ), an HTML table, or tab-separated rows. A table with much prose around it may be cited in either list.

Likely causes: the two lists were exchanged, or the index is one off. Move the index to the other list or correct it.`,
    fires: example([0], [1]),
    quiet: example([1], [0, 2]),
    checkRecord({ record }, report) {
      const context = record.context;
      const { tableEvidence, textEvidence } = record;
      // Where a dataset has one list for both kinds, the kind is not stated.
      const fields = record.profile.fields;
      if (context === undefined || fields.tableEvidence === undefined || fields.textEvidence === undefined) return;
      if (tableEvidence !== undefined) {
        for (let i = 0; i < tableEvidence.length; i++) {
          const text = blockAt(context, tableEvidence[i]);
          if (text !== undefined && !isTable(text) && !hasColumns(text)) reportKind(record, 'tableEvidence', i, report);
        }
      }
      if (textEvidence !== undefined) {
        for (let i = 0; i < textEvidence.length; i++) {
          const text = blockAt(context, textEvidence[i]);
          if (text !== undefined && isTable(text) && !hasMuchProse(text)) reportKind(record, 'textEvidence', i, report);
        }
      }
    },
  },
];

function checkRange(record: CanonicalRecord, field: EvidenceField, blocks: number, report: Report): void {
  const list = record[field];
  if (list === undefined) return;
  for (let i = 0; i < list.length; i++) {
    const index = list[i];
    if (typeof index !== 'number' || !Number.isInteger(index) || (index >= 0 && index < blocks)) continue;
    const written = writtenIndex(record, field, i);
    if (written !== undefined) {
      report({ ...placeOfElement(record, field, i), ...outsidePart(record, field, written) });
      continue;
    }
    const key = keyOfField(record, 'context');
    const range = blocks === 0 ? '' : ` (index ${rangeOf(0, blocks)})`;
    const cause =
      index === blocks && blocks > 0 ? '; indices count from 0, so the last block would be ' + (blocks - 1) : '';
    report({
      ...placeOfElement(record, field, i),
      message: `${keyOfField(record, field)} cites block ${index}, but ${key} holds ${count(blocks, 'block')}${range}${cause}.`,
      found: String(index),
    });
  }
}

/** Where sentences and rows are numbered apart, or from 1, the number is told as it is written. */
function outsidePart(
  record: CanonicalRecord,
  field: EvidenceField,
  written: string,
): { readonly message: string; readonly found: string } {
  const { texts, rows } = partSizes(record);
  const held =
    field === 'tableEvidence'
      ? `the table has ${count(rows, 'row')}`
      : `there ${texts === 1 ? 'is' : 'are'} ${count(texts, 'text block')}`;
  return { message: `${keyOfField(record, field)} cites ${written}, but ${held}.`, found: written };
}

function checkRepeats(record: CanonicalRecord, field: EvidenceField, report: Report): void {
  const list = record[field];
  if (list === undefined || list.length < 2) return;
  for (let i = 1; i < list.length; i++) {
    const first = list.indexOf(list[i]);
    if (first === i || typeof list[i] !== 'number') continue;
    const earlier = placeOfElement(record, field, first).pointer;
    report({
      ...placeOfElement(record, field, i),
      message: `${keyOfField(record, field)} cites ${nameOf(record, list[i] as number)} more than once.`,
      found: String(list[i]),
      related: [{ message: 'First cited here', pointer: earlier }],
      ...withFixes(dropRepeat(record, field, i)),
    });
  }
}

function dropRepeat(record: CanonicalRecord, field: EvidenceField, at: number): Fix | undefined {
  const edit = removeElement(record, field, at);
  return edit && fixByChoice(`Remove the repeated ${String(record[field]?.[at])}`, edit);
}

/** Moves an index to the list of the other kind: in order where that list ascends, else to its end. */
function moveIndex(record: CanonicalRecord, field: EvidenceField, at: number): Fix | undefined {
  const to: EvidenceField = field === 'tableEvidence' ? 'textEvidence' : 'tableEvidence';
  if (!isPlainList(record, field) || !isPlainList(record, to)) return undefined;
  const index = record[field]![at] as number;
  const others = record[to]!;
  const from = pointerTo(record, field, at);
  if (others.includes(index)) {
    return fixByChoice(`Remove ${index}, which ${keyOfField(record, to)} cites already`, removeValue(from));
  }
  const ascends = others.every(
    (other, i) => typeof other === 'number' && (i === 0 || (others[i - 1] as number) < other),
  );
  const place = ascends ? others.findIndex((other) => (other as number) > index) : -1;
  const target = pointerTo(record, to, place < 0 ? others.length : place);
  return fixByChoice(`Move ${index} to ${keyOfField(record, to)}`, removeValue(from), copyValue(from, target));
}

/** Datasets whose context lies in another file have no key for it. */
function nameOf(record: CanonicalRecord, index: number): string {
  return record.context === undefined ? `block ${index}` : blockName(record, index);
}

/** The cited block where it is text that is not blank. */
function blockAt(context: readonly unknown[], index: unknown): string | undefined {
  const text = typeof index === 'number' ? context[index] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

function hasMuchProse(text: string): boolean {
  const { before, after } = parseBlock(text);
  return before.length + after.length >= PROSE_BESIDE_TABLE;
}

function reportKind(record: CanonicalRecord, field: EvidenceField, at: number, report: Report): void {
  const index = record[field]![at] as number;
  const isTableList = field === 'tableEvidence';
  const other = keyOfField(record, isTableList ? 'textEvidence' : 'tableEvidence');
  const kinds = isTableList ? 'is text, not a table' : 'is a table, not text';
  const text = show(record.context![index], 60).replace(/\s+/g, ' ');
  report({
    ...placeOfElement(record, field, at),
    message: `${blockName(record, index)} ${kinds}, yet ${keyOfField(record, field)} cites it: ${text}. It belongs in ${other}, or another block was meant.`,
    found: String(index),
    ...withFixes(moveIndex(record, field, at)),
  });
}
