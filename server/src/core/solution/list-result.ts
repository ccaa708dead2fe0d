import type { RunResult } from '../ports.ts';
import type { Profile } from '../profile/types.ts';
import { readListInString } from '../record/list-in-string.ts';

/**
 * A result of several numbers as the value it is, where the dataset's golds may be lists: engines report it as a value
 * that is no number.
 */
export function acceptLists(run: RunResult, profile: Profile): RunResult {
  const { error, ...rest } = run;
  if (error?.kind !== 'badReturn' || profile.types.gold?.includes('list') !== true) return run;
  const numbers = numbersOf(error.message);
  if (numbers === undefined) return run;
  return { ...rest, value: { kind: 'list', repr: error.message } };
}

/** The numbers of a list or tuple as Python prints it; undefined: it holds something else, or is cut short. */
export function numbersOf(repr: string): readonly number[] | undefined {
  const inner = /^\((.*)\)$/s.exec(repr);
  const list = readListInString(inner === null ? repr : `[${inner[1]!}]`);
  if (list === undefined || list.length === 0) return undefined;
  return list.every((value) => typeof value === 'number' && Number.isFinite(value)) ? (list as number[]) : undefined;
}
