import { fixByChoice, withFixes } from '../edit/fixes.ts';
import { conversionTitle } from '../edit/conversions.ts';
import { convertBoxes } from '../evidence/conversion.ts';
import { boxItem, conversionOf, createFileBoxes, inferCoordinates, pageBaseReason } from '../evidence/coordinates.ts';
import type { BoxItem } from '../evidence/coordinates.ts';
import type { FileSettings } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import type { LateFinding, Rule } from './types.ts';

function example(boxes: readonly (readonly number[])[]) {
  return {
    profile: 'sciegqa',
    lines: boxes.map((box, i) => ({
      query: `Which district comes in row ${i + 1} of the table?`,
      answer: ['North', 'South', 'East'][i] ?? 'West',
      doc_name: 'demo-doc',
      evidence_page: [2],
      bbox: [[box]],
      subimg_type: [['table']],
      category: 'cs',
    })),
    note: 'Page 2 of demo-doc is of letter size: 2550 × 3300 pixels at 300 dpi.',
  };
}

function hasBoxes({ boxes }: CanonicalRecord, { coordinates }: FileSettings): boolean {
  return boxes !== undefined && boxes.length > 0 && coordinates !== undefined;
}

export const coordinateRules: readonly Rule[] = [
  {
    code: 'box/coordinate-space',
    severity: 'warning',
    needs: 'file',
    title: 'All boxes of the file fit another coordinate space',
    why: `The file's boxes are declared as one coordinate space, such as pixels at 300 dpi, but all of them (or nearly all) would fit a much smaller one: 0-1, 0-100, PDF points or 0-1000; or most of them make sense only as x, y, width and height. Read as declared, all of them lie in the upper left corner of their pages. Of 2,497 boxes of a real benchmark a single one lies within 1000 pixels.

The message names the smallest space that holds them. Relative boxes beside them would tell more and have their own rule (box/mismatch). Say what the numbers mean in the configuration (\`coordinates\`), or convert the file: where the sizes of its pages are known, the boxes of one record or of the whole file can be written in what is declared. Records that do not fit stay as they are.`,
    fires: example([
      [118, 182, 824, 455],
      [119, 183, 823, 454],
      [120, 184, 822, 453],
    ]),
    quiet: example([
      [300, 600, 2100, 1500],
      [300, 610, 2100, 1490],
      [310, 600, 2090, 1490],
    ]),
    digest: ({ record, settings }, document) =>
      hasBoxes(record, settings) ? boxItem(record, settings, document) : undefined,
    reduce(settings) {
      const boxes = createFileBoxes(false);
      let first: number | undefined;
      return {
        add(item: BoxItem, { index }) {
          boxes.join(item);
          first ??= index;
        },
        read({ record }, { index }, document) {
          if (!hasBoxes(record, settings)) return;
          boxes.add(record, settings, document);
          first ??= index;
        },
        end(report) {
          const facts = boxes.facts();
          if (facts.twins > 0 || first === undefined || settings.coordinates === undefined) return;
          const inferred = inferCoordinates(facts, settings.coordinates);
          if (inferred === undefined) return;
          // It stands on the first record, with its conversion.
          const say: LateFinding['say'] = ({ record }, document) => {
            const conversion = conversionOf(inferred);
            const converted = convertBoxes(record, settings, document, conversion);
            const base = inferred.pageBase === undefined ? '' : ` ${pageBaseReason(facts, inferred.pageBase)}`;
            return {
              pointer: pointerTo(record, 'boxes'),
              message: `${inferred.reason} The file is read as ${inferred.declared}; set "coordinates" in auditable-qa.json if they mean that.${base}`,
              found: inferred.name,
              ...(converted.state === 'converted' &&
                withFixes({
                  ...fixByChoice(conversionTitle(conversion, settings, converted.boxes, 'record'), ...converted.edits),
                  conversion,
                })),
            };
          };
          report(first, { say, wantsDocument: true });
        },
      };
    },
  },
];
