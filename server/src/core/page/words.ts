import type { PageBlock, PageGraphic, PageLine, PageText, PageWord } from '../ports.ts';

/** A run of text as a PDF library gives it: PDF points, origin top-left of the page as displayed. */
export interface TextRun {
  readonly text: string;
  /** Start of the baseline. */
  readonly x: number;
  readonly y: number;
  /** Length along the baseline, and size of the font. */
  readonly length: number;
  readonly size: number;
  /** Direction of the baseline, in quarter turns clockwise from left-to-right; undefined for slanted text. */
  readonly turn: 0 | 1 | 2 | 3 | undefined;
}

/** In points, as `TextRun`. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Piece extends Box {
  readonly text: string;
  readonly size: number;
  readonly turn: number;
  /** Position of the baseline across the reading direction. */
  readonly baseline: number;
}

/** Heights as fractions of the font's size, of the common Latin fonts: capitals and digits, small letters, descenders. */
const CAPITAL = 0.7;
const SMALL = 0.48;
const DESCENDER = 0.21;
const TALL = /[\p{Lu}\p{Nd}bdfhiklt!?()[\]{}"'|/&%$€£@#]|[\u0080-\uffff]/u;
const DEEP = /[gjpqyQ()[\]{}|/,;$@]/;
/** A gap wider than this fraction of the font's size ends a line: the next column or cell begins. */
const GAP = 1;
/** Runs of one size on one baseline that are no further apart than this fraction of it are one word: a ligature is often a run of its own. */
const SEAM = 0.03;

/** Words, lines and blocks of a page, as fractions of its size. */
export function analysePage(
  runs: readonly TextRun[],
  graphics: readonly (Box & { readonly kind: PageGraphic['kind'] })[],
  page: { readonly width: number; readonly height: number },
): PageText {
  const pieces = runs.flatMap(piecesOf);
  const lines = linesOf(pieces).map((line) => toLine(joined(line), page));
  return {
    lines,
    blocks: blocksOf(lines, page),
    graphics: graphics.map(({ kind, ...box }) => ({ kind, ...fractionsOf(box, page) })),
  };
}

function fractionsOf({ left, top, right, bottom }: Box, { width, height }: { width: number; height: number }) {
  return { left: left / width, top: top / height, width: (right - left) / width, height: (bottom - top) / height };
}

/** Words of a run. Their places within it are estimated from the usual widths of letters. */
function piecesOf({ text, x, y, length, size, turn }: TextRun): Piece[] {
  if (text.trim() === '' || size <= 0 || turn === undefined) return [];
  const characters = [...text];
  const widths = characters.map(widthOf);
  const whole = widths.reduce((sum, width) => sum + width, 0);
  const scale = whole > 0 ? length / whole : 0;
  const pieces: Piece[] = [];
  let at = 0;
  for (let i = 0; i < characters.length;) {
    if (characters[i]!.trim() === '') {
      at += widths[i++]! * scale;
      continue;
    }
    let word = '';
    const start = at;
    while (i < characters.length && characters[i]!.trim() !== '') {
      word += characters[i]!;
      at += widths[i++]! * scale;
    }
    const rise = (TALL.test(word) ? CAPITAL : SMALL) * size;
    const fall = (DEEP.test(word) ? DESCENDER : 0) * size;
    const baseline = turn % 2 === 0 ? y : x;
    pieces.push({ text: word, size, turn, baseline, ...placed(x, y, turn, start, at, rise, fall) });
  }
  return pieces;
}

function placed(x: number, y: number, turn: number, start: number, end: number, rise: number, fall: number): Box {
  if (turn === 0) return { left: x + start, right: x + end, top: y - rise, bottom: y + fall };
  if (turn === 2) return { left: x - end, right: x - start, top: y - fall, bottom: y + rise };
  if (turn === 1) return { left: x - fall, right: x + rise, top: y + start, bottom: y + end };
  return { left: x - rise, right: x + fall, top: y - end, bottom: y - start };
}

function widthOf(character: string): number {
  if (/[iIjl.,:;'|! ]/.test(character)) return 0.28;
  if (/[ftr()[\]{}\-/\\"]/.test(character)) return 0.35;
  if (/[mwMW@%—…]/.test(character)) return 0.85;
  if (/\p{Lu}/u.test(character)) return 0.68;
  return /[\u2e80-\uffef]/.test(character) ? 1 : 0.52;
}

/** Words that stand on one baseline without a gap between them. */
function linesOf(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [];
  for (const turn of [0, 1, 2, 3]) {
    const rows = rowsOf(pieces.filter((piece) => piece.turn === turn));
    for (const row of rows) {
      let line: Piece[] = [];
      for (const piece of row.sort((a, b) => startOf(a) - startOf(b))) {
        const last = line.at(-1);
        if (last !== undefined && startOf(piece) - endOf(last) > GAP * Math.max(last.size, piece.size)) {
          lines.push(line);
          line = [];
        }
        line.push(piece);
      }
      if (line.length > 0) lines.push(line);
    }
  }
  return lines;
}

/** Pieces of a line, those that are parts of one word put together. */
function joined(line: readonly Piece[]): Piece[] {
  const words: Piece[] = [];
  for (const piece of line) {
    const last = words.at(-1);
    if (last !== undefined && isOneWord(last, piece)) {
      words[words.length - 1] = { ...last, ...around([last, piece]), text: last.text + piece.text };
    } else words.push(piece);
  }
  return words;
}

function isOneWord(one: Piece, next: Piece): boolean {
  const seam = SEAM * one.size;
  return (
    Math.abs(one.size - next.size) <= seam &&
    Math.abs(one.baseline - next.baseline) <= seam &&
    Math.abs(startOf(next) - endOf(one)) <= seam
  );
}

function startOf({ turn, left, top, right, bottom }: Piece): number {
  return turn === 0 ? left : turn === 1 ? top : turn === 2 ? -right : -bottom;
}

function endOf({ turn, left, top, right, bottom }: Piece): number {
  return turn === 0 ? right : turn === 1 ? bottom : turn === 2 ? -left : -top;
}

/** Position of the middle across the reading direction. */
function acrossOf({ turn, left, top, right, bottom }: Piece): number {
  return turn % 2 === 0 ? (top + bottom) / 2 : (left + right) / 2;
}

function rowsOf(pieces: readonly Piece[]): Piece[][] {
  const rows: { middle: number; size: number; pieces: Piece[] }[] = [];
  for (const piece of [...pieces].sort((a, b) => acrossOf(a) - acrossOf(b))) {
    const middle = acrossOf(piece);
    const row = rows.findLast((one) => Math.abs(one.middle - middle) <= 0.35 * Math.max(one.size, piece.size));
    if (row === undefined) rows.push({ middle, size: piece.size, pieces: [piece] });
    else {
      row.pieces.push(piece);
      if (piece.size > row.size) [row.middle, row.size] = [middle, piece.size];
    }
  }
  return rows.map((row) => row.pieces);
}

function toLine(pieces: readonly Piece[], page: { readonly width: number; readonly height: number }): PageLine {
  const box = around(pieces);
  const upright = pieces[0]!.turn === 0;
  const glyphs = pieces.reduce((sum, { text }) => sum + text.length, 0);
  const length = pieces.reduce((sum, piece) => sum + endOf(piece) - startOf(piece), 0);
  return {
    ...fractionsOf(box, page),
    words: pieces.map((piece): PageWord => ({ text: piece.text, ...fractionsOf(piece, page) })),
    glyph: length / Math.max(1, glyphs) / (pieces[0]!.turn % 2 === 0 ? page.width : page.height),
    upright,
  };
}

function around(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

/** Lines below each other that overlap sideways and are at most one line's height apart. */
function blocksOf(lines: readonly PageLine[], page: { readonly width: number; readonly height: number }): PageBlock[] {
  const blocks: PageLine[][] = [];
  for (const line of [...lines].sort((a, b) => a.top - b.top)) {
    const block = blocks.findLast((one) => {
      const last = one.at(-1)!;
      const gap = line.top - (last.top + last.height);
      const overlap = Math.min(last.left + last.width, line.left + line.width) - Math.max(last.left, line.left);
      return line.upright === last.upright && gap <= 1.2 * Math.max(last.height, line.height) && overlap > 0;
    });
    if (block === undefined) blocks.push([line]);
    else block.push(line);
  }
  return blocks.map((block) => ({
    lines: block,
    ...fractionsOf(
      around(
        block.map(({ left, top, width, height }) => ({
          left: left * page.width,
          top: top * page.height,
          right: (left + width) * page.width,
          bottom: (top + height) * page.height,
        })),
      ),
      page,
    ),
  }));
}
