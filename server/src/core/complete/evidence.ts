/** What of a record's evidence can be written into its fields and its solution. */
import { parseBlock, shownFinder } from '../evidence/blocks.ts';
import type { Span } from '../finding.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { blockName } from '../rules/messages.ts';
import { citedBlocks } from '../trace/cited.ts';
import { nameOfPlace } from '../trace/find.ts';
import { indexBlock, mentionAt } from '../trace/index.ts';
import type { Mention } from '../trace/index.ts';
import { excerptOf } from '../trace/plain.ts';
import type { Excerpt } from '../trace/plain.ts';
import { contentWords } from '../trace/words.ts';

/** A number of the evidence as it can be written into a solution. */
export interface EvidenceValue {
  /** Without separators of thousands: `1234.5`, `-12`. */
  readonly plain: string;
  /** As the evidence has it. */
  readonly written: string;
  /** `paragraphs[3] row "Revenue", column "2019"`. */
  readonly name: string;
  /** What the evidence says beside it: `%`, `thousand`. */
  readonly states: string | undefined;
  /** Names of row and column, for those who write words. */
  readonly words: string;
  readonly block: number;
  /** Offsets in the block's text. */
  readonly inString: Span;
  /** How well row, column and sentence fit what is asked for; more is better. */
  readonly fit: number;
}

/** More numbers than this nobody looks through: those that do not fit what was written go first. */
const VALUES = 400;
/** Of a context of which nothing is cited. */
const UNCITED = 40;

/**
 * Numbers of the blocks that a record cites (where it cites none: of all), best first.
 * @param target what the number is wanted for, such as a variable's name
 * @param prefix digits that it begins with; '': any
 * @param isScaled whether what counts in thousands or percent is also given multiplied out
 */
export function evidenceValues(
  record: CanonicalRecord,
  target: string,
  prefix: string,
  isScaled: boolean,
): { readonly values: readonly EvidenceValue[]; readonly isCut: boolean } {
  const context = record.context ?? [];
  const cited = citedBlocks(record);
  const blocks = cited.length > 0 ? cited : context.map((_, at) => at).slice(0, UNCITED);
  const wanted = contentWords(target);
  const digits = prefix.replace(/[^\d]/g, '').replace(/^0+/, '');
  const found: EvidenceValue[] = [];
  let isCut = false;
  for (const block of blocks) {
    const text = context[block];
    if (typeof text !== 'string') continue;
    const indexed = indexBlock(text);
    const { numbers } = indexed;
    let before = -1;
    for (let at = 0; at < numbers.starts.length; at++) {
      const [start, end] = [numbers.starts[at]!, numbers.ends[at]!];
      // Other readings of the same digits.
      if (start === before) continue;
      before = start;
      const written = text.slice(start, end);
      if (digits !== '' && !written.replace(/[^\d]/g, '').replace(/^0+/, '').startsWith(digits)) continue;
      if (found.length >= 4 * VALUES) {
        isCut = true;
        break;
      }
      const mention = mentionAt(indexed, start, end);
      const value = { digits: numbers.digits[at]!, power: numbers.powers[at]!, written };
      found.push(
        ...valuesAt(record, block, { start, end }, value, mention, isScaled, fitOf(text, start, mention, wanted)),
      );
    }
  }
  found.sort((one, other) => other.fit - one.fit);
  return { values: found.slice(0, VALUES), isCut: isCut || found.length > VALUES };
}

function valuesAt(
  record: CanonicalRecord,
  block: number,
  inString: Span,
  value: { readonly digits: number; readonly power: number; readonly written: string },
  mention: Mention,
  isScaled: boolean,
  fit: number,
): EvidenceValue[] {
  const { labels, isPercent, isNegative, scale } = mention;
  const sign = isNegative ? '-' : '';
  const base = {
    written: value.written,
    name: nameOfPlace(blockName(record, block), labels.row, labels.column),
    words: `${labels.row ?? ''} ${labels.column ?? ''}`.trim(),
    block,
    inString,
    fit,
  };
  const states = isPercent ? '%' : scale?.word;
  const own: EvidenceValue = { ...base, plain: sign + plainNumber(value), states };
  const by = isPercent ? -2 : (scale?.power ?? 0);
  if (!isScaled || by === 0) return [own];
  const { digits, power } = value;
  const plain = sign + decimal(digits, power + by);
  return [own, { ...base, plain, states: `from ${value.written} ${states ?? ''}`.trim(), fit: fit - 0.5 }];
}

/** As it is written where Python reads that, else from its digits. */
function plainNumber({ digits, power, written }: { digits: number; power: number; written: string }): string {
  const plain = written.replaceAll(',', '');
  const isPlain = /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(plain);
  return isPlain && Number(plain) === Number(`${digits}e${power}`) ? plain : decimal(digits, power);
}

/** digits × 10^power without an exponent. */
function decimal(digits: number, power: number): string {
  const text = String(digits);
  if (power >= 0) return digits === 0 ? '0' : text + '0'.repeat(power);
  const padded = text.padStart(1 - power, '0');
  return `${padded.slice(0, power)}.${padded.slice(power)}`;
}

function fitOf(text: string, start: number, { labels, cell }: Mention, wanted: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0;
  const around =
    cell === undefined
      ? text.slice(Math.max(0, start - 120), start + 60)
      : `${labels.row ?? ''} ${labels.column ?? ''}`;
  let fit = 0;
  for (const word of contentWords(around)) if (wanted.has(word)) fit++;
  return fit;
}

/** What stands around a number, for a look. */
export function excerptOfValue(text: string, { start, end }: Span): Excerpt | undefined {
  const shown = shownFinder(text)(start, end);
  return shown === undefined ? undefined : excerptOf(parseBlock(text), shown);
}

export interface BlockChoice {
  readonly block: number;
  readonly kind: 'text' | 'table';
  /** The first words of it. */
  readonly head: string;
  /** It holds a number that the solution or the answer uses. */
  readonly isUsed: boolean;
}

/** Words of a block's beginning that are shown, in UTF-16 units. */
const HEAD = 80;

/** The blocks that can be cited as tables or as text; those that are used first, then those of the kind, in order. */
export function blockChoices(
  record: CanonicalRecord,
  field: 'tableEvidence' | 'textEvidence',
  used: ReadonlySet<number>,
): readonly BlockChoice[] {
  const wanted = field === 'tableEvidence' ? 'table' : 'text';
  const choices = (record.context ?? []).flatMap((text, block): BlockChoice[] => {
    if (typeof text !== 'string') return [];
    const kind = indexBlock(text).isTable ? 'table' : 'text';
    const head = text
      .slice(0, 4 * HEAD)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, HEAD);
    return [{ block, kind, head, isUsed: used.has(block) }];
  });
  const rank = ({ kind, isUsed }: BlockChoice): number => (kind === wanted ? 0 : 2) + (isUsed ? 0 : 1);
  return choices.sort((one, other) => rank(one) - rank(other) || one.block - other.block);
}
