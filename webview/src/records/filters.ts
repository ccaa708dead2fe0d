/** The bar above the table: which file, which words, which facets. */
import type { Facet, FacetValue, RecordFile, RecordFilter, RecordList } from '../../../schemas/records.ts';
import { FACETS, NO_FILTER, NO_VALUE } from '../../../schemas/records.ts';
import type { Severity } from '../../../schemas/report.ts';
import { formatCount, html, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { severityMark } from '../severity.ts';
import { createFacetFilter } from './facet.ts';
import { countsText, valueName } from './words.ts';

export interface FilterBar {
  readonly element: HTMLElement;
  showFiles(files: readonly RecordFile[], looking: boolean, chosen: string | null): void;
  show(list: RecordList | null, filter: RecordFilter): void;
  focusSearch(): void;
}

export interface FilterActions {
  chooseFile(uri: string): void;
  filter(filter: RecordFilter): void;
  search(facet: Facet, text: string): Promise<readonly FacetValue[] | null>;
  /** Makes the fix of a rule in all records that have it. */
  fixEverywhere(rule: string): void;
  /** From the search to the table. */
  leave(): void;
}

const PAUSE_MS = 200;
const STATES: readonly (Severity | '')[] = ['error', 'warning', 'info', NO_VALUE];

export function createFilterBar(actions: FilterActions): FilterBar {
  let filter: RecordFilter = NO_FILTER;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const select = html('select', { class: 'files', 'aria-label': 'Record file' });
  const search = html('input', {
    type: 'search',
    class: 'search',
    placeholder: 'Filter by words or #number',
    'aria-label': 'Filter records by words or number',
    title: 'Words that must all stand in the id, question, answer or document; #12 is the 12th record (/)',
  });
  const states = html('div', { class: 'states', role: 'group', 'aria-label': 'Filter by severity' });
  const clear = html('button', { type: 'button', class: 'link', hidden: true }, 'Clear filters');
  const facets = FACETS.filter((facet) => facet !== 'severity').map((facet) => ({
    facet,
    part: createFacetFilter(facet, {
      choose: chooseValues,
      search: actions.search,
      fixEverywhere: actions.fixEverywhere,
    }),
  }));
  const element = html(
    'header',
    { class: 'bar', 'aria-label': 'File and filters' },
    html('h1', { class: 'sr-only' }, 'Records'),
    select,
    search,
    states,
    ...facets.map(({ part }) => part.button),
    clear,
    ...facets.map(({ part }) => part.panel),
  );
  const stateButtons = STATES.map((severity) => {
    const count = html('span', { class: 'state-count' }, '0');
    const mark = severity === '' ? html('span', { class: 'mark mark-clean' }, icon('check')) : severityMark(severity);
    setAttributes(mark, { role: null, 'aria-label': null, 'aria-hidden': 'true' });
    const button = html('button', { type: 'button', class: 'state', 'aria-pressed': 'false' }, mark, count);
    button.addEventListener('click', () => {
      const chosen = filter.facets.severity ?? [];
      chooseValues(
        'severity',
        chosen.includes(severity) ? chosen.filter((one) => one !== severity) : [...chosen, severity],
      );
    });
    states.append(button);
    return { severity, button, count };
  });

  function apply(next: RecordFilter): void {
    filter = next;
    actions.filter(next);
  }

  function chooseValues(facet: Facet, values: readonly string[]): void {
    apply({ ...filter, facets: { ...filter.facets, [facet]: values } });
  }

  function applySearch(): void {
    clearTimeout(timer);
    if (search.value !== filter.text) apply({ ...filter, text: search.value });
  }

  select.addEventListener('change', () => actions.chooseFile(select.value));
  clear.addEventListener('click', () => {
    search.value = '';
    apply(NO_FILTER);
    actions.leave();
  });
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(applySearch, PAUSE_MS);
  });
  search.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    applySearch();
    actions.leave();
  });

  let shownFiles = '';
  return {
    element,
    showFiles(files, looking, chosen) {
      const next = JSON.stringify([files, looking, chosen]);
      if (next === shownFiles) return;
      shownFiles = next;
      const option = ({ uri, name, counts, records }: RecordFile): HTMLOptionElement =>
        html('option', { value: uri }, fileText(name, records, counts));
      const group = (label: string, some: readonly RecordFile[]): HTMLElement[] =>
        some.length === 0 ? [] : [html('optgroup', { label }, ...some.map(option))];
      const none = chosen === null || !files.some(({ uri }) => uri === chosen);
      const words = looking
        ? 'Looking for record files …'
        : files.length === 0
          ? 'No record files in the workspace'
          : 'Choose a record file';
      select.replaceChildren(
        ...(none ? [html('option', { value: chosen ?? '' }, chosen === null ? words : nameOf(chosen))] : []),
        ...group(
          'Open',
          files.filter(({ open }) => open),
        ),
        ...group(
          'In the workspace',
          files.filter(({ open }) => !open),
        ),
      );
      select.value = chosen ?? '';
    },
    show(list, now) {
      filter = now;
      if (document.activeElement !== search) search.value = now.text;
      const chosen = now.facets.severity ?? [];
      const counts = new Map(
        list?.facets.find(({ facet }) => facet === 'severity')?.values.map(({ value, count }) => [value, count]),
      );
      for (const { severity, button, count } of stateButtons) {
        const many = counts.get(severity) ?? (list !== null && counts.size === 0 && severity === '' ? list.matched : 0);
        const text = `${valueName('severity', severity)}: ${formatCount(many)} records`;
        count.textContent = formatCount(many);
        setAttributes(button, {
          'aria-pressed': String(chosen.includes(severity)),
          'aria-label': text,
          title: text,
        });
      }
      for (const { facet, part } of facets) {
        part.show(
          list?.facets.find((state) => state.facet === facet),
          now.facets[facet] ?? [],
        );
      }
      clear.hidden = now.text === '' && Object.values(now.facets).every((values) => values.length === 0);
    },
    focusSearch() {
      search.focus();
      search.select();
    },
  };
}

function nameOf(uri: string): string {
  return decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
}

function fileText(name: string, records: number | null, counts: RecordFile['counts']): string {
  if (records === null || counts === null) return name;
  const parts = countsText(counts);
  return `${name} (${formatCount(records)}${parts.length === 0 ? '' : `: ${parts.join(', ')}`})`;
}
