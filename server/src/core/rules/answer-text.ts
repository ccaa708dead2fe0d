import { readListInString } from '../record/list-in-string.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { readNumber } from '../solution/numbers.ts';
import { isAllBlank } from '../text/chars.ts';
import { count, keyOfField, show } from './messages.ts';
import { twoLetters } from './placeholder.ts';
import type { Rule } from './types.ts';

/** Rules on the answer, and on question and answer together, that need nothing but the record. */

const QUESTION = 'How many parcels did North handle, in thousands?';
const DOCMATH = {
  question_id: 'demo-0',
  question: 'What was widget revenue in 2032? (in thousand)',
  ground_truth: 150.5,
};

function formatExample(answer: string, answer_format: string, evidence_pages = '[2]') {
  const record = {
    doc_id: 'demo-doc.pdf',
    doc_type: 'Report',
    question: QUESTION,
    answer,
    evidence_pages,
    evidence_sources: evidence_pages === '[]' ? '[]' : "['Table']",
    answer_format,
  };
  return { profile: 'mmlongbench-doc', lines: [record] };
}

function regionExample(answer: string) {
  const record = {
    query: 'Which row of the table has the largest total?',
    answer,
    doc_name: 'demo-doc',
    evidence_page: [2],
    bbox: [[[300, 600, 2100, 1500]]],
    subimg_type: [['table']],
    category: 'cs',
  };
  return { profile: 'sciegqa', lines: [record] };
}

/** SciEGQA's convention. */
const MOST_WORDS = 10;

export const answerTextRules: readonly Rule[] = [
  {
    code: 'answer/format',
    severity: 'warning',
    needs: 'record',
    title: 'The answer does not have the format that the record declares',
    why: `The record says what kind of answer it has (Int, Float, List, Str, None), and the stored answer is of another kind: words where a number is declared, a number with other text or blanks around it, a list declared as a text. Scorers choose the comparison by the declared format: they stop at such an answer or count every prediction as wrong.

A percent sign directly behind a number is fine, as is a whole number under Float, and a text that happens to be a number under Str. Correct the answer or the declared format.`,
    fires: formatExample('about 2550', 'Int'),
    quiet: formatExample('2550', 'Int'),
    checkRecord({ record }, report) {
      const { answer, answerFormat } = record;
      if (answerFormat === undefined || answer === undefined) return;
      // An object is no answer of any format: schema/type says so.
      if (typeof answer === 'object' && !Array.isArray(answer)) return;
      const fault = formatFault(answer, answerFormat.toLowerCase());
      if (fault === undefined) return;
      report({
        pointer: pointerTo(record, 'answer'),
        message: `The answer ${show(answer, 60)} does not fit the format ${answerFormat} that ${keyOfField(record, 'answerFormat')} declares: ${fault}.`,
        found: typeof answer === 'string' ? answer : JSON.stringify(answer),
        related: [{ message: 'The declared format', pointer: pointerTo(record, 'answerFormat') }],
      });
    },
  },
  {
    code: 'answer/unanswerable-with-evidence',
    severity: 'warning',
    needs: 'record',
    title: 'Answer and evidence contradict each other on whether the question can be answered',
    why: `The answer says that the document does not tell, yet pages or regions are cited as evidence; or the record has an answer, yet its list of pages is there and empty. Training and scoring treat unanswerable questions apart, so one of the two is wrong.

Take the evidence out, or write the answer it gives; for an answer without pages, cite them.`,
    fires: regionExample('Not answerable'),
    quiet: regionExample('North'),
    checkRecord({ record }, report) {
      const { answer, pages } = record;
      if (typeof answer !== 'string' || pages === undefined || isAllBlank(answer)) return;
      const isUnanswerable = saysUnanswerable(answer);
      if (isUnanswerable === pages.length > 0) {
        const key = keyOfField(record, 'pages');
        const message = isUnanswerable
          ? `The answer says that the question cannot be answered, yet ${key} cites ${count(pages.length, 'page')}.`
          : `The question is answered (${show(answer, 40)}), yet ${key} is empty.`;
        report({
          pointer: pointerTo(record, isUnanswerable ? 'answer' : 'pages'),
          message,
          found: `${answer} ${pages.length}`,
          related: [
            {
              message: isUnanswerable ? 'The cited pages' : 'The answer',
              pointer: pointerTo(record, isUnanswerable ? 'pages' : 'answer'),
            },
          ],
        });
      }
    },
  },
  {
    code: 'answer/too-long',
    severity: 'info',
    off: true,
    needs: 'record',
    title: 'The answer has more than ten words',
    why: `SciEGQA's guideline: an answer has at most ten words, so that it can be judged by comparison. The rule is off unless it is switched on, since other datasets want sentences.

Keep what was asked for and leave out the rest.`,
    fires: regionExample('The row with the largest total of all is the one that is named North'),
    quiet: regionExample('North'),
    checkRecord({ record }, report) {
      if (typeof record.answer !== 'string') return;
      const words = record.answer.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      if (words <= MOST_WORDS) return;
      report({
        pointer: pointerTo(record, 'answer'),
        message: `The answer has ${words} words; at most ${MOST_WORDS} are meant.`,
        found: record.answer,
      });
    },
  },
  {
    code: 'question/no-scale',
    severity: 'info',
    off: true,
    needs: 'record',
    title: 'A numeric question names no unit or scale',
    why: `DocMath-Eval's convention: a question whose answer is a number says in which unit or scale it is wanted, often in brackets at its end: (in million), (in percent). Without it, 1.35, 1,350 and 1,350,000 can all be right. The rule is off unless it is switched on.

Add the unit to the question, or fill the record's own field for it.`,
    fires: { profile: 'docmath-eval', lines: [{ ...DOCMATH, question: 'What was widget revenue in 2032?' }] },
    quiet: { profile: 'docmath-eval', lines: [DOCMATH] },
    checkRecord({ record }, report) {
      const { question, gold, unit } = record;
      if (question === undefined || typeof gold !== 'number' || (unit !== undefined && unit.trim() !== '')) return;
      if (SCALE.test(question)) return;
      report({
        pointer: pointerTo(record, 'question'),
        message: 'The question asks for a number, but names no unit or scale for it.',
        found: question,
      });
    },
  },
  {
    code: 'plausibility/fields-exchanged',
    severity: 'warning',
    needs: 'record',
    title: 'Question and answer seem to stand in each other\u2019s place',
    why: `The question holds no words, only a number or signs, while the answer is a question. Probably a column was shifted when the file was made, and then other records are affected as well.

Exchange the two, and look at the records around.`,
    fires: { profile: 'docmath-eval', lines: [{ ...DOCMATH, question: '150', ground_truth: 'What was the change?' }] },
    quiet: { profile: 'docmath-eval', lines: [DOCMATH] },
    checkRecord({ record }, report) {
      const { question } = record;
      if (question === undefined || question.length > 60 || question.trim() === '' || /\p{L}{2}/u.test(question))
        return;
      const field = isQuestion(record.gold) ? 'gold' : isQuestion(record.answer) ? 'answer' : undefined;
      if (field === undefined) return;
      report({
        pointer: pointerTo(record, 'question'),
        message: `The question is ${show(question.trim(), 40)}, while ${keyOfField(record, field)} is a question: ${show(record[field], 60)}. They seem to be exchanged.`,
        found: question,
        related: [{ message: 'The question stands here', pointer: pointerTo(record, field) }],
      });
    },
  },
];

const SCALE =
  /\b(?:in|as(?: an?)?|nearest|of|to)\s+(?:\w+\s+){0,2}?(?:hundred|thousand|million|billion|trillion|ten thousand|percent|per ?cent|percentage|decimals?|ratio|dollars?|euros?|pounds?|yen|yuan|cents?|shares?|units?|years?|days?|months?|times|basis points?|usd|eur|gbp|rmb|cny|inr|crores?|lakhs?)(?:th|ths|s)?\b|%|\bper ?cent(?:age)?\b|\bratio\b|\bhow (?:many|long|old)\b|\b(?:thousands|millions|billions|basis points)\b|\p{Sc}\s?(?:k|m|mm|b|bn|thousands?|millions?|billions?)\b|[¥€£$]/iu;

function isQuestion(value: unknown): boolean {
  return typeof value === 'string' && /\p{L}{2}[^]*\?\s*$/u.test(value);
}

const UNANSWERABLE =
  /^(?:(?:the question |it |this )?(?:is |can)?\s*(?:not|un)[ -]?answerable|(?:this |the )?(?:question )?(?:cannot|can not|can't) be (?:answered|determined)(?: .*)?|not (?:mentioned|stated|given|specified|found|provided)(?: in the (?:document|text|paper|report))?|no answer|unanswerable)\.?$/i;

/** What all of them begin with: few other answers do, and the rest need not be looked at. */
const BEGINNINGS: ReadonlySet<number> = new Set(['it', 'th', 'is', 'ca', 'no', 'un'].map(twoLetters));

export function saysUnanswerable(answer: string): boolean {
  const letters = twoLetters(answer);
  if (answer.length >= 120 || (letters !== 0 && !BEGINNINGS.has(letters))) return false;
  return UNANSWERABLE.test(answer.trim());
}

/** What is wrong with an answer of the declared format, in words. Formats that are not known have no fault. */
function formatFault(answer: unknown, format: string): string | undefined {
  switch (format) {
    case 'int':
    case 'integer':
      return numberFault(answer, true);
    case 'float':
      return numberFault(answer, false);
    case 'list':
      return isList(answer) ? undefined : 'it is no list';
    case 'none':
      return typeof answer === 'string' && !saysUnanswerable(answer) && answer.trim() !== ''
        ? 'None is for questions that cannot be answered'
        : undefined;
    case 'str':
    case 'string':
      return typeof answer === 'string' && isList(answer) ? 'it is a list' : undefined;
    default:
      return undefined;
  }
}

function isList(answer: unknown): boolean {
  return Array.isArray(answer) || (typeof answer === 'string' && readListInString(answer.trim()) !== undefined);
}

function numberFault(answer: unknown, whole: boolean): string | undefined {
  if (typeof answer === 'number') return whole && !Number.isInteger(answer) ? 'it is no whole number' : undefined;
  if (typeof answer !== 'string') return 'it is no number';
  const read = readNumber(answer);
  if (read === undefined) return /\d/.test(answer) ? 'other text stands around the number' : 'it is no number';
  if (answer !== answer.trim()) return 'blanks stand around the number';
  if (whole && (read.percent || !Number.isInteger(read.value))) return 'it is no whole number';
  const foreign = read.marks.filter((mark) => !/percent|thousands/.test(mark));
  return foreign.length === 0 ? undefined : `the number is written with ${foreign.join(', ')}`;
}

/** Whether the record says what its answer is; hidden answers are none. */
export function isAnswered({ answer, gold }: CanonicalRecord): boolean {
  const value = gold ?? answer;
  if (value === undefined || value === null) return false;
  return typeof value !== 'string' || (value.trim() !== '' && !saysUnanswerable(value));
}
