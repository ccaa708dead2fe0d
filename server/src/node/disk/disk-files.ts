/** Changes of record files on disk that can be taken back: through the one writer of files, each with its step in the journal. */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import path from 'node:path';
import { hashOfSame, locateRewriting } from '../files/rewrite.ts';
import type { Rewriting } from '../files/rewrite.ts';
import { bytesOf, NotWritten, replaceFile, stateOf } from '../files/write.ts';
import type { FileState } from '../files/write.ts';
import { createJournal, JOURNAL_LIMITS, trimJournals } from './journal.ts';
import type { Journal, JournalIndex, JournalLimits, Mark, Step } from './journal.ts';
import { inverseOf, packPatches, patchedBytes, patchesOf, sizeOf, unpackPatches } from './patches.ts';
import type { BytePatch } from './patches.ts';

/** What a change is called, for people ("Move box 2"), and the record that it is of: 0-based; null: several, or the file. */
export interface Deed {
  readonly title: string;
  readonly record: number | null;
}

/** Titles of what can be taken back and made again. */
export interface History {
  readonly undo: string | null;
  readonly redo: string | null;
}

/** What a file was and is. `patches`: what was changed; absent: the file is another one as a whole. */
export interface Written {
  readonly before: FileState;
  readonly after: FileState;
  readonly patches?: readonly BytePatch[];
}

export type QuickPatches = () => Promise<
  { readonly patches: readonly BytePatch[]; readonly expected: FileState } | undefined
>;

/** All of them throw NotWritten where the file is as it was before, and one works on a file at a time. */
export interface DiskFiles {
  /**
   * Makes edits of records. `quick`: how they are found without a pass over the file, where they are. undefined: there is nothing to
   * be changed.
   */
  edit(file: string, rewriting: Rewriting, deed: Deed, quick?: QuickPatches): Promise<Written | undefined>;
  /** Makes patches in a file that is still as `expected`. */
  patch(file: string, patches: readonly BytePatch[], expected: FileState, deed: Deed): Promise<Written>;
  /** Puts other bytes in the place of a file that is still as `expected`. The old ones are kept where the journal has room. */
  replaceWhole(file: string, pieces: AsyncIterable<Uint8Array>, expected: FileState, deed: Deed): Promise<Written>;
  /**
   * Takes the last change back, or makes the one again that was taken back last. `text`: as an editor has it that shows the
   * file; refused where the disk has another one. `only`: its title; refused where it is another change's turn.
   */
  step(
    file: string,
    redo: boolean,
    meant?: { readonly text?: string | undefined; readonly only?: string | undefined },
  ): Promise<Deed & Written>;
  history(file: string): Promise<History>;
  /** Ends when nothing is being written any more. */
  settled(): Promise<void>;
}

export interface DiskFilesOptions {
  /** Folder of the journal. */
  readonly folder: string;
  readonly limits?: JournalLimits;
  /** Hears of what could not be kept. */
  readonly log: (line: string) => void;
}

const NOTHING: History = { undo: null, redo: null };

export function createDiskFiles({ folder, limits = JOURNAL_LIMITS, log }: DiskFilesOptions): DiskFiles {
  const journal = createJournal(folder);
  const turns = new Map<string, Promise<unknown>>();
  void trimJournals(folder, limits).catch((error: unknown) =>
    log(`The journal could not be trimmed: ${String(error)}`),
  );

  async function inTurn<R>(file: string, work: (target: string) => Promise<R>): Promise<R> {
    // A file that has several names has one journal.
    const target = await realpath(file).catch(() => file);
    const before = turns.get(target) ?? Promise.resolve();
    const done = before.then(() => work(target));
    const settled = done.catch(() => undefined);
    turns.set(target, settled);
    void settled.then(() => {
      if (turns.get(target) === settled) turns.delete(target);
    });
    return done;
  }

  /** Writes a new version, and the step to it before that takes the old one's name. */
  async function write(
    file: string,
    pieces: AsyncIterable<Uint8Array>,
    expected: FileState,
    deed: Deed,
    content: Pick<Step, 'kind' | 'bytes'> & { keep(id: string): Promise<void> },
  ): Promise<FileState> {
    const id = randomBytes(9).toString('hex');
    let before: JournalIndex | undefined;
    let after: JournalIndex | undefined;
    const ready = async (state: FileState): Promise<void> => {
      // Not sooner: another process may have written the file, and its own step, meanwhile.
      before = await journal.read(file);
      if (content.bytes > limits.bytes) return;
      const at = before === undefined ? undefined : placeOf(before, expected.hash);
      const done = before?.steps.slice(0, at ?? 0) ?? [];
      const { kind, bytes } = content;
      const step: Step = { id, ...deed, kind, bytes, before: markOf(expected), after: markOf(state) };
      const steps = bounded([...done, step], limits);
      after = { format: 1, file, steps, at: steps.length, state };
      try {
        await mkdir(path.dirname(journal.pathOf(file, id, 'patches')), { recursive: true, mode: 0o700 });
        await content.keep(id);
        await journal.write(after);
      } catch (error) {
        after = undefined;
        log(`The change of ${file} cannot be undone, the journal could not be written: ${String(error)}`);
      }
    };
    let state: FileState;
    try {
      state = await replaceFile(file, pieces, expected, ready);
    } catch (error) {
      if (after !== undefined) await restore(file, before);
      throw error;
    }
    try {
      if (after !== undefined) await journal.sweep(after);
      // What was done before leads to another version.
      else if (before !== undefined) await journal.forget(file);
    } catch (error) {
      log(`The journal of ${file} could not be tidied: ${String(error)}`);
    }
    return state;
  }

  async function restore(file: string, before: JournalIndex | undefined): Promise<void> {
    try {
      if (before === undefined) return await journal.forget(file);
      await journal.write(before);
      await journal.sweep(before);
    } catch (error) {
      log(`The journal of ${file} could not be put back: ${String(error)}`);
    }
  }

  async function patchFile(
    file: string,
    patches: readonly BytePatch[],
    expected: FileState,
    deed: Deed,
  ): Promise<Written> {
    const after = await write(file, patchedBytes(file, patches), expected, deed, {
      kind: 'patches',
      bytes: sizeOf(patches),
      keep: (id) => writeFile(journal.pathOf(file, id, 'patches'), packPatches(patches), { mode: 0o600 }),
    });
    return { before: expected, after, patches };
  }

  return {
    edit: (file, rewriting, deed, quick) =>
      inTurn(file, async (target) => {
        const found = await quick?.();
        if (found !== undefined) {
          const { patches, expected } = found;
          return patches.length === 0 ? undefined : patchFile(target, patches, expected, deed);
        }
        const { edits, state } = await locateRewriting(target, rewriting);
        return edits.length === 0 ? undefined : patchFile(target, await patchesOf(target, edits), state, deed);
      }),
    patch: (file, patches, expected, deed) => inTurn(file, (target) => patchFile(target, patches, expected, deed)),
    replaceWhole: (file, pieces, expected, deed) =>
      inTurn(file, async (target) => {
        const after = await write(target, pieces, expected, deed, {
          kind: 'whole',
          bytes: expected.size,
          keep: (id) => keepVersion(target, journal.pathOf(target, id, 'before')),
        });
        return { before: expected, after };
      }),
    step: (file, redo, { text, only } = {}) =>
      inTurn(file, async (target) => {
        const index = await journal.read(target);
        if (index === undefined) throw nothingTo(redo);
        const state = await readState(target);
        const at = placeOf(index, state.hash);
        if (at === undefined) throw new NotWritten(`was changed by something else since “${lastOf(index).title}”`);
        const step = index.steps[redo ? at : at - 1];
        if (step === undefined) throw nothingTo(redo);
        if (only !== undefined && step.title !== only)
          throw new NotWritten(`was changed again since (“${step.title}”), and that would be undone first`);
        if (text !== undefined) await hashOfSame(target, text);
        const other = redo ? step.after : step.before;
        const content = await contentOf(journal, target, step, redo);
        const pieces = 'patches' in content ? patchedBytes(target, content.patches) : bytesOf(content.version);
        const after = await replaceFile(target, pieces, state, async (fresh) => {
          if (fresh.hash !== other.hash)
            throw new NotWritten(`cannot be put back: what is kept of “${step.title}” is damaged`);
          try {
            if (step.kind === 'whole') {
              await keepVersion(target, journal.pathOf(target, step.id, redo ? 'before' : 'after'));
            }
            await journal.write({ ...index, at: redo ? at + 1 : at - 1, state: fresh });
          } catch (error) {
            log(`The journal of ${target} could not be written: ${String(error)}`);
          }
        });
        if (step.kind === 'whole')
          await rm(journal.pathOf(target, step.id, redo ? 'after' : 'before'), { force: true });
        const patches = 'patches' in content ? { patches: content.patches } : {};
        return { title: step.title, record: step.record, before: state, after, ...patches };
      }),
    history: (file) =>
      inTurn(file, async (target) => {
        const index = await journal.read(target);
        const at = index && (await currentPlace(index, target));
        if (index === undefined || at === undefined) return NOTHING;
        return { undo: index.steps[at - 1]?.title ?? null, redo: index.steps[at]?.title ?? null };
      }),
    async settled() {
      await Promise.all(turns.values());
    },
  };
}

/** The steps that fit, the newest ones. */
function bounded(steps: readonly Step[], limits: JournalLimits): readonly Step[] {
  let from = steps.length;
  let bytes = 0;
  while (from > 0 && steps.length - from < limits.steps) {
    bytes += steps[from - 1]!.bytes;
    if (bytes > limits.bytes) break;
    from--;
  }
  return steps.slice(from);
}

function markOf({ size, hash }: FileState): Mark {
  return { size, hash };
}

/** How many steps lead to a version; the nearest place to where the journal was last. undefined: no step knows it. */
function placeOf({ steps, at }: JournalIndex, hash: string): number | undefined {
  const places = steps.flatMap(({ after }, before) => (after.hash === hash ? [before + 1] : []));
  if (steps[0]?.before.hash === hash) places.push(0);
  return places.sort((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
}

/** The same of the file as it is; its bytes are read only where size and time do not tell already. */
async function currentPlace(index: JournalIndex, file: string): Promise<number | undefined> {
  const { state, steps } = index;
  const now = await stat(file).catch(() => undefined);
  if (now === undefined) return undefined;
  if (now.size === state.size && now.mtimeMs === state.mtimeMs && now.ino === state.ino) return index.at;
  if (!steps.some(({ before, after }) => before.size === now.size || after.size === now.size)) return undefined;
  const found = await stateOf(file).catch(() => undefined);
  return found && placeOf(index, found.hash);
}

function lastOf({ steps, at }: JournalIndex): Step {
  return steps[at - 1] ?? steps[0]!;
}

function nothingTo(redo: boolean): NotWritten {
  return new NotWritten(redo ? 'has no change that was taken back' : 'has no change that could be taken back');
}

async function readState(file: string): Promise<FileState> {
  try {
    return await stateOf(file);
  } catch {
    throw new NotWritten('cannot be read any more');
  }
}

async function contentOf(
  journal: Journal,
  file: string,
  step: Step,
  redo: boolean,
): Promise<{ readonly patches: readonly BytePatch[] } | { readonly version: string }> {
  const lost = new NotWritten(`cannot be put back: what is kept of “${step.title}” is not there any more`);
  if (step.kind === 'whole') {
    const kept = journal.pathOf(file, step.id, redo ? 'after' : 'before');
    await stat(kept).catch(() => {
      throw lost;
    });
    return { version: kept };
  }
  const packed = await readFile(journal.pathOf(file, step.id, 'patches')).catch(() => undefined);
  const patches = packed && unpackPatches(packed);
  if (patches === undefined) throw lost;
  return { patches: redo ? patches : inverseOf(patches) };
}

/** A copy for the journal; where the file system can, it takes no room of its own. */
async function keepVersion(file: string, kept: string): Promise<void> {
  await copyFile(file, kept, constants.COPYFILE_FICLONE);
}
