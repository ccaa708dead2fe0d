import type { RunResult } from '../ports.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { judge } from '../solution/verdict.ts';
import type { FileSettings } from '../profile/types.ts';
import { readDerivation } from './derivation.ts';
import type { Derivation } from './derivation.ts';
import { finqaNumbers, runFinqaProgram } from './finqa.ts';
import { toRun } from './result.ts';
import type { ProgramNumber } from './result.ts';

/**
 * The result of a record's program or formula; pure, and so at once. undefined: the record has none, or one that cannot
 * be read for sure (formulas are written for people).
 */
export function runProgram(record: CanonicalRecord, settings: Pick<FileSettings, 'tolerance'>): RunResult | undefined {
  const { program } = record;
  if (program === undefined || program.source.trim() === '') return undefined;
  if (program.language === 'finqa-program') return toRun(runFinqaProgram(program.source, tableOf(record)));
  const value = derivedValue(record, settings, false);
  return value === undefined ? undefined : toRun({ value });
}

/** The numbers of a record's program, with their places in its text. */
export function programNumbers(record: CanonicalRecord): readonly ProgramNumber[] {
  const { program } = record;
  if (program === undefined) return [];
  if (program.language === 'finqa-program') return finqaNumbers(program.source);
  return readDerivation(program.source)?.numbers ?? [];
}

/** The program's table as the record holds it: FinQA keeps it under `table`. */
function tableOf({ source }: CanonicalRecord): readonly (readonly unknown[])[] {
  const table = source['table'];
  return Array.isArray(table) ? table.filter((row) => Array.isArray(row)) : [];
}

/**
 * A formula does not say whether its percent signs count, nor whether a share is then given in percent: of the readings
 * the one that is nearest to the gold holds.
 */
function derivedValue(
  record: CanonicalRecord,
  settings: Pick<FileSettings, 'tolerance'>,
  bracketsNegate: boolean,
): number | undefined {
  const derivation = readDerivation(record.program?.source ?? '');
  if (derivation === undefined) return undefined;
  const readings = [...new Set(valuesOf(derivation, record.unit === 'percent', bracketsNegate))];
  const { gold } = record;
  if (typeof gold !== 'number') return readings[0];
  const rank = (value: number): number => RANKS.indexOf(judge(toRun({ value }), gold, settings).verdict);
  const distance = (value: number): number => Math.abs(Math.abs(value) - Math.abs(gold));
  return readings.sort((a, b) => rank(a) - rank(b) || distance(a) - distance(b))[0];
}

const RANKS: readonly string[] = ['equal', 'rounded', 'tolerance', 'mismatch'];

function valuesOf(derivation: Derivation, isPercent: boolean, bracketsNegate: boolean): number[] {
  const scales = derivation.hasPercent ? [false, true] : [false];
  const values = scales.flatMap((percentScales) => derivation.evaluate({ percentScales, bracketsNegate }) ?? []);
  // A record that states no scale may still hold a share in percent where the formula has percent signs.
  return isPercent || derivation.hasPercent ? [...values, ...values.map((value) => value * 100)] : values;
}

/** Where a formula copies the accounting brackets of a table: `(71)` means -71 there, and 71 in a formula. */
export function bracketCause(record: CanonicalRecord, settings: Pick<FileSettings, 'tolerance'>): string | undefined {
  if (record.program?.language !== 'tatqa-derivation') return undefined;
  const derivation = readDerivation(record.program.source);
  if (derivation === undefined || derivation.bracketed.length === 0) return undefined;
  const value = derivedValue(record, settings, true);
  if (value === undefined) return undefined;
  const { verdict } = judge(toRun({ value }), record.gold, settings);
  if (verdict === 'mismatch' || verdict === 'skipped') return undefined;
  const copied = [...new Set(derivation.bracketed.map(({ text }) => `(${text})`))].slice(0, 3).join(' and ');
  return `the formula copies ${copied} from a table, where brackets mean a negative number; in a formula they change nothing`;
}
