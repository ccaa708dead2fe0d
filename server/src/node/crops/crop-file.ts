/** The records of one file as crops: looked at once to know how its boxes are read, then cut window by window. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { CropImage, CropRecord, CropRegion, PixelCorners } from '../../../../schemas/crops.ts';
import { createOrdinals, keyOf } from '../../core/checker.ts';
import { planCrops } from '../../core/crops/plan.ts';
import type { CropOptions, CropPlan, PictureSource, PlannedImage, PlannedRegion } from '../../core/crops/plan.ts';
import { readingForCrops } from '../../core/crops/reading.ts';
import type { CropReading } from '../../core/crops/reading.ts';
import { createFileBoxes } from '../../core/evidence/coordinates.ts';
import { allPagesRequest } from '../../core/evidence/document-pages.ts';
import type { PixelBox } from '../../core/page/ink.ts';
import type { DocumentFacts, DocumentReader } from '../../core/ports.ts';
import { documentRequest } from '../../core/profile/locations.ts';
import type { NoProfile } from '../../core/profile/settings.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import { toCanonical } from '../../core/record/canonical.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { createNesting, withOuter } from '../../core/text/nested.ts';
import { parseRecordText } from '../../core/text/parse.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import type { RecordSource } from '../files/read.ts';
import { createRecent, remember } from '../recent.ts';
import type { Cutters } from './cutters.ts';
import type { JournalEntry } from './journal.ts';
import type { Cut, PageWork } from './messages.ts';
import { stemOf } from './names.ts';
import { FolderFault } from './output-folder.ts';
import type { OutputFolder } from './output-folder.ts';

export interface CropServices {
  readonly documents: DocumentReader;
  readonly folder: OutputFolder;
  readonly cutters: Cutters;
  readonly options: CropOptions;
  readonly stop: AbortSignal;
}

export interface CropSink {
  /** How the boxes are read, where that is not a matter of course; a sentence. */
  reading(note: string): Promise<void>;
  /** A record of which images are missing, or that is none. Sentences. */
  problems(slot: RecordSlot, id: string | null, problems: readonly string[]): Promise<void>;
  /** How much of the file is done, 0–1. */
  progress(share: number): void;
}

export type CropResult =
  | { readonly state: 'done'; readonly counts: CropCounts }
  | { readonly state: 'unfit'; readonly unfit: NoProfile }
  /** The profile has no field that is needed for it. */
  | { readonly state: 'without'; readonly profile: string; readonly field: 'regions' | 'pages' | 'documents' };

export interface CropCounts {
  records: number;
  /** Mentioned in the manifest, however often they share a file. */
  images: number;
  /** Records with problems. */
  faulty: number;
}

const SAMPLES = 1000;
/** Records, images and UTF-16 units of text that are planned at a time. */
const WINDOW = 1000;
const WINDOW_IMAGES = 4000;
const WINDOW_TEXT = 8_000_000;
/** Documents that are looked for at the same time. */
const LOOKS = 32;
/** What looking at the file takes of the whole, for the progress. */
const LOOKING = 0.05;

/** Rejects with `FolderFault` where nothing can be written, and with an AbortError. */
export async function cropFile(
  source: RecordSource,
  size: number,
  shown: string,
  resolve: (samples: readonly unknown[]) => Promise<FileSettings | NoProfile>,
  services: CropServices,
  sink: CropSink,
): Promise<CropResult> {
  const looked = await lookAt(source, size, resolve, services, sink);
  if ('state' in looked) return looked;
  if (looked.note !== undefined) await sink.reading(looked.note);
  const counts: CropCounts = { records: 0, images: 0, faulty: 0 };
  const cutter = createWindowCutter(services, looked.settings.base);
  const ordinalOf = createOrdinals();
  const options = { ...services.options, exchanged: looked.exchanged };
  let window: Planned[] = [];
  let [images, text, read] = [0, 0, 0];

  async function flush(): Promise<void> {
    const before = share(read - text, size);
    const after = share(read, size);
    const entries = await cutter.cut(window, (done) => sink.progress(before + (after - before) * done));
    for (const planned of window) {
      const { line, problems } = lineOf(planned, entries, shown, ordinalOf(planned));
      await services.folder.record(JSON.stringify(line));
      counts.records += 1;
      counts.images += line.images.length;
      if (problems.length > 0) counts.faulty += 1;
      if (problems.length > 0) await sink.problems(planned.slot, line.id, problems);
    }
    window = [];
    images = text = 0;
    sink.progress(after);
  }

  for await (const slots of recordsOf(source, looked.settings, services.stop)) {
    for (const part of portions(slots, LOOKS)) {
      const planned = await Promise.all(part.map((slot) => planOne(slot, looked.settings, options, services)));
      for (const one of planned) {
        read += one.slot.text.length;
        text += one.slot.text.length;
        if ('record' in one) {
          window.push(one);
          images += one.plan.images.length;
        } else {
          counts.faulty += 1;
          await sink.problems(one.slot, null, ['It is no record that can be read.']);
        }
        if (window.length >= WINDOW || images >= WINDOW_IMAGES || text >= WINDOW_TEXT) await flush();
      }
    }
  }
  await flush();
  return { state: 'done', counts };
}

function share(read: number, size: number): number {
  return size === 0 ? 1 : LOOKING + (1 - LOOKING) * Math.min(1, read / size);
}

function* portions<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

/** The records of the file, nested ones each for itself. */
async function* recordsOf(
  source: RecordSource,
  settings: FileSettings,
  stop: AbortSignal,
): AsyncGenerator<readonly RecordSlot[]> {
  const nesting = createNesting(settings.profile.records);
  for await (const batch of source.open()) {
    stop.throwIfAborted();
    yield nesting.expand(batch);
  }
}

function canonical({ text, outer }: RecordSlot, settings: FileSettings): CanonicalRecord | undefined {
  const { value } = parseRecordText(text);
  return value && toCanonical(withOuter(value, outer), settings.profile);
}

/** The profile of the file, whether it has what is wanted, and how all its boxes together are read. */
async function lookAt(
  source: RecordSource,
  size: number,
  resolve: (samples: readonly unknown[]) => Promise<FileSettings | NoProfile>,
  { documents, options, stop }: CropServices,
  sink: CropSink,
): Promise<CropReading | Exclude<CropResult, { state: 'done' }>> {
  const settings = await resolve(await samplesOf(source, stop));
  if (!('profile' in settings)) return { state: 'unfit', unfit: settings };
  const { fields, name } = settings.profile;
  if (fields.document === undefined) return { state: 'without', profile: name, field: 'documents' };
  if (options.what === 'pages' && fields.pages === undefined)
    return { state: 'without', profile: name, field: 'pages' };
  if (fields.boxes === undefined) {
    return options.what === 'crops'
      ? { state: 'without', profile: name, field: 'regions' }
      : { settings, exchanged: false };
  }
  const boxes = createFileBoxes();
  let read = 0;
  for await (const slots of recordsOf(source, settings, stop)) {
    for (const part of portions(slots, LOOKS)) {
      const records = part.flatMap((slot) => canonical(slot, settings) ?? []);
      const facts = await Promise.all(
        records.map((record) => (record.boxes === undefined ? undefined : documentOf(record, settings, documents))),
      );
      records.forEach((record, i) => boxes.add(record, settings, facts[i]));
      for (const { text } of part) read += text.length;
      sink.progress(size === 0 ? 0 : LOOKING * Math.min(1, read / size));
      stop.throwIfAborted();
    }
  }
  return readingForCrops(boxes.facts(), settings);
}

async function samplesOf(source: RecordSource, stop: AbortSignal): Promise<readonly unknown[]> {
  const samples: unknown[] = [];
  for await (const batch of source.open()) {
    stop.throwIfAborted();
    for (const { text } of batch) {
      const { value } = parseRecordText(text);
      if (value !== undefined) samples.push(value);
      if (samples.length >= SAMPLES) return samples;
    }
  }
  return samples;
}

async function documentOf(
  record: CanonicalRecord,
  settings: FileSettings,
  documents: DocumentReader,
): Promise<DocumentFacts | undefined> {
  const request = documentRequest(record, settings);
  return request && documents.read(request);
}

interface Planned {
  readonly slot: RecordSlot;
  readonly text: string;
  readonly record: CanonicalRecord;
  readonly plan: CropPlan;
  /** Of the plan's images, in their order. */
  readonly stems: readonly string[];
}

async function planOne(
  slot: RecordSlot,
  settings: FileSettings,
  options: CropOptions,
  { documents }: CropServices,
): Promise<Planned | { readonly slot: RecordSlot }> {
  const record = canonical(slot, settings);
  if (record === undefined) return { slot };
  let document = await documentOf(record, settings, documents);
  if (document !== undefined && options.what === 'documents') {
    const request = allPagesRequest(record, document, settings);
    if (request !== undefined) document = await documents.read(request);
  }
  const plan = planCrops(record, document, settings, options);
  return { slot, text: slot.text, record, plan, stems: plan.images.map((image) => stemOf(image, settings.base)) };
}

type Entries = ReadonlyMap<string, JournalEntry | { readonly problem: string }>;

interface PageTask {
  readonly image: PlannedImage;
  readonly cuts: Cut[];
  readonly stems: string[];
}

/** Cuts what a window of records needs and what does not stand in its place already. */
function createWindowCutter({ folder, cutters, stop }: CropServices, base: string) {
  const versions = createRecent<string, Promise<string | undefined>>(1000);

  async function standing(stem: string): Promise<JournalEntry | undefined> {
    const found = folder.journal.find(stem);
    if (found === undefined || !found.isOld) return found?.entry;
    const { entry } = found;
    const [version, image] = await Promise.all([
      remember(versions, entry.source, () => versionOf(entry.source)),
      versionOf(path.join(folder.folder, stem + entry.ending)),
    ]);
    return version === entry.version && image !== undefined ? entry : undefined;
  }

  /** `progress` hears which share of the pages is done. */
  async function cut(window: readonly Planned[], progress: (share: number) => void): Promise<Entries> {
    const entries = new Map<string, JournalEntry | { readonly problem: string }>();
    const tasks = new Map<string, PageTask>();
    const met = new Set<string>();
    for (const { plan, stems } of window) {
      for (const [i, image] of plan.images.entries()) {
        const stem = stems[i]!;
        if (met.has(stem)) continue;
        met.add(stem);
        const entry = await standing(stem);
        if (entry !== undefined) entries.set(stem, entry);
        else addTo(tasks, image, stem, folder.folder);
      }
      stop.throwIfAborted();
    }
    let done = 0;
    await Promise.all(
      [...tasks.values()].map(async (task) => {
        for (const [stem, entry] of await cutPage(task)) {
          if ('stem' in entry) folder.journal.add(entry);
          entries.set(stem, entry);
        }
        progress(++done / tasks.size);
      }),
    );
    return entries;
  }

  async function cutPage({
    image,
    cuts,
    stems,
  }: PageTask): Promise<[string, JournalEntry | { readonly problem: string }][]> {
    const { source, pageSize, page } = image;
    const work: PageWork = { source, size: pageSize, cuts };
    const result = await cutters.cut(work);
    stop.throwIfAborted();
    if (result.kind === 'unwritable') throw new FolderFault(result.reason);
    if (result.kind === 'unreadable') {
      const shown = path.relative(base, source.path).split(path.sep).join('/');
      const problem = `Page ${page}: ${shown} ${result.reason}.`;
      return stems.map((stem) => [stem, { problem }]);
    }
    const { version, cuts: made } = result;
    return stems.map((stem, i) => [stem, { stem, ...made[i]!, source: source.path, version }]);
  }

  return { cut };
}

function addTo(tasks: Map<string, PageTask>, image: PlannedImage, stem: string, folder: string): void {
  const key = sourceKey(image.source);
  const task = tasks.get(key) ?? { image, cuts: [], stems: [] };
  tasks.set(key, task);
  task.cuts.push({
    target: path.join(folder, ...stem.split('/')),
    part: image.kind === 'page' ? 'page' : image.pixels,
  });
  task.stems.push(stem);
}

function sourceKey(source: PictureSource): string {
  return source.kind === 'image' ? source.path : `${source.path}\n${source.index}`;
}

async function versionOf(file: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs } = await stat(file);
    return `${size} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}

function lineOf(
  { slot, record, plan, stems, text }: Planned,
  entries: Entries,
  file: string,
  ordinal: number,
): { readonly line: CropRecord; readonly problems: readonly string[] } {
  const images: CropImage[] = [];
  const problems = new Set(plan.problems);
  for (const [i, image] of plan.images.entries()) {
    const entry = entries.get(stems[i]!);
    if (entry !== undefined && 'stem' in entry) images.push(imageOf(image, entry));
    else if (entry !== undefined) problems.add(entry.problem);
  }
  const key = keyOf({ record, text });
  const line: CropRecord = {
    key: ordinal === 0 ? key : `${key}#${ordinal}`,
    id: record.id ?? null,
    file,
    index: slot.index,
    line: slot.line + 1,
    question: record.question ?? null,
    answer: record.answer ?? record.gold ?? null,
    images,
    ...(problems.size > 0 && { problems: [...problems] }),
  };
  return { line, problems: [...problems] };
}

function imageOf(
  { kind, document, page, dpi, regions }: PlannedImage,
  { stem, ending, width, height, sha256 }: JournalEntry,
): CropImage {
  const at = { path: stem + ending, kind, document, page };
  const of = { width, height, dpi, sha256 };
  if (kind === 'page') return { ...at, kind, regions: regions.map(regionOf), ...of };
  return { ...at, kind, ...regionOf(regions[0]!), ...of };
}

function regionOf({ region, pointer, label, box, space, pixels, clipped }: PlannedRegion): CropRegion {
  return { region, pointer, label, box, space, pixels: cornersOf(pixels), ...(clipped && { clipped }) };
}

function cornersOf({ left, top, right, bottom }: PixelBox): PixelCorners {
  return [left, top, right, bottom];
}
