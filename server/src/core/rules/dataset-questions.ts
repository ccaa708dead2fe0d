import { createHashList } from '../hash-list.ts';
import { endOfWords, hashNumber, hashWords } from '../hash.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { count, show } from './messages.ts';
import { createPointers } from './pointers.ts';
import type { Rule } from './types.ts';

/** Rules on the questions of a whole file. */

function example(...questions: readonly (readonly [question: string, solution: string | null, gold: number])[]) {
  return {
    profile: 'docmath-eval',
    lines: questions.map(([question, python_solution, ground_truth], i) => ({
      question_id: `demo-${i}`,
      question,
      python_solution,
      ground_truth,
    })),
  };
}

const FRACTION = 'def solution():\n    return 3 / 24';
const PERCENT = 'def solution():\n    return 3 / 24 * 100';

/** Share that the rarer convention must have; less are slips that answer/mismatch and people find. */
const RARER = 0.1;

/** Hash of the question and what it is asked of, and its pointer. */
type QuestionItem = [question: number, pointer: string];
type Convention = 'percent' | 'fraction';

export const datasetQuestionRules: readonly Rule[] = [
  {
    code: 'dataset/duplicate-question',
    severity: 'warning',
    needs: 'dataset',
    title: 'The same question on the same document stands twice in the file',
    why: `Two records of the file ask the same question (letter case, blanks and closing signs apart) of the same document or the same context. Some pairs are left from joining annotations and even have different answers; in a benchmark they count twice, and across splits they leak.

Keep one of them, or word the second question so that it asks for something else.`,
    fires: example(['What is revenue?', null, 1.5], ['what is  revenue?', null, 2.5]),
    quiet: example(['What is revenue?', null, 1.5], ['What is profit?', null, 2.5]),
    digest({ record }) {
      const question = hashAsked(record);
      return question === undefined ? undefined : ([question, pointerTo(record, 'question')] satisfies QuestionItem);
    },
    reduce() {
      const questions = createHashList();
      const pointers = createPointers();
      return {
        add([question, pointer]: QuestionItem, { index }) {
          questions.set(index, question);
          pointers.set(index, pointer);
        },
        read({ record }, { index }) {
          const question = hashAsked(record);
          if (question === undefined) return;
          questions.set(index, question);
          pointers.set(index, pointerTo(record, 'question'));
        },
        end(report) {
          for (const { index, first } of questions.repeats()) {
            const pointer = pointers.at(index);
            report(index, {
              places: [{ recordIndex: first, pointer }],
              say({ record }) {
                const question = (record.question ?? '').trim().slice(0, 60);
                return {
                  pointer,
                  message: `The question ${show(question, 60)} is already asked of the same document by record ${first + 1} of the file.`,
                  found: question,
                  related: [{ message: 'First asked here', pointer, recordIndex: first }],
                };
              },
            });
          }
        },
      };
    },
  },
  {
    code: 'dataset/percent-convention',
    severity: 'info',
    needs: 'file',
    title: 'Percent questions of one file are answered in two conventions',
    why: `Some solutions to questions for a percentage multiply by 100 and others return the fraction. Both are fine, but not side by side: a scorer cannot tell 0.125 from 12.5 apart, and a model learns to guess. A file that keeps to one convention is not reported, whichever it is.

Decide for one and convert the rarer kind, or say in each question which one is wanted.`,
    fires: example(
      ['By what percentage did revenue grow?', FRACTION, 0.125],
      ['By what percentage did costs grow?', PERCENT, 12.5],
    ),
    quiet: example(
      ['By what percentage did revenue grow?', PERCENT, 12.5],
      ['By what percentage did costs grow?', PERCENT, 12.5],
    ),
    digest({ record: { question, solution } }) {
      if (question === undefined || solution === undefined || !asksForPercentage(question)) return undefined;
      return conventionOf(solution);
    },
    reduce() {
      const counts = { percent: 0, fraction: 0 };
      return {
        add(kind: Convention) {
          counts[kind] += 1;
        },
        end(report) {
          const { percent, fraction } = counts;
          const rarer = Math.min(percent, fraction);
          if (rarer === 0 || rarer < RARER * (percent + fraction)) return;
          report(null, {
            pointer: '',
            message: `Of the percent questions of the file, ${count(percent, 'solution')} ${percent === 1 ? 'multiplies' : 'multiply'} by 100 and ${count(fraction, 'solution')} ${fraction === 1 ? 'does' : 'do'} not.`,
            found: `${percent} ${fraction}`,
          });
        },
      };
    },
  },
];

/**
 * Of the question and what it is asked of. The same for questions that differ in letter case, blanks and closing signs;
 * undefined for blank ones.
 */
function hashAsked(record: CanonicalRecord): number | undefined {
  const { question = '', document = '' } = record;
  const end = endOfWords(question);
  if (end === 0) return undefined;
  // Halves, since the sum of two numbers of 53 bits is none.
  return Math.floor(hashWords(question, end) / 2) + Math.floor(hashNumber(document, sourceOf(record)) / 2);
}

/** What the question is asked of, beside a document: a context, or images that the record names. */
function sourceOf({ context, images, document }: CanonicalRecord): string {
  if (context !== undefined && context.length > 0)
    return context.map((block) => (typeof block === 'string' ? block : '')).join('\n');
  if (document !== undefined || images === undefined) return '';
  return images.map(String).join('\n');
}

const PERCENTAGE = /\b(?:percent(?:age)?|per cent)\b|%/i;
/** Questions that say themselves how the percentage is to be written, or only mention one. */
const SAYS_HOW =
  /\((?:in|as|to)\b[^)]*\)|\bin (?:decimals?|percent(?:age)? points?|basis points?|fractions?|ratio)\b|\bpercent(?:age)? points?\b|\bbasis points?\b/i;
const ASKS =
  /\b(?:what|which|how much|by (?:what|how)|calculate|compute|find|determine)\b[^?]{0,60}\bpercent(?:age)?s?\b|\bpercent(?:age)? (?:change|increase|decrease|growth|decline|of|share)\b|\bin percent(?:age)?\b/i;

function asksForPercentage(question: string): boolean {
  return (
    PERCENTAGE.test(question) && ASKS.test(question) && !SAYS_HOW.test(question.replace(/\(in percent(?:age)?\)/i, ''))
  );
}

/** Whether the solution multiplies by 100, or divides and does not; undefined where there is no quotient. */
function conventionOf(solution: string): Convention | undefined {
  const code = solution.replace(/#[^\n]*/g, '');
  if (/\*\s*\(?\s*100(?:\.0*)?\b(?![\d.])|\b100(?:\.0*)?\s*\*|\/\s*\(?\s*0?\.01\b/.test(code)) return 'percent';
  return code.includes('/') ? 'fraction' : undefined;
}
