import { ACCEPTED_FILE } from '../../../../schemas/acceptance.ts';
import type { Rule } from './types.ts';

/**
 * Faults of the file of accepted findings. They are found when it is read (`core/acceptance`), not in record files. The
 * lines of their examples stand in that file; beside it lies a record file, `a.jsonl`, with one finding.
 */
export const ACCEPTED_EXAMPLE = ACCEPTED_FILE;

/** The one finding beside the examples: a gold that is text. */
export const ACCEPTED_EXAMPLE_RECORD = '{"question_id":"a","question":"How many?","ground_truth":"12"}';

const example = (line: object | string): Rule['fires'] => ({
  profile: ACCEPTED_EXAMPLE,
  lines: [typeof line === 'string' ? line : JSON.stringify(line)],
});

export const acceptanceRules = [
  {
    code: 'config/invalid-acceptance',
    severity: 'error',
    needs: 'text',
    title: 'A line of the accepted findings cannot be used',
    why: 'Each line of auditable-qa.accepted.jsonl is one JSON object with the fingerprint of a finding and the reason why it may stand. A line that is no such object accepts nothing, so its finding is reported. An acceptance without a reason is none: nobody could tell later whether it still holds.',
    fires: example({ file: 'a.jsonl', fingerprint: 'f4f35a4a739b707e', reason: '' }),
    quiet: example({ file: 'a.jsonl', fingerprint: 'f4f35a4a739b707e', reason: 'A list of codes, not a number.' }),
  },
  {
    code: 'config/stale-acceptance',
    severity: 'info',
    needs: 'text',
    title: 'An accepted finding is no longer found',
    why: 'The value was corrected, the record is gone, or the value is wrong in another way now, which gives the finding another fingerprint. Delete the line, so that the file tells what is accepted today. It is reported only where the record file was checked as a whole, with everything that the rule needs.',
    fires: example({ file: 'a.jsonl', fingerprint: '0123456789abcdef', reason: 'The report prints it like this.' }),
    quiet: example({ file: 'a.jsonl', fingerprint: 'f4f35a4a739b707e', reason: 'A list of codes, not a number.' }),
  },
] as const satisfies readonly Rule[];

export type AcceptanceCode = (typeof acceptanceRules)[number]['code'];
