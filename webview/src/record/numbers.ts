/** The numbers of the solution or the answer, each with where it comes from: those that nothing supports come first. */
import type { EvidenceNumber, EvidenceTrace } from '../../../schemas/protocol.ts';
import { html, plural } from '../dom.ts';
import { icon } from '../icons.ts';
import type { IconName } from '../icons.ts';
import { isPhrase } from './traced.ts';

export interface NumberSection {
  readonly element: HTMLElement;
  update(trace: EvidenceTrace | null): void;
}

export interface NumberActions {
  /** Shows where a number stands. */
  find(number: EvidenceNumber, at: number): void;
  /** Shows where it is written. */
  select(number: EvidenceNumber, at: number): void;
}

/** How well the evidence supports a number: what is coloured and marked. */
export type Tone = 'good' | 'near' | 'plain' | 'bad';

export function toneOf({ unsupported, verdict }: EvidenceNumber): Tone {
  if (unsupported) return 'bad';
  switch (verdict) {
    case 'cited':
      return 'good';
    case 'constant':
    case 'question':
    case 'derived':
      return 'plain';
    default:
      return 'near';
  }
}

const ICONS: Readonly<Record<Tone, IconName>> = { good: 'check', near: 'info', plain: 'minus', bad: 'warning' };

/** What a tooltip and a screen reader say of a number: its spelling, its variable, its verdict. */
export function describeNumber({ text, name, says }: EvidenceNumber): string {
  return `${name === null ? '' : `${name} = `}${text} ${says}`;
}

function whereOf({ places }: EvidenceNumber): string {
  const [first] = places;
  const more = places.length - 1;
  return first === undefined
    ? ''
    : `${first.name}${more > 0 ? ` and ${plural(more, 'other place', 'other places')}` : ''}`;
}

function itemOf(number: EvidenceNumber, at: number, actions: NumberActions): HTMLElement {
  const tone = toneOf(number);
  const where = whereOf(number);
  const main = html(
    'button',
    { type: 'button', class: 'traced-number', 'data-key': `find ${at}`, title: where === '' ? null : `Show ${where}` },
    html('span', { class: `traced-mark tone-${tone}` }, icon(ICONS[tone])),
    html(
      'span',
      { class: 'traced-words' },
      html('code', { class: 'value' }, number.text),
      number.name === null ? null : html('span', { class: 'variable' }, number.name),
      html('span', { class: 'says' }, number.says),
      where === '' ? null : html('span', { class: 'where' }, where),
    ),
  );
  main.addEventListener('click', () => actions.find(number, at));
  const words = `Show ${number.text} in the file`;
  const select = html(
    'button',
    { type: 'button', class: 'tool', 'data-key': `select ${at}`, title: words, 'aria-label': words },
    icon('open'),
  );
  select.addEventListener('click', () => actions.select(number, at));
  return html('li', { class: tone === 'bad' ? 'unsupported' : null }, main, select);
}

function summaryOf({ numbers, pending }: EvidenceTrace): string {
  if (numbers.length === 0) return pending ? 'Looking at the cited pages …' : '';
  const without = numbers.filter(({ unsupported }) => unsupported).length;
  const rest = pending ? ', looking at the cited pages …' : '';
  const phrases = numbers.filter(isPhrase).length;
  const figures = numbers.length - phrases;
  const counts = [
    ...(figures > 0 ? [plural(figures, 'number', 'numbers')] : []),
    ...(phrases > 0 ? [plural(phrases, 'phrase of the answer', 'phrases of the answer')] : []),
  ].join(', ');
  return `${counts}, ${without === 0 ? 'none' : without} without support${rest}`;
}

function unreadNote({ unread }: EvidenceTrace): HTMLElement | null {
  if (unread.length === 0) return null;
  const pages = unread.length === 1 ? `Page ${unread[0]} has` : `Pages ${unread.join(', ')} have`;
  return html('p', { class: 'dim' }, `${pages} no text to look in: numbers may stand there all the same.`);
}

export function createNumberSection(actions: NumberActions): NumberSection {
  const element = html('section', { class: 'numbers', 'aria-label': 'Numbers', hidden: true });
  let shown = '';
  return {
    element,
    update(trace) {
      const next = JSON.stringify(trace);
      if (next === shown) {
        return;
      }
      shown = next;
      element.hidden = trace === null || (trace.numbers.length === 0 && !trace.pending && trace.unread.length === 0);
      const focused = element.contains(document.activeElement)
        ? document.activeElement?.getAttribute('data-key')
        : null;
      if (trace === null) {
        element.replaceChildren();
        return;
      }
      const items = trace.numbers.map((number, at) => ({ number, at }));
      items.sort((a, b) => Number(b.number.unsupported) - Number(a.number.unsupported) || a.at - b.at);
      const head = html(
        'h2',
        {},
        trace.numbers.some(isPhrase) ? 'Numbers and words ' : 'Numbers ',
        html('span', { class: 'dim', role: 'status' }, summaryOf(trace)),
      );
      const list = html('ul', {}, ...items.map(({ number, at }) => itemOf(number, at, actions)));
      element.replaceChildren(
        ...[head, items.length === 0 ? null : list, unreadNote(trace)].filter((part) => part !== null),
      );
      if (typeof focused === 'string') {
        element.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
      }
    },
  };
}
