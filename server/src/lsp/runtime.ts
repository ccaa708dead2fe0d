import type { RunRequest, RunResult } from '../core/ports.ts';
import type { Runtime } from '../node/runtime.ts';

/** What the server needs from the machine it runs on. Nothing of it rejects for what a user's file or folder is like. */
export type ServerRuntime = Pick<
  Runtime,
  | 'runner'
  | 'documents'
  | 'drawCrop'
  | 'accepted'
  | 'datasetFiles'
  | 'settingsOf'
  | 'fileFaults'
  | 'readText'
  | 'indexFile'
  | 'sizeOf'
  | 'recordFiles'
  | 'firstRecords'
  | 'disk'
  | 'usePython'
  | 'dispose'
>;

/** Results of runs by what was run. */
export interface RunCache {
  get(request: RunRequest): RunResult | undefined;
  set(request: RunRequest, result: RunResult): void;
}

const LIMIT = 50_000;

export function createRunCache(): RunCache {
  const known = new Map<string, RunResult>();
  const keyOf = ({ source, entryPoint, limits, engine }: RunRequest): string =>
    `${engine ?? ''} ${entryPoint}\n${limits.timeoutMs}\n${limits.memoryMb}\n${limits.outputLimit}\n${source}`;
  return {
    get: (request) => known.get(keyOf(request)),
    set(request, result) {
      // A crash says nothing of the solution: it is to be tried again.
      if (result.error?.kind === 'crash') return;
      if (known.size >= LIMIT) known.delete(known.keys().next().value!);
      known.set(keyOf(request), result);
    },
  };
}
