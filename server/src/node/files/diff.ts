/** A unified diff of two versions of a record file, line by line, without context: records are long. */
import { createHash } from 'node:crypto';
import { textOf } from './write.ts';

export interface DiffLine {
  readonly kind: 'head' | 'hunk' | 'old' | 'new' | 'note';
  /** Without a line end. */
  readonly text: string;
}

/** Lines after which two versions are no longer looked through for a line that both have. */
const WINDOW = 1000;
const NO_LINE_END = '\\ No newline at end of file';

/** A line with its end. */
interface Line {
  readonly text: string;
  /** Instead of comparing long lines again and again. */
  readonly key: string;
}

interface LineQueue {
  /** The line `ahead` lines after the current one; undefined past the end. */
  peek(ahead: number): Promise<Line | undefined>;
  take(): Line;
}

/** Nothing where both are equal. `name` stands in the head. */
export async function* diffFiles(oldFile: string, newFile: string, name: string): AsyncGenerator<DiffLine> {
  const old = createQueue(textOf(oldFile));
  const fresh = createQueue(textOf(newFile));
  let oldLine = 1;
  let newLine = 1;
  let told = false;
  for (;;) {
    const [a, b] = [await old.peek(0), await fresh.peek(0)];
    if (a === undefined && b === undefined) return;
    if (a?.key === b?.key) {
      old.take();
      fresh.take();
      oldLine++;
      newLine++;
      continue;
    }
    const [removed, added] = await changedRun(old, fresh);
    if (!told) {
      yield { kind: 'head', text: `--- a/${name.replace(/^\/+/, '')}` };
      yield { kind: 'head', text: `+++ b/${name.replace(/^\/+/, '')}` };
      told = true;
    }
    yield { kind: 'hunk', text: `@@ -${rangeOf(oldLine, removed)} +${rangeOf(newLine, added)} @@` };
    for (let i = 0; i < removed; i++) yield* shown('old', old.take());
    for (let i = 0; i < added; i++) yield* shown('new', fresh.take());
    oldLine += removed;
    newLine += added;
  }
}

/** How many lines of each differ before both go on with the same line. */
async function changedRun(old: LineQueue, fresh: LineQueue): Promise<readonly [number, number]> {
  const oldKeys = new Map<string, number>();
  const newKeys = new Map<string, number>();
  for (let ahead = 0; ahead < WINDOW; ahead++) {
    const [a, b] = [await old.peek(ahead), await fresh.peek(ahead)];
    if (a !== undefined && !oldKeys.has(a.key)) oldKeys.set(a.key, ahead);
    if (b !== undefined && !newKeys.has(b.key)) newKeys.set(b.key, ahead);
    const inNew = a && newKeys.get(a.key);
    if (inNew !== undefined) return [ahead, inNew];
    const inOld = b && oldKeys.get(b.key);
    if (inOld !== undefined) return [inOld, ahead];
    if (a === undefined && b === undefined) return [await length(old, ahead), await length(fresh, ahead)];
  }
  return [await length(old, WINDOW), await length(fresh, WINDOW)];
}

async function length(queue: LineQueue, most: number): Promise<number> {
  let lines = 0;
  while (lines < most && (await queue.peek(lines)) !== undefined) lines++;
  return lines;
}

function rangeOf(first: number, count: number): string {
  // Where nothing stands, the line before it is named.
  if (count === 0) return `${first - 1},0`;
  return count === 1 ? String(first) : `${first},${count}`;
}

function* shown(kind: 'old' | 'new', { text }: Line): Generator<DiffLine> {
  const isEnded = text.endsWith('\n');
  yield { kind, text: `${kind === 'old' ? '-' : '+'}${isEnded ? text.slice(0, -1) : text}` };
  if (!isEnded) yield { kind: 'note', text: NO_LINE_END };
}

function createQueue(pieces: AsyncIterable<string>): LineQueue {
  const source = linesOf(pieces);
  const waiting: Line[] = [];
  let ended = false;
  return {
    async peek(ahead) {
      while (waiting.length <= ahead && !ended) {
        const next = await source.next();
        if (next.done === true) ended = true;
        else waiting.push({ text: next.value, key: keyOf(next.value) });
      }
      return waiting[ahead];
    },
    take() {
      const line = waiting.shift();
      if (line === undefined) throw new RangeError('There is no further line');
      return line;
    },
  };
}

function keyOf(line: string): string {
  return line.length < 200 ? line : createHash('sha256').update(line).digest('base64');
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let parts: string[] = [];
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      parts.push(piece.slice(start, end + 1));
      yield parts.length === 1 ? parts[0]! : parts.join('');
      parts = [];
      start = end + 1;
    }
    if (start < piece.length) parts.push(piece.slice(start));
  }
  if (parts.length > 0) yield parts.join('');
}
