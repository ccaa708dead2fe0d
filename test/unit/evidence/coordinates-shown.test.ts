/** How boxes are read, why, how else, and what is written of it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CoordinateReading } from '../../../schemas/regions.ts';
import { convertReading, convertWithOthers, fileTitle } from '../../../server/src/core/edit/convert-reading.ts';
import { applyEdits, placeEdits } from '../../../server/src/core/edit/edits.ts';
import { createFileBoxes } from '../../../server/src/core/evidence/coordinates.ts';
import { describeCoordinates, hasCoordinates } from '../../../server/src/core/evidence/describe-coordinates.ts';
import { fromFractions, toFractions, writtenDecimals } from '../../../server/src/core/evidence/geometry.ts';
import type { BoxNumbers, Fractions, PageMeasure } from '../../../server/src/core/evidence/geometry.ts';
import {
  coordinatesIn,
  declaredReading,
  isReading,
  readingKey,
  settingsAs,
} from '../../../server/src/core/evidence/spaces.ts';
import type { DocumentFacts } from '../../../server/src/core/ports.ts';
import { defineProfile } from '../../../server/src/core/profile/definition.ts';
import type { FileSettings, SpaceName } from '../../../server/src/core/profile/types.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import type { CanonicalRecord } from '../../../server/src/core/record/types.ts';
import { SCIEGQA, settingsOf } from '../rules/support.ts';

const RUNS = process.env['SOAK'] === undefined ? 300 : 5000;
const settings = settingsOf('sciegqa');
const LETTER = { width: 612, height: 792 };
const DECLARED: CoordinateReading = { space: 'pixel', dpi: 300, order: 'xyxy', origin: 'top-left', pageBase: 1 };
const PERMILLE: CoordinateReading = { ...DECLARED, space: 'permille', dpi: null };

function documentOf(pages = 4, image?: { readonly width: number; readonly height: number }): DocumentFacts {
  const pdf = { state: 'ok', path: '/d.pdf', pages: Array.from({ length: pages }, () => LETTER) } as const;
  const images = new Map([2, 3].map((page) => [page, { state: 'ok', path: `/d_${page}.png`, ...image! } as const]));
  return { name: 'd', pdf, ...(image && { images }) };
}

function sourceOf(boxes: readonly (readonly number[])[], more: object = {}): Readonly<Record<string, unknown>> {
  const { rel_bbox, ...base } = SCIEGQA as Readonly<Record<string, unknown>>;
  void rel_bbox;
  return { ...base, evidence_page: [2], bbox: [boxes], subimg_type: [boxes.map(() => 'table')], ...more };
}

function recordOf(boxes: readonly (readonly number[])[], more: object = {}): CanonicalRecord {
  return toCanonical(sourceOf(boxes, more), settings.profile);
}

function described(
  record: CanonicalRecord,
  {
    document = documentOf(),
    tried,
    file = [record],
    own = settings,
  }: {
    document?: DocumentFacts | undefined;
    tried?: CoordinateReading;
    file?: readonly CanonicalRecord[];
    own?: FileSettings;
  } = {},
) {
  assert.ok(hasCoordinates(own));
  const boxes = createFileBoxes();
  for (const one of file) boxes.add(one, own, document);
  return describeCoordinates({ record, document, settings: own, facts: boxes.facts() }, tried);
}

const GOOD = recordOf([[300, 600, 2100, 1500]]);
const SMALL = recordOf([[118, 182, 824, 455]]);

describe('coordinates of a record, in words', () => {
  it('say what is declared, by whom, and what the page’s size tells', () => {
    const { reading, name, names, unit, tried, why } = described(GOOD);
    assert.deepEqual(reading, DECLARED);
    assert.deepEqual([name, unit, tried], ['pixels at 300 dpi', 'px', false]);
    assert.deepEqual(names, ['x1', 'y1', 'x2', 'y2']);
    assert.deepEqual(why, [
      'Declared by the profile SciEGQA, pages counted from 1.',
      'The box of the file lies on its page.',
      'Page 2 is 612 × 792 pt, so 2550 × 3300 px at 300 dpi.',
    ]);
    const image = described(GOOD, { document: documentOf(4, { width: 2550, height: 3300 }) });
    assert.ok(
      image.why.includes('The image of page 2 is 2550 × 3300 px, its PDF page 612 × 792 pt, so the image has 300 dpi.'),
    );
  });

  it('say which of it the configuration declares', () => {
    const own = { ...settings, declaredIn: ['coordinates'] as const };
    assert.equal(
      described(GOOD, { own }).why[0],
      'Declared in auditable-qa.json; that pages are counted from 1 comes from the profile SciEGQA.',
    );
  });

  it('say what all boxes of the file speak against it, and offer what they fit first', () => {
    const { why, others } = described(SMALL, { file: [SMALL, SMALL, SMALL] });
    assert.ok(why.includes('Against it: all 3 boxes of the file fit 0-1000: the largest x is 824, the largest y 455.'));
    assert.deepEqual(others[0]?.reading, PERMILLE);
    assert.equal(others[0]?.name, '0-1000');
    assert.match(others[0].why, /All 3 boxes of the file fit 0-1000/);
  });

  it('say whether relative boxes agree, and find the reading under which they do', () => {
    const relative = [[[117.647059, 181.818182, 823.529412, 454.545455]]];
    const good = recordOf([[300, 600, 2100, 1500]], { rel_bbox: relative });
    assert.ok(described(good).why.includes('The relative box of this record (0-1000) agrees.'));
    const half = recordOf([[150, 300, 1050, 750]], { rel_bbox: relative });
    const { why, others } = described(half);
    assert.ok(why.includes('The relative box of this record (0-1000) means another place.'));
    assert.equal(others[0]?.name, 'pixels at 150 dpi');
    assert.equal(others[0].why, 'The relative box agrees then.');
    const tried = described(half, { tried: { ...DECLARED, dpi: 150 } });
    assert.ok(tried.why.includes('The relative box of this record (0-1000) agrees.'));
  });

  it('offer no reading under which the boxes leave their pages or are no regions', () => {
    for (const { reading } of described(GOOD).others) {
      assert.ok(!['unit', 'percent', 'permille', 'point'].includes(reading.space), readingKey(reading));
    }
    const fractions = recordOf([[0.1, 0.2, 0.8, 0.5]]);
    assert.ok(described(fractions).others.some(({ reading }) => reading.space === 'unit'));
    assert.ok(described(fractions).others.every(({ reading }) => reading.space !== 'pixel'));
  });

  it('of something that is tried lead back to what is declared first', () => {
    const { tried, name, others, why } = described(SMALL, { tried: PERMILLE });
    assert.deepEqual([tried, name], [true, '0-1000']);
    assert.deepEqual(others[0], { reading: DECLARED, name: 'pixels at 300 dpi', why: 'It is what is declared.' });
    assert.equal(why[0], 'Tried only, nothing is changed; declared are pixels at 300 dpi.');
    assert.equal(described(SMALL, { tried: DECLARED }).tried, false);
  });

  it('offer the other page base where the pages are there', () => {
    const { others } = described(GOOD);
    const other = others.find(({ reading }) => reading.pageBase === 0);
    assert.equal(other?.name, 'pixels at 300 dpi, pages counted from 0');
    assert.equal(other.why, "Page 2 is the document's page 3 then, and not its page 2.");
    assert.ok(!described(GOOD, { document: documentOf(2) }).others.some(({ reading }) => reading.pageBase === 0));
  });

  it('say so where no page is known', () => {
    const { why, others } = describeCoordinates({
      record: GOOD,
      document: undefined,
      settings: settings as FileSettings & { coordinates: NonNullable<FileSettings['coordinates']> },
    });
    assert.ok(why.includes('The sizes of the cited pages are not known.'));
    assert.deepEqual(others, []);
  });

  it('are no matter of records without boxes', () => {
    const { why } = described(recordOf([], { bbox: [] }));
    assert.deepEqual(why, ['Declared by the profile SciEGQA, pages counted from 1.']);
  });

  it('take nothing for a reading that is none', () => {
    assert.ok(isReading(DECLARED) && isReading(PERMILLE));
    for (const wrong of [
      null,
      {},
      { ...DECLARED, dpi: -1 },
      { ...DECLARED, space: 'toString' },
      { ...DECLARED, pageBase: 2 },
    ]) {
      assert.ok(!isReading(wrong), JSON.stringify(wrong));
    }
  });
});

describe('conversion of what was found to be read otherwise', () => {
  const written = (source: Readonly<Record<string, unknown>>, reading: CoordinateReading, pointer?: string) => {
    const text = JSON.stringify(source);
    const record = toCanonical(source, settings.profile);
    const changed = convertReading({ record, settings, document: documentOf(), reading }, pointer);
    if (changed.kind === 'problem') return changed.message;
    const result = JSON.parse(applyEdits(text, placeEdits(changed.edits, text)!)) as Readonly<Record<string, unknown>>;
    return { title: changed.title, bbox: result['bbox'], rel: result['rel_bbox'], pages: result['evidence_page'] };
  };
  const TWO = [
    [118, 182, 824, 455],
    [118, 500, 824, 900],
  ];

  it('is of one box or of all of the record', () => {
    assert.deepEqual(written(sourceOf(TWO), PERMILLE, '/bbox/0/1'), {
      title: 'Convert region 2 from 0-1000 to pixels at 300 dpi',
      bbox: [[TWO[0], [301, 1650, 2101, 2970]]],
      rel: undefined,
      pages: [2],
    });
    assert.deepEqual(written(sourceOf(TWO), PERMILLE), {
      title: 'Convert the 2 boxes of this record from 0-1000 to pixels at 300 dpi',
      bbox: [
        [
          [301, 601, 2101, 1502],
          [301, 1650, 2101, 2970],
        ],
      ],
      rel: undefined,
      pages: [2],
    });
  });

  it('leaves a relative box that agrees then, and makes one anew that does not', () => {
    const boxes = [[150, 300, 1050, 750]];
    const relative = [[[117.647059, 181.818182, 823.529412, 454.545455]]];
    const reading = { ...DECLARED, dpi: 150 };
    const kept = written(sourceOf(boxes, { rel_bbox: relative }), reading);
    assert.ok(typeof kept === 'object');
    assert.deepEqual([kept.bbox, kept.rel], [[[[300, 600, 2100, 1500]]], relative]);
    const wrong = [[[58.823529, 90.909091, 411.764706, 227.272727]]];
    const made = written(sourceOf(boxes, { rel_bbox: wrong }), reading);
    assert.ok(typeof made === 'object');
    assert.deepEqual([made.bbox, made.rel], [[[[300, 600, 2100, 1500]]], relative]);
  });

  it('keeps decimals where only order or origin change', () => {
    const reading = { ...DECLARED, order: 'xywh' } as const;
    const made = written(sourceOf([[300.25, 600, 1800.5, 900]]), reading);
    assert.ok(typeof made === 'object');
    assert.deepEqual(made.bbox, [[[300.25, 600, 2100.75, 1500]]]);
  });

  it('renumbers pages that are counted from the other number, of whole records only', () => {
    const reading = { ...DECLARED, pageBase: 0 } as const;
    const made = written(sourceOf([[300, 600, 2100, 1500]]), reading);
    assert.ok(typeof made === 'object');
    assert.deepEqual([made.bbox, made.pages], [[[[300, 600, 2100, 1500]]], [3]]);
    assert.match(String(written(sourceOf([[300, 600, 2100, 1500]]), reading, '/bbox/0/0')), /all boxes of a page/);
  });

  it('reaches boxes and pages wherever they are kept: one per page, in objects, in lists that are stored as text', () => {
    const coordinates = { space: 'pixel', dpi: 300, order: 'xyxy', origin: 'top-left' } as const;
    const text = { decoder: 'list-in-string' } as const;
    const kinds = [
      {
        fields: { question: '/q', pages: '/marks/*/page', boxes: '/marks/*/box' },
        source: { q: '?', marks: [{ page: 2, box: TWO[0] }] },
        wanted: { q: '?', marks: [{ page: 3, box: [301, 601, 2101, 1502] }] },
      },
      {
        fields: { question: '/q', pages: { at: '/pages', ...text }, boxes: { at: '/boxes', ...text } },
        source: { q: '?', pages: "['2']", boxes: '[[[118, 182, 824, 455]]]' },
        wanted: { q: '?', pages: "['3']", boxes: '[[[301, 601, 2101, 1502]]]' },
      },
      {
        fields: { question: '/q', pages: { at: '/pages', ...text }, boxes: '/boxes' },
        source: { q: '?', pages: '[2, 1]', boxes: [[TWO[0]], []] },
        wanted: { q: '?', pages: '[3, 2]', boxes: [[[301, 601, 2101, 1502]], []] },
      },
    ];
    for (const { fields, source, wanted } of kinds) {
      const profile = defineProfile('kept', { fields, coordinates, pageBase: 1 });
      const record = toCanonical(source, profile);
      const own = { ...settings, profile, coordinates, relativeCoordinates: undefined };
      const subject = { record, settings: own, document: documentOf(), reading: { ...PERMILLE, pageBase: 0 } } as const;
      const alone = convertReading(subject);
      const withOthers = convertWithOthers(subject);
      const line = JSON.stringify(source);
      for (const made of [alone, withOthers]) {
        assert.ok('edits' in made, JSON.stringify(made));
        assert.deepEqual(JSON.parse(applyEdits(line, placeEdits(made.edits, line)!)), wanted);
      }
      assert.equal(withOthers.state === 'converted' && withOthers.boxes, 1);
      const vote = createFileBoxes();
      vote.add(record, own, documentOf());
      assert.equal(vote.facts().located, 1);
    }
  });

  it('says why it cannot be made, and then changes nothing', () => {
    assert.match(
      String(written(sourceOf([[300, 600, 2100, 1500]]), PERMILLE)),
      /^Region 1, .* does not lie on page 2 as 0-1000\.$/,
    );
    assert.match(String(written(sourceOf(TWO), PERMILLE, '/bbox/3/1')), /no such region/);
    assert.match(String(written(sourceOf(TWO), DECLARED)), /the numbers are the same/);
    assert.match(String(written(sourceOf([[1, 2, 3]]), PERMILLE)), /has no four numbers/);
    assert.match(String(written(sourceOf(TWO, { evidence_page: [9] }), PERMILLE)), /size of page 9 is not known/);
    assert.match(String(written(sourceOf([], { bbox: [] }), PERMILLE)), /no boxes/);
  });

  it('of a file leaves records that do not fit, and those whose relative boxes speak for what is declared', () => {
    const stateOf = (record: CanonicalRecord, reading = PERMILLE): string =>
      convertWithOthers({ record, settings, document: documentOf(), reading }).state;
    assert.equal(stateOf(SMALL), 'converted');
    assert.equal(stateOf(GOOD), 'left');
    const twin = fromFractions(
      toFractions([118, 182, 824, 455], coordinatesIn(DECLARED), { points: LETTER })!,
      coordinatesIn(PERMILLE),
      {},
      6,
    )!;
    assert.equal(stateOf(recordOf([[118, 182, 824, 455]], { rel_bbox: [[twin]] })), 'left');
    assert.equal(stateOf(GOOD, { ...DECLARED, pageBase: 0 }), 'converted');
    assert.equal(
      fileTitle(PERMILLE, settings, { boxes: 1200, records: 1, left: 2 }),
      'Convert 1,200 boxes in 1 record from 0-1000 to pixels at 300 dpi (2 records stay as they are)',
    );
  });
});

describe('readings, as properties', () => {
  const readings = fc
    .record({
      space: fc.constantFrom<SpaceName>('pixel', 'point', 'unit', 'percent', 'permille'),
      dpi: fc.constantFrom(72, 96, 150, 200, 300, 600),
      order: fc.constantFrom('xyxy' as const, 'xywh' as const, 'whxy' as const),
      origin: fc.constantFrom('top-left' as const, 'bottom-left' as const),
      pageBase: fc.constantFrom(0 as const, 1 as const),
    })
    .map((reading): CoordinateReading => ({ ...reading, dpi: reading.space === 'pixel' ? reading.dpi : null }));
  const places = fc
    .tuple(fc.double({ min: 0.01, max: 0.5, noNaN: true }), fc.double({ min: 0.01, max: 0.5, noNaN: true }))
    .chain(([left, top]) =>
      fc.record({
        left: fc.constant(left),
        top: fc.constant(top),
        width: fc.double({ min: 0.1, max: 0.95 - left, noNaN: true }),
        height: fc.double({ min: 0.1, max: 0.95 - top, noNaN: true }),
      }),
    );
  const page: PageMeasure = { points: LETTER };
  const boxIn = (place: Fractions, reading: CoordinateReading): BoxNumbers =>
    fromFractions(place, coordinatesIn(reading), page, writtenDecimals(reading.space) + 3)!;

  it('what is tried and converted lies, as declared, where it lay when it was tried', () => {
    fc.assert(
      fc.property(readings, readings, places, (from, to, place) => {
        const own = settingsAs(settings, to);
        const box = boxIn(place, from);
        const source = sourceOf([box], { evidence_page: [2] });
        const record = toCanonical(source, own.profile);
        const subject = { record, settings: own, document: documentOf(5), reading: from };
        const changed = convertReading(subject);
        if (readingKey(from) === readingKey(to)) return assert.equal(changed.kind, 'problem');
        assert.equal(changed.kind, 'changed', JSON.stringify(changed));
        const text = JSON.stringify(source);
        const after = JSON.parse(
          applyEdits(text, placeEdits(changed.kind === 'changed' ? changed.edits : [], text)!),
        ) as {
          bbox: [[BoxNumbers]];
          evidence_page: [number];
        };
        assert.equal(after.evidence_page[0] - to.pageBase, 2 - from.pageBase);
        const tried = toFractions(box, coordinatesIn(from), page)!;
        const found = toFractions(after.bbox[0][0], coordinatesIn(to), page)!;
        const unit = fromFractions(
          { left: 0, top: 0, width: 1, height: 1 },
          { ...coordinatesIn(to), order: 'whxy' },
          page,
          6,
        )!;
        const step = 10 ** -writtenDecimals(to.space);
        for (const [key, size] of [
          ['left', unit[0]],
          ['top', unit[1]],
          ['width', unit[0]],
          ['height', unit[1]],
        ] as const) {
          assert.ok(Math.abs(tried[key] - found[key]) <= (1.01 * step) / size, `${key} ${tried[key]} ${found[key]}`);
        }
        // Once more it would be read as declared: there is nothing to convert.
        const again = toCanonical(after, own.profile);
        assert.equal(convertReading({ ...subject, record: again, reading: to }).kind, 'problem');
      }),
      { numRuns: RUNS },
    );
  });

  it('offered readings hold all boxes of the record, each once, none of them the one in use', () => {
    fc.assert(
      fc.property(readings, fc.array(places, { minLength: 1, maxLength: 3 }), (meant, all) => {
        const record = recordOf(all.map((place) => boxIn(place, meant)));
        const { others, reading } = described(record);
        const keys = others.map((other) => readingKey(other.reading));
        assert.equal(new Set(keys).size, keys.length);
        assert.ok(!keys.includes(readingKey(reading)));
        for (const other of others) {
          for (const { left, top, width, height } of record.boxes![0] === undefined
            ? []
            : (record.boxes![0] as BoxNumbers[]).map((box) => toFractions(box, coordinatesIn(other.reading), page)!)) {
            assert.ok(left >= -0.001 && top >= -0.001 && left + width <= 1.001 && top + height <= 1.001);
          }
          assert.ok(other.why.endsWith('.') && other.name.length > 0);
        }
        assert.deepEqual(declaredReading(settings), reading);
      }),
      { numRuns: RUNS },
    );
  });
});
