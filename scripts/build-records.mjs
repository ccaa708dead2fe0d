/** Builds the page of the Records view: one script and one style sheet. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Writes records.js and records.css into `outDir` (dist/records). */
export async function buildRecords(outDir = join(root, 'dist/records'), { minify = true } = {}) {
  await build({
    absWorkingDir: root,
    entryPoints: { records: 'webview/src/records/main.ts' },
    outdir: outDir,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  await build({
    absWorkingDir: root,
    entryPoints: { records: 'webview/src/records/records.css' },
    outdir: outDir,
    bundle: true,
    minify,
    logLevel: 'warning',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildRecords(process.argv[2]);
}
