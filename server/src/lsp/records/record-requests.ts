import type { Connection } from 'vscode-languageserver/node';
import type { RunAllResult } from '../../../../schemas/protocol.ts';
import type {
  AcceptAllParams,
  AcceptAllResult,
  CodeChoice,
  FacetValue,
  FacetValuesParams,
  FixApplyParams,
  FixApplyResult,
  FixParams,
  FixPlan,
  ProblemStep,
  ProblemStepParams,
  RecordDetail,
  RecordFilesResult,
  RecordKeyParams,
  RecordKeysOf,
  RecordKeysParams,
  RecordListParams,
  RecordListResult,
  RecordPlace,
  RecordPlaceParams,
  RecordPosition,
  RecordPositionParams,
  RunRecordsParams,
} from '../../../../schemas/records.ts';
import {
  ACCEPT_ALL,
  FACET_VALUES,
  FIX_APPLY,
  FIX_PLAN,
  PROBLEM_STEP,
  RECORD_CODES,
  RECORD_DETAIL,
  RECORD_FILES,
  RECORD_KEYS,
  RECORD_LIST,
  RECORD_PLACE,
  RECORD_POSITION,
  RUN_RECORDS,
} from '../../../../schemas/records.ts';
import { cancelOf } from '../cancel.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import type { RecordActions } from './record-actions.ts';
import type { RecordFiles } from './record-files.ts';
import type { RecordView } from './record-view.ts';

export interface RecordServices {
  readonly log: Log;
  readonly view: RecordView;
  readonly files: RecordFiles;
  readonly actions: RecordActions;
}

const FAILED = 'The language server failed on this; its output says why.';
const NO_PLAN: FixPlan = { records: 0, total: 0, changes: [], onDisk: false, problem: FAILED };
const NO_RUN: RunAllResult = { run: 0, passed: 0, failed: 0, skipped: 0 };

/** What the Records view asks. */
export function registerRecordRequests(connection: Connection, { log, view, files, actions }: RecordServices): void {
  const on = <P, R>(method: string, neutral: R, answer: (params: P) => R | Promise<R>): void =>
    void connection.onRequest(
      method,
      guarded<P, R>(method, log, neutral, (params) => answer(params)),
    );
  on<unknown, RecordFilesResult>(RECORD_FILES, { files: [], looking: false }, () => files.files());
  on<RecordListParams, RecordListResult>(RECORD_LIST, { kind: 'problem', message: FAILED }, view.list);
  on<RecordKeysParams, readonly number[]>(RECORD_KEYS, [], view.keys);
  on<RecordPositionParams, RecordPosition | null>(RECORD_POSITION, null, view.position);
  on<FacetValuesParams, readonly FacetValue[]>(FACET_VALUES, [], view.values);
  on<RecordKeyParams, RecordDetail | null>(RECORD_DETAIL, null, view.detail);
  on<RecordPlaceParams, RecordPlace | null>(RECORD_PLACE, null, view.place);
  on<ProblemStepParams, ProblemStep | null>(PROBLEM_STEP, null, view.step);
  on<FixParams, FixPlan>(FIX_PLAN, NO_PLAN, actions.plan);
  on<FixApplyParams, FixApplyResult>(FIX_APPLY, { kind: 'problem', message: FAILED }, actions.apply);
  on<AcceptAllParams, AcceptAllResult>(ACCEPT_ALL, { accepted: 0, problem: FAILED }, actions.accept);
  connection.onRequest(
    RECORD_CODES,
    guarded<RecordKeysOf, readonly CodeChoice[]>(RECORD_CODES, log, [], (params, token) =>
      actions.codes(params, cancelOf(token)),
    ),
  );
  connection.onRequest(
    RUN_RECORDS,
    guarded<RunRecordsParams, RunAllResult>(RUN_RECORDS, log, NO_RUN, (params, token) =>
      actions.run(params, cancelOf(token)),
    ),
  );
}
