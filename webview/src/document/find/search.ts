/** Looks through the record and all pages of its document, page by page, from where one reads; a new question ends the one before. */
import type { TextPiece } from '../../pdf.ts';
import type { FindOptions, FoldedText, Match } from './folded.ts';
import { fold, matchesIn } from './folded.ts';

/** Something with text: the record, or a page. */
export interface Source {
  /** What its text is kept by; null: it may change at any time. */
  readonly key: string | null;
  /** null: it has no text (a picture). Rejects where it cannot be read. */
  read(): Promise<readonly TextPiece[] | null>;
}

export interface Found {
  /** By source. */
  readonly matches: readonly (readonly Match[])[];
  readonly count: number;
  /** Sources without text, and those that could not be read. */
  readonly textless: number;
  readonly unread: number;
  /** All sources were looked through. */
  readonly done: boolean;
  /** There are more than are counted. */
  readonly more: boolean;
}

export interface Search {
  /**
   * Begins at the source `from` and goes round. `tell` comes after each source with matches, and at the end. Settles when it is
   * done, or was ended.
   */
  run(
    sources: readonly Source[],
    query: string,
    options: FindOptions,
    from: number,
    tell: (found: Found) => void,
  ): Promise<void>;
  stop(): void;
}

/** Nobody goes through more matches than this. */
export const MOST_MATCHES = 5000;
/** The page answers keys and pointers after so many ms of searching. */
const SLICE_MS = 8;
/** Texts of so many pages are kept. */
const MOST_KEPT = 400;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

export function createSearch(): Search {
  let round = 0;
  const kept = new Map<string, Promise<readonly TextPiece[] | null>>();
  let folded = new Map<string, FoldedText>();
  let foldedCase = false;

  function read(source: Source): Promise<readonly TextPiece[] | null> {
    const { key } = source;
    const known = key === null ? undefined : kept.get(key);
    if (known !== undefined) {
      return known;
    }
    const pieces = source.read();
    if (key !== null) {
      kept.set(key, pieces);
      // Asked again by the next search.
      pieces.catch(() => kept.delete(key));
      for (const oldest of kept.keys()) {
        if (kept.size <= MOST_KEPT) {
          break;
        }
        kept.delete(oldest);
        folded.delete(oldest);
      }
    }
    return pieces;
  }

  function foldedOf(source: Source, pieces: readonly TextPiece[], matchCase: boolean): FoldedText {
    if (matchCase !== foldedCase) {
      folded = new Map();
      foldedCase = matchCase;
    }
    const known = source.key === null ? undefined : folded.get(source.key);
    const text = known ?? fold(pieces, matchCase);
    if (source.key !== null && kept.has(source.key)) {
      folded.set(source.key, text);
    }
    return text;
  }

  return {
    async run(sources, query, options, from, tell) {
      round += 1;
      const mine = round;
      const matches: (readonly Match[])[] = sources.map(() => []);
      const told = { count: 0, textless: 0, unread: 0, done: false, more: false };
      let since = performance.now();
      for (let step = 0; step < sources.length && told.count < MOST_MATCHES; step++) {
        const at = (from + step) % sources.length;
        const source = sources[at];
        if (source === undefined) {
          continue;
        }
        let pieces: readonly TextPiece[] | null = null;
        try {
          pieces = await read(source);
          told.textless += pieces === null ? 1 : 0;
        } catch {
          told.unread += 1;
        }
        if (mine !== round) {
          return;
        }
        if (pieces !== null) {
          const found = matchesIn(
            foldedOf(source, pieces, options.matchCase),
            query,
            options,
            MOST_MATCHES - told.count,
          );
          matches[at] = found;
          told.count += found.length;
          if (found.length > 0) {
            tell({ ...told, matches });
          }
        }
        if (performance.now() - since > SLICE_MS) {
          await pause();
          if (mine !== round) {
            return;
          }
          since = performance.now();
        }
      }
      told.done = true;
      told.more = told.count >= MOST_MATCHES;
      tell({ ...told, matches });
    },
    stop() {
      round += 1;
    },
  };
}
