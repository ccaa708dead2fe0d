/** How boxes are read: said plainly, other ways to be tried on the page, and conversion of what is found to be otherwise. */
import type { ShownEvidence } from '../../../schemas/page.ts';
import type { CoordinateReading, EvidenceCoordinates } from '../../../schemas/regions.ts';
import { arrange, html, setAttributes, setText } from '../dom.ts';
import type { Host } from '../host.ts';
import { icon } from '../icons.ts';
import { keepTyped } from '../keys.ts';
import type { Choice } from './choices.ts';
import { createChoices, readingKey } from './choices.ts';
import { createOtherWay } from './other-way.ts';
import type { ConvertScope } from './tried-line.ts';
import { createTriedLine, triedWords } from './tried-line.ts';

export interface Coordinates {
  /** For the toolbar: opens and closes the panel. */
  readonly button: HTMLElement;
  /** The panel, and the line that says that something is tried; stands above the pages. */
  readonly element: HTMLElement;
  toggle(): void;
  /** What is marked on the page, as pointers. */
  select(pointers: ReadonlySet<string>): void;
  /** null: no record is shown. */
  update(evidence: ShownEvidence | null): void;
  state(): CoordinateState;
}

/** What is kept over reloads. */
export interface CoordinateState {
  readonly coordinates: boolean;
}

export interface CoordinateParts {
  readonly host: Pick<Host, 'post' | 'ask'>;
  announce(words: string): void;
  /** Brings a region into view, where it is not. */
  bring(pointer: string): void;
  /** The panel was opened or closed. */
  changed(): void;
}

export function createCoordinates(parts: CoordinateParts, restored: Partial<CoordinateState> = {}): Coordinates {
  const { host, announce, changed } = parts;
  const choices = createChoices();
  let evidence: ShownEvidence | null = null;
  let listed: readonly Choice[] = [];
  let marked: ReadonlySet<string> = new Set();
  let isOpen = restored.coordinates === true;

  const button = html(
    'button',
    {
      type: 'button',
      class: 'tool',
      'aria-label': 'Coordinates',
      title: 'Coordinates (X)',
      'aria-controls': 'coordinates',
    },
    icon('coordinates'),
  );
  const close = html(
    'button',
    { type: 'button', class: 'tool', 'aria-label': 'Close coordinates', title: 'Close (Escape)' },
    icon('cross'),
  );
  const summary = html('p', { class: 'coordinates-name' });
  const why = html('ul', { class: 'coordinates-why' });
  const list = html('div', { class: 'ways' });
  const otherWay = createOtherWay(attempt);
  const panel = html(
    'section',
    { class: 'coordinates', id: 'coordinates', 'aria-label': 'Coordinates' },
    html('div', { class: 'coordinates-head' }, html('h2', {}, 'Coordinates'), summary, close),
    html(
      'div',
      { class: 'coordinates-body' },
      why,
      html('fieldset', {}, html('legend', {}, 'Show the boxes as'), list, otherWay.element),
    ),
  );
  const line = createTriedLine({ back, convert: (scope) => void convert(scope), declare });
  const element = html('div', { class: 'coordinates-area' }, line.element, panel);

  button.addEventListener('click', toggle);
  close.addEventListener('click', () => setOpen(false));
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    } else if (event.target instanceof HTMLElement && event.target.matches('input, select, summary, form *')) {
      keepTyped(event);
    }
  });

  function setOpen(open: boolean): void {
    const hadFocus = panel.contains(document.activeElement);
    isOpen = open;
    show();
    if (!open && hadFocus) {
      button.focus();
    }
    changed();
  }

  function toggle(): void {
    if (evidence?.coordinates !== undefined) {
      setOpen(!isOpen);
      if (isOpen) {
        panel.querySelector<HTMLElement>('input:checked')?.focus();
      }
    }
  }

  function show(): void {
    const coordinates = evidence?.coordinates;
    button.hidden = coordinates === undefined;
    panel.hidden = coordinates === undefined || !isOpen;
    setAttributes(button, {
      'aria-expanded': isOpen ? 'true' : 'false',
      'aria-pressed': coordinates?.tried === true ? 'true' : null,
    });
  }

  function attempt(reading: CoordinateReading): void {
    const isDeclared = listed.some((choice) => choice.isDeclared && readingKey(choice.reading) === readingKey(reading));
    line.showProblem(null);
    host.post({ type: 'reading', reading: isDeclared ? null : reading });
  }

  function back(): void {
    host.post({ type: 'reading', reading: null });
    const declared = listed.find(({ isDeclared }) => isDeclared);
    announce(declared === undefined ? 'Shown as declared.' : `Shown as declared: ${declared.name}.`);
  }

  async function convert(scope: ConvertScope): Promise<void> {
    const shown = evidence;
    if (shown?.coordinates?.tried !== true) {
      return;
    }
    const boxes = shown.pages.flatMap(({ regions }) => regions.map(({ pointer }) => pointer));
    const pointer = scope === 'box' ? (boxes.find((one) => marked.has(one)) ?? onlyOne(boxes)) : undefined;
    if (scope === 'box' && pointer === undefined) {
      line.showProblem('Choose a box on the page first.');
      return;
    }
    line.showProblem(null);
    line.setBusy(true);
    const { uri, index, coordinates } = shown;
    try {
      const ask = { uri, index, reading: coordinates.reading, scope, ...(pointer !== undefined && { pointer }) };
      const answer = await host.ask('convert', ask);
      if (answer.done) {
        announce(`${answer.title}: done.`);
      } else {
        line.showProblem(answer.problem);
      }
    } catch (error) {
      line.showProblem(error instanceof Error ? error.message : String(error));
    } finally {
      line.setBusy(false);
    }
  }

  /** What jumps is to be seen; the pages are laid out after this. */
  function bringFirst(shown: ShownEvidence | null): void {
    const pointers = shown?.pages.flatMap(({ regions }) => regions.map(({ pointer }) => pointer)) ?? [];
    const pointer = pointers.find((one) => marked.has(one)) ?? pointers[0];
    if (pointer !== undefined) {
      requestAnimationFrame(() => parts.bring(pointer));
    }
  }

  function declare(): void {
    const coordinates = evidence?.coordinates;
    if (coordinates !== undefined) {
      host.post({ type: 'declare', reading: coordinates.reading });
    }
  }

  show();

  return {
    button,
    element,
    toggle,
    select(pointers) {
      marked = pointers;
    },
    update(next) {
      const focused = document.activeElement;
      const hadTriedFocus = line.element.contains(focused);
      const before = evidence?.coordinates;
      evidence = next;
      listed = choices.update(next);
      const coordinates = next?.coordinates;
      if (coordinates !== undefined) {
        setText(summary, describe(coordinates));
        arrange(
          why,
          coordinates.why.map((reason, at) => reasonElement(why.children[at], reason)),
        );
        showChoices(list, listed, coordinates.reading, attempt);
        if (!otherWay.element.contains(focused)) {
          otherWay.show(coordinates.reading);
        }
      }
      line.update(coordinates);
      show();
      if (coordinates?.tried === true && !(before?.tried === true && before.name === coordinates.name)) {
        announce(triedWords(coordinates));
        bringFirst(next);
      }
      if (hadTriedFocus && coordinates?.tried !== true) {
        button.focus();
      }
    },
    state: () => ({ coordinates: isOpen }),
  };
}

/** Where the record has one box only, it need not be chosen. */
function onlyOne(pointers: readonly string[]): string | undefined {
  return pointers.length === 1 ? pointers[0] : undefined;
}

/** "pixels at 300 dpi: x1 y1 x2 y2 in px, from the top left; pages counted from 1". */
function describe({ name, names, unit, reading }: EvidenceCoordinates): string {
  const corner = reading.origin === 'top-left' ? 'top left' : 'bottom left';
  const numbers = `${names.join(' ')}${unit === '' ? '' : ` in ${unit}`}`;
  return `${name}: ${numbers}, from the ${corner}; pages counted from ${reading.pageBase}`;
}

function reasonElement(known: Element | undefined, reason: string): Element {
  const element = known ?? html('li');
  setText(element, reason);
  return element;
}

/** Controls that stay the same keep the focus. */
function showChoices(
  list: HTMLElement,
  listed: readonly Choice[],
  used: CoordinateReading,
  attempt: (reading: CoordinateReading) => void,
): void {
  const known = new Map([...list.children].map((child) => [child.getAttribute('data-reading'), child]));
  const elements = listed.map((choice, at) => {
    const key = readingKey(choice.reading);
    const element = known.get(key) ?? choiceElement(choice, key, attempt);
    const input = element.querySelector('input')!;
    const reason = element.querySelector('.way-why')!;
    input.checked = key === readingKey(used);
    setText(element.querySelector('.way-name')!, choice.isDeclared ? `${choice.name} (declared)` : choice.name);
    setText(reason, choice.isDeclared ? '' : choice.why);
    setAttributes(reason, { id: `way-${at}` });
    setAttributes(input, { 'aria-describedby': `way-${at}` });
    return element;
  });
  arrange(list, elements);
}

function choiceElement({ reading }: Choice, key: string, attempt: (reading: CoordinateReading) => void): HTMLElement {
  const input = html('input', { type: 'radio', name: 'reading' });
  input.addEventListener('change', () => attempt(reading));
  return html(
    'div',
    { class: 'way-choice', 'data-reading': key },
    html('label', {}, input, html('span', { class: 'way-name' })),
    html('span', { class: 'way-why' }),
  );
}
