/** The interpreter that ships, and the parts of its interface that are used. No Node built-ins. */
import type { FileSystem } from './gate.ts';

export const ENGINE = 'pyodide 0.29.5';
export const PYTHON_VERSION = '3.13.2';

export interface Exports {
  readonly [name: string]: ((...args: number[]) => number) | undefined;
}

export interface PyodideModule {
  readonly HEAPU8: Uint8Array;
  readonly HEAP32: Int32Array;
  /** 1 when the memory was grown to so many bytes. */
  growMemory(size: number): number | undefined;
}

/** The parts of Pyodide's API that are used; two of the options are undocumented, hence the exact version. */
export interface Pyodide {
  readonly version: string;
  readonly _module: PyodideModule;
  readonly FS: FileSystem & {
    mkdirTree(path: string): void;
    writeFile(path: string, text: string): void;
  };
  runPython(code: string): unknown;
  setInterruptBuffer(buffer: Int32Array): void;
  makeMemorySnapshot(): Uint8Array;
}

export type LoadPyodide = (options: Record<string, unknown>) => Promise<Pyodide>;

export interface InterpreterOptions {
  readonly loadPyodide: LoadPyodide;
  /** Folder of the Pyodide files, with a trailing separator. */
  readonly indexURL: string;
  /** Text of runner.py; needed where there is no snapshot. */
  readonly runnerSource: string;
  /** A heap made by `makeSnapshot` with the same files. */
  readonly snapshot?: Uint8Array;
  /** Clock in ms. */
  readonly now: () => number;
}
