/** A cited table, rendered as such; its cells can be edited. */
import { html } from '../dom.ts';
import type { Mark } from './marks.ts';

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
export type Fill = (
  text: string,
  part: Mark['shown']['part'],
  cell?: { row: number; column: number },
) => (HTMLElement | string)[];

/** A cell among the others of its record: what is edited. `block`: pointer of the block. */
export function cellKey(block: string, row: number, column: number): string {
  return `${block} ${row} ${column}`;
}

/** `isEditable`: cells are a grid, reached by arrow keys; `onEdit` is told the one that is to be edited. */
export function tableOf(
  rows: readonly (readonly string[])[],
  name: string,
  fill: Fill,
  isEditable: (row: number, column: number) => boolean,
  onEdit: (row: number, column: number) => void,
): HTMLElement {
  const hasEditable = rows.some((row, line) => row.some((_, column) => isEditable(line, column)));
  const width = Math.max(0, ...rows.map((row) => row.length));
  const head = rows.length > 1 && rows[0] !== undefined && isHeader(rows[0]) ? 1 : 0;
  const lines = rows.map((row, line) => {
    const cells = row.map((text, column) => {
      const isHead = line < head && text.trim() !== '';
      const isRowHead = line >= head && column === 0 && text.trim() !== '' && !isAmount(text);
      const tag = isHead || isRowHead ? 'th' : 'td';
      const amount = isAmount(text) || (line < head && column > 0);
      const attributes = {
        class: amount ? 'amount' : null,
        scope: isHead ? 'col' : isRowHead ? 'row' : null,
        ...(hasEditable && { tabindex: -1, 'data-row': line, 'data-column': column }),
        ...(hasEditable && !isEditable(line, column) && { 'aria-readonly': 'true' }),
      };
      return html(tag, attributes, html('span', { class: 'cell-text' }, ...fill(text, 'cell', { row: line, column })));
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
    hasEditable ? { role: 'grid', 'aria-label': `${name}: arrow keys move, Enter edits a cell` } : {},
    ...(head === 0 ? [] : [html('thead', {}, ...lines.slice(0, head))]),
    html('tbody', {}, ...lines.slice(head)),
  );
  if (hasEditable) {
    moveByKeys(table, (row, column) => isEditable(row, column) && onEdit(row, column));
  }
  return html('div', { class: 'table-scroll', role: 'region', tabindex: 0, 'aria-label': `Table ${name}` }, table);
}

type Cell = HTMLElement;

function placeOf(cell: Cell): { readonly row: number; readonly column: number } {
  return { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) };
}

/** One cell is in the tab order; arrows, Home and End move on, Enter, F2 and a double click edit. */
function moveByKeys(table: HTMLElement, edit: (row: number, column: number) => void): void {
  const cells = (): Cell[] => [...table.querySelectorAll<Cell>('[data-row]')];
  const cellOf = (event: Event): Cell | null =>
    event.target instanceof Element ? event.target.closest<Cell>('[data-row]') : null;
  let current = cells()[0];
  current?.setAttribute('tabindex', '0');

  function enter(cell: Cell | undefined): void {
    if (cell === undefined) return;
    current?.setAttribute('tabindex', '-1');
    cell.setAttribute('tabindex', '0');
    current = cell;
  }

  function next(from: Cell, key: string): Cell | undefined {
    const { row, column } = placeOf(from);
    const inRow = cells().filter((cell) => placeOf(cell).row === row);
    const inColumn = (to: number): Cell | undefined =>
      cells().findLast((cell) => placeOf(cell).row === to && placeOf(cell).column <= column);
    const at = inRow.indexOf(from);
    switch (key) {
      case 'ArrowLeft':
        return inRow[at - 1];
      case 'ArrowRight':
        return inRow[at + 1];
      case 'ArrowUp':
        return inColumn(row - 1);
      case 'ArrowDown':
        return inColumn(row + 1);
      case 'Home':
        return inRow[0];
      case 'End':
        return inRow.at(-1);
      default:
        return undefined;
    }
  }

  table.addEventListener('focusin', (event) => enter(cellOf(event) ?? undefined));
  table.addEventListener('dblclick', (event) => {
    const cell = cellOf(event);
    if (cell !== null) edit(placeOf(cell).row, placeOf(cell).column);
  });
  table.addEventListener('keydown', (event) => {
    const cell = cellOf(event);
    if (cell === null || event.target !== cell || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault();
      event.stopPropagation();
      edit(placeOf(cell).row, placeOf(cell).column);
    } else if (/^(?:Arrow|Home$|End$)/u.test(event.key)) {
      event.preventDefault();
      event.stopPropagation();
      const to = next(cell, event.key);
      to?.focus();
      to?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  });
}
