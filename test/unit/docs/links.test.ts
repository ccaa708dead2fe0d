import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { sitePages } from '../../../scripts/site/build.ts';
import { isOutside, slugger } from '../../../scripts/site/markdown.ts';
import { WRITTEN_FROM_THE_PROGRAM } from '../../../scripts/site/navigation.ts';
import { navigationOf, pageOf, ROOT } from '../../../scripts/site/pages.ts';
import type { Page } from '../../../scripts/site/pages.ts';

const PAGES = sitePages();

/** What is wrong with the links of a page, each as `page:line → link`. */
function broken({ page, links }: Page, pages: readonly Page[]): readonly string[] {
  const anchors = new Map(pages.map((one) => [one.page, new Set(one.headings.map(({ slug }) => slug))]));
  const isThere = (target: string): boolean => anchors.has(target) || existsSync(path.join(ROOT, target));
  return links
    .filter(({ href }) => !isOutside(href))
    .filter(({ href }) => {
      const [file = '', anchor] = href.split('#');
      const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
      // What the site alone has is not there for who reads the page in the repository.
      if (WRITTEN_FROM_THE_PROGRAM.includes(target) && !WRITTEN_FROM_THE_PROGRAM.includes(page)) return true;
      if (!isThere(target) || path.isAbsolute(file)) return true;
      return anchor !== undefined && anchors.get(target)?.has(anchor) !== true;
    })
    .map(({ href, line }) => `${page}:${line} → ${href}`);
}

describe('links of the documentation', () => {
  it('lead to pages, places and pictures that are there', () => {
    assert.deepEqual(
      PAGES.flatMap((page) => broken(page, PAGES)),
      [],
    );
  });

  it('are told where they lead nowhere', () => {
    const page = pageOf(
      'docs/one.md',
      '# One\n\n## Two words\n\n[a](two.md) [b](#two-words) [c](#three) ![d](no.png)\n[e](ci.md#sarif)\n\n[f](ci.md#none)\n[g](command-line.md)\n',
    );
    assert.deepEqual(broken(page, [...PAGES, page]), [
      'docs/one.md:5 → two.md',
      'docs/one.md:5 → #three',
      'docs/one.md:5 → no.png',
      'docs/one.md:8 → ci.md#none',
      'docs/one.md:8 → command-line.md',
    ]);
  });

  it('go outside by https only', () => {
    const outside = PAGES.flatMap(({ page, links }) =>
      links.filter(({ href }) => isOutside(href)).map(({ href }) => ({ page, href })),
    );
    assert.deepEqual(
      outside.filter(({ href }) => !href.startsWith('https://') || !URL.canParse(href)),
      [],
    );
  });

  it('have the anchors that GitHub gives', () => {
    const slug = slugger();
    assert.deepEqual(
      ['Two commands', 'Safe, or to be chosen', 'GitHub Actions', 'Two commands', '`--jobs` and Größe'].map(slug),
      ['two-commands', 'safe-or-to-be-chosen', 'github-actions', 'two-commands-1', '--jobs-and-größe'],
    );
  });
});

describe('the navigation of the documentation', () => {
  it('has every page once, and no other', () => {
    const named = navigationOf(PAGES).flatMap((group) => group.pages);
    const pages = PAGES.map(({ page }) => page).filter((page) => !/^docs\/rules\/.+\//.test(page));
    assert.deepEqual([...named].sort(), [...pages].sort());
  });
});
