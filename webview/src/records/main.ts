/** The Records view: shows the server's list, keeps its place, and says what is to be done. */
import type { BulkAction, RecordAction, RecordDeed, ToRecordsPage } from '../../../schemas/records-page.ts';
import type { Column, DetailFinding, RecordFile } from '../../../schemas/records.ts';
import { NO_FILTER } from '../../../schemas/records.ts';
import { html, setText } from '../dom.ts';
import type { Possible } from './detail.ts';
import { createDetailPane } from './detail.ts';
import type { Subject } from './dialogs.ts';
import { createDialogs } from './dialogs.ts';
import { createFilterBar } from './filters.ts';
import { createGrid } from './grid.ts';
import type { KeptState } from './host.ts';
import { connectHost } from './host.ts';
import { handleGridKey } from './keys.ts';
import { createList } from './list.ts';
import { createStatusLine } from './status.ts';
import type { Selection } from './selection.ts';
import { extended, moved, NOTHING_CHOSEN, only, toggled } from './selection.ts';
import { stateText, titleOf } from './words.ts';

const host = connectHost();
let kept: KeptState | null = host.loadState();
let epoch: string | null = null;
let trusted = false;
let files: readonly RecordFile[] = [];
let looking = true;
let preferred: string | null = null;
let selection: Selection = NOTHING_CHOSEN;
/** A record that is to be chosen as soon as its list is there; 0-based. */
let wanted: number | null = null;

const list = createList(host, {
  changed: listChanged,
  selection: () => [...selection.keys],
  seen: () => grid.seen(),
  stillThere(asked, keys) {
    if (asked.length === 0 || keys.length === asked.length) return;
    const gone = new Set(asked);
    for (const key of keys) gone.delete(key);
    selection = { ...selection, keys: new Set([...selection.keys].filter((key) => !gone.has(key))) };
  },
});
const bar = createFilterBar({
  chooseFile: (uri) => chooseFile(uri),
  filter(filter) {
    grid.scrollTop = 0;
    list.filter(filter);
  },
  search(facet, text) {
    return list.query === null ? Promise.resolve(null) : host.ask('values', { ...list.query, facet, search: text });
  },
  fixEverywhere: (rule) => bulk('fixEverywhere', [rule]),
  leave: () => grid.element.focus(),
});
const grid = createGrid({
  point(position, { extend, toggle }) {
    if (extend) void extendTo(position);
    else if (toggle) toggleAt(position);
    else choose(position);
  },
  open: () => deed('open'),
  sort,
  view: (first, end) => list.need(first, end),
});
const detail = createDetailPane({
  deed,
  goTo: (pointer) => post('open', pointer),
  fix(finding, fix) {
    const subject = finding === null ? null : fixOf(finding, fix);
    void openFix(subject);
  },
  accept: (finding) => void openAccept(finding === null ? null : fixOf(finding, 0)),
  run: () => void run(),
  runAll: () => void runAll(),
  explain: (code) => host.post({ type: 'explain', code }),
});
const status = createStatusLine({ runAll: () => void runAll(), showFile });
const announcer = html('p', { class: 'sr-only', role: 'status' });
const empty = html('p', { class: 'empty', role: 'status' }, 'Looking for record files …');
const dialogs = createDialogs(host, say, () => grid.element.focus());
const split = html('main', { class: 'split' }, grid.element, detail.element);
document.body.append(bar.element, empty, split, status.element, announcer);
split.hidden = true;

function say(text: string): void {
  setText(announcer, text);
  status.tell(text);
}

function chooseFile(uri: string, index: number | null = null): void {
  selection = NOTHING_CHOSEN;
  wanted = index;
  grid.scrollTop = 0;
  const state = kept?.uri === uri ? kept : null;
  list.choose(uri, state?.filter, state?.order);
  showAll();
}

/** After a reload or when the first files are known. */
function chooseFirst(): void {
  if (list.query !== null) return;
  const known = new Set(files.map(({ uri }) => uri));
  const uri = kept?.uri ?? (preferred !== null && known.has(preferred) ? preferred : files[0]?.uri);
  if (uri !== undefined) chooseFile(uri, kept?.uri === uri ? kept.current : null);
}

function listChanged(isOther: boolean): void {
  const { head, query } = list;
  if (head !== null && head.epoch !== epoch) {
    // Keys of a server that has ended name nothing any more.
    if (epoch !== null) selection = { ...NOTHING_CHOSEN, position: selection.position };
    ({ epoch } = head);
  }
  if (head !== null && kept !== null && kept.uri === query?.uri) restore(kept);
  if (head !== null) kept = null;
  if (isOther) host.post({ type: 'showing', query });
  if (isOther && wanted === null && head !== null) keepCurrent();
  else if (wanted !== null && head !== null) void showWanted();
  else followCurrent();
  showAll();
}

function restore(state: KeptState): void {
  if (state.epoch === epoch) selection = { ...selection, keys: new Set(state.selection) };
  showAll();
  grid.scrollTop = state.scrollTop;
}

/** Another filter or order: what was chosen stays chosen where it is in the list, and the current record is found again. */
function keepCurrent(): void {
  const { key } = selection;
  if (key === null) {
    if (selection.position === -1 || (list.head?.matched ?? 0) === 0) return;
    selection = moved(selection, -1, null);
    return;
  }
  void findAgain(key);
}

/** Rows came, went or changed: the current record may stand elsewhere. */
function followCurrent(): void {
  const { key, position } = selection;
  if (key === null) {
    const row = list.row(position);
    if (row !== undefined) selection = { ...moved(selection, position, row.key), keys: withKey(row.key) };
    return;
  }
  if (list.row(position)?.key === key) return;
  const known = list.positionOf(key);
  if (known !== undefined) selection = { ...selection, position: known, anchor: known };
  else void findAgain(key);
}

const withKey = (key: number): ReadonlySet<number> => (selection.keys.size === 0 ? new Set([key]) : selection.keys);

async function findAgain(key: number): Promise<void> {
  const { query } = list;
  if (query === null) return;
  const found = await host.ask('position', { ...query, key });
  if (list.query !== query || selection.key !== key) return;
  if (found === null || found.position === -1) {
    // It is not in the list any more: what stands in its place is next.
    const last = (list.head?.matched ?? 0) - 1;
    const position = Math.min(selection.position, last);
    const row = list.row(position);
    selection = row === undefined ? { ...NOTHING_CHOSEN, position } : only(position, row.key);
  } else {
    selection = { ...selection, position: found.position, anchor: found.position };
    grid.reveal(found.position);
  }
  showAll();
}

async function showWanted(): Promise<void> {
  const { query } = list;
  const index = wanted;
  if (query === null || index === null) return;
  const found = await host.ask('position', { ...query, index });
  if (list.query !== query || wanted !== index) return;
  if (found !== null && found.position === -1 && query.filter !== NO_FILTER) {
    list.filter(NO_FILTER);
    return;
  }
  wanted = null;
  if (found === null || found.position === -1) return;
  const keys = selection.keys.size > 1 ? selection.keys : new Set([found.key]);
  selection = { keys, position: found.position, key: found.key, anchor: found.position };
  grid.reveal(found.position);
  showAll();
}

function choose(position: number): void {
  const matched = list.head?.matched ?? 0;
  if (position < 0 || position >= matched) return;
  selection = only(position, list.row(position)?.key ?? null);
  grid.reveal(position);
  showAll();
  announce();
}

function toggleAt(position: number): void {
  const key = list.row(position)?.key;
  if (key === undefined) return;
  selection = toggled(selection, position, key);
  showAll();
}

async function extendTo(position: number): Promise<void> {
  const { query } = list;
  if (query === null) return;
  const anchor = selection.anchor === -1 ? position : selection.anchor;
  selection = moved(selection, position, list.row(position)?.key ?? null);
  grid.reveal(position);
  const start = Math.min(anchor, position);
  const end = Math.max(anchor, position) + 1;
  const keys = await keysBetween(start, end);
  if (list.query !== query || selection.position !== position || keys === null) return;
  selection = extended(selection, position, list.row(position)?.key ?? null, keys);
  showAll();
}

async function keysBetween(start: number, end: number): Promise<readonly number[] | null> {
  const known: number[] = [];
  for (let position = start; position < end; position++) {
    const row = list.row(position);
    if (row === undefined) break;
    known.push(row.key);
  }
  if (known.length === end - start || list.query === null) return known;
  return host.ask('keys', { ...list.query, start, end });
}

async function selectAll(): Promise<void> {
  const { query, head } = list;
  if (query === null || head === null) return;
  const keys = await keysBetween(0, head.matched);
  if (list.query !== query || keys === null) return;
  selection = { ...selection, keys: new Set(keys), anchor: 0 };
  showAll();
  setText(announcer, status.text());
}

function sort(column: Column): void {
  const { query } = list;
  if (query === null) return;
  const { order } = query;
  const isAgain = order.column === column;
  // A third time leads back to the order of the file.
  if (isAgain && order.descending && column !== 'index') list.order({ column: 'index', descending: false });
  else list.order({ column, descending: isAgain && !order.descending });
}

function announce(): void {
  const row = list.row(selection.position);
  if (row === undefined) return;
  setText(announcer, `${titleOf(row.index, row.id)}, ${stateText(row)}`);
}

/** The next record of the list with a finding, as far as it is known; asked for window by window. */
async function toProblem(step: 1 | -1): Promise<void> {
  const { query, head } = list;
  if (query === null || head === null || head.matched === 0) return;
  const span = 200;
  const { matched } = head;
  let at = selection.position + step;
  for (let looked = 0; looked < matched;) {
    at = (at + matched) % matched;
    const offset = step > 0 ? at : Math.max(0, at - span + 1);
    const answer = await host.ask('list', { ...query, offset, limit: step > 0 ? span : at - offset + 1 });
    if (list.query !== query || answer === null || answer.kind === 'problem' || answer.rows.length === 0) return;
    const { rows } = answer;
    const found =
      step > 0
        ? rows.findIndex(({ severity }) => severity !== null)
        : rows.findLastIndex(({ severity }) => severity !== null);
    if (found !== -1) {
      choose(answer.offset + found);
      followCurrent();
      return;
    }
    looked += rows.length;
    at = step > 0 ? answer.offset + rows.length : answer.offset - 1;
  }
}

/** Keys of the records that an action is about. */
function chosenKeys(): readonly number[] {
  if (selection.keys.size > 0) return [...selection.keys];
  return selection.key === null ? [] : [selection.key];
}

function post(what: RecordDeed, pointer?: string, keepFocus = false): void {
  const { query } = list;
  const key = selection.key ?? list.row(selection.position)?.key;
  if (query === null || key === undefined) return;
  host.post({
    type: 'do',
    deed: what,
    uri: query.uri,
    key,
    ...(pointer !== undefined && { pointer }),
    ...(keepFocus && { keepFocus }),
  });
}

function deed(what: RecordDeed): void {
  post(what, undefined, what === 'preview');
}

const fixOf = ({ fingerprint, fixes }: DetailFinding, fix: number): Subject => ({
  kind: 'finding',
  fingerprint,
  fix,
  title: fixes[fix]?.title ?? '',
});

function ofChosen(): Subject | null {
  const keys = chosenKeys();
  return keys.length === 0 ? null : { kind: 'records', keys, codes: list.query?.filter.facets.rule ?? [] };
}

async function openFix(subject: Subject | null): Promise<void> {
  const chosen = subject ?? ofChosen();
  if (chosen !== null && list.query !== null) await dialogs.fix(list.query.uri, chosen);
}

async function openAccept(subject: Subject | null): Promise<void> {
  const chosen = subject ?? ofChosen();
  if (chosen !== null && list.query !== null) await dialogs.accept(list.query.uri, chosen);
}

async function run(): Promise<void> {
  const keys = chosenKeys();
  if (list.query === null || keys.length === 0) return;
  await runThem({ uri: list.query.uri, keys });
}

async function runAll(): Promise<void> {
  if (list.query !== null) await runThem({ uri: list.query.uri });
}

async function runThem(params: { readonly uri: string; readonly keys?: readonly number[] }): Promise<void> {
  if (!trusted) {
    say('Solutions are run in trusted workspaces only.');
    return;
  }
  const result = await host.ask('run', params);
  if (result === null) return;
  const { run: many, passed, failed, skipped } = result;
  const parts = [`${many} run`, `${passed} yield the gold`, `${failed} differ or fail`];
  say(`Solutions: ${parts.join(', ')}${skipped > 0 ? `, ${skipped} skipped` : ''}.`);
}

/** What is done to the records of the file; the host asks what else there is to know. */
function bulk(action: BulkAction, rules: readonly string[] = list.query?.filter.facets.rule ?? []): void {
  const { query } = list;
  const keys = chosenKeys();
  const isOfFile = action === 'add' || action === 'renumber' || action === 'fixEverywhere';
  if (query === null || (keys.length === 0 && !isOfFile)) return;
  host.post({ type: 'bulk', action, uri: query.uri, keys, rules });
}

function showFile(): void {
  selection = NOTHING_CHOSEN;
  showAll();
  detail.element.focus();
}

function possible(): Possible {
  return { solutions: list.head?.facets.some(({ facet }) => facet === 'solution') === true, run: trusted };
}

let detailTurn = 0;

async function showDetail(): Promise<void> {
  const mine = ++detailTurn;
  const { query, head } = list;
  if (query === null || head === null) return;
  const { uri } = query;
  if (selection.keys.size > 1) {
    const keys = [...selection.keys];
    const codes = await host.ask('codes', { uri, keys });
    if (mine === detailTurn && codes !== null) detail.showSeveral(keys.length, codes, possible());
    return;
  }
  const [key] = chosenKeys();
  if (key === undefined) {
    detail.showFile(head.file);
    return;
  }
  const found = await host.ask('detail', { uri, key });
  if (mine !== detailTurn) return;
  if (found === null) detail.showFile(head.file);
  else detail.showRecord(found, possible());
}

function showAll(): void {
  const { head, query, problem } = list;
  bar.showFiles(files, looking, query?.uri ?? null);
  bar.show(head, query?.filter ?? NO_FILTER);
  const words = emptyText();
  setText(empty, words);
  empty.hidden = words === '';
  split.hidden = head === null;
  status.show(head, selection.keys.size, trusted, problem);
  if (head === null || query === null) return;
  grid.show({ matched: head.matched, columns: head.columns, order: query.order, row: list.row, selection });
  void showDetail();
  save();
}

function emptyText(): string {
  const { head, query, problem } = list;
  if (problem !== null) return problem;
  if (query === null) return looking ? 'Looking for record files …' : 'There are no record files in this workspace.';
  if (head === null) return 'Reading the file …';
  if (head.matched === 0) return head.records === 0 ? 'The file has no records.' : 'No record fits the filter.';
  return '';
}

function save(): void {
  const { query } = list;
  if (query === null || kept !== null || epoch === null) return;
  host.saveState({
    version: 1,
    epoch,
    ...query,
    scrollTop: grid.scrollTop,
    current: list.row(selection.position)?.index ?? null,
    selection: [...selection.keys].slice(0, 5000),
  });
}

async function askFiles(): Promise<void> {
  const answer = await host.ask('files', {});
  if (answer === null) return;
  ({ files, looking } = answer);
  chooseFirst();
  showAll();
}

const ACTIONS: Readonly<Record<RecordAction, () => void>> = {
  open: () => deed('open'),
  preview: () => deed('preview'),
  edit: () => deed('edit'),
  solution: () => deed('solution'),
  fix: () => void openFix(null),
  accept: () => void openAccept(null),
  run: () => void run(),
  runAll: () => void runAll(),
  copyId() {
    const row = list.row(selection.position);
    if (row !== undefined) host.post({ type: 'copy', text: row.id ?? String(row.index + 1) });
  },
  add: () => bulk('add'),
  duplicate: () => bulk('duplicate'),
  delete: () => bulk('delete'),
  moveUp: () => bulk('moveUp'),
  moveDown: () => bulk('moveDown'),
  moveTo: () => bulk('moveTo'),
  renumber: () => bulk('renumber'),
  fixEverywhere: () => bulk('fixEverywhere'),
  search: () => bar.focusSearch(),
  clearFilters: () => list.filter(NO_FILTER),
};

host.onMessage((message: ToRecordsPage) => {
  switch (message.type) {
    case 'start':
      ({ trusted } = message);
      preferred = message.preferred;
      void askFiles();
      if (list.query !== null) list.refresh();
      break;
    case 'show':
      if (list.query?.uri !== message.uri) chooseFile(message.uri, message.index);
      else if (message.index !== null) {
        wanted = message.index;
        void showWanted();
      }
      grid.element.focus();
      break;
    case 'listChanged':
      if (message.uri === list.query?.uri) list.refresh();
      break;
    case 'filesChanged':
      void askFiles();
      break;
    case 'act':
      ACTIONS[message.action]();
      break;
    case 'answer':
      break;
  }
});

grid.element.addEventListener('keydown', (event) => {
  if (event.target !== grid.element) return;
  const handled = handleGridKey(event, {
    position: selection.position,
    matched: list.head?.matched ?? 0,
    pageRows: grid.pageRows,
    move: (position, extend) => (extend ? void extendTo(position) : choose(position)),
    toggle: () => toggleAt(selection.position),
    selectAll: () => void selectAll(),
    open: ACTIONS.open,
    preview: ACTIONS.preview,
    edit: ACTIONS.edit,
    solution: ACTIONS.solution,
    run: ACTIONS.run,
    fix: ACTIONS.fix,
    accept: ACTIONS.accept,
    problem: (step) => void toProblem(step),
    bulk,
    search: ACTIONS.search,
  });
  if (handled) event.preventDefault();
});
grid.element.addEventListener('focus', () => {
  if (selection.position === -1 && (list.head?.matched ?? 0) > 0) choose(0);
});
grid.element.addEventListener('scroll', save, { passive: true });

host.post({ type: 'ready' });
