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
import { scaleBehind, statedScale } from './scale.ts';
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

/** Numbers of an answer that is text; what is no text is looked up for people only (`numbersShown`). */
function numbersOfAnswer(record: CanonicalRecord): Wanted[] {
  const answer = record.answer;
  return typeof answer === 'string' ? numbersOfText(answer, pointerTo(record, 'answer'), record.question) : [];
}

function numbersOfText(text: string, pointer: string, question: string | undefined): Wanted[] {
  if (text.length > ANSWER || !/\d/.test(text)) return [];
  const asked = statedScale(question ?? '')?.power ?? 0;
  const { starts, ends, digits, powers } = scanNumbers(text);
  return Array.from(starts, (start, i) => {
    const end = ends[i]!;
    const after = text.slice(end, end + 24);
    return {
      value: Number(`${digits[i]}e${powers[i]}`),
      text: text.slice(start, end),
      span: { start, end },
      pointer,
      isWholeValue: false,
      use: 'figure' as const,
      rounding: { unit: scaleBehind(after)?.power ?? asked, isPercent: /^\s*(?:%|per ?cent\b)/i.test(after) },
    };
  });
}

/** Answers beyond this length, in UTF-16 units, are whole texts whose numbers nobody asks after. */
const ANSWER = 2000;

/** Elements of a list that are looked up. */
const ELEMENTS = 50;

/**
 * The numbers of a record as they are shown to people: those of `wantedOf`, and where there is no solution also those of an answer
 * that is a number, or a list. Rules do not judge these: such an answer is often computed.
 */
export function numbersShown(record: CanonicalRecord, checked: CheckedText): readonly Wanted[] {
  const wants = wantedOf(record, checked);
  if (wants === undefined) return [];
  if (wants.program !== undefined || wants.wanted.length > 0) return wants.wanted;
  const field = record.answer !== undefined && record.answer !== null ? 'answer' : 'gold';
  const value = record[field];
  if (!Array.isArray(value)) return numbersOfValue(value, pointerTo(record, field), record.question);
  return value
    .slice(0, ELEMENTS)
    .flatMap((element, at) => numbersOfValue(element, pointerTo(record, field, at), record.question));
}

function numbersOfValue(value: unknown, pointer: string, question: string | undefined): Wanted[] {
  if (typeof value === 'string') return numbersOfText(value, pointer, question);
  if (typeof value !== 'number' || !Number.isFinite(value)) return [];
  const text = JSON.stringify(value);
  return numbersOfText(text, pointer, question).map((number) => ({
    ...number,
    value,
    text,
    span: { start: 0, end: text.length },
  }));
}

/** Where the numbers that are shown stand in the context, in their order; undefined: there is no context. */
export function traceShown(checked: CheckedText, record: CanonicalRecord): readonly TracedNumber[] | undefined {
  const own = traceOf(record === checked.record ? checked : { ...checked, record });
  if (own === undefined || own.program !== undefined || own.numbers.length > 0) return own?.numbers;
  const wanted = numbersShown(record, checked);
  return wanted.length === 0 ? own.numbers : judgeNumbers(contextOf(record), wanted, own.cited);
}
