import type { PagePlace, PageText } from '../ports.ts';

/** A drawing this large, as a share of the region, may hold text as outlines. */
const PICTURE = 0.02;

/** Words whose middle lies in the region, and whether pictures or drawings may hold text beside them. */
export function textIn(
  { lines, graphics }: PageText,
  region: PagePlace,
): { readonly text: string; readonly hasPicture: boolean } {
  const right = region.left + region.width;
  const bottom = region.top + region.height;
  const words: string[] = [];
  for (const line of lines) {
    for (const word of line.words) {
      const x = word.left + word.width / 2;
      const y = word.top + word.height / 2;
      if (x >= region.left && x <= right && y >= region.top && y <= bottom) words.push(word.text);
    }
    words.push('\n');
  }
  const area = region.width * region.height;
  const hasPicture = graphics.some((graphic) => {
    if (graphic.kind === 'rule') return false;
    const width = Math.min(right, graphic.left + graphic.width) - Math.max(region.left, graphic.left);
    const height = Math.min(bottom, graphic.top + graphic.height) - Math.max(region.top, graphic.top);
    return width > 0 && height > 0 && (graphic.kind === 'image' || width * height > PICTURE * area);
  });
  return { text: words.join(' '), hasPicture };
}
