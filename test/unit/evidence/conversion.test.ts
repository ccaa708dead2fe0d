/** Boxes in other coordinates than declared: the vote of the file, and conversions of boxes, records and files. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createChecker } from '../../../server/src/core/checker.ts';
import {
  conversionFix,
  conversionsOf,
  isMixed,
  MISMATCH,
  WHOLE_FILE,
} from '../../../server/src/core/edit/conversions.ts';
import { applyEdits, mergeEdits, placeFix } from '../../../server/src/core/edit/edits.ts';
import { convertBox, convertBoxes } from '../../../server/src/core/evidence/conversion.ts';
import { createFileBoxes, inferCoordinates } from '../../../server/src/core/evidence/coordinates.ts';
import { fromFractions, toFractions } from '../../../server/src/core/evidence/geometry.ts';
import type { BoxNumbers, PageMeasure } from '../../../server/src/core/evidence/geometry.ts';
import { exchange } from '../../../server/src/core/evidence/readings.ts';
import type { Finding } from '../../../server/src/core/finding.ts';
import type { DocumentFacts } from '../../../server/src/core/ports.ts';
import type { Coordinates, CornerOrder, Origin, SpaceName } from '../../../server/src/core/profile/types.ts';
import { documentOf, SCIEGQA, settingsOf } from '../rules/support.ts';

const RUNS = process.env['SOAK'] === undefined ? 300 : 5000;
const PIXELS: Coordinates = { space: 'pixel', dpi: 300, order: 'xyxy', origin: 'top-left' };
const LETTER: PageMeasure = { points: { width: 612, height: 792 } };
const settings = settingsOf('sciegqa');

/** A record on page 2 of a paper of letter size. */
function lineOf(n: number, boxes: readonly (readonly number[])[], more: object = {}): string {
  const { rel_bbox, ...base } = SCIEGQA as Readonly<Record<string, unknown>>;
  void rel_bbox;
  return JSON.stringify({
    ...base,
    query: `Which row of the table has total number ${n}?`,
    bbox: [boxes],
    subimg_type: [boxes.map(() => 'table')],
    ...more,
  });
}

/** The numbers of a box of pixels at 300 dpi in other coordinates, with so many decimals. */
function written(box: BoxNumbers, to: Coordinates, decimals: number, page = LETTER): BoxNumbers {
  return fromFractions(toFractions(box, PIXELS, page)!, to, page, decimals)!;
}

interface Looked {
  readonly byRecord: readonly (readonly Finding[])[];
  readonly all: readonly Finding[];
}

/** All findings of a file whose documents are known. */
function look(lines: readonly string[], documents: (index: number) => DocumentFacts | undefined): Looked {
  const checker = createChecker(settings);
  const collection = checker.collect();
  const rows = lines.map((text, index) => {
    const slot = { index, line: index, column: 0, offset: 0, text };
    const checked = checker.checkText(text);
    const document = documents(index);
    const facts = document === undefined ? {} : { document };
    collection.add(slot, checked, facts);
    return { slot, checked, facts, findings: checker.findings(slot, checked, facts) };
  });
  for (const found of collection.end()) {
    const row = found.index === null ? undefined : rows[found.index];
    const placed = collection.place(found, row?.slot, row?.checked, 0, row?.facts);
    if (placed !== undefined && row !== undefined) row.findings.push(placed.finding);
  }
  return { byRecord: rows.map(({ findings }) => findings), all: rows.flatMap(({ findings }) => findings) };
}

const known = (): DocumentFacts => documentOf(3);

/** The file as it is when its boxes are converted together, as the first finding on coordinates says. */
function converted(
  lines: readonly string[],
  documents: (index: number) => DocumentFacts | undefined = known,
): readonly string[] {
  const { byRecord, all } = look(lines, documents);
  const whole = all.find(({ code }) => code === WHOLE_FILE);
  const conversion = conversionFix(whole ?? all.find(({ code }) => code === MISMATCH) ?? { fixes: [] })?.conversion;
  if (conversion === undefined) return lines;
  const checker = createChecker(settings);
  return lines.map((text, index) => {
    if (whole === undefined) return applyEdits(text, mergeEdits(conversionsOf(byRecord[index]!, conversion)).edits);
    const record = checker.checkText(text).record!;
    const own = convertBoxes(record, settings, documents(index), conversion);
    return own.state !== 'converted'
      ? text
      : applyEdits(text, placeFix({ title: '', safe: false, edits: own.edits }, text)!.edits);
  });
}

const boxesOf = (line: string): unknown => (JSON.parse(line) as { bbox: unknown }).bbox;
const messages = (findings: readonly Finding[]): string =>
  findings.map(({ code, message }) => `${code}: ${message}`).join('\n');

/** Boxes of pixels on a letter page that reach far down and do not touch each other. */
const boxArbitrary: fc.Arbitrary<BoxNumbers> = fc
  .tuple(
    fc.integer({ min: 100, max: 900 }),
    fc.integer({ min: 100, max: 900 }),
    fc.integer({ min: 200, max: 1500 }),
    fc.integer({ min: 2050, max: 2200 }),
  )
  .map(([x, y, width, height]) => [x, y, x + width, y + height]);

describe('conversions of boxes', () => {
  const spaces: readonly (Coordinates & { readonly decimals: number })[] = (
    [
      ['unit', 4],
      ['percent', 2],
      ['permille', 0],
      ['point', 1],
      ['pixel', 0],
    ] as const satisfies readonly (readonly [SpaceName, number])[]
  ).flatMap(([space, decimals]) =>
    (['xyxy', 'xywh', 'whxy'] as const satisfies readonly CornerOrder[]).flatMap((order) =>
      (['top-left', 'bottom-left'] as const satisfies readonly Origin[]).map((origin) => ({
        space,
        ...(space === 'pixel' && { dpi: 144 }),
        order,
        origin,
        decimals,
      })),
    ),
  );

  it('lead back to the same pixels, within the rounding of both spaces', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...spaces),
        fc.boolean(),
        fc.integer({ min: 300, max: 1500 }),
        fc.integer({ min: 300, max: 1500 }),
        // At the very edge a box is rounded beyond it, and is none of the page then.
        fc.tuple(fc.double({ min: 0.003, max: 0.6, noNaN: true }), fc.double({ min: 0.003, max: 0.6, noNaN: true })),
        fc.tuple(fc.double({ min: 0.1, max: 0.39, noNaN: true }), fc.double({ min: 0.1, max: 0.39, noNaN: true })),
        ({ decimals, ...from }, exchanged, width, height, [left, top], [w, h]) => {
          const page: PageMeasure = { points: { width, height } };
          const box = fromFractions({ left, top, width: w, height: h }, PIXELS, page, 0)!;
          const there = written(box, from, decimals, page);
          const back = convertBox(exchanged ? exchange(there) : there, { from, exchanged }, PIXELS, page);
          assert.ok(back !== undefined, String(there));
          const unit = 0.5 / 10 ** decimals;
          // A width is rounded on its own: two roundings add up in the second corner, and a third one mirrored.
          const roundings = from.order === 'xyxy' ? 1 : 2;
          const extent = { unit: 1, percent: 100, permille: 1000 }[from.space as 'unit'];
          const scale = (size: number): number =>
            extent !== undefined ? (size * 300) / 72 / extent : from.space === 'point' ? 300 / 72 : 300 / 144;
          for (let i = 0; i < 4; i++) {
            // A page of broken pixels is a pixel wider at one resolution than at another.
            const most =
              unit * roundings * scale(i % 2 === 0 ? width : height) + 1 + (from.space === 'pixel' ? 2.1 : 0.5);
            assert.ok(Math.abs(back[i]! - box[i]!) <= most, `${String(box)} → ${String(there)} → ${String(back)}`);
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('of a whole file remove what is reported, introduce nothing, and are done once', () => {
    const small = fc.constantFrom<readonly [SpaceName, number]>(
      ['unit', 4],
      ['percent', 2],
      ['permille', 0],
      ['permille', 2],
    );
    fc.assert(
      fc.property(
        small,
        fc.array(boxArbitrary, { minLength: 3, maxLength: 8 }),
        fc.boolean(),
        ([space, decimals], boxes, twins) => {
          const from: Coordinates = { space, order: 'xyxy', origin: 'top-left' };
          const lines = boxes.map((box, n) => {
            const relative = written(box, { ...from, space: 'permille' }, 6);
            return lineOf(n, [written(box, from, decimals)], twins ? { rel_bbox: [[relative]] } : {});
          });
          const before = look(lines, known);
          const code = twins ? MISMATCH : WHOLE_FILE;
          assert.equal(before.all.filter((finding) => finding.code === code).length, twins ? lines.length : 1);
          const after = converted(lines);
          assert.equal(messages(look(after, known).all), '');
          assert.deepEqual(converted(after), after);
          // Nothing but the numbers of the boxes has changed.
          for (const [i, line] of after.entries()) {
            assert.equal(
              line.replace(/"bbox":\[\[\[[^\]]*\]\]\]/, ''),
              lines[i]!.replace(/"bbox":\[\[\[[^\]]*\]\]\]/, ''),
            );
          }
        },
      ),
      { numRuns: Math.min(RUNS, 300) },
    );
  });

  const PERMILLE = [
    [118, 182, 824, 950],
    [119, 183, 823, 954],
    [120, 184, 822, 953],
  ];

  it('are said by the rule on the whole file, for its first record, with the reason', () => {
    const { all } = look(
      PERMILLE.map((box, n) => lineOf(n, [box, [130, 970, 800, 990]])),
      known,
    );
    const [finding, ...others] = all;
    assert.deepEqual([finding?.code, others.length], [WHOLE_FILE, 0]);
    assert.match(finding!.message, /^All 6 boxes of the file fit 0-1000: the largest x is 824, the largest y 990\./);
    assert.equal(finding!.fixes[0]?.title, 'Convert the 2 boxes of this record from 0-1000 to pixels at 300 dpi');
    assert.equal(finding!.fixes[0].safe, false);
  });

  it('are not said where it is not known how large the page is', () => {
    const lines = PERMILLE.map((box, n) => lineOf(n, [box]));
    const [finding] = look(lines, () => undefined).all;
    assert.equal(finding?.code, WHOLE_FILE);
    assert.deepEqual(finding.fixes, []);
    assert.deepEqual(
      converted(lines, () => undefined),
      lines,
    );
    const { record } = createChecker(settings).checkText(lines[0]!);
    const conversion = { field: 'boxes', from: { ...PIXELS, space: 'permille' }, exchanged: false } as const;
    assert.deepEqual(convertBoxes(record!, settings, undefined, conversion), { state: 'unknown' });
  });

  it('follow the vote of nearly all records, and leave the others alone', () => {
    const few = [
      [300, 600, 2100, 1500],
      [300, 600, 2000, 2800],
    ];
    const lines = [
      ...Array.from({ length: 40 }, (_, n) => lineOf(n, [PERMILLE[n % 3]!])),
      ...few.map((box, n) => lineOf(40 + n, [box])),
    ];
    const [finding, ...others] = look(lines, known).all;
    assert.equal(others.length, 0);
    assert.match(finding!.message, /^40 of 42 records fit 0-1000, 2 fit pixels at 300 dpi: the largest x is 2100/);
    const after = converted(lines);
    assert.deepEqual(after.slice(40), lines.slice(40));
    assert.deepEqual(boxesOf(after[0]!), [[[301, 601, 2101, 3135]]]);
    assert.deepEqual(look(after, known).all, []);
    // With three of them it is no longer nearly all.
    assert.deepEqual(
      look([...lines.slice(0, 40), ...Array.from({ length: 3 }, (_, n) => lineOf(50 + n, [few[0]!]))], known).all,
      [],
    );
  });

  it('leave a record alone of which one box does not fit', () => {
    const lines = [
      ...Array.from({ length: 40 }, (_, n) => lineOf(n, [PERMILLE[n % 3]!])),
      lineOf(40, [PERMILLE[0]!, [300, 600, 2100, 1500]]),
    ];
    const after = converted(lines);
    assert.equal(after[40], lines[40]);
    assert.notEqual(after[0], lines[0]);
  });

  it('keep relative boxes as they are, and agree with them', () => {
    const box = [300, 600, 2100, 3150] as const;
    const relative = written(box, { ...PIXELS, space: 'permille' }, 6);
    const half = written(box, { ...PIXELS, dpi: 150 }, 0);
    const line = lineOf(0, [half, half], { rel_bbox: [[relative, relative]] });
    const [first] = look([line], known).all;
    assert.equal(first?.code, MISMATCH);
    const after = converted([line])[0]!;
    assert.deepEqual(boxesOf(after), [[box, box]]);
    assert.deepEqual((JSON.parse(after) as { rel_bbox: unknown }).rel_bbox, [[relative, relative]]);
  });

  it('are not made together in a record whose boxes are to be read in different ways', () => {
    const box: BoxNumbers = [300, 600, 2100, 3150];
    const relative = written(box, { ...PIXELS, space: 'permille' }, 6);
    const at = (dpi: number): BoxNumbers => written(box, { ...PIXELS, dpi }, 0);
    const record = (...dpis: number[]): string => lineOf(0, dpis.map(at), { rel_bbox: [dpis.map(() => relative)] });
    const mixed = (line: string): boolean => isMixed(look([line], known).all);
    assert.equal(mixed(record(150, 150)), false);
    assert.equal(mixed(record(150, 300)), false);
    assert.equal(mixed(record(150, 200)), true);
    // One that no reading explains.
    const odd = lineOf(0, [at(150), [7, 9, 500, 611]], { rel_bbox: [[relative, relative]] });
    assert.equal(mixed(odd), true);
    assert.deepEqual(converted([record(150, 200)]), [record(150, 200)]);
  });

  it('say the page base where the file tells it', () => {
    const lines = [0, 0, 0, 1, 1].map((page, n) => lineOf(n, [PERMILLE[n % 3]!], { evidence_page: [page] }));
    const { all } = look(lines, known);
    const finding = all.find(({ code }) => code === WHOLE_FILE);
    assert.match(
      finding!.message,
      /Pages seem to be counted from 0: page 0 is cited 3 times, and none lies beyond its document\./,
    );
  });

  it('keep apart small spaces of which the rest of the file is none', () => {
    const facts = (boxes: readonly (readonly number[])[]): string | undefined => {
      const collected = createFileBoxes();
      const checker = createChecker(settings);
      for (const [n, box] of boxes.entries())
        collected.add(checker.checkText(lineOf(n, [box])).record!, settings, known());
      return inferCoordinates(collected.facts(), PIXELS)?.name;
    };
    const units = Array.from({ length: 60 }, (_, n) => [0.1, 0.2, 0.8, 0.9 - n / 1000]);
    // A small box of pixels fits 0-1000, and tells nothing of the others.
    assert.equal(facts([...units, [500, 600, 900, 950]]), '0-1');
    assert.equal(facts([...units, [500, 600, 2000, 950]]), '0-1');
    const points = Array.from({ length: 60 }, () => [72, 100, 500, 700]);
    assert.equal(facts([...points, [500, 600, 2000, 950]]), 'PDF points');
    assert.equal(facts([...points, [100, 200, 900, 950], [500, 600, 2000, 950]]), '0-1000');
  });
});
