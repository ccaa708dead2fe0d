/** Build step, run in a process of its own: `make-snapshot.mjs <pyodide folder> <runner.py> <file to write>`. Does not ship. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeSnapshot } from './load.ts';
import type { LoadPyodide } from './engine.ts';

const [pyodideFolder, runnerPath, target] = process.argv.slice(2) as [string, string, string];
const { loadPyodide } = (await import(pathToFileURL(join(pyodideFolder, 'pyodide.mjs')).href)) as {
  loadPyodide: LoadPyodide;
};
const heap = await makeSnapshot({
  loadPyodide,
  indexURL: pyodideFolder + sep,
  runnerSource: readFileSync(runnerPath, 'utf8'),
  now: performance.now.bind(performance),
});
writeFileSync(target, heap);
process.exit(0);
