/**
 * Queues runs and gives them, in batches, to one or a few child processes. A run that hangs or kills its process costs
 * only itself: its neighbours are run again elsewhere. Processes start with the first run and end when idle.
 */
import type { RunRequest, RunResult } from '../../core/ports.ts';
import type { FromChild, ResultMessage, RunMessage } from './messages.ts';
import { HARD_GRACE_MS, runnerRequest } from './messages.ts';
import { CLOSED, errorResult, isRepeatable, noSandbox, readOutcome, trapError } from './outcome.ts';
import { startProcess } from './process.ts';
import type { Narrowing, ProcessFiles, SandboxProcess } from './process.ts';

const BATCH = 32;
/** A process with no more runs than this left gets the next batch, so that it never waits for one. */
const REFILL = 64;
/** Longest source text of one batch, in UTF-16 units. */
const BATCH_TEXT = 1 << 20;
/** Heaps never shrink, and a large one is slow to put back. */
const WORN_HEAP = 64 << 20;
const WORN_RUNS = 40_000;
const TICK_MS = 250;
/** Without progress for so many ticks a process may soon have to be given up: another one is made ready. */
const SUSPECT_TICKS = 2;
/** The child reports a stuck run itself; this much later it is taken for dead, in ticks. */
const DEAD_TICKS = 8;
const STANDBY_IDLE_MS = 30_000;
const IDLE_MS = 300_000;
/** What a process takes to start, of a processor: another one is worth it where at least so long is waited for. */
const START_MS = 1000;
/** A plain solution, until it is known what those at hand take. */
const USUAL_MS = 0.7;
/** How much of what is known of that the latest run makes up. */
const LATEST = 0.02;
const START_RETRY_MS = 10_000;

export interface PoolOptions {
  readonly files: ProcessFiles;
  /** Most processes at work at a time; one more may stand by. */
  readonly processes: number;
  /** Hears what went wrong with processes, for an output channel. */
  readonly log: (line: string) => void;
}

export interface PoolRun {
  readonly request: RunRequest;
  /** Whether the solution leaves the interpreter as it found it; see `isPlain`. Asked when its turn comes. */
  readonly plain: () => boolean;
  readonly done: (result: RunResult, repeatable: boolean) => void;
  /** Once set, `done` is not called any more; a process that works on an unwanted run is ended. */
  cancelled: boolean;
}

export interface Pool {
  add(run: PoolRun): void;
  /** Ends every process. Runs that still wait are answered with an error. */
  dispose(): Promise<void>;
}

interface Member {
  process: SandboxProcess;
  ready: boolean;
  /** In the order in which they were sent. */
  readonly outstanding: Map<number, PoolRun>;
  /** Longest time limit among those sent since it was last idle, in ms; the same for the memory limit, in MiB. */
  longest: number;
  memoryMb: number;
  /** Size of the heap, as it was told last, in bytes; 0: not yet. */
  heap: number;
  /** Ticks since it was last heard. */
  silent: number;
  runs: number;
  worn: boolean;
  /** Gets no more runs and ends with the last one. */
  draining: boolean;
}

export function createPool(options: PoolOptions): Pool {
  const { log } = options;
  const narrowing: Narrowing = { level: 0 };
  const members = new Set<Member>();
  let standby: Member | undefined;
  const all = new Set<Member>();
  let queue: PoolRun[] = [];
  let head = 0;
  /** Were under way when their process died: they go one by one, so that the culprit is known. */
  let suspects: PoolRun[] = [];
  let nextId = 1;
  let disposed = false;
  let startFailed: { readonly reason: string; readonly at: number } | undefined;
  let ticking: NodeJS.Timeout | undefined;
  let lastWork = Date.now();
  /** What a run takes, in ms. */
  let pace = USUAL_MS;
  let whenEmpty: (() => void) | undefined;

  const waiting = (): number => queue.length - head + suspects.length;

  const take = (from: 'queue' | 'suspects'): PoolRun | undefined => {
    for (;;) {
      const run = from === 'suspects' ? suspects.shift() : queue[head++];
      if (!run) {
        if (from === 'queue') {
          queue = [];
          head = 0;
        }
        return undefined;
      }
      if (from === 'queue' && head > 4096) {
        queue = queue.slice(head);
        head = 0;
      }
      if (!run.cancelled) return run;
    }
  };

  const putBack = (run: PoolRun): void => {
    queue = [run, ...queue.slice(head)];
    head = 0;
  };

  /** A heap that runs before have grown, or may have by then, is not bounded by a smaller limit. */
  const hasItsLimit = ({ memoryMb, heap }: Member, limitMb: number): boolean =>
    limitMb >= memoryMb && Math.max(limitMb * 1024 * 1024, WORN_HEAP) >= heap;

  const start = (): Member => {
    const member: Member = {
      process: undefined as unknown as SandboxProcess,
      ready: false,
      outstanding: new Map(),
      longest: 0,
      memoryMb: 0,
      heap: 0,
      silent: 0,
      runs: 0,
      worn: false,
      draining: false,
    };
    all.add(member);
    member.process = startProcess(options.files, narrowing, {
      onReady: (fallback) => {
        if (fallback !== null) log(`Sandbox started without its snapshot: ${fallback}.`);
        startFailed = undefined;
        member.ready = true;
        relieve();
        pump();
      },
      onMessage: (message) => hear(member, message),
      onEnd: (reason, started) => end(member, reason, started),
    });
    return member;
  };

  const makeStandby = (): void => {
    if (!standby && !disposed) standby = start();
  };

  /** Puts a ready standby in the place of a worn process. */
  const relieve = (): void => {
    if (!standby?.ready) return;
    for (const member of members) {
      if (!member.worn || member.draining) continue;
      member.draining = true;
      members.delete(member);
      members.add(standby);
      standby = undefined;
      if (member.outstanding.size === 0) member.process.kill();
      return;
    }
  };

  /** `most`: a process may tell anything. */
  const keepPace = (ms: number, most: number): void => {
    pace += LATEST * (Math.min(Math.max(USUAL_MS, ms), most) - pace);
  };

  const settle = (member: Member, message: ResultMessage): void => {
    const run = member.outstanding.get(message[0]);
    if (!run) return;
    member.outstanding.delete(message[0]);
    member.runs++;
    const result = readOutcome(message, run.request);
    keepPace(result.ms, run.request.limits.timeoutMs + HARD_GRACE_MS);
    if (!run.cancelled) run.done(result, isRepeatable(message));
  };

  const hear = (member: Member, message: Extract<FromChild, { results: unknown } | { stuck: unknown }>): void => {
    member.silent = 0;
    lastWork = Date.now();
    if ('stuck' in message) {
      const run = member.outstanding.get(message.stuck);
      member.outstanding.delete(message.stuck);
      if (run) keepPace(run.request.limits.timeoutMs, run.request.limits.timeoutMs);
      if (run && !run.cancelled) {
        const { limits } = run.request;
        run.done(errorResult(trapError('timeout', '', limits), limits.timeoutMs + HARD_GRACE_MS), false);
      }
      // The others of its batch are innocent: the child named the culprit.
      giveBack(member, false);
      discard(member);
      pump();
      return;
    }
    for (const result of message.results) settle(member, result);
    member.heap = message.heap;
    if (member.outstanding.size === 0) member.longest = member.memoryMb = 0;
    if (!member.worn && (message.heap > WORN_HEAP || member.runs >= WORN_RUNS)) {
      member.worn = true;
      makeStandby();
      relieve();
    }
    if (member.draining && member.outstanding.size === 0) member.process.kill();
    pump();
  };

  /** Takes the unfinished runs of a process back to the front. */
  const giveBack = (member: Member, suspicious: boolean): void => {
    const runs = [...member.outstanding.values()].filter((run) => !run.cancelled);
    member.outstanding.clear();
    if (suspicious) {
      suspects = [...runs, ...suspects];
    } else {
      queue = [...runs, ...queue.slice(head)];
      head = 0;
    }
  };

  const discard = (member: Member): void => {
    members.delete(member);
    if (standby === member) standby = undefined;
    member.ready = false;
    member.process.kill();
  };

  const end = (member: Member, reason: string, started: boolean): void => {
    all.delete(member);
    const wanted = members.delete(member);
    if (standby === member) standby = undefined;
    if (!started && !disposed && wanted) {
      log(`The sandbox did not start: ${reason}`);
      startFailed = { reason, at: Date.now() };
    }
    const unfinished = [...member.outstanding.values()].filter((run) => !run.cancelled);
    if (unfinished.length === 1) {
      log(`A sandbox process was lost: ${reason}`);
      member.outstanding.clear();
      unfinished[0]!.done(errorResult(trapError('killed', '', unfinished[0]!.request.limits), 0), false);
    } else {
      giveBack(member, true);
    }
    if (all.size === 0) whenEmpty?.();
    pump();
  };

  /** Answers everything that waits when no process can be started. */
  const failAll = (reason: string): void => {
    for (const from of ['suspects', 'queue'] as const) {
      for (let run = take(from); run; run = take(from)) run.done(noSandbox(reason), false);
    }
  };

  const hire = (): void => {
    // What is at work takes as long as it has taken, at least.
    const silence = Math.max(0, ...[...members].map(({ silent }) => silent * TICK_MS));
    const wanted = Math.min(options.processes, 1 + Math.floor((waiting() * pace + silence) / START_MS));
    while (members.size < wanted) {
      if (standby) {
        members.add(standby);
        standby = undefined;
      } else {
        members.add(start());
      }
    }
  };

  const pump = (): void => {
    if (disposed || waiting() === 0) return;
    if (startFailed && members.size === 0) {
      if (Date.now() - startFailed.at < START_RETRY_MS) return failAll(startFailed.reason);
      startFailed = undefined;
    }
    hire();
    for (const member of [...members]) {
      if (!member.ready) continue;
      if (suspects.length > 0) {
        // Alone in its process, and before anything else.
        if (member.outstanding.size === 0) give(member, 'suspects', 1);
      } else if (member.outstanding.size <= REFILL) {
        give(member, 'queue', BATCH);
      }
    }
    ticking ??= setInterval(tick, TICK_MS);
  };

  const give = (member: Member, from: 'queue' | 'suspects', most: number): void => {
    const batch: RunMessage[] = [];
    let text = 0;
    while (batch.length < most && text < BATCH_TEXT) {
      const run = take(from);
      if (!run) break;
      const { source, limits } = run.request;
      if (!hasItsLimit(member, limits.memoryMb)) {
        if (from === 'suspects') suspects.unshift(run);
        else putBack(run);
        // Another process takes it.
        if (member.outstanding.size === 0) discard(member);
        break;
      }
      const id = nextId++;
      member.outstanding.set(id, run);
      member.longest = Math.max(member.longest, limits.timeoutMs);
      member.memoryMb = Math.max(member.memoryMb, limits.memoryMb);
      text += source.length;
      batch.push([id, runnerRequest(run.request), limits.timeoutMs, limits.memoryMb, run.plain() ? 1 : 0]);
    }
    if (batch.length === 0) {
      if (!members.has(member)) pump();
      return;
    }
    if (member.outstanding.size === batch.length) member.silent = 0;
    lastWork = Date.now();
    member.process.send(batch);
  };

  /** Counts ticks and not time: a server that was busy, or a machine that slept, has not heard what was said meanwhile. */
  const tick = (): void => {
    let busy = waiting() > 0;
    for (const member of [...all]) {
      if (member.outstanding.size === 0) continue;
      busy = true;
      member.silent++;
      // They are answered in the order in which they were sent: the first one is at work.
      const [atWork] = member.outstanding.values();
      const patience = Math.ceil((member.longest + HARD_GRACE_MS) / TICK_MS) + DEAD_TICKS;
      if (member.silent === SUSPECT_TICKS) makeStandby();
      if (atWork?.cancelled === true && member.silent > 1) {
        giveBack(member, false);
        discard(member);
      } else if (member.silent > patience) {
        loseSilent(member);
      }
    }
    const idle = Date.now() - lastWork;
    if (!busy && standby && idle > STANDBY_IDLE_MS) discard(standby);
    if (!busy && idle > IDLE_MS) for (const member of [...all]) discard(member);
    if (!busy && all.size === 0) {
      clearInterval(ticking);
      ticking = undefined;
    }
    pump();
  };

  /** A process that says nothing at all: which run it was is known only when there was one. */
  const loseSilent = (member: Member): void => {
    const unfinished = [...member.outstanding.values()].filter((run) => !run.cancelled);
    if (unfinished.length === 1) {
      member.outstanding.clear();
      const { limits } = unfinished[0]!.request;
      unfinished[0]!.done(errorResult(trapError('timeout', '', limits), limits.timeoutMs + HARD_GRACE_MS), false);
    } else {
      giveBack(member, true);
    }
    discard(member);
  };

  return {
    add(run) {
      queue.push(run);
      pump();
    },
    async dispose() {
      disposed = true;
      clearInterval(ticking);
      for (const member of all) giveBack(member, false);
      failAll(CLOSED);
      if (all.size === 0) return;
      const empty = new Promise<void>((resolve) => (whenEmpty = resolve));
      for (const member of all) member.process.kill();
      await empty;
    },
  };
}
