/** Cited paragraphs and tables, rendered as such. */
import type { EvidenceBlock, EvidenceNumber } from '../../../schemas/protocol.ts';
import { arrange, html, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { cellKey, tableOf } from './block-table.ts';
import type { Fill } from './block-table.ts';
import { editButton } from './editing.ts';
import type { Editable } from './editing.ts';
import { markedText, marksIn, marksOf } from './marks.ts';
import type { Mark, OnNumber } from './marks.ts';

export interface BlockSection {
  readonly element: HTMLElement;
  /** `numbers`: those of the record, highlighted where they stand. */
  update(blocks: readonly EvidenceBlock[], numbers: readonly EvidenceNumber[]): void;
  select(pointers: ReadonlySet<string>): void;
  /** Client bounds of a block. */
  bounds(pointer: string): DOMRect | null;
  /** What can be edited: a block by its pointer, or a cell by pointer, row and column. */
  editable(key: string): Editable | null;
  homeOf(key: string): HTMLElement | null;
  /** Shows a text that is saved, until the record comes with it. */
  preview(key: string, text: string): void;
  /** Blocks in which a field was open are built as they are by now. */
  refresh(): void;
}

export interface BlockActions {
  select(pointer: string): void;
  selectNumber: OnNumber;
  edit(key: string): void;
}

interface BlockCard {
  readonly element: HTMLElement;
  shown: string;
  readonly pointer: string;
}

function contentOf(block: EvidenceBlock, fill: Fill, onEdit: (key: string) => void): HTMLElement[] {
  if (block.kind === 'missing') {
    const words = block.text === '' ? `${block.name} is cited but is not in the record.` : block.text;
    return [html('p', { class: 'absent' }, icon('missing'), words)];
  }
  if (block.kind === 'table' && block.table) {
    const { before, rows, after, cells } = block.table;
    const isEditable = (row: number, column: number): boolean =>
      block.editable === true && (cells?.[row]?.[column] ?? null) !== null;
    return [
      ...(before.trim() === '' ? [] : [html('p', { class: 'prose' }, ...fill(before, 'before'))]),
      tableOf(rows, block.name, fill, isEditable, (row, column) => onEdit(cellKey(block.blockPointer, row, column))),
      ...(after.trim() === '' ? [] : [html('p', { class: 'prose' }, ...fill(after, 'after'))]),
    ];
  }
  return [
    block.text.trim() === ''
      ? html('p', { class: 'absent' }, 'This paragraph is empty.')
      : html('p', { class: 'prose' }, ...fill(block.text, 'text')),
  ];
}

/** What can be edited of a block. `key`: its pointer, or that of a cell. */
function editableOf(block: EvidenceBlock, key: string): Editable | null {
  const { blockPointer: pointer, name, text } = block;
  if (block.editable !== true) return null;
  if (key === pointer) return { key, pointer, text, name, isOneLine: false };
  const [row = '', column = ''] = key.slice(pointer.length + 1).split(' ');
  const span = block.table?.cells?.[Number(row)]?.[Number(column)];
  if (span === null || span === undefined) return null;
  return {
    key,
    pointer,
    inString: span,
    // Pipes inside a cell are written with a backslash; whoever edits the cell sees the pipe.
    text: text.slice(span.start, span.end).replaceAll('\\|', '|'),
    name: `row ${Number(row) + 1}, column ${Number(column) + 1} of ${name}`,
    isOneLine: true,
  };
}

export function createBlockSection(actions: BlockActions): BlockSection {
  const list = html('div', { class: 'block-list' });
  const element = html('section', { class: 'blocks', 'aria-label': 'Cited text' }, html('h2', {}, 'Cited text'), list);
  let cards: BlockCard[] = [];
  let selected: ReadonlySet<string> = new Set();
  let latest: { readonly blocks: readonly EvidenceBlock[]; readonly numbers: readonly EvidenceNumber[] } = {
    blocks: [],
    numbers: [],
  };

  function build(
    block: EvidenceBlock,
    shown: string,
    marks: readonly Mark[],
    numbers: readonly EvidenceNumber[],
  ): BlockCard {
    const fill: Fill = (text, part, cell) =>
      markedText(text, marksIn(marks, part, cell), numbers, actions.selectNumber);
    const name = html('button', { type: 'button', class: 'block-name', title: 'Show in the file' }, block.name);
    name.addEventListener('click', () => actions.select(block.pointer));
    const kind = block.kind === 'missing' ? 'missing' : block.kind === 'table' ? 'table' : 'paragraph';
    const edit =
      block.editable === true
        ? editButton(kind === 'table' ? `the text of ${block.name}` : block.name, () =>
            actions.edit(block.blockPointer),
          )
        : null;
    const body = html('div', { class: 'block-body editable' }, ...contentOf(block, fill, actions.edit));
    if (edit !== null && block.kind === 'text') {
      body.addEventListener('dblclick', () => actions.edit(block.blockPointer));
    }
    const card = html(
      'article',
      { class: `block block-${block.kind}`, 'aria-label': `${kind} ${block.name}`, 'data-pointer': block.pointer },
      html('div', { class: 'block-head' }, name, html('span', { class: 'dim' }, kind), edit),
      body,
    );
    return { element: card, shown, pointer: block.pointer };
  }

  function mark(): void {
    for (const card of cards) {
      card.element.classList.toggle('selected', selected.has(card.pointer));
      setAttributes(card.element, { 'aria-current': selected.has(card.pointer) ? 'true' : null });
    }
  }

  const isEditing = (card: BlockCard): boolean => card.element.querySelector('.edit') !== null;
  const blockOf = (key: string): EvidenceBlock | undefined =>
    latest.blocks.find(({ blockPointer }) => key === blockPointer || key.startsWith(`${blockPointer} `));

  function arrangeCards(): void {
    const { blocks, numbers } = latest;
    const old = new Map(cards.map((card) => [card.shown, card]));
    // A block in which something is typed stays as it is until that is done.
    const held = new Map(cards.filter(isEditing).map((card) => [card.pointer, card]));
    cards = blocks.map((block) => {
      const marks = marksOf(numbers, block.blockPointer);
      // A number that this block does not have leaves it as it is.
      const own = marks.map((one) => [one, one.numbers.map((at) => numbers[at])]);
      const shown = JSON.stringify([block, own]);
      const kept = held.get(block.pointer) ?? old.get(shown);
      old.delete(shown);
      return kept ?? build(block, shown, marks, numbers);
    });
    arrange(
      list,
      cards.map((card) => card.element),
    );
    element.hidden = blocks.length === 0;
    mark();
  }

  function homeOf(key: string): HTMLElement | null {
    const block = blockOf(key);
    const card = block && cards.find(({ pointer }) => pointer === block.pointer);
    if (block === undefined || card === undefined) return null;
    const [row, column] = key.slice(block.blockPointer.length + 1).split(' ');
    return column === undefined
      ? card.element.querySelector<HTMLElement>('.block-body')
      : card.element.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`);
  }

  return {
    element,
    update(blocks, numbers) {
      latest = { blocks, numbers };
      arrangeCards();
    },
    select(pointers) {
      selected = pointers;
      mark();
    },
    bounds: (pointer) => cards.find((card) => card.pointer === pointer)?.element.getBoundingClientRect() ?? null,
    editable(key) {
      const block = blockOf(key);
      return block === undefined ? null : editableOf(block, key);
    },
    homeOf,
    preview(key, text) {
      const home = homeOf(key);
      const block = blockOf(key);
      const card = block && cards.find(({ pointer }) => pointer === block.pointer);
      if (home !== null && card !== undefined) {
        card.shown = '';
        const place = home.querySelector('.cell-text') ?? home;
        if (block?.kind !== 'table' || place !== home)
          place.replaceChildren(place === home ? html('p', { class: 'prose' }, text) : text);
      }
    },
    refresh: arrangeCards,
  };
}
