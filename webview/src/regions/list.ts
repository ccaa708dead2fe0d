/**
 * The regions as a list: the same as on the pages for screen readers and for the keyboard, and the only place of those that no page can
 * show. Rows are walked with the arrows; Enter opens one, with everything that can be done to it.
 */
import type { ShownEvidence, ShownPage } from '../../../schemas/page.ts';
import { arrange, html, plural, setAttributes, setText } from '../dom.ts';
import { icon } from '../icons.ts';
import type { IconName } from '../icons.ts';
import { severityMark, worst } from '../severity.ts';
import type { DocumentPages } from './details.ts';
import { createRegionDetails } from './details.ts';
import type { RegionEditor } from './editor.ts';
import { isPlace } from './geometry.ts';
import type { Item } from './items.ts';

export interface RegionList {
  readonly element: HTMLElement;
  isOpen(): boolean;
}

export interface ListActions {
  showText(): void;
  copyCrop(): void;
  saveCrop(): void;
  save(): void;
}

interface Row {
  readonly element: HTMLLIElement;
  readonly button: HTMLButtonElement;
  readonly name: HTMLElement;
  readonly numbers: HTMLElement;
  readonly mark: HTMLElement;
  item: Item;
}

interface Group {
  readonly element: HTMLElement;
  readonly title: HTMLElement;
  readonly note: HTMLElement;
  readonly add: HTMLButtonElement;
  readonly rows: HTMLElement;
  page: ShownPage;
}

function action(name: string, glyph: IconName, act: () => void): HTMLButtonElement {
  const element = html('button', { type: 'button', class: 'tool' }, icon(glyph), html('span', {}, name));
  element.addEventListener('click', act);
  return element;
}

export function createRegionList(
  editor: RegionEditor,
  documentPages: DocumentPages,
  open: boolean,
  actions: ListActions,
): RegionList {
  const count = html('span', { class: 'dim' });
  const toggle = html(
    'button',
    { type: 'button', class: 'list-toggle', 'aria-expanded': open ? 'true' : 'false', 'aria-controls': 'region-list' },
    icon('right'),
    html('span', {}, 'Regions'),
    count,
  );
  const body = html('div', { id: 'region-list', class: 'region-groups', hidden: !open });
  const element = html(
    'section',
    { class: 'region-list', 'aria-label': 'Regions', hidden: true },
    html('h2', {}, toggle),
    body,
  );

  const rows = new Map<number, Row>();
  const groups = new Map<string, Group>();
  /** Everything that is done to the region whose row is open; one for all rows. */
  const details = createRegionDetails(editor, documentPages);
  const problems = html('ul', { class: 'row-problems', 'aria-label': 'Findings' });
  const up = action('Earlier', 'up', () => editor.reorder(-1));
  const down = action('Later', 'down', () => editor.reorder(1));
  const text = action('Text', 'text', actions.showText);
  const crops = [action('Copy crop', 'crop', actions.copyCrop), action('Save crop…', 'save', actions.saveCrop)];
  const fits = [
    action('Snap', 'snap', () => editor.fit('snap')),
    action('Grow', 'grow', () => editor.fit('grow')),
    action('Shrink', 'shrink', () => editor.fit('shrink')),
  ];
  const opened = html(
    'div',
    { class: 'row-body', role: 'group' },
    problems,
    details.element,
    html(
      'div',
      { class: 'row-actions' },
      up,
      down,
      ...fits,
      action('Duplicate', 'duplicate', () => editor.duplicate()),
      text,
      ...crops,
      action('Delete', 'trash', () => removeRow()),
    ),
  );
  let openId: number | null = null;
  /** The row that Tab comes to. */
  let currentId: number | null = null;
  let lastSelected: number | null = null;
  /** A row was added or taken away from here: the focus goes to the one that is chosen then. */
  let follows = false;

  function removeRow(): void {
    follows = true;
    editor.remove();
  }

  const ordered = (): Row[] => editor.changes.items.all().flatMap(({ id }) => rows.get(id) ?? []);

  function focusRow(row: Row | undefined): void {
    if (row !== undefined) {
      currentId = row.item.id;
      setTabStops();
      row.button.focus();
    }
  }

  function setTabStops(): void {
    const all = ordered();
    const current = all.find((row) => row.item.id === currentId) ?? all[0];
    for (const row of all) {
      setAttributes(row.button, { tabindex: row === current ? 0 : -1 });
    }
  }

  function createRow(item: Item): Row {
    const mark = html('span', { class: 'row-mark' });
    const name = html('span', { class: 'row-name' });
    const numbers = html('span', { class: 'row-numbers' });
    const button = html('button', { type: 'button', class: 'row-button' }, mark, name, numbers);
    const row: Row = { element: html('li', {}, button), button, name, numbers, mark, item };
    button.addEventListener('click', () => {
      const isOpen = openId === row.item.id;
      openId = isOpen ? null : row.item.id;
      currentId = row.item.id;
      editor.choose(row.item);
      update();
    });
    return row;
  }

  function showRow(row: Row, item: Item): void {
    row.item = item;
    const { region, number } = item;
    const severity = worst(region.problems);
    const isUnplaced = !isPlace(region);
    const isOpen = openId === item.id;
    setText(row.name, `${number} ${region.label ?? 'no label'}`);
    setText(row.numbers, isUnplaced ? `${region.text} (has no place)` : region.text);
    if (row.mark.dataset['severity'] !== String(severity)) {
      row.mark.dataset['severity'] = String(severity);
      row.mark.replaceChildren(...(severity === null ? [] : [severityMark(severity)]));
    }
    row.element.classList.toggle('selected', editor.selected()?.id === item.id);
    setAttributes(row.button, {
      'aria-expanded': isOpen ? 'true' : 'false',
      'aria-current': editor.selected()?.id === item.id ? 'true' : null,
      'data-pointer': region.pointer,
    });
    if (isOpen && opened.parentElement !== row.element) {
      row.element.append(opened);
    }
  }

  function showOpened(item: Item): void {
    setAttributes(opened, { 'aria-label': `Region ${item.number}` });
    details.update(item);
    setAttributes(up, { 'aria-disabled': item.position === 0 ? 'true' : null });
    setAttributes(down, { 'aria-disabled': item.position >= item.page.regions.length - 1 ? 'true' : null });
    const isUnplaced = !isPlace(item.region);
    for (const button of [...fits, text, ...crops]) {
      button.hidden = isUnplaced;
    }
    const key = JSON.stringify(item.region.problems);
    if (problems.dataset['of'] !== key) {
      problems.dataset['of'] = key;
      problems.replaceChildren(
        ...item.region.problems.map(({ severity, message }) => html('li', {}, severityMark(severity), message)),
      );
    }
    problems.hidden = item.region.problems.length === 0;
  }

  function createGroup(page: ShownPage): Group {
    const title = html('h3', {});
    const note = html('span', { class: 'dim' });
    const add = action('Add a region', 'plus', () => {
      follows = true;
      editor.addInMiddle(group.page.number);
    });
    const list = html('ul', {});
    const head = html('div', { class: 'group-head' }, title, note, add);
    const group: Group = {
      element: html('div', { class: 'region-group' }, head, list),
      title,
      note,
      add,
      rows: list,
      page,
    };
    return group;
  }

  function showGroup(page: ShownPage, items: readonly Item[]): HTMLElement {
    const group = groups.get(page.pointer) ?? createGroup(page);
    groups.set(page.pointer, group);
    group.page = page;
    setText(group.title, `Page ${page.number}`);
    setText(group.note, items.length === 0 ? 'no regions' : plural(items.length, 'region', 'regions'));
    setAttributes(group.add, {
      'aria-label': `Add a region to page ${page.number}`,
      title: 'In the middle of the page; its numbers can be set then',
    });
    setAttributes(group.rows, { 'aria-label': `Regions of page ${page.number}` });
    group.rows.hidden = items.length === 0;
    const shown = items.map((item) => {
      const row = rows.get(item.id) ?? createRow(item);
      rows.set(item.id, row);
      showRow(row, item);
      return row.element;
    });
    arrange(group.rows, shown);
    return group.element;
  }

  /** What was focused is taken along: to the row that is there for it now. */
  function keepingFocus(change: () => void): void {
    const focused = document.activeElement;
    const inside = focused !== null && body.contains(focused);
    change();
    const selected = editor.selected();
    const isFollowing = follows && !editor.changes.busy();
    follows &&= editor.changes.busy();
    if (!inside) {
      return;
    }
    if (isFollowing && selected !== null) {
      openId = openId === null ? null : selected.id;
      focusRow(rows.get(selected.id));
    } else if (!focused.isConnected) {
      focusRow(ordered()[0]);
      toggleFocus();
    } else if (document.activeElement !== focused && focused instanceof HTMLElement) {
      focused.focus();
    }
  }

  function toggleFocus(): void {
    if (!body.contains(document.activeElement)) {
      toggle.focus();
    }
  }

  function fill(evidence: ShownEvidence): void {
    const items = editor.changes.items.all();
    const known = new Set(items.map(({ id }) => id));
    for (const id of [...rows.keys()]) {
      if (!known.has(id)) {
        rows.delete(id);
      }
    }
    if (openId !== null && !known.has(openId)) {
      openId = null;
    }
    const pages = new Set(evidence.pages.map(({ pointer }) => pointer));
    for (const pointer of [...groups.keys()]) {
      if (!pages.has(pointer)) {
        groups.delete(pointer);
      }
    }
    if (openId === null) {
      opened.remove();
    }
    arrange(
      body,
      evidence.pages.map((page) =>
        showGroup(
          page,
          items.filter((item) => item.page === page),
        ),
      ),
    );
    const item = openId === null ? null : editor.changes.items.byId(openId);
    if (item !== null) {
      showOpened(item);
    }
    setTabStops();
  }

  /** The row of what is chosen on a page is open. */
  function followSelection(): void {
    const id = editor.selected()?.id ?? null;
    if (id !== lastSelected) {
      lastSelected = id;
      if (!body.contains(document.activeElement)) {
        openId = id;
        currentId = id;
      }
    }
  }

  function update(): void {
    const evidence = editor.changes.evidence();
    followSelection();
    element.hidden = evidence === null || !editor.enabled();
    setText(count, String(editor.changes.items.all().length));
    if (evidence !== null && !element.hidden && !body.hidden) {
      keepingFocus(() => fill(evidence));
    }
  }

  toggle.addEventListener('click', () => {
    body.hidden = !body.hidden;
    setAttributes(toggle, { 'aria-expanded': body.hidden ? 'false' : 'true' });
    actions.save();
    update();
  });
  body.addEventListener('keydown', (event) => {
    const row = ordered().find(({ button }) => button === event.target);
    if (row === undefined || event.ctrlKey || event.metaKey) {
      return;
    }
    const all = ordered();
    const at = all.indexOf(row);
    if (event.altKey && event.shiftKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      editor.choose(row.item);
      editor.reorder(event.key === 'ArrowUp' ? -1 : 1);
    } else if (event.altKey) {
      return;
    } else if (event.key === 'ArrowDown') {
      focusRow(all[at + 1]);
    } else if (event.key === 'ArrowUp') {
      focusRow(all[at - 1]);
    } else if (event.key === 'Home') {
      focusRow(all[0]);
    } else if (event.key === 'End') {
      focusRow(all.at(-1));
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      editor.choose(row.item);
      removeRow();
    } else {
      return;
    }
    event.preventDefault();
  });
  editor.watch(update);
  return { element, isOpen: () => !body.hidden };
}
