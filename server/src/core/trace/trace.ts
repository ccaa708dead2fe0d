import type { CheckedText } from '../pipeline.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { citedBlocks } from './cited.ts';
import { needsNoEvidence } from './constants.ts';
import { areDerived } from './derived.ts';
import { findNumbers } from './find.ts';
import type { Wanted } from './find.ts';
import { programOf } from './program.ts';
import type { Program } from './program.ts';
import { programOfFormula } from './formula.ts';
import { scanNumbers } from './scan.ts';
import type { Trace, TracedNumber } from './types.ts';

interface Known {
  /** The context that was looked through: one that lies in a file of its own comes later. */
  readonly context: CanonicalRecord['context'];
  readonly trace: Trace | undefined;
}

const traces = new WeakMap<CheckedText['parsed'], Known>();

/**
 * The numbers of a record's solution, or of its answer where it has none, and where they come from; undefined where there is
 * nothing to trace: no context, or a blank one. Memoised by the record's text and context.
 */
export function traceOf(checked: CheckedText): Trace | undefined {
  const { record, parsed } = checked;
  if (record?.context === undefined) return undefined;
  const known = traces.get(parsed);
  if (known?.context === record.context) return known.trace;
  const trace = traceRecord(record, checked);
  traces.set(parsed, { context: record.context, trace });
  return trace;
}

/** A solution with more numbers is a generated text, whose evidence nobody looks up. */
const NUMBERS = 400;

function traceRecord(record: CanonicalRecord, checked: CheckedText): Trace | undefined {
  const context = record.context;
  if (context === undefined || !context.some((block) => typeof block === 'string' && block.trim() !== '')) {
    return undefined;
  }
  const program = programIn(record, checked);
  const cited = citedBlocks(record);
  const wanted = program === undefined ? numbersOfAnswer(record) : numbersOfProgram(record, program);
  if (wanted.length > NUMBERS) return undefined;
  if (wanted.length === 0) return { numbers: [], cited, ...(program !== undefined && { program }) };
  const found = findNumbers(record, wanted, cited);
  const ruled = wanted.map((number, i): TracedNumber => {
    const { verdict, power, places } = found[i]!;
    const base = {
      value: number.value,
      text: number.text,
      pointer: number.pointer,
      inString: number.span,
      ...(number.name !== undefined && { name: number.name }),
    };
    if (verdict === 'cited') return { ...base, verdict, places };
    const free = needsNoEvidence(record, number);
    if (free !== undefined) return { ...base, verdict: free, places };
    return { ...base, verdict, ...(power !== undefined && { power }), places };
  });
  const missing = ruled.flatMap(({ verdict }, i) =>
    verdict === 'nowhere' || verdict === 'digits-exchanged' ? [i] : [],
  );
  const derived = areDerived(
    record,
    missing.map((i) => wanted[i]!),
    cited,
  );
  const numbers = ruled.map((number, i): TracedNumber => {
    return derived[missing.indexOf(i)] === true ? { ...number, verdict: 'derived', places: [] } : number;
  });
  return { numbers, cited, ...(program !== undefined && { program }) };
}

function programIn(record: CanonicalRecord, { solution }: CheckedText): Program | undefined {
  // Inside a fence, or on a single line, nothing can be told.
  if (solution?.faults.some(({ kind }) => kind === 'code-fence' || kind === 'double-escaped')) return undefined;
  if (solution !== undefined) return programOf(solution, record.profile.entryPoint);
  return record.program === undefined ? undefined : programOfFormula(record.program.source, record.program.language);
}

function numbersOfProgram(record: CanonicalRecord, program: Program): Wanted[] {
  const pointer = pointerTo(record, 'solution');
  return program.literals.map((literal) => ({ ...literal, pointer }));
}

/** Numbers of an answer that is text; a gold that is a number is what the solution yields and is not traced itself. */
function numbersOfAnswer(record: CanonicalRecord): Wanted[] {
  const answer = record.answer;
  if (typeof answer !== 'string' || answer.length > ANSWER || !/\d/.test(answer)) return [];
  const pointer = pointerTo(record, 'answer');
  const { starts, ends, digits, powers } = scanNumbers(answer);
  return Array.from(starts, (start, i) => ({
    value: Number(`${digits[i]}e${powers[i]}`),
    text: answer.slice(start, ends[i]),
    span: { start, end: ends[i]! },
    pointer,
    isWholeValue: false,
    use: 'figure' as const,
  }));
}

/** Answers beyond this length, in UTF-16 units, are whole texts whose numbers nobody asks after. */
const ANSWER = 2000;
