/** The bar of the search: what is looked for, how, where one is among the matches, and the ways on. */
import { formatCount, html, setAttributes, setText } from '../../dom.ts';
import { keepTyped } from '../../keys.ts';
import { setPressed, toolButton } from '../../tool-button.ts';
import type { FindOptions } from './folded.ts';

export interface FindBarActions {
  search(query: string, options: FindOptions): void;
  step(step: 1 | -1): void;
  close(): void;
}

export interface FindBar {
  readonly element: HTMLElement;
  /** `query`: put in as what is looked for. */
  open(query: string): void;
  /** `current` is counted from 1; 0: none. */
  show(current: number, count: number, more: boolean, done: boolean, note: string): void;
}

/** Typing comes in bursts. */
const PAUSE_MS = 120;

function toggle(name: string, words: string, act: () => void): HTMLButtonElement {
  const element = html('button', {
    type: 'button',
    class: 'tool find-toggle',
    'aria-label': name,
    title: name,
    'aria-pressed': 'false',
    'data-words': words,
  });
  element.addEventListener('click', () => {
    setPressed(element, element.getAttribute('aria-pressed') !== 'true');
    act();
  });
  return element;
}

export function createFindBar(actions: FindBarActions): FindBar {
  const input = html('input', {
    type: 'text',
    class: 'find-input',
    'aria-label': 'Find in the record and its document',
    placeholder: 'Find',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const isOn = (button: HTMLElement): boolean => button.getAttribute('aria-pressed') === 'true';
  const search = (): void => actions.search(input.value, { matchCase: isOn(matchCase), wholeWord: isOn(wholeWord) });
  const matchCase = toggle('Match case', 'Aa', search);
  const wholeWord = toggle('Whole words', 'ab', search);
  wholeWord.classList.add('whole-word');
  const count = html('span', { class: 'find-count', role: 'status' });
  const note = html('span', { class: 'find-note dim' });
  const element = html(
    'div',
    { class: 'find-bar', role: 'search', 'aria-label': 'Find', hidden: true },
    input,
    matchCase,
    wholeWord,
    count,
    toolButton('Previous match', 'Shift+Enter', 'up', () => actions.step(-1)),
    toolButton('Next match', 'Enter', 'down', () => actions.step(1)),
    toolButton('Close', 'Escape', 'cross', actions.close),
    note,
  );

  let timer: ReturnType<typeof setTimeout> | null = null;
  let isDue = false;
  function searchNow(): void {
    if (timer !== null) {
      clearTimeout(timer);
      timer = null;
    }
    isDue = false;
    search();
  }
  input.addEventListener('input', () => {
    isDue = true;
    if (timer !== null) {
      clearTimeout(timer);
    }
    timer = setTimeout(searchNow, PAUSE_MS);
  });
  element.addEventListener('keydown', (event) => {
    const isF3 = event.key === 'F3';
    if (event.key === 'Escape') {
      actions.close();
    } else if (isF3 || (event.key === 'Enter' && event.target === input)) {
      if (isDue) {
        searchNow();
      } else {
        actions.step(event.shiftKey ? -1 : 1);
      }
    } else {
      if (event.target === input) {
        keepTyped(event);
      }
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    element,
    open(query) {
      element.hidden = false;
      if (query !== '') {
        input.value = query;
      }
      input.focus();
      input.select();
      if (input.value !== '') {
        searchNow();
      }
    },
    show(current, total, more, done, words) {
      const all = `${formatCount(total)}${more ? '+' : ''}`;
      const none = input.value.trim() === '' ? '' : done ? 'No results' : 'Searching …';
      setText(count, total === 0 ? none : `${current === 0 ? '?' : formatCount(current)} of ${all}`);
      element.classList.toggle('searching', !done);
      setAttributes(input, { 'aria-invalid': done && total === 0 && input.value.trim() !== '' ? 'true' : null });
      setText(note, words);
      note.hidden = words === '';
    },
  };
}
