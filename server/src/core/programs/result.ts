import type { RunResult } from '../ports.ts';

/** What a program or formula yields. Errors say what of it cannot be read or computed. */
export type ProgramResult =
  | { readonly value: number | 'yes' | 'no' }
  | { readonly problem: string; readonly start: number; readonly end: number };

/** A number of a program, as it is written there. */
export interface ProgramNumber {
  readonly value: number;
  readonly text: string;
  /** Offsets in the program. */
  readonly start: number;
  readonly end: number;
}

const RUN = { engine: 'program', pythonVersion: '', stdout: '', stdoutTruncated: false, ms: 0 } as const;

/** As the run of a solution, so that the same rules judge it. */
export function toRun(result: ProgramResult): RunResult {
  if ('problem' in result) {
    return { ...RUN, error: { kind: 'exception', type: 'ProgramError', message: result.problem } };
  }
  const { value } = result;
  if (typeof value === 'string') return { ...RUN, value: { kind: 'text', repr: value } };
  if (!Number.isFinite(value)) {
    return { ...RUN, error: { kind: 'notFinite', type: 'float', message: String(value) } };
  }
  return { ...RUN, value: { kind: Number.isInteger(value) ? 'int' : 'float', repr: spell(value) } };
}

/** Python has no other spelling of a double than JavaScript, but for where exponents begin. */
function spell(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? value.toFixed(0) : String(value);
}
