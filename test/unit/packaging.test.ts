import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packagedFiles, shippedText } from '../../scripts/package.mjs';

const snapshot = path.join(import.meta.dirname, 'packaging.files.txt');

/** Data folders of libraries: what is in them is theirs; that they ship is ours. */
const libraryData = /^(dist\/preview\/pdfjs\/(?:cmaps|iccs|standard_fonts|wasm))\/.+/;

describe('the package', () => {
  it('holds the files of packaging.files.txt and no other (UPDATE_SNAPSHOTS=1 rewrites the list)', async function () {
    if (!existsSync('dist/client.cjs')) this.skip();
    const files = [...new Set((await packagedFiles()).map((file) => file.replace(libraryData, '$1/*')))];
    const text = `${files.join('\n')}\n`;
    if (process.env['UPDATE_SNAPSHOTS'] !== undefined) writeFileSync(snapshot, text);
    assert.equal(text, readFileSync(snapshot, 'utf8'));
  });

  it('holds what its pages link to', async () => {
    const files = new Set(await packagedFiles());
    const pages = [...files].filter((file) => file.endsWith('.md') && !file.startsWith('dist/'));
    assert.ok(pages.includes('README.md'));
    const broken = pages.flatMap((page) =>
      linksIn(shippedText(page, readFileSync(page, 'utf8')))
        .map((link) => path.posix.join(path.posix.dirname(page), link))
        .filter((target) => !files.has(target))
        .map((target) => `${page} → ${target}`),
    );
    assert.deepEqual(broken, []);
  });
});

describe('pages of the package', () => {
  it('are without the pictures, which do not ship', () => {
    const page =
      'One.\n\n![A picture](docs/pictures/a.png)\n\nTwo ![in a line](x.png).\n\n![Far](https://example.org/a.png)\n';
    const wanted = 'One.\n\nTwo ![in a line](x.png).\n\n![Far](https://example.org/a.png)\n';
    assert.equal(shippedText('docs/a.md', page), wanted);
    assert.equal(shippedText('dist/a.txt', page), page);
  });
});

/** Targets of the links of a page that lie beside it, without the place in them. */
function linksIn(text: string): readonly string[] {
  const prose = text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(target));
}
