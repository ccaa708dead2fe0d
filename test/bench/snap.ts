/** What it takes to know what stands on a page image, against decoding that image. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fitPlace } from '../../server/src/core/page/fit.ts';
import { layoutOf } from '../../server/src/core/page/layout.ts';
import { USUAL_MARGINS } from '../../server/src/core/page/margins.ts';
import { proposeRegions } from '../../server/src/core/page/proposals.ts';
import { readInk } from '../../server/src/node/pages/image-ink.ts';
import { ratio } from './ratio.ts';
import type { Ratio } from './ratio.ts';

const REAL = path.resolve('../shared/data/sciegqa/Images/cs/2311.07631/2311.07631_8.png');
const MADE = path.resolve('test/cases/documents/demo-doc_2.png');
const PAGE = { width: 2550, height: 3300 };

export async function snapRatios(): Promise<Ratio[]> {
  const file = existsSync(REAL) ? REAL : MADE;
  const ink = await readInk(file);
  const facts = { ink };
  const layout = layoutOf(facts, PAGE)!;
  const decode = (): unknown => readInk(file);
  const place = { left: 0.2, top: 0.63, width: 0.6, height: 0.23 };
  return [
    await ratio('snap: the layout of a page image ÷ decoding it', 0.4, () => layoutOf(facts, PAGE), decode),
    await ratio(
      'snap: a fitted box and all proposals of a known page ÷ decoding it',
      0.05,
      () => [fitPlace({ facts, layout }, place, 'snap', USUAL_MARGINS), proposeRegions(layout, USUAL_MARGINS, [])],
      decode,
    ),
  ];
}
