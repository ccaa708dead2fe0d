import { cellFinder, isTable, parseBlock } from '../evidence/blocks.ts';
import type { Block, CellPlace } from '../evidence/blocks.ts';
import { scaleBehind, statedScale } from './scale.ts';
import type { StatedScale } from './scale.ts';
import { scanNumbers } from './scan.ts';
import type { Numbers } from './scan.ts';
import { labelsOf } from './table.ts';
import type { CellLabels } from './table.ts';

/** The numbers of one context block; the rest is read where a number was found. */
export interface IndexedBlock {
  readonly text: string;
  readonly numbers: Numbers;
  readonly isTable: boolean;
  /** Parsed on demand. */
  block(): Block;
  cellAt(offset: number): CellPlace | undefined;
  /** What the block states for all its numbers. */
  scale(): StatedScale | undefined;
}

/** Records of one report share its paragraphs, and a record is looked at again whenever it changes: UTF-16 units kept. */
const KEPT = 6_000_000;
/** While all records of a large file go by once: what is kept for long before it is let go fills the old part of the heap. */
const KEPT_IN_PASSING = 200_000;
let most = KEPT;
let kept = 0;
const blocks = new Map<string, IndexedBlock>();

/** The block's numbers, remembered by its text. */
export function indexBlock(text: string): IndexedBlock {
  const known = blocks.get(text);
  if (known !== undefined) {
    // The oldest leave first; what is used stays.
    blocks.delete(text);
    blocks.set(text, known);
    return known;
  }
  const made = makeBlock(text);
  blocks.set(text, made);
  kept += text.length;
  for (const [oldest] of blocks) {
    if (kept <= most || oldest === text) break;
    blocks.delete(oldest);
    kept -= oldest.length;
  }
  return made;
}

/** What is indexed in `work` is not asked for again soon. */
export function indexInPassing<T>(work: () => T): T {
  most = KEPT_IN_PASSING;
  try {
    return work();
  } finally {
    most = KEPT;
  }
}

function makeBlock(text: string): IndexedBlock {
  let block: Block | undefined;
  let scale: StatedScale | null | undefined;
  let table: boolean | undefined;
  let finder: ((offset: number) => CellPlace | undefined) | undefined;
  return {
    text,
    numbers: scanNumbers(text),
    get isTable() {
      return (table ??= isTable(text));
    },
    block: () => (block ??= parseBlock(text)),
    cellAt: (offset) => (finder ??= cellFinder(text))(offset),
    scale() {
      scale ??= blockScale(this.block()) ?? null;
      return scale ?? undefined;
    },
  };
}

/** Header rows that may state a scale for the whole table. */
const HEADER = 4;

function blockScale(block: Block): StatedScale | undefined {
  if (block.kind === 'text') return undefined;
  const header = block.rows
    .slice(0, HEADER)
    .flatMap((cells, i) => (i === 0 || !/\d,\d|\d\.\d/.test(cells.join(' ')) ? cells : []));
  return statedScale(`${header.join(' ; ')} ; ${block.before}`) ?? statedScale(block.after);
}

/** A number where it stands, with what its surroundings say. */
export interface Mention {
  readonly isNegative: boolean;
  readonly isPercent: boolean;
  readonly cell?: { readonly row: number; readonly column: number };
  readonly labels: CellLabels;
  readonly scale?: StatedScale;
}

const MINUS = /(?:^|[^\p{L}\p{N})%.])[-−–—]\s?[$€£¥₹]?\s?$/u;
const OPENING = /(?:^|[^\p{L}\p{N}_])\(\s*\|?\s*(?:[-−]\s?)?[$€£¥₹]?\s*\|?\s*$/u;
const CLOSING = /^\s*%?\s*\|?\s*\)/;
const PERCENT = /^\s*\)?\s*(?:\|\s*)?\)?\s*(?:%|per ?cent\b|pct\b)/i;

export function mentionAt(indexed: IndexedBlock, start: number, end: number): Mention {
  const { text } = indexed;
  const before = text.slice(Math.max(0, start - 16), start);
  const after = text.slice(end, end + 24);
  const cell = indexed.isTable ? indexed.cellAt(start) : undefined;
  const labels = cell === undefined ? {} : labelsOf(indexed.block(), cell.row, cell.column);
  const scale =
    scaleBehind(after) ??
    (cell === undefined
      ? undefined
      : (statedScale(labels.column ?? '') ?? statedScale(labels.row ?? '') ?? indexed.scale()));
  return {
    isNegative: MINUS.test(before) || (OPENING.test(before) && CLOSING.test(after)),
    isPercent: PERCENT.test(after),
    ...(cell !== undefined && { cell }),
    labels,
    ...(scale !== undefined && { scale }),
  };
}
