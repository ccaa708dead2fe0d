import assert from 'node:assert/strict';
import { boxesOnPageRules } from '../../../server/src/core/rules/boxes-on-page.ts';
import { coordinateRules } from '../../../server/src/core/rules/coordinates.ts';
import { createFileBoxes, inferCoordinates } from '../../../server/src/core/evidence/coordinates.ts';
import { builtinProfile } from '../../../server/src/core/profile/builtin.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import { check, documentOf, SCIEGQA, settingsOf } from '../rules/support.ts';

const settings = settingsOf('sciegqa');
const { rel_bbox, ...ALONE } = SCIEGQA as Readonly<Record<string, unknown>>;
void rel_bbox;

function codes(bbox: unknown, labels: unknown = [['table', 'table', 'table']]): string[] {
  const rules = boxesOnPageRules.filter((rule) => rule.off !== true);
  return check(rules, settings, [{ ...ALONE, bbox, subimg_type: labels }], { document: documentOf(3) }).map(
    ({ code, pointer }) => `${code} ${pointer}`,
  );
}

describe('boxes among each other and on their page', () => {
  it('lie in another one of the same label', () => {
    const outer = [300, 600, 2100, 1500];
    assert.deepEqual(codes([[outer, [310, 610, 2090, 1490]]]), ['box/nested /bbox/0/1']);
    assert.deepEqual(codes([[[310, 610, 2090, 1490], outer]]), ['box/nested /bbox/0/0']);
    assert.deepEqual(codes([[outer, outer]]), ['box/nested /bbox/0/1']);
    assert.deepEqual(codes([[outer, [310, 610, 2090, 1490]]], [['image', 'table']]), []);
    assert.deepEqual(codes([[outer, [300, 1000, 2100, 1900]]]), []);
  });

  it('are too thin', () => {
    assert.deepEqual(codes([[[300, 600, 2100, 609]]]), ['box/tiny /bbox/0/0']);
    assert.deepEqual(codes([[[300, 600, 2100, 655]]]), []);
  });

  it('area and labels are looked at where that is asked for', () => {
    const area = boxesOnPageRules.filter(({ code }) => code === 'box/area');
    const found = (box: number[]): number =>
      check(area, settings, [{ ...ALONE, bbox: [[box]] }], { document: documentOf(3) }).length;
    assert.equal(found([300, 600, 700, 800]), 1);
    assert.equal(found([0, 0, 2550, 3300]), 1);
    assert.equal(found([300, 600, 2100, 1500]), 0);
    const label = boxesOnPageRules.filter(({ code }) => code === 'page/label-ambiguous');
    const document = documentOf(4);
    const labelled = (labels: string[]): number => {
      const pdf = document.pdf?.state === 'ok' ? { ...document.pdf, labels } : document.pdf;
      return check(label, settings, [ALONE], { document: { ...document, ...(pdf && { pdf }) } }).length;
    };
    assert.equal(labelled(['i', 'ii', '1', '2']), 1);
    assert.equal(labelled(['1', '2', '3', '4']), 0);
    assert.equal(labelled(['A', 'B', 'C', 'D']), 0);
  });
});

describe('coordinates of a whole file', () => {
  const SMALL = [
    [118, 182, 824, 455],
    [119, 183, 823, 454],
    [120, 184, 822, 453],
  ];
  const found = (boxes: readonly (readonly number[])[], more: Readonly<Record<string, unknown>> = {}): string[] =>
    check(
      coordinateRules,
      settings,
      boxes.map((box) => ({ ...ALONE, ...more, bbox: [[box]] })),
      { document: documentOf(3) },
    ).map(({ message }) => message);

  it('are the smallest space that holds all boxes', () => {
    const scaled = (by: number): number[][] => SMALL.map((box) => box.map((number) => number * by));
    assert.match(found(SMALL)[0]!, /0-1000/);
    assert.match(found(scaled(0.6))[0]!, /PDF points/);
    assert.match(found(scaled(0.1))[0]!, /0-100:/);
    assert.match(found(scaled(0.001))[0]!, /0-1:/);
  });

  it('stay what they are with fewer boxes, a larger one, or relative boxes beside them', () => {
    assert.deepEqual(found(SMALL.slice(0, 2)), []);
    assert.deepEqual(found([...SMALL, [300, 600, 2100, 1500]]), []);
    assert.deepEqual(found(SMALL, { rel_bbox: [[[46, 55, 323, 138]]] }), []);
  });

  it('are another order where most boxes have no area as two corners', () => {
    assert.match(
      found([
        [1500, 2000, 400, 300],
        [1400, 1900, 500, 300],
        [300, 2500, 900, 200],
      ])[0]!,
      /x, y, width and height/,
    );
    assert.deepEqual(
      found([
        [1500, 2000, 400, 300],
        [300, 600, 2100, 1500],
        [300, 600, 2100, 1500],
        [300, 600, 2100, 1500],
      ]),
      [],
    );
  });

  it('follow from relative twins by vote, with the reason', () => {
    const boxes = createFileBoxes();
    const profile = builtinProfile('sciegqa')!;
    // The box was measured at 150 dpi.
    for (let i = 0; i < 4; i++) {
      const record = { ...SCIEGQA, bbox: [[[150, 300, 1050, 750]]] };
      boxes.add(toCanonical(record, profile), settings, documentOf(3));
    }
    const inferred = inferCoordinates(boxes.facts(), settings.coordinates!);
    assert.deepEqual(inferred?.coordinates, { space: 'pixel', dpi: 150, order: 'xyxy', origin: 'top-left' });
    assert.match(inferred.reason, /^4 of 4 boxes agree/);
  });

  it('tell the page base', () => {
    const boxes = createFileBoxes();
    const profile = builtinProfile('sciegqa')!;
    for (const page of [0, 0, 0, 1, 2]) {
      boxes.add(
        toCanonical({ ...ALONE, evidence_page: [page], bbox: [[[118, 182, 824, 455]]] }, profile),
        settings,
        documentOf(3),
      );
    }
    assert.equal(inferCoordinates(boxes.facts(), settings.coordinates!)?.pageBase, 0);
  });
});
