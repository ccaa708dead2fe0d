import assert from 'node:assert/strict';
import path from 'node:path';
import type { EditorWindow } from '../window.ts';
import { openWindow, screenshot } from '../window.ts';
import { makeWorkspace } from '../workspace.ts';

describe('a record file in the window', () => {
  let window: EditorWindow | undefined;
  before(async () => {
    const workspace = await makeWorkspace('window');
    window = await openWindow({ workspace, file: path.join(workspace, 'docmath.jsonl') });
  });
  after(async () => await window?.close());

  it('opens', async () => {
    assert.ok(window);
    await window.page.waitForSelector('.view-line:has-text("question_id")');
    await screenshot(window.page, 'light');
    assert.deepEqual(window.outside, []);
  });
});
