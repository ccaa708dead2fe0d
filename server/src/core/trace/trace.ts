import type { CheckedText } from '../pipeline.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { blockName } from '../rules/messages.ts';
import { citedBlocks } from './cited.ts';
import type { Evidence, Wanted } from './find.ts';
import { judgeNumbers } from './judge.ts';
import { programOf } from './program.ts';
import type { Program } from './program.ts';
import { programOfFormula } from './formula.ts';
import { scanNumbers } from './scan.ts';
import type { Trace } from './types.ts';

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
  const wants = wantedOf(record, checked);
  if (wants === undefined) return undefined;
  const { program, wanted } = wants;
  const cited = citedBlocks(record);
  if (wanted.length === 0) return { numbers: [], cited, ...(program !== undefined && { program }) };
  const numbers = judgeNumbers(contextOf(record), wanted, cited);
  return { numbers, cited, ...(program !== undefined && { program }) };
}

function contextOf(record: CanonicalRecord): Evidence {
  return {
    texts: record.context ?? [],
    question: record.question,
    pointerOf: (block) => pointerTo(record, 'context', block),
    nameOf: (block) => blockName(record, block),
  };
}

/** The numbers of a record to look up: those of its solution, or of its answer where it has none; undefined: too many. */
export function wantedOf(
  record: CanonicalRecord,
  checked: CheckedText,
): { readonly wanted: readonly Wanted[]; readonly program: Program | undefined } | undefined {
  const program = programIn(record, checked);
  const wanted = program === undefined ? numbersOfAnswer(record) : numbersOfProgram(record, program);
  return wanted.length > NUMBERS ? undefined : { wanted, program };
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
