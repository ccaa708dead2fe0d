/** Label, page and the four numbers of a region, to be set exactly. The same stand above the pages and in the list. */
import type { PageQuestions, ShownEvidence } from '../../../schemas/page.ts';
import { html, setAttributes, setText } from '../dom.ts';
import type { RegionEditor } from './editor.ts';
import type { Item } from './items.ts';

export interface RegionDetails {
  readonly element: HTMLElement;
  /** What means nothing without a region. */
  readonly parts: readonly HTMLElement[];
  /** null: of no region. */
  update(item: Item | null): void;
  focusLabel(): void;
}

export type DocumentPages = (of: ShownEvidence) => Promise<PageQuestions['documentPages']['answer'] | null>;

type Numbers = readonly [number, number, number, number];

const NAMES: readonly [string, string, string, string] = ['x1', 'y1', 'x2', 'y2'];
const NO_LABEL = '\u2014';
let made = 0;

/** Puts options into a select, touching nothing where they are the same. */
function setOptions(select: HTMLSelectElement, key: string, options: () => HTMLElement[]): void {
  if (select.dataset['options'] !== key) {
    select.dataset['options'] = key;
    select.replaceChildren(...options());
  }
}

function labelsOf(evidence: ShownEvidence): string[] {
  const used = evidence.pages.flatMap((page) => page.regions.flatMap(({ label }) => label ?? []));
  return [...new Set([...(evidence.labels ?? []), ...used])];
}

/** As somebody types it; null: it is no number. */
function parse(text: string): number | null {
  const trimmed = text.trim().replace(/^\u2212/u, '-');
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/iu.test(trimmed) ? Number(trimmed) : null;
}

/** `documentPages`: asked for when somebody wants another page. */
export function createRegionDetails(editor: RegionEditor, documentPages: DocumentPages): RegionDetails {
  made += 1;
  const listId = `labels-${made}`;
  const noteId = `numbers-note-${made}`;
  let shown: Item | null = null;
  /** Numbers of the other pages of the document, once somebody asked. */
  let others: { readonly uri: string; readonly document: string | null; readonly numbers: readonly number[] } | null =
    null;

  const labelSelect = html('select', { 'aria-label': 'Label', title: 'Label (L)' });
  const labelInput = html('input', {
    type: 'text',
    'aria-label': 'Label',
    title: 'Label (L)',
    list: listId,
    placeholder: 'no label',
    size: 9,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const labelList = html('datalist', { id: listId });
  const pageSelect = html('select', { 'aria-label': 'Page', title: 'Move to another page' });
  const note = html('span', { class: 'field-problem', id: noteId, role: 'alert' });
  const fields = NAMES.map((name) => {
    const words = html('span', {}, name);
    const input = html('input', { type: 'text', inputmode: 'decimal', size: 6, autocomplete: 'off' });
    return { words, input, element: html('label', { class: 'number-field' }, words, input) };
  });
  const numbers = html(
    'div',
    { class: 'number-fields', role: 'group', 'aria-label': 'Numbers as in the file' },
    ...fields.map(({ element }) => element),
  );
  const labelField = html('div', { class: 'select-field' }, labelSelect, labelInput, labelList);
  const element = html('div', { class: 'region-details' }, labelField, pageSelect, numbers, note);

  function tell(problem: string): void {
    setText(note, problem);
    for (const { input } of fields) {
      const isWrong = problem !== '' && parse(input.value) === null;
      setAttributes(input, { 'aria-invalid': isWrong ? 'true' : null, 'aria-describedby': isWrong ? noteId : null });
    }
  }

  function showNumbers(): void {
    const written = shown?.region.numbers;
    fields.forEach(({ input }, at) => {
      input.value = written === undefined ? '' : String(written[at]);
    });
    tell('');
  }

  function commitNumbers(): void {
    if (shown === null) {
      return;
    }
    const values = fields.map(({ input }) => parse(input.value));
    const written = shown.region.numbers;
    if (fields.every(({ input }, at) => input.value === (written === undefined ? '' : String(written[at])))) {
      tell('');
      return;
    }
    if (values.includes(null)) {
      tell('Each of the four is a number, such as 120 or 0.25.');
      return;
    }
    tell('');
    const next = values as unknown as Numbers;
    if (written === undefined || next.some((value, at) => value !== written[at])) {
      editor.changes.change(shown, ({ region }) => ({ kind: 'numbers', pointer: region.pointer, numbers: next }));
    }
  }

  function stepNumber(input: HTMLInputElement, by: number): void {
    const step = shown?.page.units?.step ?? 1;
    const digits = Math.max(0, Math.ceil(-Math.log10(step)));
    const value = parse(input.value);
    if (value !== null) {
      // The digits that are there stay.
      const kept = Math.max(digits, (/\.(\d+)$/u.exec(input.value.trim())?.[1] ?? '').length);
      input.value = String(Number((value + by * step).toFixed(kept)));
    }
  }

  for (const { input } of fields) {
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        event.preventDefault();
        commitNumbers();
      } else if (event.key === 'Escape') {
        event.stopPropagation();
        showNumbers();
      } else if ((event.key === 'ArrowUp' || event.key === 'ArrowDown') && !event.altKey && !event.ctrlKey) {
        event.preventDefault();
        stepNumber(input, (event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? 10 : 1));
      }
    });
  }
  numbers.addEventListener('focusout', (event) => {
    const next = event.relatedTarget;
    if (!(next instanceof Node) || !numbers.contains(next)) {
      commitNumbers();
    }
  });

  function commitLabel(text: string): void {
    const label = text.trim() === '' ? null : text.trim();
    if (shown === null) {
      editor.setLabel(label);
    } else {
      editor.relabel(shown, label);
    }
  }
  labelSelect.addEventListener('change', () => commitLabel(labelSelect.value));
  labelInput.addEventListener('change', () => commitLabel(labelInput.value));
  labelInput.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      labelInput.value = shown?.region.label ?? '';
    }
  });

  function showLabels(evidence: ShownEvidence): void {
    const label = shown === null ? editor.label() : shown.region.label;
    const closed = (evidence.labels?.length ?? 0) > 0;
    const labels = labelsOf(evidence);
    labelSelect.hidden = !closed;
    labelInput.hidden = closed;
    setAttributes(closed ? labelSelect : labelInput, {
      'aria-label': shown === null ? 'Label of the next region' : `Label of region ${shown.number}`,
    });
    if (closed) {
      setOptions(labelSelect, JSON.stringify(labels), () => [
        html('option', { value: '' }, NO_LABEL),
        ...labels.map((one) => html('option', { value: one }, one)),
      ]);
      labelSelect.value = label ?? '';
      return;
    }
    if (labelList.dataset['options'] !== JSON.stringify(labels)) {
      labelList.dataset['options'] = JSON.stringify(labels);
      labelList.replaceChildren(...labels.map((one) => html('option', { value: one })));
    }
    if (document.activeElement !== labelInput) {
      labelInput.value = label ?? '';
    }
  }

  function showPages(evidence: ShownEvidence): void {
    const cited = [...new Set(evidence.pages.map((page) => page.number))];
    const known = others?.uri === evidence.uri && others.document === evidence.document ? others.numbers : [];
    const rest = known.filter((number) => !cited.includes(number));
    const option = (number: number): HTMLElement => html('option', { value: number }, `Page ${number}`);
    setOptions(pageSelect, JSON.stringify([cited, rest]), () =>
      rest.length === 0
        ? cited.map(option)
        : [
            html('optgroup', { label: 'Cited' }, ...cited.map(option)),
            html('optgroup', { label: 'Becomes cited' }, ...rest.map(option)),
          ],
    );
    pageSelect.value = String(shown?.page.number ?? '');
  }

  async function learnPages(): Promise<void> {
    const evidence = editor.changes.evidence();
    if (evidence === null || (others?.uri === evidence.uri && others.document === evidence.document)) {
      return;
    }
    const answer = await documentPages(evidence);
    const now = editor.changes.evidence();
    if (answer !== null && now?.uri === evidence.uri && now.document === evidence.document) {
      others = {
        uri: evidence.uri,
        document: evidence.document,
        numbers: answer.pages.map((page) => page.number),
      };
      showPages(now);
    }
  }
  pageSelect.addEventListener('focus', () => void learnPages());
  pageSelect.addEventListener('change', () => {
    const page = Number(pageSelect.value);
    if (shown !== null && page !== shown.page.number) {
      editor.changes.change(shown, ({ region }) => ({ kind: 'page', pointer: region.pointer, page }));
    }
  });

  return {
    element,
    parts: [pageSelect, numbers],
    update(item) {
      const before = shown;
      shown = item;
      const evidence = editor.changes.evidence();
      if (evidence === null) {
        return;
      }
      showLabels(evidence);
      if (item === null) {
        tell('');
        return;
      }
      showPages(evidence);
      setAttributes(pageSelect, { 'aria-label': `Page of region ${item.number}` });
      const { names = NAMES, unit = '' } = evidence.coordinates ?? {};
      setAttributes(numbers, {
        'aria-label': `Numbers of region ${item.number}${unit === '' ? '' : `, in ${unit}`}`,
        title: unit === '' ? null : `In ${unit}`,
      });
      fields.forEach(({ words }, at) => setText(words, names[at] ?? NAMES[at] ?? ''));
      // What is being typed stays, unless it is of another region or the record has other numbers by now.
      const written = String(item.region.numbers);
      const isOther = before?.id !== item.id || String(before.region.numbers) !== written;
      if (isOther || !numbers.contains(document.activeElement)) {
        showNumbers();
      }
    },
    focusLabel() {
      (labelSelect.hidden ? labelInput : labelSelect).focus();
    },
  };
}
