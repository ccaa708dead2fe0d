/** Changes of regions in records of any nesting and spelling: lists stay in step, all else keeps its bytes, undo leads back. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createChecker } from '../../../server/src/core/checker.ts';
import { applyEdits, invertEdits, placeEdits } from '../../../server/src/core/edit/edits.ts';
import { changeRegions } from '../../../server/src/core/edit/regions.ts';
import type { RegionChange } from '../../../server/src/core/edit/regions.ts';
import { citedRegions, pageNumberAt, regionsOnPage } from '../../../server/src/core/evidence/cited-regions.ts';
import { isBox, toFractions } from '../../../server/src/core/evidence/geometry.ts';
import type { BoxNumbers } from '../../../server/src/core/evidence/geometry.ts';
import { measureOf } from '../../../server/src/core/evidence/measure.ts';
import { distanceOf, printedDecimals } from '../../../server/src/core/evidence/twins.ts';
import type { DocumentFacts } from '../../../server/src/core/ports.ts';
import { builtinProfile } from '../../../server/src/core/profile/builtin.ts';
import { defineProfile } from '../../../server/src/core/profile/definition.ts';
import type { Profile } from '../../../server/src/core/profile/types.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import type { CanonicalRecord } from '../../../server/src/core/record/types.ts';
import { documentOf, SCIEGQA, settingsOf } from '../rules/support.ts';
import { respell, tokensOf } from './odd-json.ts';
import type { Json } from './odd-json.ts';

const RUNS = process.env['SOAK'] === undefined ? 150 : 5000;

const SIZES = [
  { width: 612, height: 792 },
  { width: 612, height: 792 },
  { width: 841.89, height: 595.276 },
  { width: 595.276, height: 841.89 },
];
const DOCUMENT: DocumentFacts = {
  name: 'demo-doc',
  pdf: { state: 'ok', path: '/demo-doc.pdf', pages: Array.from({ length: 12 }, (_, i) => SIZES[i % 4]!) },
};

interface Region {
  readonly box: readonly number[];
  readonly label: string;
}
interface Page {
  readonly number: number;
  readonly regions: readonly Region[];
}

interface Kind {
  readonly profile: Profile;
  /** One region per page. */
  readonly isFlat?: boolean;
  write(pages: readonly Page[], twin: (box: readonly number[], page: number) => readonly number[]): Json;
}

const texts = (list: Json): string => JSON.stringify(list).replaceAll('"', "'").replaceAll(',', ', ');

const KINDS: Readonly<Record<string, Kind>> = {
  'SciEGQA, with relative twins': {
    profile: builtinProfile('sciegqa')!,
    write: (pages, twin) => ({
      query: 'Wie viele Häuser?',
      doc_name: 'demo-doc',
      evidence_page: pages.map(({ number }) => number),
      bbox: pages.map(({ regions }) => regions.map(({ box }) => box)),
      rel_bbox: pages.map(({ regions, number }) => regions.map(({ box }) => twin(box, number))),
      subimg_type: pages.map(({ regions }) => regions.map(({ label }) => label)),
      answer: 'Ü',
      category: 'cs',
    }),
  },
  'x, y, width and height in points from the bottom, in objects of pages and regions': {
    profile: defineProfile('objects', {
      fields: {
        question: '/q',
        answer: '/a',
        pages: '/evidence/*/page',
        regions: { boxes: '/evidence/*/regions/*/bbox', labels: '/evidence/*/regions/*/kind' },
      },
      coordinates: { space: 'point', order: 'xywh', origin: 'bottom-left' },
    }),
    write: (pages) => ({
      q: 'Größe?',
      evidence: pages.map(({ number, regions }) => ({
        note: 'n/a',
        page: number,
        regions: regions.map(({ box, label }) => ({ kind: label, score: 0.5, bbox: box })),
      })),
      a: 'x',
    }),
  },
  'one box per page, in objects': {
    profile: defineProfile('flat', {
      fields: {
        question: '/q',
        answer: '/a',
        pages: '/regions/*/page',
        regions: { boxes: '/regions/*/bbox', relativeBoxes: '/regions/*/share', labels: '/regions/*/kind' },
      },
      coordinates: { space: 'pixel', dpi: 150, order: 'xyxy', origin: 'top-left' },
      relativeCoordinates: { space: 'unit', order: 'xyxy', origin: 'top-left' },
    }),
    isFlat: true,
    write: (pages, twin) => ({
      a: 'x',
      q: 'y',
      regions: pages.flatMap(({ number, regions }) =>
        regions.map(({ box, label }) => ({ page: number, bbox: box, kind: label, share: twin(box, number) })),
      ),
    }),
  },
  'under keys with slashes and tildes': {
    profile: defineProfile('keys', {
      fields: {
        question: '/q',
        answer: '/a',
        pages: '/e~1v/*/p~0',
        regions: { boxes: '/e~1v/*/~1r/*/b~01', labels: '/e~1v/*/~1r/*/k' },
      },
      coordinates: { space: 'unit', order: 'xyxy', origin: 'top-left' },
    }),
    write: (pages) => ({
      'e/v': pages.map(({ number, regions }) => ({
        'p~': number,
        '/r': regions.map(({ box, label }) => ({ 'b~1': box, k: label })),
      })),
      q: '?',
      a: 'x',
    }),
  },
  'lists that are stored as text': {
    profile: defineProfile('texts', {
      fields: {
        question: '/q',
        answer: '/a',
        pages: { at: '/pages', decoder: 'list-in-string' },
        regions: {
          boxes: { at: '/bbox', decoder: 'list-in-string' },
          relativeBoxes: { at: '/share', decoder: 'list-in-string' },
          labels: { at: '/kinds', decoder: 'list-in-string' },
        },
      },
      coordinates: { space: 'permille', order: 'whxy', origin: 'top-left' },
      relativeCoordinates: { space: 'percent', order: 'xyxy', origin: 'top-left' },
    }),
    write: (pages, twin) => ({
      q: 'ä',
      pages: JSON.stringify(pages.map(({ number }) => number)),
      bbox: texts(pages.map(({ regions }) => regions.map(({ box }) => box))),
      share: JSON.stringify(pages.map(({ regions, number }) => regions.map(({ box }) => twin(box, number)))),
      kinds: texts(pages.map(({ regions }) => regions.map(({ label }) => label))),
      a: 'x',
    }),
  },
};

const part = fc.integer({ min: 0, max: 90 });
const placeArbitrary = fc
  .record({ left: part, top: part, width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }) })
  .map(({ left, top, width, height }) => ({
    left: left / 100,
    top: top / 100,
    width: Math.min(width, 100 - left) / 100,
    height: Math.min(height, 100 - top) / 100,
  }));
const label = fc.constantFrom('text', 'image', 'table');
const pageNumber = fc.integer({ min: 1, max: 12 });

/** What is done, of which region and to which place being decided when it is known what is there. */
const gesture = fc.record({
  kind: fc.constantFrom(
    'add',
    'place',
    'edge',
    'numbers',
    'label',
    'duplicate',
    'remove',
    'order',
    'page',
    'citePage',
    'uncitePage',
  ),
  pick: fc.nat(),
  to: fc.nat(5),
  page: pageNumber,
  place: placeArbitrary,
  label,
});
type Gesture = typeof gesture extends fc.Arbitrary<infer T> ? T : never;

const modelArbitrary = fc.uniqueArray(
  fc.record({
    number: pageNumber,
    regions: fc.array(fc.record({ place: placeArbitrary, label }), { minLength: 1, maxLength: 3 }),
  }),
  { maxLength: 3, selector: ({ number }) => number },
);

function contextOf({ coordinates, relativeCoordinates, pageBase }: Profile) {
  return { settings: { coordinates, relativeCoordinates, pageBase }, document: DOCUMENT };
}

/** A record that has the regions of the model, written by the very changes: drawn one after the other, then spelled oddly. */
function recordOf(kind: Kind, model: typeof modelArbitrary extends fc.Arbitrary<infer T> ? T : never): Json {
  const { profile } = kind;
  const context = contextOf(profile);
  const draw = (place: RegionChange & { kind: 'add' }): [BoxNumbers, BoxNumbers | undefined] => {
    const begun = JSON.stringify(kind.write([], () => []));
    const record = toCanonical(JSON.parse(begun) as Record<string, unknown>, profile);
    const made = changeRegions(record, place, context);
    assert.ok(made.kind === 'changed', JSON.stringify(made));
    const text = applyEdits(begun, placeEdits(made.edits, begun)!);
    const [region] = citedRegions(toCanonical(JSON.parse(text) as Record<string, unknown>, profile));
    return [region!.box as BoxNumbers, isBox(region!.relative) ? region!.relative : undefined];
  };
  const twins = new Map<string, readonly number[]>();
  const pages = model.map(({ number, regions }) => ({
    number,
    regions: regions.map(({ place, label: own }) => {
      const [box, twin] = draw({ kind: 'add', page: number, place, label: own });
      twins.set(`${number} ${String(box)}`, twin ?? []);
      return { box, label: own };
    }),
  }));
  return kind.write(pages, (box, number) => twins.get(`${number} ${String(box)}`)!);
}

function changeFor(record: CanonicalRecord, given: Gesture): RegionChange | undefined {
  const { kind, pick, to, page, place } = given;
  if (kind === 'add') return { kind, page, place, label: given.label };
  if (kind === 'citePage' || kind === 'uncitePage') return { kind, page };
  const all = citedRegions(record);
  const region = all[pick % all.length];
  if (region === undefined) return undefined;
  const { pointer } = region;
  switch (kind) {
    case 'place':
      return { kind, pointer, place };
    case 'edge': {
      const number = pageNumberAt(record, region.page)!;
      const measure = measureOf(DOCUMENT, number, record.profile)!;
      const old = toFractions(region.box as BoxNumbers, record.profile.coordinates!, measure)!;
      const right = Math.min(1, old.left + old.width + to / 100 + 0.01);
      return { kind: 'place', pointer, place: { ...old, width: right - old.left } };
    }
    case 'numbers':
      return { kind, pointer, numbers: [1 + to, 2, 30 + to, 40] };
    case 'label':
      return { kind, pointer, label: given.label };
    case 'duplicate':
      return { kind, pointer, by: { left: 0.02, top: -0.02 } };
    case 'remove':
      return { kind, pointer };
    case 'order':
      return { kind, pointer, to };
    case 'page':
      return { kind, pointer, page };
  }
}

type Canonical = readonly { readonly number: number; readonly regions: readonly string[] }[];

/** Numbers of pages with their regions as text, as people see them. */
function seen(record: CanonicalRecord): Canonical {
  return (record.pages ?? []).map((_, at) => ({
    number: pageNumberAt(record, at)!,
    regions: regionsOnPage(record, at).map(({ box, label: own }) => `${String(own)} ${String(box)}`),
  }));
}

function assertInStep(record: CanonicalRecord): void {
  const { pages, boxes, relativeBoxes, labels, profile } = record;
  for (const list of [boxes, relativeBoxes, labels]) {
    if (list !== undefined) assert.equal(list.length, pages?.length);
  }
  const context = contextOf(profile);
  for (const [at, onPage] of (boxes ?? []).entries()) {
    if (!isBox(onPage)) {
      for (const list of [relativeBoxes, labels]) {
        if (list !== undefined) assert.equal((list[at] as unknown[]).length, (onPage as unknown[]).length);
      }
    }
    const page = measureOf(DOCUMENT, pageNumberAt(record, at), context.settings)!;
    for (const { box, relative } of regionsOnPage(record, at)) {
      assert.ok(isBox(box), String(box));
      const { coordinates, relativeCoordinates } = profile;
      if (relativeBoxes === undefined || coordinates === undefined || relativeCoordinates === undefined) continue;
      assert.ok(isBox(relative), String(relative));
      const relativeDecimals = printedDecimals(relativeBoxes, relativeCoordinates.space);
      const twins = { box, coordinates, relative, relativeCoordinates, relativeDecimals, page };
      assert.equal(distanceOf(twins), undefined, `${String(box)} ${String(relative)}`);
    }
  }
}

/** How each value is spelled that is not in a list of regions. */
function othersOf(text: string): ReadonlyMap<string, string> {
  const inLists = /^\/(?:evidence_page|bbox|rel_bbox|subimg_type|evidence|regions|pages|share|kinds|e~1v)(?:\/|$)/;
  return new Map([...tokensOf(text)].filter(([pointer]) => !inLists.test(pointer)));
}

/** Rules on how lists and numbers are written. */
const LISTS = /^(?:schema|record)\/|^box\/(?:shape|mismatch|out-of-page|corner-order|empty)$/;

describe('changes of regions', function () {
  this.timeout(120_000);

  for (const [name, kind] of Object.entries(KINDS)) {
    it(`keep all lists in step and lead back, byte for byte: ${name}`, () => {
      const { profile } = kind;
      const context = contextOf(profile);
      fc.assert(
        fc.property(
          modelArbitrary,
          fc.array(gesture, { minLength: 1, maxLength: 8 }),
          fc.nat(),
          fc.constantFrom('line', '\n', '\r\n'),
          (model, gestures, seed, form) => {
            const value = recordOf(kind, model);
            let text = form === 'line' ? respell(value, seed) : JSON.stringify(value, null, 2).replaceAll('\n', form);
            for (const one of gestures) {
              const record = toCanonical(JSON.parse(text) as Record<string, unknown>, profile);
              const change = changeFor(record, one);
              if (change === undefined) continue;
              const made = changeRegions(record, change, context);
              if (made.kind === 'problem') continue;
              const edits = placeEdits(made.edits, text);
              assert.ok(edits !== undefined, `${JSON.stringify(change)} in ${text}`);
              const after = applyEdits(text, edits);
              assert.equal(applyEdits(after, invertEdits(text, edits)), text);
              assert.deepEqual(othersOf(after), othersOf(text));
              const now = toCanonical(JSON.parse(after) as Record<string, unknown>, profile);
              assertInStep(now);
              assertDone(record, now, change, made.pointer);
              text = after;
            }
          },
        ),
        { numRuns: RUNS },
      );
    });
  }

  /** What the change was about, and that nothing else is otherwise. */
  function assertDone(
    before: CanonicalRecord,
    after: CanonicalRecord,
    change: RegionChange,
    pointer: string | null,
  ): void {
    const region = citedRegions(after).find((one) => one.pointer === pointer);
    if (pointer !== null) assert.ok(region !== undefined, `${change.kind} ${pointer}`);
    const old = 'pointer' in change ? citedRegions(before).find((one) => one.pointer === change.pointer) : undefined;
    const all = (record: CanonicalRecord): string[] =>
      seen(record).flatMap(({ number, regions }) => regions.map((one) => `${number} ${one}`));
    const without = (list: readonly string[], one: string | undefined): string[] => {
      const at = one === undefined ? -1 : list.indexOf(one);
      return at < 0 ? [...list] : list.toSpliced(at, 1);
    };
    const asSeen = (record: CanonicalRecord, one: typeof region): string | undefined =>
      one && `${pageNumberAt(record, one.page)} ${String(one.label)} ${String(one.box)}`;
    if (change.kind !== 'uncitePage') {
      const rest = without(all(before), change.kind === 'duplicate' ? undefined : asSeen(before, old)).sort();
      assert.deepEqual(without(all(after), asSeen(after, region)).sort(), rest, change.kind);
    }
    switch (change.kind) {
      case 'add':
        assert.equal(pageNumberAt(after, region!.page), change.page);
        assert.equal(region!.label, change.label);
        break;
      case 'numbers':
        assert.deepEqual(region!.box, change.numbers);
        break;
      case 'label':
        assert.equal(region!.label, change.label);
        break;
      case 'page':
        assert.equal(pageNumberAt(after, region!.page), change.page);
        assert.equal(region!.label, old!.label);
        break;
      case 'order':
        assert.deepEqual(region!.box, old!.box);
        break;
      case 'citePage':
        assert.ok(seen(after).some(({ number, regions }) => number === change.page && regions.length === 0));
        break;
      case 'uncitePage':
        assert.deepEqual(
          seen(after),
          seen(before).filter(({ number }) => number !== change.page),
        );
        break;
      default:
    }
  }

  it('keep what is said of the others where lists are longer or shorter than they should be', () => {
    const profile = builtinProfile('sciegqa')!;
    const [one, two, three] = [
      [10, 10, 400, 400],
      [20, 20, 500, 500],
      [30, 30, 600, 600],
    ];
    const made = (record: Json, change: RegionChange): Readonly<Record<string, unknown>> | string => {
      const text = JSON.stringify(record);
      const result = changeRegions(toCanonical(record as never, profile), change, contextOf(profile));
      if (result.kind === 'problem') return result.message;
      return JSON.parse(applyEdits(text, placeEdits(result.edits, text)!)) as Readonly<Record<string, unknown>>;
    };
    const wanted = (record: Json, change: RegionChange, after: Readonly<Record<string, unknown>>): void => {
      assert.deepEqual(made(record, change), { ...(record as object), ...after }, JSON.stringify(change));
    };
    const long = { evidence_page: [5], bbox: [[one, two]], subimg_type: [['text', 'image', 'table']] };
    const short = { evidence_page: [5], bbox: [[one, two, three]], subimg_type: [['text']] };
    const first = '/bbox/0/0';
    wanted(long, { kind: 'remove', pointer: first }, { bbox: [[two]], subimg_type: [['image', 'table']] });
    wanted(short, { kind: 'remove', pointer: first }, { bbox: [[two, three]], subimg_type: [[]] });
    wanted(short, { kind: 'remove', pointer: '/bbox/0/1' }, { bbox: [[one, three]] });
    wanted(
      long,
      { kind: 'order', pointer: first, to: 1 },
      { bbox: [[two, one]], subimg_type: [['image', 'text', 'table']] },
    );
    wanted(short, { kind: 'order', pointer: '/bbox/0/1', to: 2 }, { bbox: [[one, three, two]] });
    assert.match(String(made(short, { kind: 'order', pointer: first, to: 1 })), /edit the record itself/);
    wanted(
      short,
      { kind: 'duplicate', pointer: '/bbox/0/1', by: { left: 0, top: 0 } },
      { bbox: [[one, two, two, three]] },
    );
    const ofPages = {
      evidence_page: [5, 7, 7],
      bbox: [[one], [two], [three]],
      subimg_type: [['text'], ['image'], ['table'], ['x']],
    };
    wanted(
      ofPages,
      { kind: 'uncitePage', page: 7 },
      { evidence_page: [5], bbox: [[one]], subimg_type: [['text'], ['x']] },
    );
    wanted(
      ofPages,
      { kind: 'citePage', page: 3 },
      {
        evidence_page: [3, 5, 7, 7],
        bbox: [[], [one], [two], [three]],
        subimg_type: [[], ['text'], ['image'], ['table'], ['x']],
      },
    );
    const less = { evidence_page: [5, 7], bbox: [[one]] };
    assert.match(String(made(less, { kind: 'citePage', page: 3 })), /must be put right first/);
    const none = { bbox: [[one]] };
    assert.match(String(made(none, { kind: 'citePage', page: 3 })), /cites 0 pages, but bbox has boxes for 1/);
    const place = { left: 0.1, top: 0.1, width: 0.1, height: 0.1 };
    assert.match(String(made(none, { kind: 'add', page: 3, place, label: null })), /must be put right first/);
    const labelsOnly = { evidence_page: [5], subimg_type: [['text']] };
    assert.match(String(made(labelsOnly, { kind: 'add', page: 3, place, label: null })), /bbox does not have/);
    const relativeOnly = { evidence_page: [5], rel_bbox: [[[1, 2, 3, 4]]] };
    for (const page of [3, 5]) {
      assert.match(String(made(relativeOnly, { kind: 'add', page, place, label: null })), /bbox does not have/);
    }
  });

  it('cite no page that the document does not have', () => {
    const profile = builtinProfile('sciegqa')!;
    const record = toCanonical({ evidence_page: [5, 99], bbox: [[[1, 2, 3, 4]], []] }, profile);
    const message = 'There is no page 13: the document has 12 pages (1-12).';
    const asked: readonly RegionChange[] = [
      { kind: 'citePage', page: 13 },
      { kind: 'page', pointer: '/bbox/0/0', page: 13 },
    ];
    for (const change of asked) {
      assert.deepEqual(changeRegions(record, change, contextOf(profile)), { kind: 'problem', message });
      assert.equal(changeRegions(record, change, { ...contextOf(profile), document: undefined }).kind, 'changed');
    }
    assert.equal(changeRegions(record, { kind: 'uncitePage', page: 99 }, contextOf(profile)).kind, 'changed');
  });

  it('change nothing where a region is placed where it is', () => {
    for (const kind of Object.values(KINDS)) {
      const context = contextOf(kind.profile);
      fc.assert(
        fc.property(modelArbitrary, fc.nat(), (model, seed) => {
          const text = respell(recordOf(kind, model), seed);
          const record = toCanonical(JSON.parse(text) as Record<string, unknown>, kind.profile);
          for (const region of citedRegions(record)) {
            const page = measureOf(DOCUMENT, pageNumberAt(record, region.page), kind.profile)!;
            const place = toFractions(region.box as BoxNumbers, kind.profile.coordinates!, page)!;
            const change = { kind: 'place', pointer: region.pointer, place } as const;
            assert.deepEqual(changeRegions(record, change, context), {
              kind: 'changed',
              edits: [],
              pointer: region.pointer,
              title: (changeRegions(record, change, context) as { title: string }).title,
            });
          }
        }),
        { numRuns: 60 },
      );
    }
  });

  it('introduce no finding on lists, boxes or twins in a record without one', () => {
    const settings = settingsOf('sciegqa');
    const checker = createChecker(settings);
    const document = documentOf(12);
    const findings = (text: string): string[] => {
      const slot = { index: 0, line: 0, column: 0, offset: 0, text };
      return checker.findings(slot, checker.checkText(text), { document }).map(({ code }) => code);
    };
    const clean = JSON.stringify(SCIEGQA);
    assert.deepEqual(findings(clean), []);
    fc.assert(
      fc.property(fc.array(gesture, { minLength: 1, maxLength: 6 }), (gestures) => {
        let text = clean;
        for (const one of gestures) {
          const record = checker.checkText(text).record!;
          const change = changeFor(record, one);
          if (change === undefined || change.kind === 'numbers') continue;
          const made = changeRegions(record, change, { settings, document });
          if (made.kind === 'problem') continue;
          text = applyEdits(text, placeEdits(made.edits, text)!);
          // Regions may be drawn tiny, or one inside the other: that is what was done.
          const found = findings(text).filter((code) => LISTS.test(code));
          assert.deepEqual(found, [], `${JSON.stringify(change)}: ${text}`);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
