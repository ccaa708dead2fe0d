import { isBox } from '../evidence/geometry.ts';
import type { BoxNumbers } from '../evidence/geometry.ts';
import type { Coordinates, Field } from '../profile/types.ts';
import type { RuleExample } from './types.ts';

/** What the rules on boxes share. */

export type BoxField = Extract<Field, 'boxes' | 'relativeBoxes'>;

/** The box of page `i` at `j`; undefined where no four numbers stand there. */
export function boxAt(boxes: readonly unknown[] | undefined, i: number, j: number): BoxNumbers | undefined {
  const page = boxes?.[i];
  const box: unknown = Array.isArray(page) ? page[j] : undefined;
  return isBox(box) ? box : undefined;
}

/** Width or height 0. */
export function isEmpty(box: BoxNumbers, { order }: Coordinates): boolean {
  if (order === 'xyxy') return box[0] === box[2] || box[1] === box[3];
  return order === 'xywh' ? box[2] === 0 || box[3] === 0 : box[0] === 0 || box[1] === 0;
}

/** A region on the example page. */
export const GOOD = [300, 600, 2100, 1500];
const RELATIVE = [117.647059, 181.818182, 823.529412, 454.545455];

/** A record with one box on page 2 of the example paper. */
export function boxExample(bbox: unknown, rel_bbox: unknown = [[RELATIVE]]): RuleExample {
  const record = {
    query: 'Which row of the table has the largest total?',
    answer: 'North',
    doc_name: 'demo-doc',
    evidence_page: [2],
    bbox,
    rel_bbox,
    subimg_type: [['table']],
    category: 'cs',
  };
  return {
    profile: 'sciegqa',
    lines: [record],
    note: 'Page 2 of demo-doc is of letter size: 2550 × 3300 pixels at 300 dpi.',
  };
}
