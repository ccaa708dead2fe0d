/** The slow facts of records: results of solutions, and what is known of their documents. */
import { readPageFindings } from '../core/page/read.ts';
import type { CheckedText, Checker, RecordFacts } from '../core/pipeline.ts';
import type { Cancel, DocumentReader, RunRequest, RunResult, SolutionRunner } from '../core/ports.ts';
import { runProbed } from '../core/trace/probe.ts';

export interface FactServices {
  /** Absent: solutions are not run. */
  readonly runner?: SolutionRunner;
  /** Absent: pages are not looked at. */
  readonly documents?: DocumentReader;
  /** Whether solutions are run again where that tells more of them. */
  readonly probe?: boolean;
}

export const NO_FACTS: RecordFacts = {};

/** Gives the slow facts of a record, or undefined where it has none. `onUnavailable` hears why a solution cannot be run at all. */
export function createFactReader(
  checker: Checker,
  { runner, documents, probe }: FactServices,
  cancel?: Cancel,
): (checked: CheckedText, onUnavailable: (message: string) => void) => Promise<RecordFacts> | undefined {
  return (checked, onUnavailable) => {
    const runOne = (by: SolutionRunner, request: RunRequest): Promise<RunResult> =>
      probe === true && checked.solution !== undefined
        ? runProbed(by, request, checked.solution, cancel)
        : by.run(request, cancel);
    const runRequest = runner && checker.runRequest(checked);
    const documentRequest = documents && checker.documentRequest(checked);
    if (runRequest === undefined && documentRequest === undefined) return undefined;
    const running = runRequest && runner && runOne(runner, runRequest);
    const reading = documentRequest && documents?.read(documentRequest, cancel);
    const seeing = reading?.then(async (document) => {
      const pageFindings = documents && (await readPageFindings(checker, checked, document, documents, cancel));
      return { document, ...(pageFindings && { pageFindings }) };
    });
    return Promise.all([running, seeing]).then(([run, seen]) => {
      const isRun = run !== undefined && run.error?.kind !== 'unavailable';
      if (run !== undefined && !isRun) onUnavailable(run.error?.message ?? '');
      return { ...(isRun && { run }), ...seen };
    });
  };
}
