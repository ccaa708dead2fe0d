import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulePages } from '../../scripts/rule-pages.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('files made from the rule registry', () => {
  it('are as `npm run generate` writes them', async () => {
    const pages = await rulePages();
    for (const [path, content] of pages) {
      assert.equal(readFileSync(join(ROOT, path), 'utf8'), content, `${path} is stale: run npm run generate`);
    }
    const written = readdirSync(join(ROOT, 'docs/rules'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/rules/${name.replaceAll('\\', '/')}`);
    assert.deepEqual(
      written.filter((name) => !pages.has(name)),
      [],
      'pages of rules that are gone',
    );
  });
});
