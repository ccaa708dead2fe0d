import type { PagePlace, PageText } from '../ports.ts';

/** Share of the page's height at top and bottom where running headers, footers and page numbers stand. */
const MARGIN = 0.085;

/**
 * Texts of the page's upper and lower margin that lie in the box: page numbers, and single short lines that stand apart from
 * the text. Positions alone tell them: nothing is known of the other pages here.
 * @param number the page's number as cited
 */
export function furnitureIn(text: PageText, box: PagePlace, number: number): string[] {
  const found: string[] = [];
  for (const block of text.blocks) {
    const [line] = block.lines;
    if (line === undefined || block.lines.length > 2 || !line.upright) continue;
    const middle = block.top + block.height / 2;
    const isTop = middle < MARGIN;
    if (!isTop && middle < 1 - MARGIN) continue;
    const inside = middle > box.top && middle < box.top + box.height;
    const across = block.left + block.width / 2;
    if (!inside || across < box.left || across > box.left + box.width) continue;
    const words = block.lines.flatMap(({ words: own }) => own.map((word) => word.text)).join(' ');
    if (isPageNumber(words, number) || standsApart(text, block, isTop)) found.push(words);
  }
  return found;
}

/** A number alone, also as "3 of 12", "Page 3", "- 3 -", "iii" or "A-3". */
function isPageNumber(words: string, number: number): boolean {
  const bare = words.replace(/^[-–—|\s]+|[-–—|\s]+$/g, '');
  return (
    bare === String(number) ||
    /^(?:page\s+)?(?:\d{1,4}|[ivxlc]{1,6}|[A-Z]-\d{1,3})(?:\s*(?:of|\/)\s*\d{1,4})?$/i.test(bare)
  );
}

/** No other text between it and the edge of the page, and a gap of more than its own height to the text below or above. */
function standsApart({ blocks }: PageText, block: PagePlace, isTop: boolean): boolean {
  return blocks.every((other) => {
    if (other === block) return true;
    const gap = isTop ? other.top - (block.top + block.height) : block.top - (other.top + other.height);
    const isBeside = other.top < block.top + block.height && block.top < other.top + other.height;
    return isBeside || gap > 1.2 * block.height;
  });
}
