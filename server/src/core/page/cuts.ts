import type { PageFacts, PageLine, PagePlace, PageText } from '../ports.ts';
import { crossingsOf, pixelsOf } from './ink.ts';
import type { Side } from './ink.ts';

export interface TextCut {
  readonly side: Side;
  /** The lines that the edge runs through. */
  readonly lines: readonly string[];
}

/** Part of a line's height that may lie outside. */
const PART = 0.1;
/** The places of letters within a line are estimated: this much of a glyph more than one must lie outside and inside. */
const GLYPHS = 1.5;

/** How far a connected piece of ink must reach to either side of an edge to be cut, in pixels at 300 dpi. */
export const REACH = 5;

/**
 * The sides that cut something, as the rule box/cuts-text sees it: text of the PDF, else ink.
 * @param page its width in pixels at 300 dpi
 */
export function sidesThatCut({ text, ink }: PageFacts, box: PagePlace, page: { readonly width: number }): Side[] {
  if (text !== undefined && text.lines.length > 0) return cutsOf(text, box).map(({ side }) => side);
  if (ink === undefined) return [];
  return crossingsOf(ink, pixelsOf(box, ink), (REACH * ink.width) / page.width).map(({ side }) => side);
}

/**
 * Lines that an edge of the box runs through: more than a tenth of the height, or more than a glyph's width, lies to
 * either side of it. Text that is turned is measured along its own direction.
 */
export function cutsOf(text: PageText, box: PagePlace): TextCut[] {
  const cuts = new Map<Side, string[]>();
  for (const line of text.lines) {
    const side = sideThrough(line, box);
    if (side === undefined) continue;
    const words = line.words.map((word) => word.text).join(' ');
    const known = cuts.get(side);
    if (known === undefined) cuts.set(side, [words]);
    else known.push(words);
  }
  return [...cuts].map(([side, lines]) => ({ side, lines }));
}

function sideThrough(line: PageLine, box: PagePlace): Side | undefined {
  const x = overlap(line.left, line.left + line.width, box.left, box.left + box.width);
  const y = overlap(line.top, line.top + line.height, box.top, box.top + box.height);
  // It must lie in the box in one direction to be cut in the other.
  const [alongX, alongY] = line.upright
    ? [GLYPHS * line.glyph, PART * line.height]
    : [PART * line.width, GLYPHS * line.glyph];
  if (x.inside <= alongX || y.inside <= alongY) return undefined;
  if (y.before > alongY) return 'top';
  if (y.after > alongY) return 'bottom';
  if (x.before > alongX) return 'left';
  return x.after > alongX ? 'right' : undefined;
}

function overlap(start: number, end: number, from: number, to: number) {
  return {
    inside: Math.min(end, to) - Math.max(start, from),
    before: from - start,
    after: end - to,
  };
}
