import type { Connection } from 'vscode-languageserver/node';
import type {
  SolutionEntries,
  SolutionEntriesParams,
  SolutionListParams,
  SolutionListResult,
  SolutionRunParams,
  SolutionRunResult,
} from '../../../../schemas/solutions.ts';
import { SOLUTION_ENTRIES, SOLUTION_LIST, SOLUTION_RUN } from '../../../../schemas/solutions.ts';
import { cancelOf } from '../cancel.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import type { SolutionLists } from './solution-list.ts';

const FAILED = 'The language server failed on this; its output says why.';
const NO_LIST: SolutionListResult = { kind: 'problem', message: FAILED };

/** What a test explorer asks. */
export function registerSolutionLists(connection: Connection, log: Log, lists: SolutionLists): void {
  connection.onRequest(
    SOLUTION_LIST,
    guarded<SolutionListParams, SolutionListResult>(SOLUTION_LIST, log, NO_LIST, (params) => lists.list(params)),
  );
  connection.onRequest(
    SOLUTION_ENTRIES,
    guarded<SolutionEntriesParams, SolutionEntries>(SOLUTION_ENTRIES, log, { revision: 0, entries: [] }, (params) =>
      lists.entries(params),
    ),
  );
  connection.onRequest(
    SOLUTION_RUN,
    guarded<SolutionRunParams, SolutionRunResult>(SOLUTION_RUN, log, { problem: FAILED }, (params, token) =>
      lists.run(params, cancelOf(token)),
    ),
  );
}
