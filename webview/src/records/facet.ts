/** One facet of the filter: a button that says what is chosen, and the list of its values with their counts. */
import type { Facet, FacetState, FacetValue } from '../../../schemas/records.ts';
import { NO_VALUE } from '../../../schemas/records.ts';
import { formatCount, html, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { createPopup } from './popup.ts';
import { FACET_NAMES, valueName } from './words.ts';

export interface FacetFilter {
  readonly button: HTMLElement;
  readonly panel: HTMLElement;
  /** undefined: the facet tells nothing apart in this file. */
  show(state: FacetState | undefined, chosen: readonly string[]): void;
}

export interface FacetActions {
  choose(facet: Facet, values: readonly string[]): void;
  search(facet: Facet, text: string): Promise<readonly FacetValue[] | null>;
  /** Makes the fix of a rule in all records that have it. */
  fixEverywhere(rule: string): void;
}

/** From so many values on they can be searched. */
const SEARCHED = 12;
const PAUSE_MS = 150;

export function createFacetFilter(facet: Facet, actions: FacetActions): FacetFilter {
  const name = FACET_NAMES[facet];
  let state: FacetState | undefined;
  let chosen: readonly string[] = [];
  let found: readonly FacetValue[] | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;
  const popup = createPopup(`Filter by ${name.toLowerCase()}`, () => {
    search.value = '';
    found = null;
    fill();
  });
  const search = html('input', { type: 'search', placeholder: 'Search values', 'aria-label': `Search in ${name}` });
  const clear = html('button', { type: 'button', class: 'link' }, 'Clear');
  const fix = html('button', { type: 'button', class: 'link' }, 'Fix in all records…');
  const values = html('ul', { class: 'values' });
  const more = html('p', { class: 'dim more' });
  popup.panel.append(html('div', { class: 'popup-head' }, search, fix, clear), values, more);

  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), PAUSE_MS);
  });
  clear.addEventListener('click', () => {
    actions.choose(facet, []);
    popup.panel.querySelector('input')?.focus();
  });

  fix.addEventListener('click', () => {
    const [rule] = chosen;
    popup.close();
    if (rule !== undefined) actions.fixEverywhere(rule);
  });

  async function look(): Promise<void> {
    const mine = ++turn;
    const text = search.value.trim();
    const answer = text === '' ? null : await actions.search(facet, text);
    if (mine !== turn) return;
    found = answer;
    fill();
  }

  function fill(): void {
    const shown = found ?? state?.values ?? [];
    const isLong = (state?.values.length ?? 0) > SEARCHED;
    search.hidden = !isLong;
    clear.hidden = chosen.length === 0;
    fix.hidden = facet !== 'rule' || chosen.length !== 1 || chosen[0] === NO_VALUE;
    const left = found === null ? (state?.more ?? 0) : 0;
    more.textContent = left > 0 ? `and ${formatCount(left)} more: search for them` : '';
    more.hidden = left === 0;
    const focused = values.contains(document.activeElement)
      ? (document.activeElement as HTMLInputElement).value
      : undefined;
    values.replaceChildren(...shown.map(item));
    if (focused === undefined) return;
    [...values.querySelectorAll('input')].find(({ value }) => value === focused)?.focus();
  }

  function item({ value, count }: FacetValue): HTMLElement {
    const box = html('input', { type: 'checkbox', value });
    box.checked = chosen.includes(value);
    box.addEventListener('change', () => {
      actions.choose(facet, box.checked ? [...chosen, value] : chosen.filter((one) => one !== value));
    });
    const text = valueName(facet, value);
    return html(
      'li',
      {},
      html(
        'label',
        { title: text },
        box,
        html('span', { class: 'value-name' }, text),
        html('span', { class: 'value-count' }, formatCount(count)),
      ),
    );
  }

  return {
    button: popup.button,
    panel: popup.panel,
    show(next, nowChosen) {
      state = next;
      chosen = nowChosen;
      popup.button.hidden = next === undefined && chosen.length === 0;
      const [first] = chosen;
      const said = first === undefined ? name : `${name}: ${valueName(facet, first).replace(/ \(.*\)$/u, '')}`;
      const others = chosen.length > 1 ? html('span', { class: 'tag-count' }, `+${chosen.length - 1}`) : null;
      popup.button.replaceChildren(
        html('span', { class: 'facet-name' }, said),
        ...(others ? [others] : []),
        icon('down'),
      );
      popup.button.classList.toggle('chosen', chosen.length > 0);
      setAttributes(popup.button, {
        title:
          chosen.length === 0
            ? `Filter by ${name.toLowerCase()}`
            : chosen.map((one) => valueName(facet, one)).join(', '),
      });
      if (popup.isOpen) fill();
    },
  };
}
