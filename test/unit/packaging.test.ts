import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packagedFiles } from '../../scripts/package.mjs';

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
});
