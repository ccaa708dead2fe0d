/** The line that says that boxes are shown in a way they are not declared in, and what can be made of it. */
import type { EvidenceCoordinates } from '../../../schemas/regions.ts';
import { html, setAttributes, setText } from '../dom.ts';
import { icon } from '../icons.ts';

export type ConvertScope = 'box' | 'record' | 'file';

export interface TriedLineActions {
  back(): void;
  convert(scope: ConvertScope): void;
  /** In the configuration. */
  declare(): void;
}

export interface TriedLine {
  readonly element: HTMLElement;
  /** Conversions are given to nobody but one at a time. */
  setBusy(on: boolean): void;
  showProblem(problem: string | null): void;
  update(coordinates: EvidenceCoordinates | undefined): void;
}

function action(name: string, act: () => void): HTMLButtonElement {
  const element = html('button', { type: 'button', class: 'way-action' }, name);
  element.addEventListener('click', () => {
    if (element.getAttribute('aria-disabled') !== 'true') {
      act();
    }
  });
  return element;
}

export function triedWords({ name }: EvidenceCoordinates): string {
  return `Shown as ${name}; nothing is changed.`;
}

export function createTriedLine(actions: TriedLineActions): TriedLine {
  const words = html('p', { class: 'tried-words' });
  const back = action('Back to declared', actions.back);
  const convert = (
    [
      ['box', 'Convert this box'],
      ['record', 'Convert this record'],
      ['file', 'Convert the file'],
    ] as const
  ).map(([scope, name]) => action(name, () => actions.convert(scope)));
  const declare = action('Declare in auditable-qa.json', actions.declare);
  const problem = html('p', { class: 'tried-problem', role: 'alert' });
  const problemLine = html('div', { class: 'tried-problem-line', hidden: true }, icon('error'), problem);
  const buttons = html('div', { class: 'tried-actions' }, back, ...convert, declare);
  const element = html(
    'section',
    { class: 'tried', 'aria-label': 'Way of reading that is tried', hidden: true },
    html('div', { class: 'tried-line' }, words, buttons),
    problemLine,
  );

  function showProblem(message: string | null): void {
    problemLine.hidden = message === null;
    setText(problem, message ?? '');
  }

  return {
    element,
    setBusy(on) {
      for (const button of convert) {
        setAttributes(button, { 'aria-disabled': on ? 'true' : null });
      }
    },
    showProblem,
    update(coordinates) {
      const isTried = coordinates?.tried === true;
      element.hidden = !isTried;
      setText(words, isTried ? triedWords(coordinates) : '');
      if (!isTried) {
        showProblem(null);
      }
    },
  };
}
