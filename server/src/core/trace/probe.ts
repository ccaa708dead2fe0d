/**
 * Further runs of a solution, where its text alone does not tell what its result depends on. They cost one run more each, and
 * only few solutions need one: such as read a clock, draw numbers or depend on the order of sets, and such as loop or branch.
 */
import type { Cancel, ProbedRun, RunRequest, RunResult, SolutionRunner } from '../ports.ts';
import type { StaticSolution } from '../solution/types.ts';
import { evaluate } from './evaluate.ts';
import { programOf } from './program.ts';
import type { Literal, Program } from './program.ts';

/** Runs a solution, and again where that tells more. The further runs stand in `probed`; their faults count as no answer. */
export async function runProbed(
  runner: SolutionRunner,
  request: RunRequest,
  solution: StaticSolution,
  cancel?: Cancel,
): Promise<RunResult> {
  const run = await runner.run(request, cancel);
  if (run.value === undefined || run.engine !== 'sandbox') return run;
  const shifted = shiftedSource(request.source);
  const nudged = nudgedSource(programOf(solution, request.entryPoint), request);
  if (shifted === undefined && nudged === undefined) return run;
  const limits = { ...request.limits, timeoutMs: Math.min(request.limits.timeoutMs, PROBE_MS) };
  const [again, moved] = await Promise.all([
    shifted === undefined ? undefined : runner.run({ ...request, source: shifted }, cancel),
    nudged === undefined ? undefined : runner.run({ source: nudged.source, entryPoint: PROBE, limits }, cancel),
  ]);
  const still = nudged && moved?.value && namesIn(nudged.names, moved.value.repr);
  const probed: ProbedRun = {
    ...(again?.value !== undefined && { shifted: again.value.repr }),
    ...(still !== undefined && { withoutEffect: still }),
  };
  return { ...run, probed };
}

/** Time for all nudged runs of one solution together, in ms: a nudged bound can make a loop endless. */
const PROBE_MS = 1000;
const PROBE = 'auditable_qa_probe';

/** What a result may depend on beside the text: where a solution mentions none of it, it gives the same again. */
const CHANCE =
  /\b(?:now|today|utcnow|fromtimestamp|time|time_ns|perf_counter|monotonic|random|randint|uniform|choice|choices|shuffle|sample|hash|id|set|frozenset|uuid1|uuid4|getrandbits|token_bytes|localtime|gmtime)\s*\(/;

/** Offsets of what makes a solution depend on clock, chance or order; undefined: nothing does. */
export function chanceIn(source: string): { readonly start: number; readonly end: number } | undefined {
  const code = source.replace(/#[^\n]*|'[^'\n]*'|"[^"\n]*"/g, (text) => ' '.repeat(text.length));
  const found = CHANCE.exec(code);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length - 1 };
}

/** Another clock, other seeds, other hashes and addresses, and sets in the opposite order. */
const SHIFTS = `def _auditable_qa_shift():
    import datetime as module
    delta = module.timedelta(days=401, hours=7, minutes=11, seconds=13)
    class shifted(module.datetime):
        @classmethod
        def now(cls, tz=None):
            return super().now(tz) + delta
        @classmethod
        def today(cls):
            return super().today() + delta
        @classmethod
        def utcnow(cls):
            return super().utcnow() + delta
    class day(module.date):
        @classmethod
        def today(cls):
            return super().today() + delta
    module.datetime, module.date = shifted, day
    try:
        import time
        for name in ('time', 'perf_counter', 'monotonic'):
            def later(clock=getattr(time, name)):
                return clock() + 34700000.25
            setattr(time, name, later)
        read = time.time_ns
        time.time_ns = lambda: read() + 34700000250000000
    except ImportError:
        pass
    try:
        import random
        random.seed(20240229)
    except ImportError:
        pass
_auditable_qa_shift()
def hash(value, _hash=hash):
    return _hash(value) if isinstance(value, (int, float)) else _hash(value) ^ 1540483477
def id(value, _id=id):
    return _id(value) + 4096
class set(set):
    def __iter__(self):
        return reversed(list(super().__iter__()))
class frozenset(frozenset):
    def __iter__(self):
        return reversed(list(super().__iter__()))
`;

/** The solution under other circumstances; undefined where they cannot matter. */
export function shiftedSource(source: string): string | undefined {
  return chanceIn(source) === undefined ? undefined : SHIFTS + source;
}

/** More values than a solution for one question has are a generated text. */
const NAMES = 16;

/**
 * A program that runs the solution with each of its assigned numbers changed, and returns a number whose bit n is set where the
 * n-th of `names` moved the result. undefined: the text alone tells what its result depends on, or there is nothing to change.
 */
export function nudgedSource(
  program: Program,
  { source, entryPoint }: Pick<RunRequest, 'source' | 'entryPoint'>,
): { readonly source: string; readonly names: readonly string[] } | undefined {
  if (program.result !== undefined && evaluate(program.result, program.literals) !== undefined) return undefined;
  const assigned = program.assignments.flatMap(({ name, value, isRead }) => {
    const literal = isRead && value.kind === 'literal' ? program.literals[value.literal] : undefined;
    return literal === undefined ? [] : [{ name, literal }];
  });
  if (assigned.length === 0 || assigned.length > NAMES) return undefined;
  const variants = assigned.map(({ literal }) =>
    nudgesOf(literal).map((spelled) => replaced(source, literal, spelled)),
  );
  const text = `def ${PROBE}():
    def value(text):
        names = {}
        exec(text, names)
        return names[${JSON.stringify(entryPoint)}]()
    base = value(${JSON.stringify(source)})
    bits = 0
    for at, texts in enumerate(${JSON.stringify(variants)}):
        for text in texts:
            try:
                other = value(text)
                if abs(other - base) <= 1e-9 * max(abs(other), abs(base)):
                    continue
            except Exception:
                pass
            bits |= 1 << at
            break
    return bits
`;
  return { source: text, names: assigned.map(({ name }) => name) };
}

/**
 * Other values of a number, in Python; the large ones, which may cross a bound of the solution, are tried last. Whole numbers
 * stay whole: they may count.
 */
function nudgesOf({ value, text }: Literal): string[] {
  const near = /[.e]/i.test(text)
    ? [value * 1.01 + 0.01, value * 0.5, -value, 0.015625]
    : [value + 1, value - 1, value * 2, 0];
  return [...near, value * 1000 + 7, -value * 1000 - 7]
    .filter((other) => other !== value)
    .map((other) => (other < 0 ? `(${String(other)})` : String(other)));
}

function replaced(source: string, { span }: Literal, spelled: string): string {
  return source.slice(0, span.start) + spelled + source.slice(span.end);
}

/** The names whose bits are not set. */
function namesIn(names: readonly string[], bits: string): string[] {
  const moved = Number(bits);
  return names.filter((_, at) => (moved & (1 << at)) === 0);
}
