/** The frame around a page. Everything is relative, so that the site works from a folder as well as from a server. */
import path from 'node:path';
import { siteAddress } from './markdown.ts';
import type { NavigationGroup } from './navigation.ts';
import type { Page } from './pages.ts';

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

/** Relative link from one address of the site to another. */
function relative(from: string, to: string): string {
  const link = path.posix.relative(path.posix.dirname(from), to);
  return link === '' ? path.posix.basename(to) : link;
}

const titleInNavigation = (page: Page): string => (page.page === 'README.md' ? 'Overview' : page.title);

/** The families of the rules with their pages, for the navigation beside them. */
function ruleList(current: Page, pages: readonly Page[], link: (page: string) => string): string {
  const rulePages = pages.filter(({ page }) => /^docs\/rules\/.+\/.+\.md$/.test(page));
  const familyOf = ({ page }: Page): string => page.split('/')[2] ?? '';
  const families = [...new Set(rulePages.map(familyOf))];
  const isRule = current.page.startsWith('docs/rules/');
  if (!isRule) return '';
  return families
    .map((family) => {
      const rules = rulePages.filter((page) => familyOf(page) === family);
      const isOpen = current.page.startsWith(`docs/rules/${family}/`);
      const items = rules.map((rule) => item(rule.title.slice(family.length + 1), rule, current, link)).join('');
      return `<li><details${isOpen ? ' open' : ''}><summary>${escape(family)}</summary><ul>${items}</ul></details></li>`;
    })
    .join('');
}

function item(title: string, page: Page, current: Page, link: (page: string) => string): string {
  const here = page.page === current.page ? ' aria-current="page"' : '';
  return `<li><a href="${escape(link(page.page))}"${here}>${escape(title)}</a></li>`;
}

function navigation(current: Page, pages: readonly Page[], groups: readonly NavigationGroup[]): string {
  const byPath = new Map(pages.map((page) => [page.page, page]));
  const from = siteAddress(current.page);
  const link = (page: string): string => relative(from, siteAddress(page));
  return groups
    .map(({ title, pages: listed }) => {
      const items = listed.flatMap((name) => {
        const page = byPath.get(name);
        if (page === undefined) return [];
        const rules = name === 'docs/rules/README.md' ? ruleList(current, pages, link) : '';
        return [item(titleInNavigation(page), page, current, link) + rules];
      });
      return `<h2>${escape(title)}</h2><ul>${items.join('')}</ul>`;
    })
    .join('');
}

/** The headings of a page beside it, where there are enough to be worth it. */
function contents(page: Page): string {
  const headings = page.headings.filter(({ level }) => level === 2 || level === 3);
  if (headings.length < 3) return '';
  const items = headings.map(
    ({ level, text, slug }) => `<li class="level-${level}"><a href="#${escape(slug)}">${escape(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

export interface Frame {
  readonly version: string;
  readonly pages: readonly Page[];
  readonly groups: readonly NavigationGroup[];
}

/** The whole HTML of a page. */
export function document(page: Page, { version, pages, groups }: Frame): string {
  const from = siteAddress(page.page);
  const asset = (name: string): string => escape(relative(from, `assets/${name}`));
  const root = relative(from, 'index.html').replace(/index\.html$/, '');
  const title = page.page === 'README.md' ? 'Auditable QA' : `${page.title} – Auditable QA`;
  const first = page.sections.find((section) => section.text.trim() !== '')?.text ?? '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<meta name="description" content="${escape(first.trim().slice(0, 160))}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${asset('icon.svg')}">
<link rel="stylesheet" href="${asset('site.css')}">
<script src="${asset('site.js')}"></script>
</head>
<body data-root="${escape(root)}">
<a class="skip" href="#content">Skip to content</a>
<header>
<button type="button" id="menu" aria-expanded="false" aria-controls="navigation">Menu</button>
<a class="home" href="${escape(relative(from, 'index.html'))}"><img src="${asset('icon.svg')}" alt="" width="24" height="24">Auditable QA</a>
<div class="finder" role="search">
<label class="hidden" for="search">Search the documentation</label>
<input id="search" type="search" placeholder="Search ( / )" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<p class="hidden" id="count" role="status"></p>
<ul id="found" role="listbox" aria-label="Search results" hidden></ul>
</div>
<button type="button" id="theme">Theme: system</button>
</header>
<div class="columns">
<nav id="navigation" aria-label="Pages">${navigation(page, pages, groups)}<p class="version">Version ${escape(version)}</p></nav>
<main id="content" tabindex="-1"><article>
${page.html}</article></main>
${contents(page)}
</div>
</body>
</html>
`;
}
