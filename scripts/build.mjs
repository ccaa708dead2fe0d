// Builds everything that ships into dist/.
//   node scripts/build.mjs [--watch]
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import esbuild from 'esbuild';
import { isMain, projectNode, projectRoot, run } from './process.mjs';
import { writeNotices } from './notices.mjs';
import { writeChanged } from './write-changed.mjs';

const dist = path.join(projectRoot, 'dist');

const writing = {
  name: 'write-changed',
  setup(build) {
    build.onEnd(async (result) => {
      for (const file of result.outputFiles ?? []) await writeChanged(file.path, file.contents);
    });
  },
};

const shared = {
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  // Some packages' CommonJS builds hide their requires from a bundler (UMD); their ES modules do not.
  mainFields: ['module', 'main'],
  target: 'node22',
  minify: true,
  keepNames: true,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
  metafile: true,
  write: false,
  plugins: [writing],
};

/** CommonJS knows no import.meta; what the sources read from it is supplied. */
const commonJs = {
  ...shared,
  format: 'cjs',
  define: {
    'import.meta.url': 'importMetaUrl',
    'import.meta.filename': '__filename',
    'import.meta.dirname': '__dirname',
  },
  banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
};

const bundles = {
  client: {
    ...commonJs,
    entryPoints: ['client/src/extension.ts'],
    outfile: 'dist/client.cjs',
    external: ['vscode'],
  },
  server: { ...commonJs, entryPoints: ['server/src/lsp/main.ts'], outfile: 'dist/server.cjs' },
  'command line': { ...commonJs, entryPoints: ['server/src/cli/main.ts'], outfile: 'dist/cli-main.cjs' },
  'PDF worker': {
    ...shared,
    format: 'esm',
    entryPoints: ['server/src/node/pages/pdf-worker.ts'],
    outfile: 'dist/pdf-worker.mjs',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  },
  'index worker': {
    ...shared,
    format: 'esm',
    entryPoints: ['server/src/node/index/index-worker.ts'],
    outfile: 'dist/index-worker.mjs',
  },
};

bundles['crop worker'] = {
  ...bundles['PDF worker'],
  entryPoints: ['server/src/node/crops/crop-worker.ts'],
  outfile: 'dist/crop-worker.mjs',
};

/** Old enough for every Node that knows modules: it must be able to say that it is too old. */
const commandLineStub = `#!/usr/bin/env node
const major = Number(process.versions.node.split('.')[0]);
if (major < 22) {
  process.stderr.write('auditable-qa needs Node 22 or newer; this is Node ' + process.versions.node + '.\\n');
  process.exitCode = 2;
} else {
  import('./cli-main.cjs');
}
`;

const generate = () => run(projectNode, ['scripts/generate.mjs'], { quiet: true });

const otherParts = {
  'command line stub': () => writeChanged(path.join(dist, 'cli.js'), commandLineStub),
  sandbox: async () => (await import('./snapshot.mjs')).buildSandbox(path.join(dist, 'sandbox')),
  'own Python': async () => {
    const folder = path.join(projectRoot, 'server', 'src', 'node');
    for (const name of ['native/worker.py', 'sandbox/runner.py']) {
      await writeChanged(path.join(dist, 'native', path.basename(name)), await readFile(path.join(folder, name)));
    }
  },
  'WebP decoder': async () => {
    const wasm = path.join(projectRoot, 'node_modules/@jsquash/webp/codec/dec/webp_dec.wasm');
    await writeChanged(path.join(dist, 'webp_dec.wasm'), await readFile(wasm));
  },
  'PDF renderer': async () => {
    const wasm = path.join(projectRoot, 'node_modules/@hyzyla/pdfium/dist/pdfium.wasm');
    await writeChanged(path.join(dist, 'pdfium.wasm'), await readFile(wasm));
  },
  preview: async () => (await import('./build-preview.mjs')).buildPreview(),
  'records view': async () => (await import('./build-records.mjs')).buildRecords(),
};

/**
 * Builds all parts. One that fails does not hold up the others; the names and reasons of those that failed come back.
 */
export async function build() {
  const failed = [];
  const inputs = new Set();
  const attempt = async (name, work) => {
    try {
      await work();
    } catch (error) {
      failed.push(`${name}: ${error.message}`);
    }
  };
  await attempt('generated files', generate);
  const bundle = (options) => async () => {
    const result = await esbuild.build(options);
    for (const input of Object.keys(result.metafile.inputs)) inputs.add(input);
  };
  await Promise.all([
    ...Object.entries(bundles).map(([name, options]) => attempt(name, bundle(options))),
    ...Object.entries(otherParts).map(([name, work]) => attempt(name, work)),
  ]);
  await attempt('notices', () => writeNotices(path.join(dist, 'third-party-notices.txt'), inputs));
  return failed;
}

/** Builds again whatever an edit touches, until the process is ended. */
async function watchAll() {
  for (const options of Object.values(bundles)) {
    const context = await esbuild.context({ ...options, logLevel: 'info' });
    await context.watch();
  }
  // The pages have builds of their own; a child process takes each build's fresh copy of the script.
  let timer;
  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const script of [
        "import('./scripts/build-preview.mjs').then((m) => m.buildPreview())",
        "import('./scripts/build-records.mjs').then((m) => m.buildRecords())",
      ])
        spawn(projectNode, ['--input-type=module', '-e', script], { cwd: projectRoot, stdio: 'inherit' });
    }, 200);
  };
  for (const folder of ['webview', 'schemas']) watch(path.join(projectRoot, folder), { recursive: true }, again);
  console.log('Watching. Reload the editor window to see a change.');
}

if (isMain(import.meta.url)) {
  const started = performance.now();
  const failed = await build();
  for (const line of failed) console.error(`Not built: ${line}`);
  if (process.argv.includes('--watch')) await watchAll();
  else {
    if (failed.length > 0) process.exitCode = 1;
    else console.log(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  }
}
