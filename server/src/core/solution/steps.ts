/** Runs a solution once more for its steps, and gives them only where that run did what the first one did. */
import type { RunStep, RunSteps } from '../../../../schemas/steps.ts';
import type { Cancel, RunRequest, RunResult, SolutionRunner } from '../ports.ts';

export type StepsFound =
  | { readonly kind: 'steps'; readonly steps: RunSteps }
  /** Why there are none, as a sentence. */
  | { readonly kind: 'problem'; readonly message: string };

/** Runs that did not end by themselves: what they did until then is told. */
const ENDLESS: ReadonlySet<string> = new Set(['timeout', 'memory']);

/** @param run the result of the same request without steps: writing them down must not change it. */
export async function runSteps(
  runner: SolutionRunner,
  request: RunRequest,
  run: RunResult,
  cancel?: Cancel,
): Promise<StepsFound> {
  const isEndless = run.error !== undefined && ENDLESS.has(run.error.kind);
  const traced = await runner.run({ ...request, trace: isEndless ? 'steps' : 'run' }, cancel);
  const { steps } = traced;
  if (!isEndless && !isSame(run, traced)) return problem(OTHER);
  const told = steps && { ...steps, steps: worthTelling(steps) };
  return told === undefined || told.steps.length === 0 ? problem(NOTHING) : { kind: 'steps', steps: told };
}

/**
 * Leaves out what nobody follows: that a function ends because of the exception that it has raised, and the lines outside of functions
 * that give no variable a value (definitions and imports).
 */
function worthTelling({ frames, steps }: RunSteps): RunStep[] {
  const last = new Map<number, RunStep>();
  const unwinding = new Set<RunStep>();
  const idle = new Set<RunStep>();
  for (const step of steps) {
    const before = last.get(step.frame);
    if (step.kind === 'return' && before?.kind === 'raise') unwinding.add(step);
    if (frames[step.frame] === MODULE) {
      if (before?.kind === 'line' && step.changes.length === 0 && step.kind !== 'raise') idle.add(before);
      if (step.kind === 'return' && step.changes.length === 0) idle.add(step);
    }
    last.set(step.frame, step);
  }
  return steps.filter((step) => !unwinding.has(step) && !(idle.has(step) && step.changes.length === 0));
}

/** Name of the frame of a solution's text itself. */
const MODULE = '<module>';

const NOTHING = 'No step of the run could be written down.';
const OTHER =
  'The solution does something else each time it is run, or when somebody looks on: its steps would mislead.';

function isSame(one: RunResult, other: RunResult): boolean {
  return (
    one.value?.repr === other.value?.repr &&
    one.error?.kind === other.error?.kind &&
    one.error?.message === other.error?.message &&
    one.error?.line === other.error?.line
  );
}

function problem(message: string): StepsFound {
  return { kind: 'problem', message };
}
