/** Which keys and which recurring texts the records of a file have, counted record by record. */

export interface UsedKey {
  count: number;
  /** A value of the shape of the first one seen, `$1` where the cursor goes. */
  readonly shape: string;
}

export interface UsedValues<R extends object> {
  /**
   * Takes records that are new into account and those that are gone out of it, until `isLate` says so. `sourceOf`: undefined where the
   * record was not read yet; it is asked for again the next time. Whether all are counted.
   */
  update(rows: readonly R[], sourceOf: (row: R) => unknown, isLate: () => boolean): boolean;
  /** How many records have each text at a path; undefined where texts hardly recur there. */
  textsAt(path: readonly (string | number)[]): ReadonlyMap<string, number> | undefined;
  keysAt(path: readonly (string | number)[]): ReadonlyMap<string, UsedKey>;
}

/** Texts that are no longer, in UTF-16 units, may be names of kinds. */
const LONGEST = 80;
/** More texts than this at one path are no kinds of anything. */
const KINDS = 300;
const DEPTH = 6;
/** Elements of one list, and texts of one record, that are looked at. */
const ELEMENTS = 60;
const TEXTS = 200;

/** What one record has: pairs of path and text, and paths of objects with their keys. */
interface Seen {
  readonly texts: readonly string[];
  readonly keys: readonly string[];
}

const NONE: ReadonlyMap<string, UsedKey> = new Map();

export function createUsedValues<R extends object>(): UsedValues<R> {
  const seen = new Map<R, Seen>();
  const texts = new Map<string, Map<string, number> | null>();
  const keys = new Map<string, Map<string, UsedKey>>();
  let last: readonly R[] = [];
  let waiting: R[] = [];

  function add(row: R, source: unknown): void {
    const found = { texts: [] as string[], keys: [] as string[] };
    collect(source, '', 0, found);
    seen.set(row, found);
    for (let at = 0; at < found.texts.length; at += 2) {
      const [path, text] = [found.texts[at]!, found.texts[at + 1]!];
      const counts = texts.get(path);
      if (counts === null) continue;
      if (counts === undefined) texts.set(path, new Map([[text, 1]]));
      else if (counts.size > KINDS) texts.set(path, null);
      else counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    for (let at = 0; at < found.keys.length; at += 3) {
      const [path, key, shape] = [found.keys[at]!, found.keys[at + 1]!, found.keys[at + 2]!];
      let counts = keys.get(path);
      if (counts === undefined) keys.set(path, (counts = new Map()));
      const known = counts.get(key);
      if (known !== undefined) known.count++;
      else if (counts.size <= KINDS) counts.set(key, { count: 1, shape });
    }
  }

  function remove(row: R): void {
    const gone = seen.get(row);
    if (gone === undefined) return;
    seen.delete(row);
    for (let at = 0; at < gone.texts.length; at += 2) {
      const counts = texts.get(gone.texts[at]!);
      const text = gone.texts[at + 1]!;
      const left = (counts?.get(text) ?? 1) - 1;
      if (left > 0) counts?.set(text, left);
      else counts?.delete(text);
    }
    for (let at = 0; at < gone.keys.length; at += 3) {
      const counts = keys.get(gone.keys[at]!);
      const known = counts?.get(gone.keys[at + 1]!);
      if (known !== undefined && --known.count === 0) counts?.delete(gone.keys[at + 1]!);
    }
  }

  /** Compares with the records before: all but those that were typed in are at the same distance from either end. */
  function compare(rows: readonly R[]): void {
    const shorter = Math.min(rows.length, last.length);
    let head = 0;
    while (head < shorter && rows[head] === last[head]) head++;
    let tail = 0;
    while (tail < shorter - head && rows[rows.length - 1 - tail] === last[last.length - 1 - tail]) tail++;
    const now = new Set(rows.slice(head, rows.length - tail));
    for (const row of last.slice(head, last.length - tail)) if (!now.has(row)) remove(row);
    const left = new Set(last.slice(head, last.length - tail).filter((row) => !now.has(row)));
    waiting = waiting.filter((row) => !left.has(row));
    const queued = new Set(waiting);
    for (const row of now) if (!seen.has(row) && !queued.has(row)) waiting.push(row);
    last = rows;
  }

  return {
    update(rows, sourceOf, isLate) {
      if (rows !== last) compare(rows);
      const unread: R[] = [];
      let at = 0;
      for (; at < waiting.length; at++) {
        if (at % 16 === 0 && isLate()) break;
        const row = waiting[at]!;
        const source = sourceOf(row);
        if (source === undefined) unread.push(row);
        else add(row, source);
      }
      waiting = at < waiting.length ? [...waiting.slice(at), ...unread] : unread;
      return waiting.length === 0;
    },
    textsAt(path) {
      const counts = texts.get(patternOf(path));
      if (counts === undefined || counts === null) return undefined;
      let all = 0;
      for (const count of counts.values()) all += count;
      // Names of things recur; names of records do not.
      return all >= 2 * counts.size || counts.size <= 3 ? counts : undefined;
    },
    keysAt: (path) => keys.get(patternOf(path)) ?? NONE,
  };
}

function patternOf(path: readonly (string | number)[]): string {
  return path.map((step) => (typeof step === 'number' ? '/*' : `/${step}`)).join('');
}

function collect(value: unknown, path: string, depth: number, into: { texts: string[]; keys: string[] }): void {
  if (typeof value === 'string') {
    if (value !== '' && value.length <= LONGEST && into.texts.length < 2 * TEXTS && !value.includes('\n')) {
      into.texts.push(path, value);
    }
  } else if (depth >= DEPTH || typeof value !== 'object' || value === null) return;
  else if (Array.isArray(value)) {
    const below = `${path}/*`;
    for (let at = 0; at < value.length && at < ELEMENTS; at++) {
      const element: unknown = value[at];
      // Numbers have neither keys nor names.
      if (typeof element !== 'number') collect(element, below, depth + 1, into);
    }
  } else {
    for (const [key, member] of Object.entries(value)) {
      if (into.keys.length < 3 * TEXTS) into.keys.push(path, key, shapeOf(member, 0));
      if (typeof member === 'string' || typeof member === 'object') collect(member, `${path}/${key}`, depth + 1, into);
    }
  }
}

function shapeOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return '"$1"';
  if (typeof value === 'number') return '${1:0}';
  if (typeof value === 'boolean') return '${1:false}';
  if (Array.isArray(value)) {
    const [first] = value as readonly unknown[];
    return typeof first === 'object' && first !== null && !Array.isArray(first)
      ? '[{$1}]'
      : typeof first === 'number' || depth > 3 || first === undefined
        ? '[$1]'
        : `[${shapeOf(first, depth + 1)}]`;
  }
  return value === null ? '$1' : '{$1}';
}
