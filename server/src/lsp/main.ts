import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createConnection } from 'vscode-languageserver/node';
import type { Connection } from 'vscode-languageserver/node';
import { createRuntime } from '../node/runtime.ts';
import { describe } from './guard.ts';
import { startServer } from './server.ts';

/** Starts the language server on standard input and output. Nothing else may write to standard output. */
export function startStdio(): void {
  console.log = console.error;
  start(createConnection(process.stdin, process.stdout));
}

/** Starts the language server on what the command line names: `--stdio`, `--node-ipc`, `--socket=…` or `--pipe=…`. */
function startAsNamed(): void {
  if (process.argv.includes('--stdio')) startStdio();
  else start(createConnection());
}

function start(connection: Connection): void {
  // What passes by in checking a large file would let the heap grow to several times what is kept. Unknown to an engine, it is ignored.
  setFlagsFromString('--heap-growing-percent=50');
  // A server that lives on with a fault in its log serves better than one that is gone.
  process.on('uncaughtException', (error) => connection.console.error(`Unexpected: ${describe(error)}`));
  process.on('unhandledRejection', (error) => connection.console.error(`Unexpected: ${describe(error)}`));
  const root = packageRoot();
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  const pages = path.join(root, 'docs', 'rules');
  const distFolder = path.join(root, 'dist');
  const inSource = (built: string, source: URL): URL | undefined =>
    existsSync(path.join(distFolder, built)) ? undefined : source;
  const pdfWorker = inSource('pdf-worker.mjs', new URL('../node/pages/pdf-worker.ts', import.meta.url));
  const indexWorker = inSource('index-worker.mjs', new URL('../node/index/index-worker.ts', import.meta.url));
  const cropWorker = inSource('crop-worker.mjs', new URL('../node/crops/crop-worker.ts', import.meta.url));
  const runtime = createRuntime({
    distFolder,
    ...(pdfWorker && { pdfWorker }),
    ...(cropWorker && { cropWorker }),
    ...(indexWorker && { indexWorker }),
    trustMs: 2000,
  });
  startServer(connection, runtime, {
    version,
    ...(existsSync(pages) && { rulePages: `${pathToFileURL(pages).href}/` }),
  });
}

/** The package's folder, from `dist/` and from the sources alike. */
function packageRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json')) && folder !== path.dirname(folder))
    folder = path.dirname(folder);
  return folder;
}

function isEntry(): boolean {
  const entry = process.argv[1];
  return entry !== undefined && realpathSync(entry) === realpathSync(fileURLToPath(import.meta.url));
}

if (isEntry()) startAsNamed();
