/** The list as the page knows it: its head, and the windows of rows that were asked for. The server owns everything else. */
import type { ListedRecord, RecordFilter, RecordList, RecordOrder, RecordQuery } from '../../../schemas/records.ts';
import { FILE_ORDER, NO_FILTER } from '../../../schemas/records.ts';
import type { Host } from './host.ts';

export interface List {
  /** null: no file is chosen. */
  readonly query: RecordQuery | null;
  readonly head: RecordList | null;
  /** As a sentence; null: there is none. */
  readonly problem: string | null;
  row(position: number): ListedRecord | undefined;
  /** Position of a record whose row is at hand. */
  positionOf(key: number): number | undefined;
  /** Sees to it that the rows between two positions (end exclusive) are at hand. */
  need(first: number, end: number): void;
  choose(uri: string, filter?: RecordFilter, order?: RecordOrder): void;
  filter(filter: RecordFilter): void;
  order(order: RecordOrder): void;
  /** The server has other rows now. */
  refresh(): void;
}

export interface ListWatcher {
  /** Head or rows have changed. `isOther`: another file, filter or order. */
  changed(isOther: boolean): void;
  /** Asked before each look: keys whose being in the list is to be told, and what is seen. */
  selection(): readonly number[];
  seen(): { readonly first: number; readonly end: number };
  /** Of the asked keys these are in the list. */
  stillThere(asked: readonly number[], keys: readonly number[]): void;
}

/** Rows that are asked for at once, and how many beside what is seen. */
const WINDOW = 200;
const AROUND = 40;

export function createList(host: Host, watcher: ListWatcher): List {
  let query: RecordQuery | null = null;
  let head: RecordList | null = null;
  let problem: string | null = null;
  let rows = new Map<number, ListedRecord>();
  let positions = new Map<number, number>();
  /** Counts up with each look for which older answers are of no use. */
  let turn = 0;
  let looking = false;
  let again = false;
  const asked = new Set<number>();

  async function look(isOther: boolean): Promise<void> {
    if (query === null) return;
    const mine = ++turn;
    looking = true;
    asked.clear();
    const { first, end } = isOther ? { first: 0, end: WINDOW } : watcher.seen();
    const offset = Math.max(0, first - AROUND);
    const limit = Math.max(WINDOW, end + AROUND - offset);
    const selection = watcher.selection();
    const answer = await host.ask('list', { ...query, offset, limit, selection });
    if (mine !== turn) return;
    looking = false;
    if (answer === null || answer.kind === 'problem') {
      problem = answer === null ? 'The language server does not answer.' : answer.message;
      head = null;
      rows = new Map();
      positions = new Map();
      watcher.changed(isOther);
      return;
    }
    problem = null;
    if (isOther || !isOfSame(answer, head) || answer.matched !== head?.matched) {
      rows = new Map();
      positions = new Map();
    }
    head = answer;
    keep(answer);
    watcher.stillThere(selection, answer.selection);
    watcher.changed(isOther);
    if (again) {
      again = false;
      void look(false);
    }
  }

  /** Rows of both have their places and keys in common. */
  function isOfSame(one: RecordList, other: RecordList | null): boolean {
    return one.revision === other?.revision && one.epoch === other.epoch;
  }

  function keep(answer: RecordList): void {
    answer.rows.forEach((row, at) => {
      rows.set(answer.offset + at, row);
      positions.set(row.key, answer.offset + at);
    });
  }

  async function fetchWindow(offset: number): Promise<void> {
    if (query === null || head === null) return;
    const mine = turn;
    asked.add(offset);
    const answer = await host.ask('list', { ...query, offset, limit: WINDOW });
    asked.delete(offset);
    if (mine !== turn || answer === null || answer.kind === 'problem') return;
    if (!isOfSame(answer, head)) {
      void look(false);
      return;
    }
    keep(answer);
    watcher.changed(false);
  }

  function change(next: RecordQuery): void {
    query = next;
    again = false;
    void look(true);
  }

  return {
    get query() {
      return query;
    },
    get head() {
      return head;
    },
    get problem() {
      return problem;
    },
    row: (position) => rows.get(position),
    positionOf: (key) => positions.get(key),
    need(first, end) {
      if (looking || head === null) return;
      for (let at = Math.floor(first / WINDOW) * WINDOW; at < Math.min(end, head.matched); at += WINDOW) {
        if (asked.has(at)) continue;
        for (let position = Math.max(at, first); position < Math.min(at + WINDOW, end, head.matched); position++) {
          if (rows.has(position)) continue;
          void fetchWindow(at);
          break;
        }
      }
    },
    choose(uri, filter = NO_FILTER, order = FILE_ORDER) {
      head = null;
      problem = null;
      rows = new Map();
      positions = new Map();
      change({ uri, filter, order });
    },
    filter(filter) {
      if (query !== null) change({ ...query, filter });
    },
    order(order) {
      if (query !== null) change({ ...query, order });
    },
    refresh() {
      if (looking) again = true;
      else void look(false);
    },
  };
}
