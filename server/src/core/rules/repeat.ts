import { pointerTo } from '../record/canonical.ts';
import { isEqual } from '../solution/verdict.ts';
import { chanceIn } from '../trace/probe.ts';
import type { Rule } from './types.ts';

function example(python_solution: string) {
  return {
    profile: 'docmath-eval',
    lines: [
      {
        question_id: 'demo-0',
        question: 'How many years have passed since 2031?',
        python_solution,
        ground_truth: 1,
      },
    ],
  };
}

export const repeatRules: readonly Rule[] = [
  {
    code: 'solution/nondeterministic',
    severity: 'error',
    needs: 'run',
    title: 'The solution gives another result when it is run again',
    why: `The solution reads the clock, draws random numbers, or depends on hashes, addresses or the order of a set, and that reaches the result: a second run with another clock, another seed and sets in the opposite order gave another value. The gold is right on one day or one machine only.

Write the date or the number that was meant into the solution; sort a set before its order matters.`,
    fires: example('from datetime import datetime\ndef solution():\n    return datetime.now().year - 2031'),
    quiet: example('from datetime import datetime\ndef solution():\n    return datetime(2032, 1, 1).year - 2031'),
    checkRun({ record, run, solution }, report) {
      const again = run.probed?.shifted;
      if (again === undefined || run.value === undefined || again === run.value.repr) return;
      // Floats added up in another order differ in their last digits.
      if (isEqual(Number(again), Number(run.value.repr))) return;
      const source = solution?.source ?? '';
      const span = chanceIn(source);
      const cause = span === undefined ? '' : ` It calls ${source.slice(span.start, span.end).trim()}.`;
      report({
        pointer: pointerTo(record, 'solution'),
        ...(span !== undefined && { inString: span }),
        message: `The solution yields ${run.value.repr}, and ${again} when it is run with another clock, other random numbers and another order of sets.${cause}`,
        found: span === undefined ? '' : source.slice(span.start, span.end).trim(),
      });
    },
  },
];
