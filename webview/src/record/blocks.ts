/** Cited paragraphs and tables, rendered as such. */
import type { EvidenceBlock, EvidenceNumber } from '../../../schemas/protocol.ts';
import { arrange, html, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { markedText, marksIn, marksOf } from './marks.ts';
import type { Mark } from './marks.ts';

export interface BlockSection {
  readonly element: HTMLElement;
  /** `numbers`: those of the record, highlighted where they stand. */
  update(blocks: readonly EvidenceBlock[], numbers: readonly EvidenceNumber[]): void;
  select(pointers: ReadonlySet<string>): void;
  /** Client bounds of a block. */
  bounds(pointer: string): DOMRect | null;
}

interface BlockCard {
  readonly element: HTMLElement;
  readonly shown: string;
  readonly pointer: string;
}

/** Amounts as reports print them: 1,234 · (56.7) · $ 12 · 8.1 % · – for nothing. */
const AMOUNT = /^[($€£¥+\-–—\s]*(?:\d[\d,.\s]*)?[)%\s]*(?:(?:bps|x|pp|million|billion|thousand)\s*)?$/iu;

export function isAmount(cell: string): boolean {
  const text = cell.trim();
  return text !== '' && AMOUNT.test(text) && /[\d–—-]/u.test(text);
}

/** Years head columns more often than they are amounts; a first row of nothing else is a header too. */
function isHeader(row: readonly string[]): boolean {
  return row.every((cell) => !isAmount(cell) || /^\s*(?:19|20)\d\d\s*$/u.test(cell));
}

/** A text with the numbers in it that are marked. */
type Fill = (
  text: string,
  part: Mark['shown']['part'],
  cell?: { row: number; column: number },
) => (HTMLElement | string)[];

function tableOf(rows: readonly (readonly string[])[], name: string, fill: Fill): HTMLElement {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const head = rows.length > 1 && rows[0] !== undefined && isHeader(rows[0]) ? 1 : 0;
  const lines = rows.map((row, line) => {
    const cells = row.map((text, column) => {
      const isHead = line < head && text.trim() !== '';
      const isRowHead = line >= head && column === 0 && text.trim() !== '' && !isAmount(text);
      const tag = isHead || isRowHead ? 'th' : 'td';
      const amount = isAmount(text) || (line < head && column > 0);
      const attributes = { class: amount ? 'amount' : null, scope: isHead ? 'col' : isRowHead ? 'row' : null };
      return html(tag, attributes, ...fill(text, 'cell', { row: line, column }));
    });
    if (row.length < width) {
      const missing = width - row.length;
      cells.push(
        html('td', { class: 'ragged', colspan: missing, title: `${missing} fewer cells than the widest row` }),
      );
    }
    return html('tr', {}, ...cells);
  });
  const table = html(
    'table',
    {},
    ...(head === 0 ? [] : [html('thead', {}, ...lines.slice(0, head))]),
    html('tbody', {}, ...lines.slice(head)),
  );
  return html('div', { class: 'table-scroll', role: 'region', tabindex: 0, 'aria-label': `Table ${name}` }, table);
}

function contentOf(block: EvidenceBlock, fill: Fill): HTMLElement[] {
  if (block.kind === 'missing') {
    const words = block.text === '' ? `${block.name} is cited but is not in the record.` : block.text;
    return [html('p', { class: 'absent' }, icon('missing'), words)];
  }
  if (block.kind === 'table' && block.table) {
    const { before, rows, after } = block.table;
    return [
      ...(before.trim() === '' ? [] : [html('p', { class: 'prose' }, ...fill(before, 'before'))]),
      tableOf(rows, block.name, fill),
      ...(after.trim() === '' ? [] : [html('p', { class: 'prose' }, ...fill(after, 'after'))]),
    ];
  }
  return [
    block.text.trim() === ''
      ? html('p', { class: 'absent' }, 'This paragraph is empty.')
      : html('p', { class: 'prose' }, ...fill(block.text, 'text')),
  ];
}

export function createBlockSection(
  onSelect: (pointer: string) => void,
  onNumber: (number: EvidenceNumber) => void,
): BlockSection {
  const list = html('div', { class: 'block-list' });
  const element = html('section', { class: 'blocks', 'aria-label': 'Cited text' }, html('h2', {}, 'Cited text'), list);
  let cards: BlockCard[] = [];
  let selected: ReadonlySet<string> = new Set();

  function build(
    block: EvidenceBlock,
    shown: string,
    marks: readonly Mark[],
    numbers: readonly EvidenceNumber[],
  ): BlockCard {
    const fill: Fill = (text, part, cell) => markedText(text, marksIn(marks, part, cell), numbers, onNumber);
    const name = html('button', { type: 'button', class: 'block-name', title: 'Show in the file' }, block.name);
    name.addEventListener('click', () => onSelect(block.pointer));
    const kind = block.kind === 'missing' ? 'missing' : block.kind === 'table' ? 'table' : 'paragraph';
    const card = html(
      'article',
      { class: `block block-${block.kind}`, 'aria-label': `${kind} ${block.name}`, 'data-pointer': block.pointer },
      html('div', { class: 'block-head' }, name, html('span', { class: 'dim' }, kind)),
      ...contentOf(block, fill),
    );
    return { element: card, shown, pointer: block.pointer };
  }

  function mark(): void {
    for (const card of cards) {
      card.element.classList.toggle('selected', selected.has(card.pointer));
      setAttributes(card.element, { 'aria-current': selected.has(card.pointer) ? 'true' : null });
    }
  }

  return {
    element,
    update(blocks, numbers) {
      const old = new Map(cards.map((card) => [card.shown, card]));
      cards = blocks.map((block) => {
        const marks = marksOf(numbers, block.blockPointer);
        // A number that this block does not have leaves it as it is.
        const own = marks.map((mark) => [mark, mark.numbers.map((at) => numbers[at])]);
        const shown = JSON.stringify([block, own]);
        const kept = old.get(shown);
        old.delete(shown);
        return kept ?? build(block, shown, marks, numbers);
      });
      arrange(
        list,
        cards.map((card) => card.element),
      );
      element.hidden = blocks.length === 0;
      mark();
    },
    select(pointers) {
      selected = pointers;
      mark();
    },
    bounds: (pointer) => cards.find((card) => card.pointer === pointer)?.element.getBoundingClientRect() ?? null,
  };
}
