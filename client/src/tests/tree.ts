/**
 * The solutions of record files as tests: files → solutions, and where a file has very many, groups of a thousand between them. Files
 * are read by the server when they are looked into; what was shown once is kept in step with the file while it is edited.
 */
import * as vscode from 'vscode';
import type { RecordFilesResult } from '../../../schemas/records.ts';
import { RECORD_FILES } from '../../../schemas/records.ts';
import type {
  SolutionEntries,
  SolutionEntriesParams,
  SolutionEntry,
  SolutionListParams,
  SolutionListResult,
} from '../../../schemas/solutions.ts';
import { SOLUTION_ENTRIES, SOLUTION_LIST } from '../../../schemas/solutions.ts';
import type { Server } from '../server.ts';

/** Above so many solutions they come in groups: a tree with tens of thousands of children side by side is of no use to anybody. */
export const GROUP_SIZE = 1000;

/** One solution. */
export interface SolutionTest {
  readonly key: number;
  readonly item: vscode.TestItem;
  readonly parent: vscode.TestItem;
  /** Another one whenever a run may give something else. */
  readonly mark: string;
}

export interface FileTests {
  readonly uri: string;
  readonly item: vscode.TestItem;
  /** In the order of the file; undefined: it is not known what the file has. */
  readonly keys: readonly number[] | undefined;
  /** Those that are shown, by key. */
  readonly tests: ReadonlyMap<number, SolutionTest>;
}

export interface SolutionTree {
  files(): Iterable<FileTests>;
  file(uri: string): FileTests | undefined;
  /** The file and the solution of an item; undefined: the item is gone. */
  find(item: vscode.TestItem): { readonly file: FileTests; readonly test?: SolutionTest } | undefined;
  /** Looks for the record files of the workspace, now and whenever they change. */
  lookAround(): Promise<void>;
  /** Shows what is below a file or a group. */
  resolve(item: vscode.TestItem): Promise<void>;
  /** Shows all solutions below an item, and gives them in the order of the file. */
  below(item: vscode.TestItem): Promise<readonly SolutionTest[]>;
  /** Brings a file in step, if it is shown. */
  update(uri: string): Promise<void>;
  /** An editor shows a record file with so many solutions. */
  opened(uri: string, solutions: number): void;
  closed(uri: string): void;
  /** The list of files is another one. */
  filesChanged(): void;
  /** The server is another one: everything is asked anew. */
  restarted(): void;
}

interface Group {
  readonly item: vscode.TestItem;
  readonly keys: Set<number>;
  shown: boolean;
}

interface Known extends FileTests {
  readonly tests: Map<number, SolutionTest>;
  keys: readonly number[] | undefined;
  epoch: string | undefined;
  revision: number | undefined;
  entries: number | undefined;
  groups: Group[];
  readonly groupOf: Map<number, Group>;
  /** Somebody has looked into it. */
  wanted: boolean;
  /** An editor shows it: it stays, also where the list of files does not have it yet. */
  isOpen: boolean;
  isListed: boolean;
  /** The update that is under way, and whether another one must follow. */
  updating: Promise<void> | undefined;
  stale: boolean;
  /** Settled when it is known what the file has. */
  readonly ready: Promise<void>;
  settle(): void;
}

export function createSolutionTree(controller: vscode.TestController, server: Server): SolutionTree {
  const files = new Map<string, Known>();
  const ofItem = new WeakMap<
    vscode.TestItem,
    { readonly file: Known; readonly key?: number; readonly group?: Group }
  >();
  let looksAround = false;
  let looking: Promise<void> | undefined;
  let lookAgain = false;

  const nameOf = (uri: vscode.Uri): string => vscode.workspace.asRelativePath(uri);

  function fileOf(uri: string, name: string): Known {
    const key = vscode.Uri.parse(uri, true).toString();
    const before = files.get(key);
    if (before !== undefined) {
      if (before.item.label !== name) before.item.label = name;
      return before;
    }
    const item = controller.createTestItem(key, name, vscode.Uri.parse(uri, true));
    item.canResolveChildren = true;
    let settle = (): void => undefined;
    const ready = new Promise<void>((resolve) => (settle = resolve));
    const file: Known = {
      uri,
      item,
      tests: new Map(),
      keys: undefined,
      epoch: undefined,
      revision: undefined,
      entries: undefined,
      groups: [],
      groupOf: new Map(),
      wanted: false,
      isOpen: false,
      isListed: false,
      updating: undefined,
      stale: false,
      ready,
      settle,
    };
    files.set(key, file);
    ofItem.set(item, { file });
    controller.items.add(item);
    return file;
  }

  function remove(file: Known): void {
    files.delete(file.item.id);
    controller.items.delete(file.item.id);
    file.settle();
  }

  const isThere = (file: Known): boolean => files.get(file.item.id) === file;

  /** One update at a time; what changes meanwhile is looked at in another one after it. */
  function update(file: Known): Promise<void> {
    if (!isThere(file)) return Promise.resolve();
    file.stale = true;
    file.updating ??= (async () => {
      try {
        while (file.stale && isThere(file)) {
          file.stale = false;
          await updateOnce(file);
        }
      } finally {
        // At once: what is asked from here on is not looked at by this round any more.
        file.updating = undefined;
      }
    })();
    return file.updating;
  }

  async function updateOnce(file: Known): Promise<void> {
    const { uri, item } = file;
    const params: SolutionListParams = {
      uri,
      ...(file.revision !== undefined && { since: file.revision }),
      ...(file.epoch !== undefined && { epoch: file.epoch }),
    };
    if (file.keys === undefined) item.busy = true;
    const list = await server.request<SolutionListResult>(SOLUTION_LIST, params);
    if (list === null || list.kind === 'problem') {
      item.busy = false;
      item.error = list?.message ?? 'The language server does not answer.';
      file.settle();
      return;
    }
    item.error = undefined;
    // A file that is just being read gets its tests when it is known how many there are.
    if (!list.complete && file.keys === undefined) return;
    if (file.epoch !== undefined && file.epoch !== list.epoch) clear(file);
    file.epoch = list.epoch;
    file.revision = list.revision;
    if (list.keys !== null) place(file, list.keys);
    await detail(file);
    item.busy = false;
    file.settle();
  }

  /** The keys name other records now: everything is made anew, with the same ids. Groups stay what they are. */
  function clear(file: Known): void {
    file.tests.clear();
    file.groupOf.clear();
    file.entries = undefined;
    file.keys = undefined;
    for (const { item, keys } of file.groups) {
      keys.clear();
      item.children.replace([]);
    }
    if (file.groups.length === 0) file.item.children.replace([]);
  }

  /** Keeps every record in the group in which it is; new ones go where the record before them is. */
  function place(file: Known, keys: readonly number[]): void {
    const now = new Set(keys);
    for (const [key, { item, parent }] of file.tests) {
      if (now.has(key)) continue;
      parent.children.delete(item.id);
      file.tests.delete(key);
    }
    for (const [key, group] of file.groupOf) {
      if (now.has(key)) continue;
      group.keys.delete(key);
      file.groupOf.delete(key);
    }
    if (file.tests.size === 0 && file.groupOf.size === 0 && keys.length > GROUP_SIZE) divide(file, keys);
    let group = file.groups[0];
    for (const key of file.groups.length === 0 ? [] : keys) {
      const known = file.groupOf.get(key);
      if (known !== undefined) group = known;
      else if (group !== undefined) {
        group.keys.add(key);
        file.groupOf.set(key, group);
      }
    }
    file.keys = keys;
    nameGroups(file);
  }

  function divide(file: Known, keys: readonly number[]): void {
    const groups: Group[] = [];
    for (let start = 0; start < keys.length; start += GROUP_SIZE) {
      const group = file.groups[groups.length] ?? newGroup(file, groups.length);
      for (const key of keys.slice(start, start + GROUP_SIZE)) {
        group.keys.add(key);
        file.groupOf.set(key, group);
      }
      groups.push(group);
    }
    file.groups = groups;
    file.item.children.replace(groups.map(({ item }) => item));
  }

  function newGroup(file: Known, number: number): Group {
    const item = controller.createTestItem(`group ${number}`, '', file.item.uri);
    item.canResolveChildren = true;
    item.sortText = String(number).padStart(6, '0');
    const group: Group = { item, keys: new Set(), shown: false };
    ofItem.set(item, { file, group });
    return group;
  }

  function nameGroups({ groups }: Known): void {
    let before = 0;
    for (const { item, keys } of groups) {
      const label = `Solutions ${before + 1}–${before + keys.size}`;
      before += keys.size;
      if (item.label !== label) item.label = label;
    }
  }

  /** Asks for what is shown of the solutions, and makes or changes their items. */
  async function detail(file: Known): Promise<void> {
    const wanted = (file.keys ?? []).filter((key) => file.groups.length === 0 || file.groupOf.get(key)?.shown === true);
    let revision: number | undefined;
    for (let start = 0; start < wanted.length; start += GROUP_SIZE) {
      const keys = wanted.slice(start, start + GROUP_SIZE);
      const isNew = keys.some((key) => !file.tests.has(key));
      const { entries: since } = file;
      const params: SolutionEntriesParams = { uri: file.uri, keys, ...(!isNew && since !== undefined && { since }) };
      const answer = await server.request<SolutionEntries>(SOLUTION_ENTRIES, params);
      if (answer === null || !isThere(file)) return;
      revision ??= answer.revision;
      show(file, answer.entries);
    }
    file.entries = revision ?? file.entries;
  }

  function show(file: Known, entries: readonly SolutionEntry[]): void {
    const fresh = new Map<vscode.TestItem, vscode.TestItem[]>();
    const outdated: vscode.TestItem[] = [];
    for (const entry of entries) {
      const before = file.tests.get(entry.key);
      const parent = file.groupOf.get(entry.key)?.item ?? file.item;
      const item = before?.item ?? newItem(file, parent, entry);
      if (before === undefined) {
        const siblings = fresh.get(parent);
        if (siblings === undefined) fresh.set(parent, [item]);
        else siblings.push(item);
      } else if (before.mark !== entry.mark) outdated.push(item);
      write(item, entry);
      file.tests.set(entry.key, { key: entry.key, item, parent, mark: entry.mark });
    }
    for (const [parent, items] of fresh) {
      // All at once: one by one, each would be a message to the window.
      if (parent.children.size === 0) parent.children.replace(items);
      else for (const item of items) parent.children.add(item);
    }
    if (outdated.length > 0) controller.invalidateTestResults(outdated);
  }

  /** An item keeps its id when the record's own is changed; a record that gets that id later needs another. */
  function newItem(file: Known, parent: vscode.TestItem, { id, key }: SolutionEntry): vscode.TestItem {
    const taken = parent.children.get(id) !== undefined;
    const item = controller.createTestItem(taken ? `${id}~${key}` : id, id, file.item.uri);
    ofItem.set(item, { file, key });
    return item;
  }

  async function showGroup(file: Known, groups: readonly Group[]): Promise<void> {
    for (const group of groups) {
      group.shown = true;
      group.item.busy = true;
    }
    await update(file);
    for (const group of groups) group.item.busy = false;
  }

  async function resolve(item: vscode.TestItem): Promise<void> {
    const found = ofItem.get(item);
    if (found === undefined) return;
    const { file, group } = found;
    if (group !== undefined) {
      await (group.shown ? file.updating : showGroup(file, [group]));
      return;
    }
    if (!file.wanted) {
      file.wanted = true;
      await update(file);
    }
    await file.ready;
  }

  async function look(): Promise<void> {
    const result = await server.request<RecordFilesResult>(RECORD_FILES, {});
    if (result === null) return;
    const listed = new Set<string>();
    for (const { uri, name, solutions } of result.files) {
      if (!solutions) continue;
      const file = fileOf(uri, name);
      file.isListed = true;
      listed.add(file.item.id);
    }
    if (result.looking) return;
    for (const file of [...files.values()]) {
      if (listed.has(file.item.id)) continue;
      file.isListed = false;
      if (!file.isOpen) remove(file);
    }
  }

  function lookAround(): Promise<void> {
    looksAround = true;
    lookAgain = true;
    looking ??= (async () => {
      try {
        while (lookAgain) {
          lookAgain = false;
          await look();
        }
      } finally {
        looking = undefined;
      }
    })();
    return looking;
  }

  return {
    files: () => files.values(),
    file: (uri) => files.get(vscode.Uri.parse(uri, true).toString()),
    find(item) {
      const found = ofItem.get(item);
      if (found === undefined || !isThere(found.file)) return undefined;
      const test = found.key === undefined ? undefined : found.file.tests.get(found.key);
      return { file: found.file, ...(test !== undefined && { test }) };
    },
    lookAround,
    resolve,
    async below(item) {
      const found = ofItem.get(item);
      if (found === undefined) return [];
      const { file, key, group } = found;
      if (key !== undefined) return file.tests.has(key) ? [file.tests.get(key)!] : [];
      await resolve(item);
      const hidden = group === undefined ? file.groups.filter(({ shown }) => !shown) : [];
      if (hidden.length > 0) await showGroup(file, hidden);
      const keys = group === undefined ? (file.keys ?? []) : (file.keys ?? []).filter((one) => group.keys.has(one));
      return keys.flatMap((one) => file.tests.get(one) ?? []);
    },
    async update(uri) {
      const file = files.get(vscode.Uri.parse(uri, true).toString());
      if (file?.wanted === true) await update(file);
    },
    opened(uri, solutions) {
      const file = fileOf(uri, nameOf(vscode.Uri.parse(uri, true)));
      file.isOpen = true;
      if (solutions <= GROUP_SIZE) void resolve(file.item);
    },
    closed(uri) {
      const file = files.get(vscode.Uri.parse(uri, true).toString());
      if (file === undefined) return;
      file.isOpen = false;
      if (!looksAround || !file.isListed) remove(file);
    },
    filesChanged() {
      if (looksAround) void lookAround();
    },
    restarted() {
      if (looksAround) void lookAround();
      for (const file of files.values()) if (file.wanted) void update(file);
    },
  };
}

function write(item: vscode.TestItem, { index, name, question, range: { start, end } }: SolutionEntry): void {
  // No description: screen readers are told that in place of the label.
  const id = name ?? `record ${index + 1}`;
  const label = question === null ? id : `${id}: ${question}`;
  const sortText = String(index).padStart(8, '0');
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  if (item.label !== label) item.label = label;
  if (item.sortText !== sortText) item.sortText = sortText;
  if (item.range?.isEqual(range) !== true) item.range = range;
}
