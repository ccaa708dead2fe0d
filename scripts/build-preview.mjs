/** Builds the evidence preview: one script with pdf.js and the text of its worker inside, one style sheet, pdf.js's data. */
import { cp, mkdir, readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * Files of pdf.js that a page may need, by folder. Left out: what only forms with scripts need, and JavaScript stand-ins for
 * WebAssembly, which a worker would have to import.
 */
const DATA = {
  cmaps: (name) => name.endsWith('.bcmap') || name === 'LICENSE',
  standard_fonts: () => true,
  iccs: () => true,
  wasm: (name) => (name.endsWith('.wasm') || name.startsWith('LICENSE')) && !/quickjs/iu.test(name),
};

async function copyData(target) {
  for (const [folder, wanted] of Object.entries(DATA)) {
    await mkdir(join(target, folder), { recursive: true });
    for (const name of await readdir(join(pdfjs, folder))) {
      if (wanted(name)) {
        await cp(join(pdfjs, folder, name), join(target, folder, name));
      }
    }
  }
  await cp(join(pdfjs, 'LICENSE'), join(target, 'LICENSE'));
}

/** Writes preview.js, preview.css, the tab's icons and pdfjs/ into `outDir` (dist/preview). */
export async function buildPreview(outDir = join(root, 'dist/preview'), { minify = true } = {}) {
  const worker = await readFile(join(pdfjs, 'legacy/build/pdf.worker.min.mjs'), 'utf8');
  await build({
    absWorkingDir: root,
    entryPoints: { preview: 'webview/src/main.ts' },
    outdir: outDir,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify,
    charset: 'utf8',
    legalComments: 'linked',
    define: { PDF_WORKER_SOURCE: JSON.stringify(worker.replace(/\n\/\/# sourceMappingURL=.*\s*$/u, '\n')) },
    logLevel: 'warning',
  });
  await build({
    absWorkingDir: root,
    entryPoints: { preview: 'webview/src/css/all.css' },
    outdir: outDir,
    bundle: true,
    minify,
    logLevel: 'warning',
  });
  for (const name of ['icon-light.svg', 'icon-dark.svg']) {
    await cp(join(root, 'webview/media', name), join(outDir, name));
  }
  await copyData(join(outDir, 'pdfjs'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPreview(process.argv[2]);
}
