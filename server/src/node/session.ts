/**
 * One file through the pipeline: records in, findings and solution results out, in the order of the file. Memory does
 * not grow with the file: at most `WINDOW` records wait for their slow facts, and file rules keep hashes only.
 */
import { setMaxListeners } from 'node:events';
import path from 'node:path';
import { createChecker, createOrdinals, refOf } from '../core/checker.ts';
import type { Finding, RecordRef } from '../core/finding.ts';
import type { CheckedText, Checker, Collection, Found, RecordFacts } from '../core/pipeline.ts';
import type { Cancel, DocumentReader, RunRequest, RunResult, SolutionRunner } from '../core/ports.ts';
import { readPageFindings } from '../core/page/read.ts';
import { defineProfile } from '../core/profile/definition.ts';
import type { NoProfile } from '../core/profile/settings.ts';
import type { FileSettings } from '../core/profile/types.ts';
import { isLate } from '../core/rules/across.ts';
import { RULES } from '../core/rules/registry.ts';
import type { DatasetMemory } from '../core/rules/types.ts';
import { createNesting } from '../core/text/nested.ts';
import { parseRecordText } from '../core/text/parse.ts';
import type { RecordSlot } from '../core/text/types.ts';
import { runProbed } from '../core/trace/probe.ts';
import type { RecordSource } from './files/read.ts';
import { createPlaces } from './related.ts';
import type { SolutionOutcome } from '../../../schemas/protocol.ts';

export interface SessionServices {
  /** What is kept between the files of the dataset that the file belongs to. */
  dataset?(settings: FileSettings): DatasetMemory | undefined;
  /** Absent: solutions are not run. */
  readonly runner?: SolutionRunner;
  /** Absent: pages are not looked at. */
  readonly documents?: DocumentReader;
  /** Whether solutions are run again where that tells more of them. */
  readonly probe?: boolean;
  /**
   * Which elements of the file (lines, elements of an array) are to be told of; absent: all. The others are read for the
   * rules across the file only.
   */
  readonly wanted?: (element: RecordSlot) => boolean;
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
    const samples = samplesOf(first);
    const settings = await resolve(samples);
    if (!('profile' in settings)) {
      return { unfit: settings, records: samples.length, unreadable: first.length - samples.length };
    }
    sink.settings?.(settings);
    const checker = createChecker(settings);
    const line = createLine(checker, services, sink, cancel);
    const nesting = createNesting(settings.profile.records);
    const take = async (elements: readonly RecordSlot[]): Promise<void> => {
      for (const { slots, wanted } of runsOf(elements, services.wanted)) await line.take(nesting.expand(slots), wanted);
    };
    await take(first);
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) await take(next.value);
    await line.end();
    sink.findings(checker.fileFindings([...stream.faults, ...nesting.faults]));
    await placeFileFindings(source, checker, line, services, sink, cancel);
    return { records: line.records, unreadable: line.unreadable };
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
  /** Wanted ones that could be read. */
  readonly records: number;
  /** Wanted ones that could not. */
  readonly unreadable: number;
  readonly collection: Collection;
  /** Ordinals of the records whose key has come before, by index. */
  readonly repeats: ReadonlyMap<number, number>;
}

function createLine(checker: Checker, services: SessionServices, sink: SessionSink, cancel: Cancel | undefined): Line {
  const factsOf = createFactReader(checker, services, sink, cancel);
  const collection = checker.collect(services.dataset?.(checker.settings));
  const ordinalOf = createOrdinals();
  const repeats = new Map<number, number>();
  const waiting: Waiting[] = [];
  let waitingText = 0;
  let records = 0;
  let unreadable = 0;

  function finish(slot: RecordSlot, checked: CheckedText, wanted: boolean, facts: RecordFacts): void {
    const ordinal = ordinalOf(checked);
    if (ordinal > 0) repeats.set(slot.index, ordinal);
    collection.add(slot, checked, facts);
    if (!wanted) return;
    const found = checker.findings(slot, checked, facts, ordinal);
    if (found.length > 0) sink.findings(found, slot);
    sink.record?.(slot, checked, facts);
    if (sink.outcome === undefined || (checked.solution ?? checked.record?.program) === undefined) return;
    const outcome = checker.outcome(checked, facts.run);
    if (outcome !== undefined) sink.outcome(refOf(slot, checked), outcome);
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
      if (wanted && checked.parsed.value !== undefined) records += 1;
      else if (wanted) unreadable += 1;
      const later = wanted ? factsOf(checked) : undefined;
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

  return {
    take,
    end: () => drain(0, 0),
    collection,
    repeats,
    get records() {
      return records;
    },
    get unreadable() {
      return unreadable;
    },
  };
}

const NO_FACTS: RecordFacts = {};

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

/** Gives the slow facts of a record, or undefined where it has none. */
function createFactReader(
  checker: Checker,
  { runner, documents, probe }: SessionServices,
  sink: SessionSink,
  cancel: Cancel | undefined,
): (checked: CheckedText) => Promise<RecordFacts> | undefined {
  return (checked) => {
    const runOne = (by: SolutionRunner, request: RunRequest): Promise<RunResult> =>
      probe === true && checked.solution !== undefined
        ? runProbed(by, request, checked.solution, cancel)
        : by.run(request, cancel);
    const runRequest = runner && checker.runRequest(checked);
    const documentRequest = documents && checker.documentRequest(checked);
    if (runRequest === undefined && documentRequest === undefined) return undefined;
    const running = runRequest && runner && runOne(runner, runRequest);
    const reading = documentRequest && documents?.read(documentRequest, cancel);
    const seeing = reading?.then(async (document) => {
      const pageFindings = documents && (await readPageFindings(checker, checked, document, documents, cancel));
      return { document, ...(pageFindings && { pageFindings }) };
    });
    return Promise.all([running, seeing]).then(([run, seen]) => {
      const isRun = run !== undefined && run.error?.kind !== 'unavailable';
      if (run !== undefined && !isRun) sink.unavailable?.(run.error?.message ?? '');
      return { ...(isRun && { run }), ...seen };
    });
  };
}

/** Findings of rules across the file need the text of their records, which is read a second time. */
async function placeFileFindings(
  source: RecordSource,
  checker: Checker,
  { collection, repeats }: Line,
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
  if (cancel?.aborted === true) throw new DOMException('The check was cancelled', 'AbortError');
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
