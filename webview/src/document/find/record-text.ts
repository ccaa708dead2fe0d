/** The text of the record on the page, for the search: what is shown of it, in the order in which it is shown. */
import type { TextPiece } from '../../pdf.ts';

export interface RecordText {
  readonly pieces: readonly TextPiece[];
  /** The text node of each piece. */
  readonly nodes: readonly Text[];
}

const BLOCKS = 'p, li, dd, dt, td, th, h1, h2, h3, pre, div, figcaption, summary, button';

export function recordText(sheet: HTMLElement): RecordText {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && node.data.trim() !== '' && node.parentElement?.checkVisibility() === true) {
      nodes.push(node);
    }
  }
  const blockOf = (node: Text | undefined): Element | null => node?.parentElement?.closest(BLOCKS) ?? null;
  return {
    nodes,
    pieces: nodes.map((node, at) => ({ text: node.data, endsLine: blockOf(node) !== blockOf(nodes[at + 1]) })),
  };
}
