/** What a search found, in the words of the list. */
import type { SearchItem, SearchResult } from '../../../schemas/search.ts';

export interface ItemText {
  /** With the name of its icon. */
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

const ICONS: Readonly<Record<SearchItem['kind'], string>> = { table: 'table', text: 'note', page: 'file-pdf' };

const MATCHES: Partial<Readonly<Record<SearchItem['match'], string>>> = {
  'other-sign': 'with the other sign',
  scaled: 'in another scale',
};

export function itemText({ kind, name, match, cited, citable, excerpt }: SearchItem): ItemText {
  const notes = [cited ? '$(check) cited' : citable ? undefined : 'cannot be cited here', MATCHES[match]];
  return {
    label: `$(${ICONS[kind]}) ${plainLabel(name)}`,
    description: notes.filter((note) => note !== undefined).join(', '),
    detail: plainLabel(excerpt),
  };
}

/** `$(name)` would be drawn as an icon: a blank keeps the record's own text as it is. */
function plainLabel(text: string): string {
  return text.replaceAll('$(', '$ (');
}

/** Why a list is empty. */
export function emptyText({ problem, blocks, pages, pending }: SearchResult, query: string): ItemText {
  if (problem !== null) return { label: `$(info) ${problem}`, description: '', detail: '' };
  if (pending && blocks === 0) return { label: '$(loading~spin) Reading the pages …', description: '', detail: '' };
  const parts = [counted(blocks, 'paragraph or table', 'paragraphs and tables'), counted(pages, 'page', 'pages')];
  const looked = parts.filter((part) => part !== '').join(' and ');
  return {
    label: `$(search) Nothing has “${plainLabel(query)}”`,
    description: '',
    detail: `Looked through ${looked}.`,
  };
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** The number around a column of a line, as it is written there: 1,350 · (75) · 12.5% */
export function numberAt(line: string, column: number): string {
  for (const { 0: text, index } of line.slice(Math.max(0, column - 40), column + 40).matchAll(NUMBER)) {
    const start = index + Math.max(0, column - 40);
    if (start <= column && column <= start + text.length) return text;
  }
  return '';
}

const NUMBER = /[-−(]?\d+(?:[.,]\d+)*%?/g;

/** The first query: what is selected, on one line; else the number at the cursor. */
export function firstQuery(selected: string, line: string, column: number): string {
  const words = selected.replace(/\s+/g, ' ').trim();
  return words === '' ? numberAt(line, column) : words.slice(0, 200);
}
