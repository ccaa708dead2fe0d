/** Numbers, and the words of an answer that is text: both stand in the evidence, and are shown alike. */
import type { ShownEvidence } from '../../../schemas/page.ts';
import type { EvidenceNumber, EvidencePhrase } from '../../../schemas/protocol.ts';

export interface Traced extends EvidenceNumber {
  /** Words, not a number. */
  readonly isPhrase?: true;
}

function tracedPhrase({ text, pointer, inString, says, unsupported, places }: EvidencePhrase): Traced {
  const isCited = places[0]?.cited === true;
  const verdict = unsupported ? 'nowhere' : isCited ? 'cited' : 'context';
  return { text, name: null, verdict, says, unsupported, pointer, inString, places, isPhrase: true };
}

/** The evidence with the answer's words behind its numbers. */
export function withPhrases(evidence: ShownEvidence): ShownEvidence {
  const { trace } = evidence;
  if (trace?.phrases === undefined || trace.phrases.length === 0) {
    return evidence;
  }
  return { ...evidence, trace: { ...trace, numbers: [...trace.numbers, ...trace.phrases.map(tracedPhrase)] } };
}

export function isPhrase(number: EvidenceNumber): boolean {
  return (number as Traced).isPhrase === true;
}
