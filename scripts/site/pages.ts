/** The pages of the site, as they stand in the project. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { render } from './markdown.ts';
import type { Rendered } from './markdown.ts';
import { NAVIGATION, WRITTEN_FROM_THE_PROGRAM } from './navigation.ts';
import type { NavigationGroup } from './navigation.ts';

export const ROOT = path.join(import.meta.dirname, '../..');

/** Pages outside of docs/. */
const OUTSIDE = ['README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];

export interface Page extends Rendered {
  /** Path of its Markdown from the project's root, with `/`. */
  readonly page: string;
  readonly markdown: string;
}

export const pageOf = (page: string, markdown: string): Page => ({ page, markdown, ...render(page, markdown) });

/** All pages that stand in files, sorted by path. */
export function filedPages(): readonly Page[] {
  const docs = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`);
  return [...OUTSIDE, ...docs].sort().map((page) => pageOf(page, readFileSync(path.join(ROOT, page), 'utf8')));
}

/** The groups of the navigation with the pages that are there; what stands in no group comes last. */
export function navigationOf(pages: readonly Page[]): readonly NavigationGroup[] {
  const there = new Set(pages.map(({ page }) => page));
  const listed = new Set(NAVIGATION.flatMap((group) => group.pages));
  const more = [...there].filter((page) => !listed.has(page) && !page.startsWith('docs/rules/'));
  const groups = NAVIGATION.map(({ title, pages: wanted }) => ({
    title,
    pages: wanted.filter((page) => there.has(page) || WRITTEN_FROM_THE_PROGRAM.includes(page)),
  }));
  return more.length === 0 ? groups : [...groups, { title: 'More', pages: more }];
}
