/** What a page of the site does in the browser: theme, menu, search. No network: the texts come as a script beside the pages. */
import MiniSearch from 'minisearch';

/** One section of a page, as `sections.js` brings it. */
interface Found {
  readonly id: number;
  /** Address from the root of the site, with its anchor. */
  readonly address: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

declare global {
  interface Window {
    auditableQaSections?: readonly Found[];
  }
}

type Theme = 'system' | 'light' | 'dark';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const MOST_RESULTS = 12;

/** A browser that keeps nothing, or is forbidden to, still shows the page. */
function remembered(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem('theme')) ?? 'system';
  } catch {
    return 'system';
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem('theme', theme);
  } catch {
    // As before: the choice holds for this page.
  }
}

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

// At once, before anything is painted.
let theme = remembered();
show(theme);

function themeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('#theme')!;
  const label = (): void => {
    button.textContent = `Theme: ${theme}`;
  };
  label();
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
    remember(theme);
    show(theme);
    label();
  });
}

function menuButton(): void {
  const button = document.querySelector<HTMLButtonElement>('#menu')!;
  button.addEventListener('click', () => {
    const isOpen = button.getAttribute('aria-expanded') !== 'true';
    button.setAttribute('aria-expanded', String(isOpen));
    document.body.classList.toggle('with-menu', isOpen);
  });
}

let index: Promise<MiniSearch<Found>> | undefined;

/** The texts are loaded when somebody searches; a page from a folder may load scripts, but fetch nothing. */
function loadIndex(): Promise<MiniSearch<Found>> {
  return (index ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${document.body.dataset['root'] ?? ''}assets/sections.js`;
    script.addEventListener('error', () => {
      // The next search tries again.
      index = undefined;
      script.remove();
      reject(new Error('The texts of the pages could not be loaded.'));
    });
    script.addEventListener('load', () => {
      const search = new MiniSearch<Found>({
        fields: ['page', 'heading', 'text'],
        storeFields: ['address', 'page', 'heading', 'text'],
        searchOptions: { boost: { page: 3, heading: 4 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
      });
      search.addAll(window.auditableQaSections ?? []);
      resolve(search);
    });
    document.head.append(script);
  }));
}

/** The words around the first match, as elements: matches are marked, nothing is read as markup. */
function excerpt(text: string, terms: readonly string[]): readonly Node[] {
  const lower = text.toLowerCase();
  const at = Math.min(...terms.map((term) => lower.indexOf(term)).map((place) => (place < 0 ? text.length : place)));
  const start = at === text.length ? 0 : Math.max(0, at - 60);
  const part = `${start > 0 ? '…' : ''}${text.slice(start, start + 160).trim()}${text.length > start + 160 ? '…' : ''}`;
  const escaped = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return part.split(new RegExp(`(${escaped.join('|')})`, 'i')).map((piece, place) => {
    if (place % 2 === 0) return document.createTextNode(piece);
    const mark = document.createElement('mark');
    mark.textContent = piece;
    return mark;
  });
}

function finder(): void {
  const input = document.querySelector<HTMLInputElement>('#search')!;
  const list = document.querySelector<HTMLUListElement>('#found')!;
  const count = document.querySelector<HTMLElement>('#count')!;
  let chosen = -1;

  const options = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[role=option]')];
  const choose = (next: number): void => {
    const all = options();
    chosen = all.length === 0 ? -1 : (next + all.length) % all.length;
    all.forEach((option, at) => option.setAttribute('aria-selected', String(at === chosen)));
    const option = all[chosen];
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }
  };
  const close = (): void => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    choose(-1);
    list.replaceChildren();
  };
  const say = (text: string): void => {
    count.textContent = text;
  };

  const update = async (): Promise<void> => {
    const words = input.value.trim();
    if (words === '') {
      close();
      say('');
      return;
    }
    const search = await loadIndex();
    if (input.value.trim() !== words) return;
    const results = search.search(words).slice(0, MOST_RESULTS);
    list.replaceChildren(
      ...results.map((result, at) => {
        const option = document.createElement('li');
        option.id = `found-${at}`;
        option.setAttribute('role', 'option');
        option.dataset['address'] = String(result['address']);
        const title = document.createElement('strong');
        const [page, heading] = [String(result['page']), String(result['heading'])];
        title.textContent = heading === '' || heading === page ? page : `${page} › ${heading}`;
        const line = document.createElement('span');
        line.append(...excerpt(String(result['text']), result.terms));
        option.append(title, line);
        option.addEventListener('click', () => go(option));
        return option;
      }),
    );
    list.hidden = results.length === 0;
    input.setAttribute('aria-expanded', String(results.length > 0));
    say(
      results.length === 0 ? 'Nothing found' : `${results.length} ${results.length === 1 ? 'place' : 'places'} found`,
    );
    choose(results.length > 0 ? 0 : -1);
  };
  const go = (option: HTMLElement | undefined): void => {
    if (option === undefined) return;
    const address = `${document.body.dataset['root'] ?? ''}${option.dataset['address'] ?? ''}`;
    close();
    input.value = '';
    location.href = address;
  };

  input.addEventListener('input', () => void update().catch((error: Error) => say(error.message)));
  input.addEventListener('focus', () => void loadIndex().catch((error: Error) => say(error.message)));
  input.addEventListener('keydown', (event) => {
    // Enter and the arrows choose among the spellings of what is being composed.
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Enter') go(options()[chosen]);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement;
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Node) || !document.querySelector('.finder')!.contains(event.target)) close();
  });
}

document.addEventListener('DOMContentLoaded', () => {
  themeButton();
  menuButton();
  finder();
});
