/**
 * Loads the sealed interpreter in a process of its own, runs what it is given on standard input (JSON: `Given`), and
 * compares the whole heap with what it was after each. Run by restore.test.ts with the folder of the built sandbox.
 */
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { createInterpreter } from '../../server/src/node/sandbox/interpreter.ts';
import type { LoadPyodide } from '../../server/src/node/sandbox/engine.ts';

export interface Given {
  readonly name: string;
  readonly source: string;
}

export interface Compared {
  /** Names of those after which the heap was not what it had been, with the first address that differs. */
  readonly changed: readonly string[];
  /** How many were put back by what the module had noted; the others wholly, with what the probe itself had written. */
  readonly byNotes: number;
}

const PAGE = 4096;

async function compare(folder: string, given: readonly Given[]): Promise<Compared> {
  const memories: Record<string, WebAssembly.Memory> = {};
  const instantiate = WebAssembly.instantiate;
  Object.assign(WebAssembly, {
    instantiate: (source: BufferSource, imports?: WebAssembly.Imports) => {
      for (const [name, value] of Object.entries(imports?.['env'] ?? {})) {
        if (value instanceof WebAssembly.Memory) memories[name] = value;
      }
      return instantiate.call(WebAssembly, source, imports);
    },
  });
  const pyodideFolder = join(folder, 'pyodide');
  const { loadPyodide } = (await import(pathToFileURL(join(pyodideFolder, 'pyodide.mjs')).href)) as {
    loadPyodide: LoadPyodide;
  };
  const interpreter = await createInterpreter({
    loadPyodide,
    indexURL: pyodideFolder + sep,
    runnerSource: readFileSync(join(folder, 'runner.py'), 'utf8'),
    snapshot: new Uint8Array(brotliDecompressSync(readFileSync(join(folder, 'snapshot.br')))),
    now: () => performance.now(),
  });
  const { memory, written_pages: marks } = memories as {
    memory: WebAssembly.Memory;
    written_pages: WebAssembly.Memory;
  };
  const image = Buffer.from(new Uint8Array(memory.buffer).slice());
  const blank = Buffer.alloc(PAGE);
  const firstChange = (): number => {
    const heap = Buffer.from(memory.buffer);
    for (let at = 0; at < heap.length; at += PAGE) {
      const was = at < image.length ? image.subarray(at, at + PAGE) : blank;
      if (!heap.subarray(at, at + PAGE).equals(was)) {
        const found = heap.subarray(at, at + PAGE).findIndex((byte, offset) => byte !== was[offset]);
        return at + found;
      }
    }
    return -1;
  };
  const changed: string[] = [];
  let byNotes = 0;
  // Where the interpreter has nothing.
  const canary = image.length - 1;
  if (image[canary] !== 0) throw new Error('the end of the heap is in use');
  for (const { name, source } of given) {
    const request = `solution\n65536\n${source}`;
    new Uint8Array(memory.buffer)[canary] = 7;
    interpreter.run({ request, timeoutMs: 1000, memoryMb: 128, plain: false });
    const heap = new Uint8Array(memory.buffer);
    if (heap[canary] === 7) {
      byNotes++;
      heap[canary] = 0;
    }
    const at = firstChange();
    if (at >= 0) {
      changed.push(`${name}: ${at}`);
      interpreter.reset(true);
    }
    if (Buffer.from(marks.buffer).some((mark) => mark !== 0)) changed.push(`${name}: notes are left`);
  }
  return { changed, byNotes };
}

const given = JSON.parse(readFileSync(0, 'utf8')) as Given[];
const result = await compare(process.argv[2]!, given);
process.stdout.write(JSON.stringify(result), () => process.exit(0));
