import type { SolutionOutcome } from '../../../../schemas/protocol.ts';
import { returnedText } from '../../../../schemas/outcome.ts';
import { shorten } from './markdown.ts';

const SIGNS = { equal: '=', tolerance: '≈', rounded: '≈', mismatch: '≠', error: '≠' } as const;

/**
 * Title of a run lens: `▶ 150 = gold`, `▶ 1350 ≠ gold 1350000`, `▶ NameError: …`, `▶ Run solution`. A value that is not the
 * gold's very number shows the gold too.
 */
export function lensText(outcome: SolutionOutcome, state: 'idle' | 'running' | 'untrusted'): string {
  if (state === 'running') return '▶ Running …';
  if (outcome.error !== null) return `▶ ${shorten(errorText(outcome.error), 80)}`;
  const { value, verdict, gold } = outcome;
  if (value === null) return state === 'untrusted' ? '▶ Not run: the workspace is not trusted' : '▶ Run solution';
  const shown = shorten(value, 40);
  if (verdict === 'skipped' || gold === null) return `▶ ${shown}`;
  if (verdict === 'equal') return `▶ ${shown} = gold`;
  return `▶ ${shown} ${SIGNS[verdict]} gold ${gold}`;
}

function errorText({ type, message, returned }: NonNullable<SolutionOutcome['error']>): string {
  if (returned === true) return returnedText(message, type);
  return message === '' ? type : `${type}: ${message}`;
}
