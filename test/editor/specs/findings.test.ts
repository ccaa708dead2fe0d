import assert from 'node:assert/strict';
import path from 'node:path';
import { countsItem, hoverText, lensTexts, openFile, underlined, until } from '../surface.ts';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

describe('a record file in the window', () => {
  let window!: EditorWindow;
  before(async () => {
    const workspace = await makeWorkspace('findings');
    window = await openWindow({ workspace, file: path.join(workspace, 'docmath.jsonl') });
  });
  after(async () => await (window as EditorWindow | undefined)?.close());

  it('has its squiggles under the faulty characters', async () => {
    const { page } = window;
    const texts = await until(
      page,
      async () => await underlined(page, 'error'),
      (found) => found.length >= 2,
    );
    assert.equal(texts[0], '42.75');
    assert.match(texts.slice(1).join(''), /frist/);
    await screenshot(page, 'findings-light');
  });

  it('has above each record what its solution yields', async () => {
    const { page } = window;
    const texts = await until(
      page,
      async () => await lensTexts(page),
      (found) => found.length === 3 && found.every((text) => !text.includes('Running')),
    );
    assert.match(texts[0] ?? '', /▶ 3 = gold.*Preview evidence/s);
    assert.match(texts[1] ?? '', /▶ 39\.5 ≠ gold 42\.75/);
    assert.match(texts[2] ?? '', /NameError/);
  });

  it('explains the finding under the pointer', async () => {
    const text = await hoverText(window.page, '42.75');
    assert.match(text, /answer\/mismatch/);
    await screenshot(window.page, 'hover-light');
    await window.page.keyboard.press('Escape');
  });

  it('names the profile and counts the errors in the status bar', async () => {
    const { page } = window;
    await until(
      page,
      () => countsItem(page, 'DocMath-Eval').innerText(),
      (text) => /2\s+DocMath-Eval/.test(text),
    );
  });

  it('leaves files alone that are no dataset', async () => {
    const { page } = window;
    await openFile(page, 'log.jsonl');
    await countsItem(page, 'DocMath-Eval').waitFor({ state: 'hidden' });
    assert.deepEqual(await underlined(page, 'error'), []);
    assert.deepEqual(await lensTexts(page), []);
  });

  it('asks nothing outside this machine', () => {
    assert.deepEqual(window.outside, []);
  });
});
