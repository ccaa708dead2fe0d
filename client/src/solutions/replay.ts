/** What is to be shown at each step of a run. The run itself is over: everything comes from its recorded steps. */
import type { RunStep, RunSteps } from '../../../schemas/steps.ts';

export interface ShownVariable {
  readonly name: string;
  readonly value: string;
}

export interface Moment {
  /** 0-based, of `count`. */
  readonly at: number;
  readonly count: number;
  /** 1-based line of the solution. */
  readonly line: number;
  readonly kind: RunStep['kind'];
  /** Of the function that the step is in; '' in the solution's text itself. */
  readonly function: string;
  /** What the function gives back, or the type of the exception. */
  readonly value: string | undefined;
  /** What the line before has changed. */
  readonly changed: readonly ShownVariable[];
  /** All variables of the function, in the order in which they came. */
  readonly variables: readonly ShownVariable[];
  /** By 1-based line what it has changed last, so far. */
  readonly beside: ReadonlyMap<number, readonly ShownVariable[]>;
  /** The last of the steps that were kept, and the run had more. */
  readonly isCut: boolean;
}

const MODULE = '<module>';

interface Frame {
  readonly variables: Map<string, string>;
  line: number;
}

/** @param at position of a step. */
export function momentAt({ frames, steps, full }: RunSteps, at: number): Moment | undefined {
  const now = steps[at];
  if (now === undefined) return undefined;
  const known = new Map<number, Frame>();
  const beside = new Map<number, readonly ShownVariable[]>();
  for (let i = 0; i <= at; i++) {
    const step = steps[i]!;
    let frame = known.get(step.frame);
    if (frame === undefined) {
      frame = { variables: new Map(), line: 0 };
      known.set(step.frame, frame);
    }
    for (const { name, value } of step.changes) {
      if (value === null) frame.variables.delete(name);
      else frame.variables.set(name, value);
    }
    const changed = present(step);
    // What a function begins with was changed by no line of its own.
    if (changed.length > 0 && frame.line > 0) beside.set(frame.line, changed);
    frame.line = step.line;
  }
  const name = frames[now.frame] ?? '';
  return {
    at,
    count: steps.length,
    line: now.line,
    kind: now.kind,
    function: name === MODULE ? '' : name,
    value: now.value,
    changed: present(now),
    variables: [...known.get(now.frame)!.variables].map(([variable, value]) => ({ name: variable, value })),
    beside,
    isCut: full && at === steps.length - 1,
  };
}

function present({ changes }: RunStep): ShownVariable[] {
  return changes.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));
}

/** `revenue = 1350, cost = 4` */
export function variablesText(variables: readonly ShownVariable[], limit: number): string {
  const text = variables.map(({ name, value }) => `${name} = ${value}`).join(', ');
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

/** What happens at the step, as a phrase. */
export function happening({ kind, value, line }: Moment): string {
  if (kind === 'return') return `line ${line} returns ${value ?? 'None'}`;
  return kind === 'raise' ? `line ${line} raises ${value ?? 'an exception'}` : `line ${line} is next`;
}

/** For the status bar. */
export function stepText(moment: Moment): string {
  const { at, count, changed } = moment;
  const change = changed.length === 0 ? '' : ` · ${variablesText(changed, 60)}`;
  return `Step ${at + 1} of ${count}${moment.isCut ? '+' : ''}: ${happening(moment)}${change}`;
}

/** The same in full words, for screen readers. */
export function stepLabel(moment: Moment): string {
  const { at, count, changed, isCut } = moment;
  const where = moment.function === '' ? '' : ` in ${moment.function}`;
  const change = changed.length === 0 ? '' : ` Changed: ${variablesText(changed, 400)}.`;
  const cut = isCut ? ' The run went on; no more of its steps are kept.' : '';
  return `Step ${at + 1} of ${count}${where}: ${happening(moment)}.${change}${cut}`;
}
