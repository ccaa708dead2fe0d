import { isTable, parseBlock } from '../evidence/blocks.ts';
import type { Field } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { isAnswered } from './answer-text.ts';
import { blockName, keyOfField, listNames, placeOfElement, show } from './messages.ts';
import type { Rule } from './types.ts';

/** Rules on what the cited blocks say. */

type EvidenceField = Extract<Field, 'tableEvidence' | 'textEvidence'>;
const LISTS: readonly EvidenceField[] = ['tableEvidence', 'textEvidence'];

const TABLE = '| Item | 2031 | 2032 |\n| Widget revenue | 1,200 | 1,350 |';

function example(
  paragraphs: readonly string[],
  table_evidence: readonly number[],
  paragraph_evidence: readonly number[],
  question = 'What was widget revenue in 2032? (in thousand)',
) {
  const record = {
    question_id: 'demo-0',
    question,
    paragraphs,
    table_evidence,
    paragraph_evidence,
    ground_truth: 1350.0,
  };
  return { profile: 'docmath-eval', lines: [record] };
}

const PROSE = 'Widget revenue grew in 2032. Amounts are in thousands.';

export const evidenceTextRules: readonly Rule[] = [
  {
    code: 'evidence/empty',
    severity: 'warning',
    needs: 'record',
    title: 'The question is answered, but nothing is cited',
    why: `The record has lists for its evidence, and all of them are empty, although the question has an answer. Nobody can check such an answer, and recall of the evidence divides by zero.

Cite the blocks that the answer comes from. Where the answer is in none of them, the record needs another look.`,
    fires: example([PROSE, TABLE], [], []),
    quiet: example([PROSE, TABLE], [1], [0]),
    checkRecord({ record }, report) {
      const lists = LISTS.filter((field) => record.profile.fields[field] !== undefined);
      if (lists.length === 0 || !isAnswered(record)) return;
      // A list that is absent says nothing of what is cited.
      if (lists.some((field) => record[field] === undefined || record[field].length > 0)) return;
      // Where nothing is there to cite, the question stands for itself.
      if (!hasText(record)) return;
      const keys = lists.map((field) => keyOfField(record, field));
      report({
        pointer: pointerTo(record, lists[0]!),
        message: `The question is answered, but nothing is cited: ${keys.join(' and ')} ${keys.length === 1 ? 'is' : 'are'} empty.`,
        found: '[]',
      });
    },
  },
  {
    code: 'evidence/missing-table',
    severity: 'warning',
    needs: 'record',
    title: 'Question and cited text point to a table or figure that is not there',
    why: `The question names a table or figure by its number, the cited text points to it as well, and neither the cited blocks nor the rest of the context hold a table or anything that bears that name. Probably it was lost when the text was taken from the document, and then the question cannot be answered from the record.

Add the table to the context and cite it.`,
    fires: example(['See Table 2 for details.'], [], [0], 'According to Table 2, what was the change? (in thousand)'),
    quiet: example(
      ['See Table 2 for details.', `Table 2: revenue\n${TABLE}`],
      [1],
      [0],
      'According to Table 2, what was the change? (in thousand)',
    ),
    checkRecord({ record }, report) {
      const { question, context } = record;
      if (question === undefined || context === undefined || context.length === 0) return;
      const named = REFERENCE.exec(question);
      if (named === null) return;
      const [whole, kind, number] = named;
      const reference = new RegExp(`\\b${kind}\\.?\\s+${escaped(number!)}(?![\\w.]*\\d)`, 'i');
      const cited = citedBlocks(record);
      const pointing = cited.filter(({ text }) => reference.test(text));
      if (pointing.length === 0) return;
      // A table anywhere may be the one; a block that opens with the name is its caption or body.
      const isFigure = /^(?:fig|chart|exhibit|graph)/i.test(kind!);
      const opens = new RegExp(`^\\s*(?:\\W*)${kind}\\.?\\s+${escaped(number!)}\\s*[.:\\n–—-]`, 'i');
      for (const block of context) {
        if (typeof block !== 'string') continue;
        if (opens.test(block) || (!isFigure && isTable(block)) || /<image\b|!\[|<img\b/i.test(block)) return;
      }
      report({
        pointer: pointerTo(record, 'question'),
        inString: { start: named.index, end: named.index + whole.length },
        message: `The question and ${listNames(pointing.map(({ index }) => blockName(record, index)))} point to ${whole}, but the record holds no ${isFigure ? 'figure' : 'table'}.`,
        found: whole,
        related: pointing.slice(0, 3).map(({ pointer }) => ({ message: `Points to ${whole}`, pointer })),
      });
    },
  },
  {
    code: 'evidence/table-without-rows',
    severity: 'warning',
    needs: 'record',
    title: 'A cited table has a header and no rows',
    why: `The cited block is a table of which only the header is left. Some tables lose their body when they are taken from PDF or HTML; then no value can come from it.

Restore the rows from the document, or cite the block that has them.`,
    fires: example([PROSE, '| Item | 2031 | 2032 |\n| --- | --- | --- |'], [1], [0]),
    quiet: example([PROSE, TABLE], [1], [0]),
    checkRecord({ record }, report) {
      for (const { field, at, index, text } of citedBlocks(record)) {
        // Rows with values are found faster than the table is read.
        if (text.length > 2000 || !/[|<\t]/.test(text)) continue;
        const { kind, rows } = parseBlock(text);
        if (kind !== 'table' || !isHeaderOnly(rows, text)) continue;
        report({
          ...placeOfElement(record, field, at),
          message: `${blockName(record, index)} is a table with a header and no rows: ${show(text, 60).replace(/\s+/g, ' ')}.`,
          found: String(index),
        });
      }
    },
  },
  {
    code: 'evidence/truncated-text',
    severity: 'info',
    needs: 'record',
    title: 'A cited text ends inside a sentence',
    why: `The cited prose stops without closing punctuation, and it is not a heading, a caption, an item of a list or a table. Long paragraphs and captions are cut by some extractors; what is missing may hold the value.

Compare with the document and complete the block.`,
    fires: example(['Widget revenue grew because the new factory in the nor', TABLE], [1], [0]),
    quiet: example([PROSE, TABLE], [1], [0]),
    checkRecord({ record }, report) {
      for (const { field, at, index, text } of citedBlocks(record)) {
        if (field !== 'textEvidence' && record.profile.fields.textEvidence !== undefined) continue;
        if (!endsInsideSentence(text)) continue;
        report({
          ...placeOfElement(record, field, at),
          message: `${blockName(record, index)} ends inside a sentence: ${show(`…${text.trimEnd().slice(-50)}`)}.`,
          found: text.slice(-40),
          related: [{ message: 'The text', pointer: pointerTo(record, 'context', index) }],
        });
      }
    },
  },
];

const REFERENCE = /\b(Table|Figure|Fig|Exhibit|Chart|Schedule)\.?\s+(\d+(?:\.\d+)*[A-Za-z]?|[A-Z](?:\.\d+)?|[IVX]+)\b/;

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function hasText({ context, profile }: CanonicalRecord): boolean {
  // Where the context lies in another file, it is not at hand.
  if (profile.fields.context === undefined) return true;
  return context?.some((block) => typeof block === 'string' && block.trim() !== '') ?? false;
}

interface Cited {
  readonly field: EvidenceField;
  /** Position in the list. */
  readonly at: number;
  readonly index: number;
  readonly text: string;
  readonly pointer: string;
}

/** The cited blocks that are text and not blank. */
function citedBlocks(record: CanonicalRecord): Cited[] {
  const { context } = record;
  if (context === undefined) return [];
  const found: Cited[] = [];
  for (const field of LISTS) {
    for (const [at, index] of (record[field] ?? []).entries()) {
      const text = typeof index === 'number' ? context[index] : undefined;
      if (typeof text !== 'string' || text.trim() === '') continue;
      found.push({ field, at, index: index as number, text, pointer: pointerTo(record, 'context', index as number) });
    }
  }
  return found;
}

/** One row alone, which names columns and holds no value but years. */
function isHeaderOnly(rows: readonly (readonly string[])[], text: string): boolean {
  if (rows.length !== 1) return rows.length === 0;
  if (/^\s*\|?\s*:?-{2,}/m.test(text)) return true;
  const cells = rows[0]!.filter((cell) => cell !== '');
  return cells.length >= 2 && cells.every((cell) => /^(?:fy)?\s*(?:19|20)\d\d[ae]?$/i.test(cell) || !/\d/.test(cell));
}

/** Words after which nothing can end. */
const DANGLING =
  /\b(?:the|an?|and|or|of|in|to|for|by|with|from|at|on|as|that|which|because|our|its|their|was|were|is|are|be|been|has|have|had|will|would|this|these|than|between|into|per|upon|during)$/i;

function endsInsideSentence(block: string): boolean {
  const text = block.trim();
  const last = text.at(-1) ?? '';
  // A closing sign, also behind quotes and brackets; references and footnote marks may follow it.
  if (/[.!?:;…。！？]["'”’»)\]]*(?:\s*(?:\(?\d{1,2}\)?|\[\d+\]|[*†‡§]+))?$/.test(text) || /["”»)\]*†‡§%]$/.test(text))
    return false;
  if (!/[\p{L}\p{N},–—-]/u.test(last) || isTable(text)) return false;
  const line = text.slice(text.lastIndexOf('\n') + 1);
  // Headings, captions and items of lists have no verb that a program could tell: they are short, titled or marked.
  if (/^\s*(?:[-•*–●▪◦·]|\(?[a-z\d]{1,3}[.)]|(?:note|table|figure|fig|exhibit|item|part|section|source)\b)/i.test(line))
    return false;
  // Notes on units stand above tables: (Amounts expressed in US $000's except per share data
  if (
    /\b(?:expressed|stated|presented|amounts?|figures?|in)\b[^.]*\b(?:thousands?|millions?|billions?|000['’]?s|except)\b[^.]*$/i.test(
      line,
    )
  ) {
    return false;
  }
  const words = line.split(/\s+/);
  if (words.length < 8 || !/^[\p{Lu}"“(\d$]/u.test(line)) return false;
  const capitals = words.filter((word) => /^[\p{Lu}\d(&$]/u.test(word)).length;
  if (capitals * 2 > words.length) return false;
  return DANGLING.test(text) || /[,–—-]$/.test(text) || !isListing(line);
}

/** Enumerations without a verb, as in the rows of a table that lost its columns. */
function isListing(line: string): boolean {
  const numbers = line.match(/\d[\d,.]*/g)?.length ?? 0;
  return numbers >= 4 && numbers * 3 >= line.split(/\s+/).length;
}
