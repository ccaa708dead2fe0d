/** The table of records: only the rows in view are elements, and the focus stays on the grid, which names its current row. */
import type { Column, ListedRecord, RecordOrder } from '../../../schemas/records.ts';
import { formatCount, html, setAttributes, setText } from '../dom.ts';
import { icon } from '../icons.ts';
import { severityMark } from '../severity.ts';
import type { Selection } from './selection.ts';
import { COLUMN_NAMES, solutionName, stateText } from './words.ts';

export interface GridActions {
  /** `extend`: with Shift, `toggle`: with Ctrl. */
  point(position: number, how: { readonly extend: boolean; readonly toggle: boolean }): void;
  open(position: number): void;
  sort(column: Column): void;
  /** Rows between two positions (end exclusive) are in view. */
  view(first: number, end: number): void;
}

export interface GridContent {
  readonly matched: number;
  readonly columns: readonly Column[];
  readonly order: RecordOrder;
  row(position: number): ListedRecord | undefined;
  readonly selection: Selection;
}

export interface Grid {
  readonly element: HTMLElement;
  show(content: GridContent): void;
  /** Whole rows that fit. */
  readonly pageRows: number;
  seen(): { readonly first: number; readonly end: number };
  reveal(position: number): void;
  scrollTop: number;
}

const WIDTHS: Readonly<Record<Column, string>> = {
  state: '3.6em',
  index: '4.6em',
  id: 'minmax(7em, 1.2fr)',
  question: 'minmax(12em, 4fr)',
  type: '4.6em',
  document: 'minmax(6em, 1fr)',
  category: 'minmax(5em, 0.7fr)',
  split: 'minmax(4em, 0.5fr)',
  findings: 'minmax(11em, 2.2fr)',
};
/** Rows beside those in view. */
const SPARE = 8;

export function createGrid(actions: GridActions): Grid {
  const head = html('div', { class: 'grid-head', role: 'row', 'aria-rowindex': 1 });
  const canvas = html('div', { class: 'canvas', role: 'rowgroup' });
  const element = html(
    'div',
    {
      class: 'grid',
      role: 'grid',
      tabindex: 0,
      'aria-label': 'Records',
      'aria-multiselectable': 'true',
      'data-vscode-context': JSON.stringify({ webviewSection: 'record', preventDefaultContextMenuItems: true }),
    },
    html('div', { role: 'rowgroup', class: 'head-group' }, head),
    canvas,
  );
  let content: GridContent | null = null;
  let rowHeight = 22;
  let shownColumns = '';
  const elements = new Map<number, { readonly element: HTMLElement; record: ListedRecord | undefined }>();
  let frame = 0;

  function measure(): void {
    const probe = rowElement(0);
    probe.style.visibility = 'hidden';
    canvas.append(probe);
    const { height } = probe.getBoundingClientRect();
    probe.remove();
    if (height > 0) rowHeight = height;
  }

  function rowElement(position: number): HTMLElement {
    return html('div', { class: 'row', role: 'row', id: `row-${position}`, 'aria-rowindex': position + 2 });
  }

  const headHeight = (): number => head.getBoundingClientRect().height;
  const room = (): number => Math.max(0, element.clientHeight - headHeight());

  function seen(): { first: number; end: number } {
    const matched = content?.matched ?? 0;
    const first = Math.min(Math.floor(element.scrollTop / rowHeight), matched);
    return { first, end: Math.min(matched, first + Math.ceil(room() / rowHeight) + 1) };
  }

  function render(): void {
    if (content === null) return;
    const { matched, selection } = content;
    canvas.style.height = `${matched * rowHeight}px`;
    const { first, end } = seen();
    const from = Math.max(0, first - SPARE);
    const to = Math.min(matched, end + SPARE);
    for (const [position, row] of elements) {
      // The current row stays: the grid names it to screen readers.
      if ((position >= from && position < to) || (position === selection.position && position < matched)) continue;
      row.element.remove();
      elements.delete(position);
    }
    for (let position = from; position < to; position++) renderRow(position, content);
    if (selection.position >= 0 && selection.position < matched) renderRow(selection.position, content);
    const current = elements.has(selection.position) ? `row-${selection.position}` : null;
    setAttributes(element, { 'aria-rowcount': matched + 1, 'aria-activedescendant': current });
    actions.view(from, to);
  }

  function renderRow(position: number, { row, columns, selection }: GridContent): void {
    const record = row(position);
    let known = elements.get(position);
    if (known === undefined) {
      known = { element: rowElement(position), record: undefined };
      known.element.style.top = `${position * rowHeight}px`;
      known.element.append(...cells(record, columns));
      known.record = record;
      elements.set(position, known);
      insertInOrder(known.element, position);
    } else if (known.record !== record) {
      known.element.replaceChildren(...cells(record, columns));
      known.record = record;
    }
    const chosen = record !== undefined && selection.keys.has(record.key);
    known.element.classList.toggle('selected', chosen);
    known.element.classList.toggle('current', position === selection.position);
    setAttributes(known.element, { 'aria-selected': String(chosen) });
  }

  /** Screen readers read rows in the order of the document. */
  function insertInOrder(row: HTMLElement, position: number): void {
    const after = [...canvas.children].find((other) => Number(other.id.slice(4)) > position);
    canvas.insertBefore(row, after ?? null);
  }

  function cells(record: ListedRecord | undefined, columns: readonly Column[]): HTMLElement[] {
    return columns.map((column, at) => {
      const cell = html('div', { class: `cell cell-${column}`, role: 'gridcell', 'aria-colindex': at + 1 });
      if (record === undefined) {
        if (column === 'question') cell.append(html('span', { class: 'dim' }, '…'));
        return cell;
      }
      cell.append(...cellContent(record, column));
      return cell;
    });
  }

  function showHead({ columns, order }: GridContent): void {
    const next = JSON.stringify([columns, order]);
    if (next === shownColumns) return;
    const focused = head.contains(document.activeElement) ? document.activeElement?.getAttribute('data-column') : null;
    const wasColumns = shownColumns === '' ? null : (JSON.parse(shownColumns) as [readonly Column[]])[0].join();
    shownColumns = next;
    element.style.setProperty('--columns', columns.map((column) => WIDTHS[column]).join(' '));
    setAttributes(element, { 'aria-colcount': columns.length });
    head.replaceChildren(...columns.map((column, at) => headCell(column, at, order)));
    if (focused !== null) head.querySelector<HTMLElement>(`[data-column="${focused}"]`)?.focus();
    if (wasColumns === columns.join()) return;
    for (const row of elements.values()) row.element.remove();
    elements.clear();
  }

  function headCell(column: Column, at: number, order: RecordOrder): HTMLElement {
    const isSorted = order.column === column && (column !== 'index' || order.descending);
    const direction = order.descending ? 'descending' : 'ascending';
    const button = html(
      'button',
      { type: 'button', tabindex: at === 0 ? 0 : -1, 'data-column': column, title: `Sort by ${COLUMN_NAMES[column]}` },
      html('span', {}, COLUMN_NAMES[column]),
      isSorted ? icon(order.descending ? 'down' : 'up') : null,
    );
    button.addEventListener('click', () => actions.sort(column));
    const sort = isSorted ? direction : 'none';
    return html(
      'div',
      { class: `cell cell-${column}`, role: 'columnheader', 'aria-colindex': at + 1, 'aria-sort': sort },
      button,
    );
  }

  head.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const buttons = [...head.querySelectorAll('button')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = buttons[at + step];
    event.preventDefault();
    event.stopPropagation();
    if (next === undefined) return;
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  });

  function positionUnder(event: Event): number | null {
    const row = (event.target as Element).closest('.row');
    return row === null ? null : Number(row.id.slice(4));
  }

  canvas.addEventListener('mousedown', (event) => {
    const position = positionUnder(event);
    if (position === null) return;
    const toggle = event.ctrlKey || event.metaKey;
    if (event.button === 0) {
      if (event.shiftKey) event.preventDefault();
      actions.point(position, { extend: event.shiftKey, toggle });
    } else if (event.button === 2) {
      const record = content?.row(position);
      // A menu is about what is chosen, or else about the row under the pointer.
      if (record === undefined || !content?.selection.keys.has(record.key)) {
        actions.point(position, { extend: false, toggle: false });
      }
    }
  });
  canvas.addEventListener('dblclick', (event) => {
    const position = positionUnder(event);
    if (position !== null) actions.open(position);
  });
  element.addEventListener('scroll', () => {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      render();
    });
  });
  new ResizeObserver(() => {
    measure();
    for (const [position, row] of elements) row.element.style.top = `${position * rowHeight}px`;
    render();
  }).observe(element);

  return {
    element,
    show(next) {
      content = next;
      showHead(next);
      render();
    },
    get pageRows() {
      return Math.max(1, Math.floor(room() / rowHeight) - 1);
    },
    seen,
    reveal(position) {
      const top = position * rowHeight;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + rowHeight > element.scrollTop + room()) element.scrollTop = top + rowHeight - room();
    },
    get scrollTop() {
      return element.scrollTop;
    },
    set scrollTop(value) {
      element.scrollTop = value;
    },
  };
}

function cellContent(record: ListedRecord, column: Column): Node[] {
  switch (column) {
    case 'state':
      return stateMarks(record);
    case 'index':
      return [document.createTextNode(formatCount(record.index + 1))];
    case 'findings':
      return record.findings.map(({ code, severity, count }) =>
        html(
          'span',
          { class: `tag tag-${severity}` },
          html('span', { class: 'tag-code' }, code),
          count > 1 ? html('span', { class: 'tag-count' }, `×${count}`) : null,
        ),
      );
    default: {
      const text = record[column];
      return text === null ? [] : [document.createTextNode(text.replaceAll(/\s+/gu, ' '))];
    }
  }
}

function stateMarks(record: ListedRecord): Node[] {
  const { severity, solution, checked } = record;
  const marks: Node[] = [html('span', { class: 'sr-only' }, stateText(record))];
  if (!checked) return [...marks, html('span', { class: 'dim', 'aria-hidden': 'true' }, '…')];
  const found = severity === null ? html('span', { class: 'mark mark-clean' }, icon('check')) : severityMark(severity);
  setAttributes(found, { role: null, 'aria-label': null, 'aria-hidden': 'true' });
  marks.push(found);
  if (solution !== null) marks.push(solutionMark(solution));
  return marks;
}

const SIGNS: Readonly<Record<NonNullable<ListedRecord['solution']>, string>> = {
  equal: '=',
  tolerance: '≈',
  rounded: '≈',
  mismatch: '≠',
  error: '!',
  skipped: '–',
  running: '…',
};

function solutionMark(solution: NonNullable<ListedRecord['solution']>): HTMLElement {
  const mark = html('span', {
    class: `verdict verdict-${solution}`,
    title: solutionName(solution),
    'aria-hidden': 'true',
  });
  setText(mark, SIGNS[solution]);
  return mark;
}
