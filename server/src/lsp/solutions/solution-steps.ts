/** Steps of the solutions that somebody looks at, remembered by what was run. */
import type { RunRequest, SolutionRunner } from '../../core/ports.ts';
import { runSteps } from '../../core/solution/steps.ts';
import type { StepsFound } from '../../core/solution/steps.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

export interface SolutionSteps {
  /**
   * The steps of a record's solution; undefined: there is none that can be run, it was not run yet (unless `asked`, which runs it), or
   * the record has changed meanwhile.
   */
  of(session: Session, row: Row, asked: boolean): Promise<StepsFound | undefined>;
}

export interface SolutionStepsHost {
  readonly runner: SolutionRunner;
  /** Never in an untrusted workspace. `automatic`: without being asked. */
  mayRun(automatic: boolean): boolean;
}

/** Solutions whose steps are kept: those of the documents that are shown, and of some before. */
const KEPT = 32;

export function createSolutionSteps({ runner, mayRun }: SolutionStepsHost): SolutionSteps {
  const known = new Map<string, Promise<StepsFound>>();

  return {
    async of(session, row, asked) {
      if (!mayRun(!asked && row.run === undefined)) return undefined;
      if (row.run === undefined) await session.run(row);
      const { run, checked } = row;
      const request = checked && session.checker?.runRequest(checked);
      if (row.gone || run === undefined || request === undefined || checked?.solution === undefined) return undefined;
      if (run.error?.kind === 'crash' || run.error?.kind === 'unavailable') return undefined;
      const key = keyOf(request);
      let found = known.get(key);
      known.delete(key);
      found ??= runSteps(runner, request, run);
      known.set(key, found);
      for (const oldest of known.keys()) {
        if (known.size <= KEPT) break;
        known.delete(oldest);
      }
      try {
        const steps = await found;
        return row.gone ? undefined : steps;
      } catch (error) {
        known.delete(key);
        throw error;
      }
    },
  };
}

function keyOf({ source, entryPoint, limits, engine }: RunRequest): string {
  return `${engine ?? ''} ${entryPoint} ${limits.timeoutMs} ${limits.memoryMb}\n${source}`;
}
