/** `auditable-qa crops`: every image is what stands at its place on the page, and a run that was killed goes on. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decode } from 'fast-png';
import type { CropImage, CropRecord } from '../../schemas/crops.ts';
import type { Pixels } from '../../server/src/core/page/ink.ts';
import { turned } from '../../server/src/node/pages/orientation.ts';
import { decodeJpeg } from '../../server/src/node/pages/jpeg-pixels.ts';
import {
  CONFIGURATION,
  filesIn,
  jpegOf,
  manifestIn,
  pageOf,
  pngPage,
  record,
  runCrops,
  tiffPage,
  turnedJpeg,
} from './crops-data.ts';
import type { Box } from './crops-data.ts';
import { MARK, markedPdf } from '../browser/documents.ts';
import { lockedPdf } from '../browser/special-documents.ts';
import { finished, layFolder, PROJECT, runCli, start } from './run.ts';

const SOAKING = process.env['SOAK'] === '1';
const DATA = path.resolve(PROJECT, '../shared/data/sciegqa');
const TABLE: Box = [20, 130, 170, 160];
const FIGURE: Box = [24, 176, 144, 236];

/** A part of a page, pixel by pixel: cutting without the product's code. */
function partOf({ width, data }: Pixels, [left, top, right, bottom]: readonly number[]): number[] {
  const part: number[] = [];
  for (let y = top!; y < bottom!; y++) {
    for (let x = left!; x < right!; x++) for (let c = 0; c < 3; c++) part.push(data[(y * width + x) * 3 + c]!);
  }
  return part;
}

async function assertImage(folder: string, image: CropImage, page: Pixels, part: readonly number[]): Promise<void> {
  const bytes = await readFile(path.join(folder, ...image.path.split('/')));
  const { width, height, channels, depth, data } = decode(bytes);
  assert.deepEqual([width, height], [part[2]! - part[0]!, part[3]! - part[1]!], image.path);
  assert.deepEqual([image.width, image.height, channels, depth], [width, height, 3, 8]);
  assert.deepEqual([...data], partOf(page, part), image.path);
  assert.equal(image.sha256, createHash('sha256').update(bytes).digest('hex'));
}

const pages = (document: string, count: number, make = pngPage, ending = 'png'): Record<string, Buffer> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`Images/${document}/${document}_${i + 1}.${ending}`, make(pageOf(i + 1))]),
  );

describe('auditable-qa crops', () => {
  let folder: string;
  let remove: () => Promise<void> = () => Promise.resolve();
  const lay = async (files: Readonly<Record<string, string | Buffer>>): Promise<void> => {
    ({ folder, remove } = await layFolder({ 'auditable-qa.json': CONFIGURATION, ...files }));
  };
  const out = (): string => path.join(folder, 'out');
  afterEach(() => remove());

  it('cuts each region out of its page, pixel by pixel, and says in the manifest what it is', async () => {
    const lines = [
      record('alpha', [2], [[TABLE, FIGURE]], { id: 'first' }),
      // Shares a region with the first one; the page of the second box comes before that of the first.
      record('alpha', [3, 1], [[FIGURE], [TABLE]]),
      record('alpha', [2], [[FIGURE]], { subimg_type: [['image']] }),
    ];
    await lay({ 'a.jsonl': `${lines.join('\n')}\n`, ...pages('alpha', 3) });
    const run = await runCrops(['a.jsonl'], folder);
    assert.deepEqual(run, { code: 0, out: 'out/manifest.jsonl: 3 records, 5 crops\n', err: '' });
    const [first, second, third] = await manifestIn(out());
    assert.deepEqual(
      [first, second, third].map(({ images }: CropRecord = { images: [] } as never) => images.map(({ page }) => page)),
      [[2, 2], [3, 1], [2]],
    );
    const { images, ...members } = first!;
    assert.deepEqual(members, {
      key: members.key,
      id: null,
      file: 'a.jsonl',
      index: 0,
      line: 1,
      question: (JSON.parse(lines[0]!) as { query: string }).query,
      answer: 'Nothing.',
    });
    assert.match(members.key, /^hash:[0-9a-f]{16}$/);
    const { path: at, sha256, ...figure } = images[1]!;
    assert.match(at, /^crops\/alpha-[0-9a-f]{8}\/p2_24-176-144-236\.png$/);
    assert.match(sha256, /^[0-9a-f]{64}$/);
    assert.deepEqual(figure, {
      kind: 'crop',
      document: 'alpha',
      page: 2,
      region: 2,
      pointer: '/bbox/0/1',
      label: 'table',
      box: FIGURE,
      space: 'pixel',
      pixels: FIGURE,
      width: 120,
      height: 60,
      dpi: 300,
    });
    assert.equal(third!.images[0]!.path, at);
    await assertImage(out(), images[0]!, pageOf(2), TABLE);
    await assertImage(out(), images[1]!, pageOf(2), FIGURE);
    await assertImage(out(), second!.images[0]!, pageOf(3), FIGURE);
    await assertImage(out(), second!.images[1]!, pageOf(1), TABLE);
    assert.equal((await filesIn(out())).size, 5, 'four images and the manifest, nothing else');
  });

  it('reads JPEG pages that are turned, TIFF pages, and boxes of 0-1000 that only their vote tells', async () => {
    const lying = pageOf(1);
    const box = (i: number): Box => [100 + i, 500, 900, 800 + i];
    const lines = [1, 2, 3, 4].map((i) => record('turned', [1], [[box(i)]]));
    const configuration = CONFIGURATION.replace(
      ',"coordinates":{"space":"pixel","order":"xyxy","origin":"top-left"}',
      '',
    );
    assert.notEqual(configuration, CONFIGURATION);
    await lay({
      'auditable-qa.json': configuration,
      'a.jsonl': `${lines.join('\n')}\n`,
      'Images/turned/turned_1.jpg': turnedJpeg(lying),
      'b.jsonl': `${[1, 2, 3].map((i) => record('scan', [1], [[box(i)]])).join('\n')}\n`,
      // As large as a page at 300 dpi is next to 1000.
      'Images/scan/scan_1.tif': tiffPage({
        width: 2400,
        height: 3000,
        channels: 1,
        data: new Uint8Array(7_200_000).fill(200),
      }),
    });
    const { code, err } = await runCrops(['b.jsonl'], folder);
    assert.equal(code, 0, err);
    assert.match(err, /^auditable-qa: b\.jsonl: All 3 boxes .* They are cut as 0-1000; .*\n$/);
    const [scan] = await manifestIn(out());
    assert.deepEqual(scan!.images[0]!.kind === 'crop' && scan!.images[0]!.pixels, [242, 1500, 2160, 2403]);
    await rm(out(), { recursive: true });
    await writeFile(
      path.join(folder, 'auditable-qa.json'),
      CONFIGURATION.replace('"space":"pixel"', '"space":"permille"'),
    );
    assert.equal((await runCrops(['a.jsonl'], folder)).code, 0);
    const [first] = await manifestIn(out());
    // 264 × 200 px as it is shown.
    await assertImage(out(), first!.images[0]!, turned(decodeJpeg(jpegOf(lying)), 6), [27, 100, 238, 160]);
  });

  it('takes page images over as they are, and turns what is not upright into PNG', async () => {
    await lay({
      'a.jsonl': `${record('one', [2, 2], [[TABLE], [FIGURE]])}\n${record('two', [1], [[TABLE]])}\n`,
      ...pages('one', 3),
      'Images/two/two_1.jpg': jpegOf(pageOf(1)),
      'Images/two/two_2.jpg': turnedJpeg(pageOf(2)),
    });
    assert.deepEqual(await runCrops(['a.jsonl'], folder, { what: 'pages' }), {
      code: 0,
      out: 'out/manifest.jsonl: 2 records, 2 pages\n',
      err: '',
    });
    const [first, second] = await manifestIn(out());
    const [page] = first!.images;
    assert.ok(page?.kind === 'page');
    assert.deepEqual([page.page, page.width, page.height], [2, 200, 264]);
    assert.deepEqual(
      page.regions.map(({ region, pixels }) => [region, pixels]),
      [
        [1, TABLE],
        [2, FIGURE],
      ],
    );
    assert.deepEqual(await readFile(path.join(out(), page.path)), pngPage(pageOf(2)));
    assert.match(second!.images[0]!.path, /^pages\/two-[0-9a-f]{8}\/p1\.jpg$/);
    assert.deepEqual(await readFile(path.join(out(), second!.images[0]!.path)), jpegOf(pageOf(1)));

    assert.equal((await runCrops(['a.jsonl'], folder, { what: 'documents', out: 'whole' })).code, 0);
    const [one, two] = await manifestIn(path.join(folder, 'whole'));
    assert.deepEqual(
      one!.images.map((image) => [image.page, image.kind === 'page' && image.regions.length]),
      [
        [1, 0],
        [2, 2],
        [3, 0],
      ],
    );
    await assertImage(
      path.join(folder, 'whole'),
      two!.images[1]!,
      turned(decodeJpeg(jpegOf(pageOf(2))), 6),
      [0, 0, 264, 200],
    );
  });

  it('says of each record what is missing, and goes on', async () => {
    const cut = pngPage(pageOf(2));
    const lines = [
      record('alpha', [1], [[TABLE]]),
      record('alpha', [9, 1], [[TABLE], [FIGURE]]),
      record('alpha', [2], [[TABLE]]),
      record('alpha', [1], [[[150, 200, 260, 300], [300, 10, 400, 20], [10, 10, 10, 40], 'none']]),
      '{"query": broken',
      record('alpha', ['x'], [[TABLE]]),
      record('alpha', [1], [[]]),
    ];
    await lay({
      'a.jsonl': `${lines.join('\n')}\n`,
      ...pages('alpha', 1),
      'Images/alpha/alpha_2.png': cut.subarray(0, cut.length - 60),
    });
    const { code, out: summary, err } = await runCrops(['a.jsonl'], folder);
    assert.equal(summary, 'out/manifest.jsonl: 6 records, 3 crops; of 5 records something is missing\n');
    assert.equal(code, 1);
    const told = err.split('\n').map((line) => line.replace(/^auditable-qa: /, ''));
    assert.match(told[0]!, /^a\.jsonl:5: record 5: It is no record that can be read\.$/);
    assert.match(
      told[1]!,
      /^a\.jsonl:2: record 2: Page 9: Page image Images\/alpha\/alpha_9\.png is not there, nor .*\.$/,
    );
    assert.match(told[2]!, /^a\.jsonl:3: record 3: Page 2: Images\/alpha\/alpha_2\.png is damaged: .*\.$/);
    assert.match(
      told[3]!,
      /region 2: the box \[300,10,400,20\] lies outside of the page\. .*region 3: the box \[10,10,10,40\] has no area\. .*region 4: "none" is no box/,
    );
    assert.match(told[4]!, /^a\.jsonl:6: record 6: "x" is no page number\.$/);
    const lines2 = await manifestIn(out());
    assert.deepEqual(
      lines2.map(({ images, problems }) => [images.length, problems?.length ?? 0]),
      [
        [1, 0],
        [1, 1],
        [0, 1],
        [1, 3],
        [0, 1],
        [0, 0],
      ],
    );
    const clipped = lines2[3]!.images[0]!;
    assert.ok(clipped.kind === 'crop' && clipped.clipped);
    await assertImage(out(), clipped, pageOf(1), [150, 200, 200, 264]);
    // Whole pages are asked for their bytes, too.
    assert.equal((await runCrops(['a.jsonl'], folder, { what: 'pages', out: 'pages' })).code, 1);
    assert.match((await manifestIn(path.join(folder, 'pages')))[2]!.problems![0]!, /is damaged/);
  });

  it('stays in its folder, whatever documents are called', async () => {
    const names = [
      '../../evil',
      '/etc/passwd',
      'CON',
      'a b:*?"<>|',
      'Ünïcödé',
      '..',
      '.hidden',
      'x'.repeat(120),
      'Alpha',
      'alpha',
    ];
    const usable = names.filter((name) => !/^(?:\.\.|\/)/.test(name) && name !== '.hidden');
    await lay({
      'a.jsonl': `${names.map((name) => record(name, [1], [[TABLE]])).join('\n')}\n`,
      ...Object.assign({}, ...usable.map((name) => pages(name, 1))),
    });
    const { code } = await runCrops(['a.jsonl'], folder);
    assert.equal(code, 1);
    const lines = await manifestIn(out());
    assert.equal(lines.flatMap(({ images }) => images).length, usable.length);
    const made = lines.flatMap(({ images }) => images.map(({ path: at }) => at));
    for (const at of made) assert.match(at, /^crops\/[A-Za-z0-9][A-Za-z0-9._-]{0,69}\/p1_20-130-170-160\.png$/);
    assert.equal(new Set(made.map((at) => at.toLowerCase())).size, usable.length);
    assert.deepEqual(readdirSync(folder).sort(), ['Images', 'a.jsonl', 'auditable-qa.json', 'out']);
    await rm(out(), { recursive: true });
    await mkdir(path.join(folder, 'elsewhere'));
    await mkdir(out());
    symlinkSync('../elsewhere', path.join(out(), 'crops'));
    const led = await runCrops(['a.jsonl'], folder);
    assert.equal(led.code, 2);
    assert.match(led.err, /The folder out holds a link that leads out of it\./);
    assert.deepEqual(readdirSync(path.join(folder, 'elsewhere')), []);
  });

  it('leaves what is not its own alone, and works in a folder once at a time', async () => {
    await lay({
      'a.jsonl': `${record('alpha', [1], [[TABLE]])}\n`,
      'text.jsonl': '{"question_id":"a","question":"?","python_solution":"","ground_truth":1}\n',
      ...pages('alpha', 1),
      'theirs/manifest.jsonl': '{"images":[]}\n',
    });
    const foreign = await runCrops(['a.jsonl'], folder, { out: 'theirs' });
    assert.deepEqual([foreign.code, foreign.out], [2, '']);
    assert.match(foreign.err, /^The folder theirs holds a manifest\.jsonl that is not of this program/);
    const under = await runCrops(['a.jsonl'], folder, { out: 'a.jsonl/x' });
    assert.match(under.err, /^The folder a\.jsonl\/x /);
    const without = await runCrops(['text.jsonl'], folder, { profile: 'docmath-eval' });
    assert.deepEqual([without.code, without.out], [2, '']);
    assert.match(without.err, /records of the profile docmath-eval have no (?:regions|documents)/);

    // Somebody else is at work: this very machine, another process.
    await mkdir(path.join(out(), '.auditable-qa-crops'), { recursive: true });
    const lock = path.join(out(), '.auditable-qa-crops', 'lock');
    const { hostname } = await import('node:os');
    await writeFile(lock, JSON.stringify({ pid: process.ppid, host: hostname(), token: 'x' }));
    const second = await runCrops(['a.jsonl'], folder);
    assert.equal(second.code, 2);
    assert.match(second.err, /^The folder out is being written by process \d+ of /);
    // It gave no sign of life for long.
    await utimes(lock, new Date(0), new Date(0));
    assert.equal((await runCrops(['a.jsonl'], folder)).code, 0);
    assert.equal(existsSync(lock), false);
    // What the program wrote is its own: it may be written again, and is no record file.
    assert.deepEqual(await runCrops(['.'], folder, { profile: 'sciegqa' }).then(({ code }) => code), 0);
  });

  it('goes on where it was stopped, with what has not changed since', async () => {
    const lines = Array.from({ length: 12 }, (_, i) => record('alpha', [(i % 6) + 1], [[TABLE, [i, i, 60 + i, 90]]]));
    await lay({ 'a.jsonl': `${lines.join('\n')}\n`, ...pages('alpha', 6) });
    assert.equal((await runCrops(['a.jsonl'], folder, { out: 'whole' })).code, 0);
    const stop = new AbortController();
    stop.abort(new DOMException('stopped', 'AbortError'));
    await assert.rejects(runCrops(['a.jsonl'], folder, {}, stop.signal), { name: 'AbortError' });
    assert.equal(existsSync(path.join(out(), 'manifest.jsonl')), false);
    // With other options it would mix up two kinds of images.
    const other = await runCrops(['a.jsonl'], folder, { what: 'pages' });
    assert.equal(other.code, 2);
    assert.match(other.err, /holds an unfinished run with --what crops; go on with that/);
    assert.equal((await runCrops(['a.jsonl'], folder)).code, 0);
    assert.deepEqual(await filesIn(out()), await filesIn(path.join(folder, 'whole')));
  });

  it('draws pages of PDFs that have no images, at the dpi of the boxes or as asked', async () => {
    const marked = await markedPdf({ rotation: 90 });
    const box = (dpi: number): Box => {
      // The page lies: 792 × 612 points.
      const [width, height] = [(792 * dpi) / 72, (612 * dpi) / 72];
      const { left, top, width: w, height: h } = marked.mark;
      return [left * width, top * height, (left + w) * width, (top + h) * height].map(Math.round) as never;
    };
    const configuration = JSON.stringify({
      datasets: [
        { files: ['*.jsonl'], profile: 'sciegqa', pdf: '{doc_name}.pdf', coordinates: { space: 'pixel', dpi: 144 } },
      ],
    });
    await lay({
      'auditable-qa.json': configuration,
      'a.jsonl': `${record('turned', [1], [[box(144)]])}\n${record('turned', [2], [[box(144)]])}\n${record('locked', [1], [[box(144)]])}\n`,
      'turned.pdf': Buffer.from(marked.bytes),
      'locked.pdf': Buffer.from(lockedPdf()),
    });
    const { code, err } = await runCrops(['a.jsonl'], folder);
    assert.equal(code, 1);
    assert.match(err, /record 2: Page 2: the PDF has the pages 1 to 1\./);
    assert.match(err, /record 3: Page 1: PDF locked\.pdf cannot be read: is encrypted and needs a password\./);
    const [first] = await manifestIn(out());
    const image = first!.images[0]!;
    assert.ok(image.kind === 'crop');
    assert.deepEqual([image.dpi, image.pixels], [144, box(144)]);
    const crop = decode(await readFile(path.join(out(), image.path)));
    assert.ok(isAllOf(crop.data as Uint8Array, MARK), 'the crop is the mark and nothing else');

    assert.equal((await runCrops(['a.jsonl'], folder, { dpi: 72, out: 'small' })).code, 1);
    const small = (await manifestIn(path.join(folder, 'small')))[0]!.images[0]!;
    assert.ok(small.kind === 'crop');
    assert.deepEqual([small.dpi, small.pixels, small.box], [72, box(72), box(144)]);
    assert.equal((await runCrops(['a.jsonl'], folder, { what: 'documents', out: 'whole' })).code, 1);
    const whole = (await manifestIn(path.join(folder, 'whole')))[0]!.images[0]!;
    assert.deepEqual([whole.page, whole.width, whole.height], [1, 1584, 1224]);
  });

  /** CI: few kills. SOAK=1: many. */
  const KILLS = SOAKING ? 40 : 2;
  it('ends with the same bytes however often it is killed', async function () {
    this.timeout(SOAKING ? 600_000 : 60_000);
    const lines = Array.from({ length: 60 }, (_, i) =>
      record('alpha', [(i % 12) + 1], [[TABLE, [i, 2 * i, 80 + i, 140 + i], [0, 0, 200, 264 - i]]]),
    );
    await lay({ 'a.jsonl': `${lines.join('\n')}\n`, ...pages('alpha', 12) });
    assert.equal((await runCrops(['a.jsonl'], folder, { out: 'whole' })).code, 0);
    const whole = await filesIn(path.join(folder, 'whole'));
    let [kills, state] = [0, 12345];
    while (kills < KILLS) {
      const child = start(['crops', 'a.jsonl', '--out', 'out', '--jobs', '2'], { cwd: folder });
      const ended = finished(child);
      // After so many images have come since it was started.
      state = (state * 1103515245 + 12345) % 2147483648;
      const more = 1 + (state % 40);
      const before = imagesIn(out());
      await new Promise<void>((done) => {
        const watch = setInterval(() => {
          if (imagesIn(out()) < Math.min(before + more, 150) && child.exitCode === null) return;
          clearInterval(watch);
          done();
        }, 2);
      });
      child.kill('SIGKILL');
      await ended;
      kills += 1;
      // It may have been killed before it began.
      if (!existsSync(out())) continue;
      for (const [name, bytes] of await filesIn(out())) {
        if (name.endsWith('.png')) assert.equal(bytes, whole.get(name), `${name} is whole`);
      }
      if (existsSync(path.join(out(), 'manifest.jsonl'))) {
        assert.deepEqual(await filesIn(out()), whole);
        await rm(out(), { recursive: true });
      }
    }
    const last = await runCli(['crops', 'a.jsonl', '--out', 'out'], { cwd: folder });
    assert.deepEqual(last, { code: 0, stdout: 'out/manifest.jsonl: 60 records, 180 crops\n', stderr: '' });
    assert.deepEqual(await filesIn(out()), whole);
  });
});

function isAllOf(data: Uint8Array, colour: readonly number[]): boolean {
  return data.every((value, i) => Math.abs(value - colour[i % 3]!) < 100);
}

/** Of a folder that may be moved, or not be there. */
function imagesIn(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.png')).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

describe('auditable-qa crops of the published demo', () => {
  before(function () {
    if (existsSync(DATA)) return;
    console.log('    ../shared/data is missing: skipped');
    this.skip();
  });

  it('are those of its own view: as many, as large, at the same places', async () => {
    const { folder, remove } = await layFolder({});
    try {
      const { code, err } = await runCrops(['2311.07631.jsonl'], DATA, { out: folder });
      assert.equal(code, 0, err);
      const made = await manifestIn(folder);
      assert.equal(made.length, 22);
      const view = (await readFile(path.join(DATA, 'views/crop_demo.jsonl'), 'utf8')).trim().split('\n');
      for (const line of view) {
        const demo = JSON.parse(line) as {
          query: string;
          images: string[];
          bbox: number[][][];
          subimg_type: string[][];
        };
        const own = made.find(({ question }) => question === demo.query)!;
        // Names of the view say page, region and label: `…_p4_r1_image.png`.
        const named = own.images.map(
          (image) => image.kind === 'crop' && `_p${image.page}_r${image.region}_${image.label}.png`,
        );
        assert.deepEqual(
          named,
          demo.images.map((name) => /_p\d+_r\d+_\w+\.png$/.exec(name)?.[0]),
        );
        for (const [i, box] of demo.bbox.flat().entries()) {
          const image = own.images[i]!;
          assert.deepEqual([image.width, image.height], [box[2]! - box[0]!, box[3]! - box[1]!]);
          const page = decode(await readFile(path.join(DATA, `Images/cs/2311.07631/2311.07631_${image.page}.png`)));
          await assertImage(folder, image, { ...page, data: page.data as Uint8Array }, box);
        }
      }
    } finally {
      await remove();
    }
  });
});
