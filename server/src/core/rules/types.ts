import type { RuleLevel, Severity } from '../../../../schemas/report.ts';
import type { LocalFinding } from '../finding.ts';
import type { DocumentFacts, PageFacts, RunResult } from '../ports.ts';
import type { FileSettings } from '../profile/types.ts';
import type { CanonicalRecord } from '../record/types.ts';
import type { StaticSolution } from '../solution/types.ts';
import type { RecordSlot } from '../text/types.ts';
import type { Trace } from '../trace/types.ts';

/** What a rule reads; decides when it runs. The first three are at hand at once, the others arrive later. */
export type Need = 'text' | 'record' | 'solution' | 'run' | 'trace' | 'size' | 'page' | 'file' | 'dataset';

/** A small record file; `lines` are written one per line. Run by the tests and shown by `explain`. */
export interface RuleExample {
  readonly profile: string;
  /** Record objects, or raw lines where JSON cannot say it. */
  readonly lines: readonly (string | Readonly<Record<string, unknown>>)[];
  readonly note?: string;
  /** Further files of the same dataset, read before `lines`, by name. */
  readonly files?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

export interface RecordInput {
  readonly record: CanonicalRecord;
  readonly settings: FileSettings;
  /** Static facts of the solution; undefined without one. */
  readonly solution: StaticSolution | undefined;
  /** Pointers that the text stage read as null although something stood there (NaN). */
  readonly nonFinite: readonly string[];
  /** The record's text, for what parsing loses (3.0 is read as 3); absent where only the value is at hand. */
  readonly text?: string;
  /** Whether `text` is all ASCII; undefined: not looked at. */
  readonly isAscii?: boolean | undefined;
  /** See `ParsedText`. */
  readonly hasDecimals?: boolean | undefined;
}

export interface RunInput extends RecordInput {
  readonly run: RunResult;
}

export interface SizeInput extends RecordInput {
  readonly document: DocumentFacts;
}

export interface PageInput extends SizeInput {
  /** By page number as cited; pages that could not be read are absent. */
  readonly pages: ReadonlyMap<number, PageFacts>;
  /** Text of every page of the document; undefined as long as no rule has asked for it, or where there is none. */
  readonly documentText: readonly string[] | undefined;
  /** Asks for `documentText`: the rule is called again with it where it can be read. */
  readonly wantText: () => void;
  /** Pointers of boxes that have a finding of level error: nothing is said of what stands in them. */
  readonly faultyBoxes: ReadonlySet<string>;
}

export interface TraceInput extends RecordInput {
  readonly trace: Trace;
  /** The executed solution, where it ran. */
  readonly run: RunResult | undefined;
}

export type Report = (finding: Omit<LocalFinding, 'code'>) => void;

/** Where a record stands in its file; 0-based. */
export type RecordPlace = Pick<RecordSlot, 'index' | 'line' | 'column'>;

/** A finding that is worded once its record is at hand again, so that nothing of it needs to be kept. */
export interface LateFinding {
  say(input: RecordInput, document?: DocumentFacts): Omit<LocalFinding, 'code'>;
  /** Whether the document's facts must be at hand, too. */
  readonly wantsDocument?: true;
  /** The places in other records that it will name. */
  readonly places?: readonly { readonly recordIndex: number; readonly pointer: string }[];
}

export type FoundAcross = Omit<LocalFinding, 'code'> | LateFinding;

/** Puts together what was read of all records of a file, in its order; must keep hashes and counts only. */
export interface Reducer<Item = unknown> {
  add(item: Item, place: RecordPlace): void;
  /** `digest` and `add` in one, where it spares making the item. */
  read?(input: RecordInput, place: RecordPlace, document?: DocumentFacts): void;
  /** Findings by record index; null stands for the file's start. */
  end(report: (index: number | null, finding: FoundAcross) => void): void;
}

/** What the rules keep between the files of one `datasets` entry. */
export interface DatasetMemory {
  /** The file at hand, as people know it. */
  readonly file: string;
  /** Its absolute path, for places in it. */
  readonly path?: string;
  /** By rule; hashes and short texts only. */
  readonly kept: Map<string, unknown>;
  /** What is kept is shared: the file at hand is compared with it and not added. */
  readonly readOnly?: boolean;
}

interface RuleBase {
  readonly code: string;
  readonly severity: Severity;
  /** Default level where it is not the severity. */
  readonly off?: true;
  /** One line, in the imperative or as a statement of the fault. */
  readonly title: string;
  /** What it means, why it matters, what to do. Plain text with blank lines between paragraphs. */
  readonly why: string;
  readonly fires: RuleExample;
  readonly quiet: RuleExample;
}

export type Rule = RuleBase &
  (
    | /** Reported by the text stage under this code. */ { readonly needs: 'text' }
    | {
        readonly needs: 'record' | 'solution';
        checkRecord(input: RecordInput, report: Report): void;
        /** Asked first, once for all rules that share the function: where it says no, none of them finds anything. */
        readonly asks?: (input: RecordInput) => boolean;
      }
    | { readonly needs: 'run'; checkRun(input: RunInput, report: Report): void }
    | { readonly needs: 'trace'; checkTrace(input: TraceInput, report: Report): void }
    | { readonly needs: 'page'; checkPage(input: PageInput, report: Report): void }
    | { readonly needs: 'size'; checkSize(input: SizeInput, report: Report): void }
    | {
        readonly needs: 'file' | 'dataset';
        /**
         * What the rule needs of one record, as small JSON: hashes and counts. Asked in no order and wherever the record is
         * checked, which may be another machine. undefined: nothing.
         */
        digest(input: RecordInput, document?: DocumentFacts): unknown;
        reduce(settings: FileSettings, dataset?: DatasetMemory): Reducer;
        /** What it says besides where pages are read; they are not read for that. */
        checkPage?(input: PageInput, report: Report): void;
        /**
         * Puts together what was kept of single files, in their order, as if they had been read one after the other. In steps of
         * about a millisecond, so that an editor can spread them.
         */
        join?(parts: readonly unknown[]): Generator<undefined, unknown>;
      }
  );

export type { RuleLevel };
