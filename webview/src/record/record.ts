/** The record itself: question, answer, what its solution yields, and its problems. */
import type { SolutionOutcome } from '../../../schemas/protocol.ts';
import type { ShownEvidence } from '../../../schemas/page.ts';
import { html, plural, setAttributes, setText } from '../dom.ts';
import type { IconName } from '../icons.ts';
import type { Disclosure } from '../judging.ts';
import { icon } from '../icons.ts';
import { severityMark } from '../severity.ts';

export interface RecordSection {
  readonly element: HTMLElement;
  update(evidence: ShownEvidence, disclosure: Disclosure): void;
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

function field(name: string, ...content: (Node | string)[]): HTMLElement {
  return html('div', { class: 'field' }, html('dt', {}, name), html('dd', {}, ...content));
}

function textOr(text: string | null, missing: string): Node {
  return text === null || text === '' ? html('span', { class: 'absent' }, missing) : document.createTextNode(text);
}

function answerList(answer: string | null, solution: SolutionOutcome | null): HTMLElement {
  return html(
    'dl',
    {},
    field('Answer', textOr(answer, 'none given')),
    ...(solution === null ? [] : [field('Solution', ...solutionParts(solution))]),
  );
}

function problemList(problems: ShownEvidence['problems'], onSelect: (pointer: string) => void): HTMLElement {
  const items = problems.map((problem) => {
    const button = html(
      'button',
      { type: 'button', class: 'problem', 'data-pointer': problem.pointer, title: 'Show in the file' },
      severityMark(problem.severity),
      html('span', { class: 'message' }, problem.message),
      html('span', { class: 'code' }, problem.code),
    );
    button.addEventListener('click', () => onSelect(problem.pointer));
    return html('li', {}, button);
  });
  return html(
    'section',
    { class: 'problems', 'aria-label': 'Problems' },
    html('h2', {}, plural(problems.length, 'problem', 'problems')),
    html('ul', {}, ...items),
  );
}

export function createRecordSection(onSelect: (pointer: string) => void, onReveal: () => void): RecordSection {
  const element = html('section', { class: 'record', 'aria-label': 'Record' });
  const reveal = html('button', { type: 'button', class: 'action reveal', title: 'A' });
  reveal.addEventListener('click', onReveal);
  let shown = '';
  return {
    element,
    update(evidence, disclosure) {
      const { question, answer, solution, problems } = evidence;
      const next = JSON.stringify([question, answer, solution, problems, disclosure]);
      if (next === shown) {
        return;
      }
      shown = next;
      const isRevealing = document.activeElement === reveal;
      const focused = element.contains(document.activeElement)
        ? document.activeElement?.getAttribute('data-pointer')
        : null;
      element.replaceChildren(
        html('h2', { class: 'question' }, textOr(question, 'This record has no question.')),
        ...(disclosure === 'all' ? [] : [reveal]),
        ...(disclosure === 'hidden' ? [] : [answerList(answer, solution)]),
        ...(problems.length === 0 ? [] : [problemList(problems, onSelect)]),
      );
      setText(reveal, disclosure === 'hidden' ? 'Reveal answer' : 'Hide answer');
      setAttributes(reveal, { 'aria-expanded': disclosure === 'hidden' ? 'false' : 'true' });
      if (isRevealing) {
        reveal.focus({ preventScroll: true });
      }
      if (typeof focused === 'string') {
        element.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
      }
    },
  };
}
