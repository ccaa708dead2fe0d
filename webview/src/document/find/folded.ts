/**
 * Text as it is searched: letters without their accents, ligatures as letters, line ends as spaces, and words that a line end
 * divides as one. Every character knows where it came from.
 */
import type { TextPiece } from '../../pdf.ts';

export interface FoldedText {
  readonly text: string;
  /** For each UTF-16 unit of `text`, where the character begins that it came from: an offset in all pieces, put together. */
  readonly origins: Uint32Array;
  /** Offset of each piece in all pieces put together; at the end, their length. */
  readonly starts: Uint32Array;
}

export interface FindOptions {
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
}

/** From within a piece to within another; offsets in UTF-16 units of the piece, the end exclusive. */
export interface Match {
  readonly start: { readonly piece: number; readonly offset: number };
  readonly end: { readonly piece: number; readonly offset: number };
}

/** Stands where a hyphen divided a word at the end of a line: the word is found with and without it. */
const DIVIDED = '\u00AD';
const HYPHENS = /[-\u2010\u2011\u00AD]/u;
const LETTER = /\p{L}/u;
const LOWER = /\p{Ll}/u;
const WORD = /[\p{L}\p{N}\p{M}_]/u;

function foldCharacter(character: string, matchCase: boolean): string {
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return matchCase ? plain : plain.toLowerCase();
}

/** Whether a line that ends so, before a line that begins so, divides a word. */
function divides(line: string, next: string): boolean {
  const hyphen = line.at(-1) ?? '';
  return HYPHENS.test(hyphen) && LETTER.test(line.at(-2) ?? '') && LOWER.test(next.charAt(0));
}

export function fold(pieces: readonly TextPiece[], matchCase: boolean): FoldedText {
  const starts = new Uint32Array(pieces.length + 1);
  const origins: number[] = [];
  const parts: string[] = [];
  const put = (text: string, origin: number): void => {
    parts.push(text);
    for (let unit = 0; unit < text.length; unit++) {
      origins.push(origin);
    }
  };
  pieces.forEach(({ text, endsLine }, at) => {
    const start = starts[at] ?? 0;
    starts[at + 1] = start + text.length;
    const isDivided = endsLine && divides(text.trimEnd(), pieces[at + 1]?.text ?? '');
    const whole = isDivided ? text.trimEnd().slice(0, -1) : text;
    let offset = 0;
    for (const character of whole) {
      const code = character.charCodeAt(0);
      // Nearly all of it.
      const plain =
        code < 128 ? (matchCase ? character : character.toLowerCase()) : foldCharacter(character, matchCase);
      put(plain, start + offset);
      offset += character.length;
    }
    if (isDivided) {
      put(DIVIDED, start + offset);
    } else if (endsLine) {
      put(' ', start + text.length);
    }
  });
  return { text: parts.join(''), origins: Uint32Array.from(origins), starts };
}

/** null: there is nothing to look for. */
function patternOf(query: string, matchCase: boolean): RegExp | null {
  const words = query
    .trim()
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (words.length === 0) {
    return null;
  }
  const patterns = words.map((word) => {
    const units = [...word].flatMap((character) => [...foldCharacter(character, matchCase)]);
    return units
      .map((unit) => (HYPHENS.test(unit) ? `[-\u2010\u2011${DIVIDED}]` : unit.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')))
      .join(`${DIVIDED}?`);
  });
  return new RegExp(patterns.join('\\s+'), 'gu');
}

/** `offset` in all pieces put together. At a border: at the end of the piece before, where `isEnd`. */
function placeOf({ starts }: FoldedText, offset: number, isEnd: boolean): Match['start'] {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const start = starts[middle] ?? 0;
    if (isEnd ? start < offset : start <= offset) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return { piece: low, offset: offset - (starts[low] ?? 0) };
}

/** All matches, in order, none over another; at most `most`. */
export function matchesIn(folded: FoldedText, query: string, options: FindOptions, most: number): readonly Match[] {
  const pattern = patternOf(query, options.matchCase);
  const matches: Match[] = [];
  if (pattern === null) {
    return matches;
  }
  const { text, origins } = folded;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const behind = index + found.length;
    if (options.wholeWord && (WORD.test(text.charAt(index - 1)) || WORD.test(text.charAt(behind)))) {
      continue;
    }
    const last = origins[behind - 1] ?? 0;
    // The character behind says where the last one ends.
    const end = behind < origins.length ? Math.max(last + 1, origins[behind] ?? 0) : (folded.starts.at(-1) ?? last + 1);
    matches.push({ start: placeOf(folded, origins[index] ?? 0, false), end: placeOf(folded, end, true) });
    if (matches.length >= most) {
      break;
    }
  }
  return matches;
}
