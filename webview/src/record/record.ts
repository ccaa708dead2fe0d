/** The record itself: question, answer, its solution with what it yields, and its problems. */
import type { EvidenceNumber, SolutionOutcome } from '../../../schemas/protocol.ts';
import type { ShownEvidence } from '../../../schemas/page.ts';
import { html, plural, setAttributes, setText } from '../dom.ts';
import type { IconName } from '../icons.ts';
import type { Disclosure } from '../judging.ts';
import { icon } from '../icons.ts';
import { severityMark } from '../severity.ts';
import { editButton } from './editing.ts';
import { literalText, pythonShades } from './literals.ts';
import type { OnNumber } from './marks.ts';

export interface RecordSection {
  readonly element: HTMLElement;
  update(evidence: ShownEvidence, disclosure: Disclosure): void;
  /** Where what stands at a pointer is shown: question, answer, solution. */
  placeOf(pointer: string): HTMLElement | null;
  /** Where `question` or `answer` is edited. */
  homeOf(key: string): HTMLElement | null;
  /** Shows a text that is saved, until the record comes with it. */
  preview(key: string, text: string): void;
}

export interface RecordActions {
  /** A problem was chosen. */
  goTo(pointer: string): void;
  /** Answer and solution are to be seen, or hidden again. */
  reveal(): void;
  /** A number was chosen where it is written. */
  find: OnNumber;
  edit(key: 'question' | 'answer'): void;
  editSolution(): void;
}

interface Judgement {
  readonly icon: IconName;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly words: string;
}

function judge(solution: SolutionOutcome): Judgement {
  const gold = solution.gold === null ? 'the answer' : String(solution.gold);
  switch (solution.verdict) {
    case 'equal':
      return { icon: 'check', tone: 'good', words: 'equals the answer' };
    case 'tolerance':
      return { icon: 'check', tone: 'good', words: `within tolerance of ${gold}` };
    case 'rounded':
      return { icon: 'check', tone: 'good', words: `rounds to ${gold}` };
    case 'mismatch':
      return { icon: 'cross', tone: 'bad', words: `differs from ${gold}` };
    case 'error':
      return { icon: 'cross', tone: 'bad', words: 'failed' };
    case 'skipped':
      // It may have run and found no number to be compared with.
      return {
        icon: 'skip',
        tone: 'plain',
        words: solution.value === null ? 'not run' : 'no number to compare it with',
      };
  }
}

function solutionParts(solution: SolutionOutcome): HTMLElement[] {
  const { icon: name, tone, words } = judge(solution);
  const verdict = html('span', { class: `verdict verdict-${tone}` }, icon(name), words);
  const value = solution.value === null ? null : html('code', { class: 'value' }, solution.value);
  const type = solution.type === null ? null : html('span', { class: 'dim' }, solution.type);
  const parts: HTMLElement[] = [html('div', { class: 'outcome' }, value, type, verdict)];
  if (solution.error !== null) {
    const { type: kind, message, line } = solution.error;
    const where = line === null ? '' : ` (line ${line} of the solution)`;
    parts.push(html('p', { class: 'solution-error' }, `${kind}: ${message}${where}`));
  }
  if (solution.stdout !== '') {
    parts.push(
      html(
        'details',
        {},
        html('summary', {}, 'Printed text'),
        html('pre', { tabindex: 0, 'aria-label': 'Printed text' }, solution.stdout),
      ),
    );
  }
  return parts;
}

function textOr(text: string | null, missing: string): Node {
  return text === null || text === '' ? html('span', { class: 'absent' }, missing) : document.createTextNode(text);
}

/** A part that is filled again only when it shows something else: what is typed in it, and its focus, stay. */
function part<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Parameters<typeof html>[1] = {}) {
  const element = html(tag, attributes);
  let shown = '';
  return {
    element,
    fill(signature: unknown, content: () => readonly (Node | string)[]): void {
      const next = JSON.stringify(signature);
      if (next === shown) return;
      shown = next;
      const focused = element.contains(document.activeElement) ? document.activeElement : null;
      const key = focused?.getAttribute('data-pointer') ?? focused?.getAttribute('data-literal');
      const name = focused?.hasAttribute('data-pointer') === true ? 'data-pointer' : 'data-literal';
      element.replaceChildren(...content());
      if (typeof key === 'string') {
        element.querySelector<HTMLElement>(`[${name}="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
      }
    },
    forget(): void {
      shown = '';
    },
  };
}

function problemList(problems: ShownEvidence['problems'], goTo: (pointer: string) => void): HTMLElement {
  const items = problems.map((problem) => {
    const button = html(
      'button',
      { type: 'button', class: 'problem', 'data-pointer': problem.pointer, title: 'Show where it is' },
      severityMark(problem.severity),
      html('span', { class: 'message' }, problem.message),
      html('span', { class: 'code' }, problem.code),
    );
    button.addEventListener('click', () => goTo(problem.pointer));
    return html('li', {}, button);
  });
  return html(
    'section',
    { class: 'problems', 'aria-label': 'Problems' },
    html('h2', {}, plural(problems.length, 'problem', 'problems')),
    html('ul', {}, ...items),
  );
}

/** The numbers that are written at a pointer: others leave its text as it is. */
function writtenAt(pointer: string, numbers: readonly EvidenceNumber[]): unknown {
  return numbers.map((number) => (number.pointer === pointer ? number : null));
}

export function createRecordSection(actions: RecordActions): RecordSection {
  const question = part('h2', { class: 'question' });
  const editQuestion = editButton('the question', () => actions.edit('question'));
  const questionHome = html('div', { class: 'editable question-home' }, question.element, editQuestion);
  const reveal = html('button', { type: 'button', class: 'action reveal', title: 'A' });
  reveal.addEventListener('click', () => actions.reveal());
  const answer = part('div', { class: 'answer-text' });
  const editAnswer = editButton('the answer', () => actions.edit('answer'));
  const answerHome = html('dd', { class: 'editable' }, answer.element, editAnswer);
  const outcome = part('dd');
  const outcomeField = html('div', { class: 'field' }, html('dt', {}, 'Result'), outcome.element);
  const code = part('pre', { class: 'code', role: 'region', tabindex: 0, 'aria-label': 'Solution' });
  const editSolution = editButton('the solution', () => actions.editSolution());
  const codeHome = html('dd', { class: 'editable' }, code.element, editSolution);
  const codeField = html('div', { class: 'field field-code' }, html('dt', {}, 'Solution'), codeHome);
  const list = html(
    'dl',
    {},
    html('div', { class: 'field' }, html('dt', {}, 'Answer'), answerHome),
    outcomeField,
    codeField,
  );
  const problems = part('div');
  const element = html('section', { class: 'record', 'aria-label': 'Record' }, questionHome, list, problems.element);
  questionHome.addEventListener('dblclick', () => editQuestion.hidden || actions.edit('question'));
  answerHome.addEventListener('dblclick', () => editAnswer.hidden || actions.edit('answer'));
  let places: Readonly<Record<string, HTMLElement>> = {};

  function fillCode(evidence: ShownEvidence, numbers: readonly EvidenceNumber[]): void {
    const { code: written } = evidence;
    codeField.hidden = written === undefined || written === null;
    if (written === undefined || written === null) return;
    const { pointer, text, language } = written;
    editSolution.hidden = evidence.editable?.solution === undefined;
    code.fill([written, writtenAt(pointer, numbers)], () => {
      const shades = language === 'python' ? pythonShades(text) : [];
      return [html('code', {}, ...literalText(text, pointer, numbers, actions.find, shades))];
    });
  }

  return {
    element,
    update(evidence, disclosure) {
      const { solution, editable } = evidence;
      const numbers = evidence.trace?.numbers ?? [];
      const isHidden = disclosure === 'hidden';
      question.fill(evidence.question, () => [textOr(evidence.question, 'This record has no question.')]);
      editQuestion.hidden = editable?.question === undefined;
      if (disclosure === 'all') reveal.remove();
      else if (!reveal.isConnected) questionHome.after(reveal);
      setText(reveal, isHidden ? 'Reveal answer' : 'Hide answer');
      setAttributes(reveal, { 'aria-expanded': isHidden ? 'false' : 'true' });
      list.hidden = isHidden;
      const at = editable?.answer ?? '';
      answer.fill([evidence.answer, at, writtenAt(at, numbers)], () =>
        evidence.answer === null || evidence.answer === ''
          ? [textOr(null, 'none given')]
          : literalText(evidence.answer, at, numbers, actions.find),
      );
      editAnswer.hidden = isHidden || editable?.answer === undefined;
      outcomeField.hidden = solution === null;
      outcome.fill(solution, () => (solution === null ? [] : solutionParts(solution)));
      fillCode(evidence, numbers);
      problems.fill(evidence.problems, () =>
        evidence.problems.length === 0 ? [] : [problemList(evidence.problems, actions.goTo)],
      );
      places = {
        ...(editable?.question !== undefined && { [editable.question]: questionHome }),
        ...(editable?.answer !== undefined && !isHidden && { [editable.answer]: answerHome }),
        ...(evidence.code && { [evidence.code.pointer]: codeHome }),
      };
    },
    placeOf: (pointer) => places[pointer] ?? null,
    homeOf: (key) => (key === 'question' ? questionHome : key === 'answer' ? answerHome : null),
    preview(key, text) {
      const shown = key === 'question' ? question : answer;
      shown.forget();
      shown.element.replaceChildren(text);
    },
  };
}
