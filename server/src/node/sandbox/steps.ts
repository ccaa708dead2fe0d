/** Reads the steps of a run. The solution can reach the runner that writes them down: what does not fit is left out. */
import type { RunStep, RunSteps, StepChange } from '../../../../schemas/steps.ts';

/** What runner.py keeps at most. */
const STEPS = 2_000;
const FRAMES = 50_000;
const CHANGES = 200;
/** In UTF-16 units; runner.py counts code points. */
const NAME = 200;
const VALUE = 400;

const KINDS: Readonly<Record<string, RunStep['kind']>> = { line: 'line', return: 'return', exception: 'raise' };

/** @param lines of the solution. undefined: there are none that can be read. */
export function readSteps(found: unknown, lines: number): RunSteps | undefined {
  if (typeof found !== 'object' || found === null) return undefined;
  const { frames, steps, full } = found as Readonly<Record<string, unknown>>;
  if (!Array.isArray(frames) || !Array.isArray(steps) || steps.length > STEPS || frames.length > FRAMES)
    return undefined;
  if (!frames.every((name) => isText(name, NAME))) return undefined;
  const read: RunStep[] = [];
  for (const step of steps) {
    const one = readStep(step, lines, frames.length);
    if (one === undefined) return undefined;
    read.push(one);
  }
  return { frames, steps: read, full: full !== false };
}

function readStep(step: unknown, lines: number, frames: number): RunStep | undefined {
  if (!Array.isArray(step)) return undefined;
  const [event, line, frame, changes, value] = step as readonly unknown[];
  const kind = typeof event === 'string' && Object.hasOwn(KINDS, event) ? KINDS[event] : undefined;
  if (kind === undefined || !isWhole(line, 1, lines) || !isWhole(frame, 0, frames - 1)) return undefined;
  if (!Array.isArray(changes) || changes.length > CHANGES) return undefined;
  const read: StepChange[] = [];
  for (const change of changes) {
    if (!Array.isArray(change)) return undefined;
    const [name, text] = change as readonly unknown[];
    if (!isText(name, NAME) || !(text === null || isText(text, VALUE))) return undefined;
    read.push({ name, value: text });
  }
  return { kind, line, frame, changes: read, ...(isText(value, VALUE) && { value }) };
}

function isText(value: unknown, limit: number): value is string {
  return typeof value === 'string' && value.length <= limit;
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
