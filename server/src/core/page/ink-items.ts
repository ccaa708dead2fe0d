/** The layout of a page image: pieces of ink become lines, rules and figures; so does what is too pale to be ink. */
import type { PageInk } from '../ports.ts';
import type { LayoutItem } from './layout-types.ts';
import { weightedMedian } from './median.ts';
import { union } from './rects.ts';
import type { Rect } from './rects.ts';
import { marksOf, piecesOf, shareSet, withRowsJoined } from './pieces.ts';
import type { Bitmap, Piece } from './pieces.ts';

/** All in pixels at 300 dpi. */
const ROWS_JOINED = 2;
/** Letters of a word are less than this apart, words more. */
const LETTER_GAP = 8;
const RULE_THICKNESS = 14;
/** Smaller pieces are dirt, or belong to a line beside them. */
const SPECK = 6;
/** Compression leaves grey so far around what is dark, in pixels of the image. */
const RIPPLE = 8;
/** Share of the page that is not background, from which the paper itself is taken to be so: a photograph, a dirty scan. */
const MOST_MARKED = 0.6;

/** In multiples of the usual height of text. */
const WORD_GAP = 1.1;
const FIGURE_HEIGHT = 3.5;
const TURNED_WIDTH = 1.8;
const RULE_LENGTH = 2.5;

export function inkItems(ink: PageInk, page: { readonly width: number; readonly height: number }): LayoutItem[] {
  const scale = page.width / ink.width;
  const step = Math.max(1, Math.round(ROWS_JOINED / scale));
  const dark = scaled(piecesOf(withRowsJoined(ink, step), Math.round(LETTER_GAP / scale)), scale, scale * step);
  const marks = marksOf(ink);
  const textHeight = textHeightOf(dark);
  const pale =
    shareSet(marks) > MOST_MARKED ? [] : palePieces(marks, ink.cell * scale, RIPPLE * scale, dark, textHeight);
  const words: Rect[] = [];
  const items: LayoutItem[] = [];
  const specks: Rect[] = [];
  for (const piece of [...dark, ...pale]) {
    const kind = kindOf(piece, textHeight);
    if (kind === 'word') words.push(piece);
    else if (kind === 'speck') specks.push(piece);
    else items.push({ kind, ...edges(piece) });
  }
  return [...items, ...linesOf(words, specks, textHeight)];
}

function edges({ left, top, right, bottom }: Rect): Rect {
  return { left, top, right, bottom };
}

function scaled(pieces: readonly Piece[], x: number, y: number): Piece[] {
  return pieces.map(({ left, top, right, bottom, filled }) => ({
    left: left * x,
    top: top * y,
    right: right * x,
    bottom: bottom * y,
    filled: filled * x * y,
  }));
}

/** Median height of pieces that may be words, each counted by its width. */
function textHeightOf(pieces: readonly Piece[]): number {
  const pairs = pieces.flatMap(({ left, top, right, bottom }): [number, number][] => {
    const height = bottom - top;
    return height >= 12 && height <= 150 && right - left >= 0.8 * height ? [[height, right - left]] : [];
  });
  return weightedMedian(pairs) ?? 40;
}

type PieceKind = 'word' | 'speck' | 'rule' | 'figure' | 'line';

function kindOf(piece: Rect, textHeight: number): PieceKind {
  const width = piece.right - piece.left;
  const height = piece.bottom - piece.top;
  if (width < SPECK && height < SPECK) return 'speck';
  const [short, long] = width < height ? [width, height] : [height, width];
  if (short <= RULE_THICKNESS && long >= RULE_LENGTH * textHeight && long >= 10 * short) return 'rule';
  if (height <= FIGURE_HEIGHT * textHeight) return 'word';
  // Text that is turned is a line of its own.
  return width <= TURNED_WIDTH * textHeight ? 'line' : 'figure';
}

/** What differs from the background without being ink: grey rules, coloured areas, pale text. */
function palePieces(marks: Bitmap, cell: number, ripple: number, dark: readonly Piece[], textHeight: number): Piece[] {
  const byTop = [...dark].sort((a, b) => a.top - b.top);
  return scaled(piecesOf(marks, 1), cell, cell).filter((piece) => {
    const inside = around(byTop, piece, cell);
    if (inside === undefined) return piece.right - piece.left > cell || piece.bottom - piece.top > cell;
    const slack = Math.max(2 * cell, ripple) + 4;
    const isExplained =
      inside.left - piece.left <= slack &&
      inside.top - piece.top <= slack &&
      piece.right - inside.right <= slack &&
      piece.bottom - inside.bottom <= slack;
    if (!isExplained) return true;
    // A coloured area with text in it up to its edges.
    const area = (piece.right - piece.left) * (piece.bottom - piece.top);
    return piece.bottom - piece.top > FIGURE_HEIGHT * textHeight && piece.filled > 0.5 * area;
  });
}

/** Bounds of the dark pieces within a piece; undefined without any. */
function around(byTop: readonly Piece[], { left, top, right, bottom }: Rect, slack: number): Rect | undefined {
  let bounds: Rect | undefined;
  for (let i = firstFrom(byTop, top - slack); i < byTop.length && byTop[i]!.top < bottom; i++) {
    const one = byTop[i]!;
    if (one.left < left - slack || one.right > right + slack || one.bottom > bottom + slack) continue;
    bounds = bounds === undefined ? one : union(bounds, one);
  }
  return bounds;
}

function firstFrom(byTop: readonly Rect[], top: number): number {
  let low = 0;
  let high = byTop.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byTop[middle]!.top < top) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Words beside each other become lines; specks (points, accents) join the line they stand at and are dropped elsewhere. */
function linesOf(words: readonly Rect[], specks: readonly Rect[], textHeight: number): LayoutItem[] {
  const lines: Rect[] = [];
  // From the left: each word goes on with the line that ends nearest before it.
  const left = [...words].sort((a, b) => a.left - b.left);
  for (const word of left) {
    let best = -1;
    for (let i = lines.length - 1; i >= 0; i--) {
      const line = lines[i]!;
      if (word.left - line.right > WORD_GAP * textHeight || !onOneLine(line, word)) continue;
      if (best < 0 || line.right > lines[best]!.right) best = i;
    }
    if (best < 0) lines.push(edges(word));
    else lines[best] = union(lines[best]!, word);
  }
  const joined = joinOverlapping(lines, textHeight);
  for (const speck of specks) {
    const at = joined.findIndex(
      (line) =>
        speck.left - line.right <= WORD_GAP * textHeight &&
        line.left - speck.right <= WORD_GAP * textHeight &&
        speck.top >= line.top - 0.3 * textHeight &&
        speck.bottom <= line.bottom + 0.3 * textHeight,
    );
    if (at >= 0) joined[at] = union(joined[at]!, speck);
  }
  return joined.map((line): LayoutItem => ({ kind: 'line', ...line }));
}

/** Whether they share at least half of the height of the less high one. */
function onOneLine(a: Rect, b: Rect): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return shared >= 0.5 * Math.min(a.bottom - a.top, b.bottom - b.top);
}

/** Lines that were begun twice, at a hyphen or an accent, are one. */
function joinOverlapping(lines: readonly Rect[], textHeight: number): Rect[] {
  const joined: Rect[] = [];
  for (const line of [...lines].sort((a, b) => b.right - b.left - (a.right - a.left))) {
    const at = joined.findIndex(
      (other) =>
        onOneLine(other, line) &&
        line.left - other.right <= WORD_GAP * textHeight &&
        other.left - line.right <= WORD_GAP * textHeight,
    );
    if (at < 0) joined.push(line);
    else joined[at] = union(joined[at]!, line);
  }
  return joined;
}
