/**
 * Messages between the page of the Records view and its host. The page knows nothing else of the outside: what it asks, the host
 * passes to the language server; what it wants done, the host does in the editor.
 */
import type { RunAllResult } from './protocol.ts';
import type {
  AcceptAllParams,
  AcceptAllResult,
  CodeChoice,
  FacetValue,
  FacetValuesParams,
  FixParams,
  FixPlan,
  RecordDetail,
  RecordFilesResult,
  RecordKeyParams,
  RecordKeysOf,
  RecordKeysParams,
  RecordListParams,
  RecordListResult,
  RecordPosition,
  RecordPositionParams,
  RecordQuery,
  RunRecordsParams,
} from './records.ts';

/** What the page may ask, with what it gives and gets. Every answer may be null: the server is not there. */
export interface RecordQuestions {
  files: { readonly params: Record<string, never>; readonly result: RecordFilesResult };
  list: { readonly params: RecordListParams; readonly result: RecordListResult };
  keys: { readonly params: RecordKeysParams; readonly result: readonly number[] };
  position: { readonly params: RecordPositionParams; readonly result: RecordPosition | null };
  values: { readonly params: FacetValuesParams; readonly result: readonly FacetValue[] };
  detail: { readonly params: RecordKeyParams; readonly result: RecordDetail | null };
  codes: { readonly params: RecordKeysOf; readonly result: readonly CodeChoice[] };
  plan: { readonly params: FixParams; readonly result: FixPlan };
  /** The host makes the edits; `problem` as a sentence. */
  fix: { readonly params: FixParams; readonly result: { readonly problem: string | null } };
  accept: { readonly params: AcceptAllParams; readonly result: AcceptAllResult };
  run: { readonly params: RunRecordsParams; readonly result: RunAllResult };
}
export type RecordQuestion = keyof RecordQuestions;

/** What is done with one record in the editor. */
export type RecordDeed = 'open' | 'preview' | 'edit' | 'solution';

/** What is done to records by the host (schemas/bulk.ts). */
export type BulkAction =
  'add' | 'duplicate' | 'delete' | 'moveUp' | 'moveDown' | 'moveTo' | 'renumber' | 'fixEverywhere';

/** What menus and commands of the editor start in the page, about the records that are chosen there. */
export type RecordAction =
  RecordDeed | BulkAction | 'fix' | 'accept' | 'run' | 'runAll' | 'copyId' | 'search' | 'clearFilters';

/** Page → host. */
export type FromRecordsPage =
  | { readonly type: 'ready' }
  | { readonly type: 'ask'; readonly id: number; readonly question: RecordQuestion; readonly params: unknown }
  /** `pointer`: the value; absent: the record's first finding. `keepFocus`: the page goes on having it. */
  | {
      readonly type: 'do';
      readonly deed: RecordDeed;
      readonly uri: string;
      readonly key: number;
      readonly pointer?: string;
      readonly keepFocus?: boolean;
    }
  /** Keys of the chosen records, and the rules that the list is filtered by. */
  | {
      readonly type: 'bulk';
      readonly action: BulkAction;
      readonly uri: string;
      readonly keys: readonly number[];
      readonly rules: readonly string[];
    }
  | { readonly type: 'explain'; readonly code: string }
  | { readonly type: 'copy'; readonly text: string }
  /** The list that the page shows now: stepping from problem to problem follows it. */
  | { readonly type: 'showing'; readonly query: RecordQuery | null }
  | { readonly type: 'log'; readonly level: 'error' | 'warning' | 'info'; readonly message: string };

/** Host → page. */
export type ToRecordsPage =
  | { readonly type: 'answer'; readonly id: number; readonly result: unknown }
  /** Said first, and again when something of it or the server is another. `preferred`: the file that the editor shows. */
  | {
      readonly type: 'start';
      readonly preferred: string | null;
      readonly trusted: boolean;
    }
  /** Shows a record: by its 0-based index; null: the file only. */
  | { readonly type: 'show'; readonly uri: string; readonly index: number | null }
  | { readonly type: 'listChanged'; readonly uri: string }
  | { readonly type: 'filesChanged' }
  | { readonly type: 'act'; readonly action: RecordAction };
