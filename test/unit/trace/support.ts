import { createChecker } from '../../../server/src/core/checker.ts';
import type { Finding } from '../../../server/src/core/finding.ts';
import type { CheckedText, Checker } from '../../../server/src/core/pipeline.ts';
import type { RunResult } from '../../../server/src/core/ports.ts';
import { evaluate } from '../../../server/src/core/trace/evaluate.ts';
import { readProgram } from '../../../server/src/core/trace/program.ts';
import { settingsOf, yields } from '../rules/support.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

export const checker: Checker = createChecker(settingsOf('docmath-eval'));

/** A record without a fault; its pieces are replaced by the tests. */
export const BASE: JsonRecord = {
  question_id: 'q-0',
  question: 'What was the change in widget revenue from 2031 to 2032? (in thousand)',
  paragraphs: [
    'Widget revenue grew in 2032. Amounts are in thousands.',
    '| Item | 2031 | 2032 |\n| Widget revenue | 1,200 | 1,350 |\n| Gadget revenue | 800 | 728 |',
    'Our offices moved.',
  ],
  table_evidence: [1],
  paragraph_evidence: [0],
  python_solution: 'def solution():\n    r2031 = 1200\n    r2032 = 1350\n    return r2032 - r2031',
  ground_truth: 150,
};

export function checkedOf(record: JsonRecord): CheckedText {
  return checker.checkText(JSON.stringify(record));
}

/** The run of a straight-line solution, computed here: these tests need no interpreter. */
export function runOf({ solution }: CheckedText, entryPoint = 'solution'): RunResult | undefined {
  if (solution?.runnable !== true) return undefined;
  const { result, literals } = readProgram(solution.source, entryPoint);
  const value = result && evaluate(result, literals);
  return value === undefined ? undefined : yields(String(value));
}

export function findingsOf(record: JsonRecord): Finding[] {
  const text = JSON.stringify(record);
  const checked = checker.checkText(text);
  const run = runOf(checked);
  return checker.findings({ index: 0, line: 0, column: 0, offset: 0, text }, checked, run ? { run } : {});
}

/** A solution that returns one expression. */
export function returning(expression: string): string {
  return `def solution():\n    return ${expression}`;
}

export function codesOf(record: JsonRecord): string[] {
  return findingsOf(record).map(({ code }) => code);
}
