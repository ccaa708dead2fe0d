/** What the tests of the built preview have in common: one browser and one site for a suite; pages are looked at and closed after each test. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import type { OpenPage, Site } from './preview-site.ts';
import { startSite } from './preview-site.ts';

export interface PreviewFixture {
  /** Both are there from the first `before` that comes after `usePreview`. */
  readonly browser: Browser;
  /** Pages that it opens are looked at after their test, and closed where they are still open. */
  readonly site: Site;
}

/** To be called in a `describe`. `complaints`, `breaches`: what fails on purpose is told in the console, or breaks the policy. */
export function usePreview({ complaints = false, breaches = false } = {}): PreviewFixture {
  let fixture: PreviewFixture | null = null;
  let opened: OpenPage[] = [];
  const there = (): PreviewFixture => {
    assert.ok(fixture !== null, 'asked for before the suite has begun');
    return fixture;
  };

  before(async () => {
    const [browser, site] = await Promise.all([launchChromium(), startSite()]);
    const open: Site['open'] = async (...how) => {
      const page = await site.open(...how);
      opened.push(page);
      return page;
    };
    fixture = { browser, site: { ...site, open } };
  });
  afterEach(async () => {
    const pages = opened.filter(({ page }) => !page.isClosed());
    opened = [];
    try {
      for (const page of pages) {
        assert.deepEqual(breaches ? [] : await page.breaches(), []);
        assert.deepEqual(complaints ? [] : page.complaints, []);
      }
    } finally {
      await Promise.all(pages.map((page) => page.close()));
    }
  });
  after(async () => {
    await fixture?.browser.close();
    await fixture?.site.close();
  });

  return {
    get browser() {
      return there().browser;
    },
    get site() {
      return there().site;
    },
  };
}
