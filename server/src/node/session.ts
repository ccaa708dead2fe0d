/**
 * One file through the pipeline: records in, findings and solution results out, in the order of the file. Memory does
 * not grow with the file: at most `WINDOW` records wait for their slow facts, and file rules keep hashes only.
 */
import { setMaxListeners } from 'node:events';
import path from 'node:path';
import { createChecker, keyNumberOf, refOf, withOrdinal } from '../core/checker.ts';
import type { Finding, RecordRef } from '../core/finding.ts';
import { createHashCounter } from '../core/hash-index.ts';
import type { CheckedText, Checker, Collection, Found, RecordFacts, RecordItems } from '../core/pipeline.ts';
import type { Cancel } from '../core/ports.ts';
import { defineProfile } from '../core/profile/definition.ts';
import type { NoProfile } from '../core/profile/settings.ts';
import type { FileSettings } from '../core/profile/types.ts';
import { isLate } from '../core/rules/across.ts';
import { RULES } from '../core/rules/registry.ts';
import type { DatasetMemory, RecordPlace } from '../core/rules/types.ts';
import { createNesting } from '../core/text/nested.ts';
import { parseRecordText } from '../core/text/parse.ts';
import type { RecordSlot } from '../core/text/types.ts';
import { createFactReader, NO_FACTS } from './facts.ts';
import type { FactServices } from './facts.ts';
import type { RecordSource } from './files/read.ts';
import type { Crew, CrewFile } from './jobs/crew.ts';
import type { RecordDone, Shard } from './jobs/messages.ts';
import { isOfShard } from './jobs/shard.ts';
import { createPlaces } from './related.ts';
import type { SolutionOutcome } from '../../../schemas/protocol.ts';

export interface SessionServices extends FactServices {
  /** What is kept between the files of the dataset that the file belongs to. */
  dataset?(settings: FileSettings): DatasetMemory | undefined;
  /**
   * Which elements of the file (lines, elements of an array) are to be told of; absent: all. The others are read for the
   * rules across the file only.
   */
  readonly wanted?: (element: RecordSlot) => boolean;
  /** Threads that check the records of long files; what is told stays the same. */
  readonly crew?: Crew;
  /** Of the source, in bytes; absent: not known. */
  readonly size?: number;
  /** Only records of this part are looked at, and `items` are told in place of findings across records. */
  readonly shard?: Shard;
}

export interface SessionSink {
  /** Called once, before anything else. */
  settings?(settings: FileSettings): void;
  /** `slot`: the record that they are about; absent: the file. */
  findings(findings: readonly Finding[], slot?: RecordSlot): void;
  /** For every record that is told of, with all that is known of it. */
  record?(slot: RecordSlot, checked: CheckedText, facts: RecordFacts): void;
  /** For every record with a solution. */
  outcome?(record: RecordRef, outcome: SolutionOutcome): void;
  /** Solutions cannot be run at all; told for each of them. */
  unavailable?(message: string): void;
  /** With `shard`, once, before `items`: codes of the rules across records. */
  across?(codes: readonly string[]): void;
  /** With `shard`: what rules across records read of each of its records; `ordinal` as in `Checker.findings`. */
  items?(place: RecordPlace, ordinal: number, items: RecordItems): void;
}

export interface SessionResult {
  /** Set where no profile fits: the file was not checked, and nothing was told. */
  readonly unfit?: NoProfile;
  /** Records whose text could be read; where no profile fits, among the first ones. */
  readonly records: number;
  /** Lines and elements that are no record. */
  readonly unreadable: number;
}

/** Records that are looked at to recognise a profile. */
const SAMPLES = 1000;
/** Records, and UTF-16 units of their text, that may wait for slow facts. */
const WINDOW = 256;
const WINDOW_TEXT = 16_000_000;

/** Checks all records of a source. `resolve` gets the objects of up to 1,000 first records. */
export async function checkSource(
  source: RecordSource,
  resolve: (samples: readonly unknown[]) => Promise<FileSettings | NoProfile>,
  services: SessionServices,
  sink: SessionSink,
  cancel?: Cancel,
): Promise<SessionResult> {
  const stream = source.open();
  const batches = stream[Symbol.asyncIterator]();
  try {
    const first = await firstRecords(batches);
    const { settings, result } = await settingsFrom(first, resolve);
    if (settings === undefined) return result;
    sink.settings?.(settings);
    const checker = createChecker(settings);
    const { crew, shard } = services;
    const shares = crew !== undefined && sink.record === undefined && (await isLong(first, checker, services, cancel));
    const line = shares
      ? createSharedLine(checker, crew, services, sink, cancel)
      : createLine(checker, services, sink, cancel);
    const nesting = createNesting(settings.profile.records);
    const take = async (elements: readonly RecordSlot[]): Promise<void> => {
      for (const { slots, wanted } of runsOf(elements, services.wanted)) await line.take(nesting.expand(slots), wanted);
    };
    await take(first);
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) await take(next.value);
    await line.end();
    // What concerns the file as a whole is the first shard's.
    if (shard === undefined || shard.number === 1) {
      sink.findings(checker.fileFindings([...stream.faults, ...nesting.faults]));
    }
    if (shard === undefined) await placeFileFindings(source, checker, line, services, sink, cancel);
    return { ...line.counts };
  } finally {
    await batches.return?.();
  }
}

/** Neighbours that are wanted, or not, alike. */
function runsOf(
  elements: readonly RecordSlot[],
  isWanted: SessionServices['wanted'],
): readonly { readonly slots: readonly RecordSlot[]; readonly wanted: boolean }[] {
  if (isWanted === undefined) return [{ slots: elements, wanted: true }];
  const runs: { slots: RecordSlot[]; wanted: boolean }[] = [];
  for (const element of elements) {
    const wanted = isWanted(element);
    const last = runs.at(-1);
    if (last?.wanted === wanted) last.slots.push(element);
    else runs.push({ slots: [element], wanted });
  }
  return runs;
}

interface Waiting {
  readonly slot: RecordSlot;
  readonly checked: CheckedText;
  readonly wanted: boolean;
  readonly facts: Promise<RecordFacts>;
}

/** The records on their way, in the order of the file. */
interface Line {
  /** Records that are not wanted are collected and not told of. */
  take(batch: readonly RecordSlot[], wanted: boolean): Promise<void>;
  end(): Promise<void>;
  /** Wanted ones that could be read, and that could not. */
  readonly counts: { readonly records: number; readonly unreadable: number };
  readonly collection: Collection;
  /** Ordinals of the records whose key has come before, by index. */
  readonly repeats: ReadonlyMap<number, number>;
}

/** What is told of records, one after the other, in the order of the file. */
function createTeller(checker: Checker, services: SessionServices, sink: SessionSink) {
  const collection = checker.collect(services.dataset?.(checker.settings));
  if (services.shard !== undefined) sink.across?.(collection.codes);
  const timesSeen = createHashCounter();
  const repeats = new Map<number, number>();
  const counts = { records: 0, unreadable: 0 };
  return {
    collection,
    repeats,
    counts,
    isMine: (key: number): boolean => services.shard === undefined || isOfShard(key, services.shard),
    count(isReadable: boolean): void {
      if (isReadable) counts.records += 1;
      else counts.unreadable += 1;
    },
    /** How often the key has come before. */
    ordinalOf(key: number, { index }: RecordSlot): number {
      const ordinal = timesSeen(key);
      if (ordinal > 0) repeats.set(index, ordinal);
      return ordinal;
    },
    /** undefined: they are to be read of the record. */
    take(slot: RecordSlot, ordinal: number, items: () => RecordItems): void {
      if (services.shard === undefined) collection.reduce(slot, items());
      else sink.items?.({ index: slot.index, line: slot.line, column: slot.column }, ordinal, items());
    },
    tell(slot: RecordSlot, ref: RecordRef, found: readonly Finding[], outcome: SolutionOutcome | undefined): void {
      if (found.length > 0) sink.findings(found, slot);
      if (outcome !== undefined) sink.outcome?.(ref, outcome);
    },
  };
}

function createLine(checker: Checker, services: SessionServices, sink: SessionSink, cancel: Cancel | undefined): Line {
  const factsOf = createFactReader(checker, services, cancel);
  const teller = createTeller(checker, services, sink);
  const { collection, repeats, counts } = teller;
  const waiting: Waiting[] = [];
  let waitingText = 0;

  function finish(slot: RecordSlot, checked: CheckedText, wanted: boolean, facts: RecordFacts): void {
    const ordinal = teller.ordinalOf(keyNumberOf(checked), slot);
    if (services.shard === undefined) collection.add(slot, checked, facts);
    else teller.take(slot, ordinal, () => collection.digest(checked, facts));
    if (!wanted) return;
    const found = checker.findings(slot, checked, facts, ordinal);
    const hasOutcome = sink.outcome !== undefined && (checked.solution ?? checked.record?.program) !== undefined;
    sink.record?.(slot, checked, facts);
    teller.tell(slot, refOf(slot, checked), found, hasOutcome ? checker.outcome(checked, facts.run) : undefined);
  }

  async function drain(limit: number, textLimit: number): Promise<void> {
    while (waiting.length > limit || waitingText > textLimit) {
      const next = waiting.shift();
      if (next === undefined) return;
      waitingText -= next.slot.text.length;
      finish(next.slot, next.checked, next.wanted, await next.facts);
    }
  }

  async function take(batch: readonly RecordSlot[], wanted: boolean): Promise<void> {
    for (const slot of batch) {
      const checked = checker.checkText(slot.text, slot.outer);
      if (!teller.isMine(keyNumberOf(checked))) continue;
      if (wanted) teller.count(checked.parsed.value !== undefined);
      const later = wanted ? factsOf(checked, (message) => sink.unavailable?.(message)) : undefined;
      if (later === undefined && waiting.length === 0) {
        finish(slot, checked, wanted, NO_FACTS);
        continue;
      }
      const facts = later ?? Promise.resolve(NO_FACTS);
      // Its turn comes later; until then a rejection is not an unhandled one.
      facts.catch(() => undefined);
      waiting.push({ slot, checked, wanted, facts });
      waitingText += slot.text.length;
      if (waiting.length > WINDOW || waitingText > WINDOW_TEXT) await drain(WINDOW, WINDOW_TEXT);
    }
    throwIfAborted(cancel);
  }

  return { take, end: () => drain(0, 0), collection, repeats, counts };
}

/** Records of one batch for a thread, and UTF-16 units of their text. With documents each takes long. */
const BATCH = 128;
const BATCH_WITH_DOCUMENTS = 16;
const BATCH_TEXT = 500_000;
/**
 * Text that may be under way until the first batch is done: solutions wait for their interpreter to start, other records need not. Not where
 * documents are read, of which much more may be kept than of the records.
 */
const AHEAD_TEXT = 5_000_000;

/** The same, where threads check the records; they are told of here, in the order of the file. */
function createSharedLine(
  checker: Checker,
  crew: Crew,
  services: SessionServices,
  sink: SessionSink,
  cancel: Cancel | undefined,
): Line {
  const { settings } = checker;
  const teller = createTeller(checker, services, sink);
  const { collection, repeats, counts } = teller;
  const { runner, documents, probe, shard } = services;
  const file = crew.open({
    settings,
    runs: runner !== undefined,
    looks: documents !== undefined,
    probe: probe === true,
    inDataset: services.dataset?.(settings) !== undefined,
    ...(shard && { shard }),
  });
  const hasDocuments = documents !== undefined && mayHaveDocuments(settings);
  const most = hasDocuments ? BATCH_WITH_DOCUMENTS : BATCH;
  const readsFiles = hasDocuments || (documents !== undefined && (settings.context ?? []).length > 0);
  const ahead = readsFiles ? 0 : AHEAD_TEXT;
  const underWay: { readonly slots: readonly RecordSlot[]; readonly wanted: boolean; readonly done: Batch }[] = [];
  let slots: RecordSlot[] = [];
  let text = 0;
  let sent = 0;
  let isFirstDone = false;
  let isWanted = true;

  function finish(slot: RecordSlot, wanted: boolean, done: RecordDone): void {
    const ordinal = teller.ordinalOf(done.key, slot);
    teller.take(slot, ordinal, () => done.items);
    if (!wanted) return;
    teller.count(done.isReadable);
    if (done.unavailable !== undefined) sink.unavailable?.(done.unavailable);
    const found = done.findings.map((finding, i) => withOrdinal(finding, done.founds[i]!, ordinal));
    teller.tell(slot, done.ref, found, done.outcome);
  }

  async function drain(limit: number): Promise<void> {
    while (underWay.length > limit) {
      const next = underWay.shift()!;
      const done = await untilAborted(next.done, cancel);
      for (const [i, slot] of next.slots.entries()) {
        const one = done[i];
        if (one !== undefined) finish(slot, next.wanted, one);
      }
    }
  }

  async function send(): Promise<void> {
    if (slots.length === 0) return;
    const done = file.check(slots, isWanted);
    const isFirst = sent === 0;
    done.then(
      () => (isFirstDone ||= isFirst),
      () => undefined,
    );
    underWay.push({ slots, wanted: isWanted, done });
    sent += text;
    slots = [];
    text = 0;
    await drain(isFirstDone || sent > ahead ? crew.room : Infinity);
  }

  async function take(batch: readonly RecordSlot[], wanted: boolean): Promise<void> {
    if (wanted !== isWanted) await send();
    isWanted = wanted;
    for (const slot of batch) {
      slots.push(slot);
      text += slot.text.length;
      if (slots.length >= most || text >= BATCH_TEXT) await send();
    }
    throwIfAborted(cancel);
  }

  async function end(): Promise<void> {
    await send();
    await drain(0);
  }

  return { take, end, collection, repeats, counts };
}

type Batch = ReturnType<CrewFile['check']>;

function untilAborted<T>(promise: Promise<T>, cancel: Cancel | undefined): Promise<T> {
  if (cancel === undefined) return promise;
  return new Promise((resolve, reject) => {
    const listener = cancel.onAbort(() => reject(aborted()));
    promise.then(resolve, reject).finally(() => listener.dispose());
  });
}

/** Bytes from which a file is worth starting threads for, and records where documents are read for each. */
const LONG = 4 * 1024 * 1024;
const LONG_STARTED = 256 * 1024;
const LONG_WITH_DOCUMENTS = 64;
/** Records that are asked for their documents. */
const ASKED = 3;

/** Whether a file takes so long that threads for it pay. */
async function isLong(
  first: readonly RecordSlot[],
  checker: Checker,
  { crew, size, documents }: SessionServices,
  cancel: Cancel | undefined,
): Promise<boolean> {
  // Of what is not known, the beginning tells.
  const bytes = size ?? first.reduce((sum, { text }) => sum + text.length, first.length >= SAMPLES ? LONG : 0);
  if (bytes >= (crew?.isStarted === true ? LONG_STARTED : LONG)) return true;
  if (documents?.find === undefined || first.length < LONG_WITH_DOCUMENTS || !mayHaveDocuments(checker.settings)) {
    return false;
  }
  for (const slot of createNesting(checker.settings.profile.records).expand(first.slice(0, ASKED))) {
    const request = checker.documentRequest(checker.checkText(slot.text, slot.outer));
    const found = request && (await documents.find(request, cancel));
    if (found !== undefined && (found.pdf !== undefined || found.images.size > 0)) return true;
  }
  return false;
}

function mayHaveDocuments({ pdf, pageImage }: FileSettings): boolean {
  return pdf.length + pageImage.length > 0;
}

/** Settings of a source from its first records, and what is told of it where no profile fits. */
export async function resolveFirst(
  source: RecordSource,
  resolve: Resolve,
): Promise<{ readonly settings: FileSettings | undefined; readonly result: SessionResult }> {
  const batches = source.open()[Symbol.asyncIterator]();
  try {
    return await settingsFrom(await firstRecords(batches), resolve);
  } finally {
    await batches.return?.();
  }
}

type Resolve = (samples: readonly unknown[]) => Promise<FileSettings | NoProfile>;

async function settingsFrom(
  first: readonly RecordSlot[],
  resolve: Resolve,
): Promise<{ readonly settings: FileSettings | undefined; readonly result: SessionResult }> {
  const samples = samplesOf(first);
  const settings = await resolve(samples);
  const result = { records: samples.length, unreadable: first.length - samples.length };
  return 'profile' in settings ? { settings, result } : { settings: undefined, result: { unfit: settings, ...result } };
}

async function firstRecords(batches: AsyncIterator<readonly RecordSlot[]>): Promise<readonly RecordSlot[]> {
  const first: RecordSlot[] = [];
  let text = 0;
  while (first.length < SAMPLES && text < WINDOW_TEXT) {
    const next = await batches.next();
    if (next.done === true) break;
    for (const slot of next.value) {
      first.push(slot);
      text += slot.text.length;
    }
  }
  return first;
}

function samplesOf(slots: readonly RecordSlot[]): unknown[] {
  return slots
    .slice(0, SAMPLES)
    .map((slot) => parseRecordText(slot.text).value)
    .filter((value) => value !== undefined);
}

/** Findings of rules across the file need the text of their records, which is read a second time. */
export async function placeFileFindings(
  source: RecordSource,
  checker: Checker,
  { collection, repeats }: Pick<Line, 'collection' | 'repeats'>,
  { wanted: isWanted, documents }: SessionServices,
  sink: SessionSink,
  cancel: Cancel | undefined,
): Promise<void> {
  const byRecord = new Map<number, Found[]>();
  const places = createPlaces();
  for (const found of collection.end()) {
    if (found.index === null) {
      const placed = collection.place(found);
      if (placed !== undefined) sink.findings([placed.finding]);
    } else {
      places.want(found);
      const others = byRecord.get(found.index);
      if (others === undefined) byRecord.set(found.index, [found]);
      else others.push(found);
    }
  }
  if (byRecord.size === 0) return;
  let left = byRecord.size;
  const nesting = createNesting(checker.settings.profile.records);
  for await (const batch of source.open()) {
    throwIfAborted(cancel);
    for (const { slots, wanted } of runsOf(batch, isWanted)) {
      for (const slot of nesting.expand(slots)) {
        places.pass(slot);
        const found = byRecord.get(slot.index);
        if (found === undefined) continue;
        left -= 1;
        if (!wanted) continue;
        const checked = checker.checkText(slot.text, slot.outer);
        const ordinal = repeats.get(slot.index) ?? 0;
        const request = found.some(wantsDocument) ? checker.documentRequest(checked) : undefined;
        const document = request && (await documents?.read(request, cancel));
        sink.findings(
          found.flatMap((one) => {
            const placed = collection.place(one, slot, checked, ordinal, document && { document });
            if (placed === undefined) return [];
            const { finding, elsewhere } = placed;
            return { ...finding, related: [...finding.related, ...places.of(elsewhere)] };
          }),
          slot,
        );
      }
    }
    if (left === 0) return;
  }
}

function wantsDocument({ finding }: Found): boolean {
  return isLate(finding) && finding.wantsDocument === true;
}

/** Settings for a file of which only bytes and lexemes are to be judged, since no profile is known. */
export function textSettings(file: string, rules: FileSettings['rules']): FileSettings {
  const others = RULES.filter(({ needs }) => needs !== 'text').map(({ code }) => [code, 'off'] as const);
  return {
    profile: defineProfile('unknown', {}),
    reason: 'no record could be read',
    base: path.dirname(file),
    pdf: [],
    pageImage: [],
    locationsConfigured: false,
    coordinates: undefined,
    relativeCoordinates: undefined,
    pageBase: 1,
    imageBase: 1,
    tolerance: { relative: 0, decimals: 0 },
    rules: { ...rules, ...Object.fromEntries(others) },
    solutions: { runner: 'off', timeoutMs: 0, memoryMb: 0, allowedImports: [] },
  };
}

function throwIfAborted(cancel: Cancel | undefined): void {
  if (cancel?.aborted === true) throw aborted();
}

function aborted(): DOMException {
  return new DOMException('The check was cancelled', 'AbortError');
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** An `AbortSignal` in the core's terms. */
export function cancelOf(signal: AbortSignal): Cancel {
  // Hundreds of runs may listen at the same time.
  setMaxListeners(0, signal);
  return {
    get aborted() {
      return signal.aborted;
    },
    onAbort(listener) {
      signal.addEventListener('abort', listener, { once: true });
      return { dispose: () => signal.removeEventListener('abort', listener) };
    },
  };
}
