/**
 * `npm run bench [-- --json --only=<group>]`: ratios of speed and memory, each against a reference measured in the same
 * run. Nothing here asserts one; a ratio over its goal is marked.
 */
import { featureRatios } from './features.ts';
import { jobRatios } from './jobs.ts';
import { keystrokeRatios } from './keystroke.ts';
import { largeRatios } from './large.ts';
import { memoryRatios } from './memory.ts';
import { pageRatios } from './page.ts';
import type { Ratio } from './ratio.ts';
import { recordListRatios } from './record-list.ts';
import { snapRatios } from './snap.ts';
import { solutionRatios } from './solutions.ts';
import { symbolRatios } from './symbols.ts';
import { validationRatios } from './validation.ts';

const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length);
const groups: Readonly<Record<string, () => Promise<Ratio[]>>> = {
  validation: validationRatios,
  keystroke: keystrokeRatios,
  features: featureRatios,
  records: recordListRatios,
  solutions: solutionRatios,
  jobs: jobRatios,
  memory: memoryRatios,
  large: largeRatios,
  symbols: symbolRatios,
  page: pageRatios,
  snap: snapRatios,
};

const ratios: Ratio[] = [];
for (const [name, measure] of Object.entries(groups)) {
  if (only === undefined || only === name) ratios.push(...(await measure()));
}
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ ratios }, null, 2));
} else {
  for (const one of ratios) {
    const mark = one.ratio <= one.goal ? ' ' : '!';
    console.log(`${mark} ${one.ratio.toFixed(2)} (goal ≤ ${one.goal})  ${one.name}`);
  }
}
