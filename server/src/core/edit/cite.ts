/**
 * Blocks whose citation comes and goes: the edits that write a block into the list that the dataset keeps for its kind, in the
 * dataset's own spelling, in ascending place where the list ascends. undefined: the record cannot say it.
 */
import { isTable, parseBlock } from '../evidence/blocks.ts';
import type { DecoderName, Field } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import { partSizes } from '../record/evidence-numbers.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { joinPointer, valueAt } from '../text/pointer.ts';
import {
  insertElement,
  insertValue,
  isPlainList,
  listText,
  placeFor,
  removeElements,
  removeValue,
  replaceValue,
} from './fixes.ts';
import { together } from './changed.ts';
import { beginValue } from './region-lists.ts';
import type { Edit } from './types.ts';

export type EvidenceField = Extract<Field, 'tableEvidence' | 'textEvidence'>;
const LISTS: readonly EvidenceField[] = ['tableEvidence', 'textEvidence'];

/** The list in which a block is to be cited. Where a dataset has one list for both kinds, that one. */
export function listFor(record: CanonicalRecord, block: number): EvidenceField {
  const { fields } = record.profile;
  const kind = isTable(String(record.context?.[block])) ? 'tableEvidence' : 'textEvidence';
  const other = kind === 'tableEvidence' ? 'textEvidence' : 'tableEvidence';
  return fields[kind] === undefined && fields[other] !== undefined ? other : kind;
}

/** `record` with its context, of which `block` is a 0-based index that is not cited yet. */
export function citeBlock(record: CanonicalRecord, block: number): readonly Edit[] | undefined {
  const field = listFor(record, block);
  if (record.profile.fields[field] === undefined) return undefined;
  switch (decoderOf(record, field)) {
    case 'finqa-evidence':
      return citeByKey(record, block);
    case 'tatqa-evidence':
      return citeByOrder(record, block);
    default:
      return addTo(record, field, block);
  }
}

/** Takes a block out of every list that cites it, as often as it stands there. */
export function unciteBlock(record: CanonicalRecord, block: number): readonly Edit[] | undefined {
  const edits: Edit[] = [];
  for (const field of LISTS) {
    const cited = positions(record[field], block);
    if (cited.length === 0) continue;
    const decoder = decoderOf(record, field);
    const own =
      decoder === 'finqa-evidence'
        ? cited.map((at) => removeValue(pointerTo(record, field, at)))
        : decoder === 'tatqa-evidence'
          ? unciteByOrder(record, field, cited)
          : takeOut(record, field, cited);
    if (own === undefined) return undefined;
    edits.push(...own);
  }
  return edits.length === 0 ? undefined : edits;
}

function decoderOf(record: CanonicalRecord, field: Field): DecoderName | undefined {
  return record.profile.fields[field]?.decoder;
}

function positions(list: readonly unknown[] | undefined, value: number): number[] {
  return (list ?? []).flatMap((one, at) => (Number(one) === value && one !== '' && one !== null ? [at] : []));
}

function addTo(record: CanonicalRecord, field: Field, value: number): readonly Edit[] | undefined {
  const list = record[field as EvidenceField];
  const pointer = pointerTo(record, field);
  if (list === undefined) return begin(record, pointer, [value]);
  // A text in a plain list is a fault of its own; in a list that is stored as text, its elements may be texts.
  const asText = decoderOf(record, field) === 'list-in-string' && list.some((one) => typeof one === 'string');
  const written = asText ? String(value) : value;
  const edit = insertElement(record, field, placeFor(list, value), written);
  return edit && [edit];
}

/** The first citation of a record that has none: instead of null, or as a new member of an object that is there. */
function begin(record: CanonicalRecord, pointer: string, value: unknown): readonly Edit[] | undefined {
  const edit = beginValue(record, pointer, value);
  return edit && [edit];
}

function takeOut(record: CanonicalRecord, field: Field, cited: readonly number[]): readonly Edit[] | undefined {
  // Elsewhere an element holds more than what is cited.
  const isPlain = isPlainList(record, field) || listText(record, field) !== undefined;
  return isPlain ? removeElements(record, field, cited) : undefined;
}

/** `{"text_3": "…", "table_1": "…"}`: the key names the sentence or the row, the value has it in words. */
function citeByKey(record: CanonicalRecord, block: number): readonly Edit[] | undefined {
  const { texts } = partSizes(record);
  const isRow = block >= texts;
  const key = isRow ? `table_${block - texts}` : `text_${block}`;
  const text = String(record.context?.[block]);
  const words = isRow ? rowInWords(text, block === texts) : text;
  const pointer = pointerTo(record, isRow ? 'tableEvidence' : 'textEvidence');
  const cited = valueAt(record.source, pointer);
  if (cited === undefined || cited === null) return begin(record, pointer, { [key]: words });
  if (typeof cited !== 'object' || Array.isArray(cited)) return undefined;
  return [insertValue(joinPointer(pointer, key), words)];
}

/** As the dataset writes rows: `item the east of 2019 is 12 ; the east of 2018 is 11 ;`. `text`: the header and the row. */
function rowInWords(text: string, isHeader: boolean): string {
  const [header = [], next = []] = parseBlock(text).rows;
  const row = isHeader ? header : next;
  const cells = row.slice(1).map((cell, at) => `the ${row[0] ?? ''} of ${header[at + 1] ?? ''} is ${cell} ;`);
  return [header[0] ?? '', ...cells].join(' ').replace(/\s+/g, ' ').trim();
}

/** What `tableEvidence` says in one word (`table`, `text`, `table-text`), and paragraphs by their 1-based number as text. */
const [TABLE, TEXT, BOTH] = ['table', 'text', 'table-text'];

function citeByOrder(record: CanonicalRecord, block: number): readonly Edit[] | undefined {
  const from = pointerTo(record, 'tableEvidence');
  const word = valueAt(record.source, from);
  const isTableCited = block >= partSizes(record).texts;
  if (isTableCited) {
    if (word === TEXT) return [replaceValue(from, BOTH)];
    return begin(record, from, TABLE);
  }
  const pointer = pointerTo(record, 'textEvidence');
  const list = record.textEvidence;
  const written = String(block + 1);
  const own = list === undefined ? begin(record, pointer, [written]) : insertAt(record, placeFor(list, block), written);
  return together(own, word === TABLE ? [replaceValue(from, BOTH)] : []);
}

function insertAt(record: CanonicalRecord, at: number, value: string): readonly Edit[] {
  return [insertValue(joinPointer(pointerTo(record, 'textEvidence'), at), value)];
}

function unciteByOrder(
  record: CanonicalRecord,
  field: EvidenceField,
  cited: readonly number[],
): readonly Edit[] | undefined {
  const from = pointerTo(record, 'tableEvidence');
  const word = valueAt(record.source, from);
  // Where the table alone is cited, there is no word for what is left.
  if (field === 'tableEvidence') return word === BOTH ? [replaceValue(from, TEXT)] : undefined;
  const isLast = cited.length === record.textEvidence?.length;
  const removed = cited.map((at) => removeValue(joinPointer(pointerTo(record, field), at)));
  return isLast && word === BOTH ? [...removed, replaceValue(from, TABLE)] : removed;
}
