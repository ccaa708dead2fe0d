import type { Position, Finding, LocalFinding } from './finding.ts';
import type { CitedPage, DocumentFacts, DocumentRequest, PageFacts, RunRequest, RunResult } from './ports.ts';
import type { FileSettings } from './profile/types.ts';
import type { DatasetMemory } from './rules/types.ts';
import type { CanonicalRecord } from './record/types.ts';
import type { StaticSolution } from './solution/types.ts';
import type { FileFault, ParsedText, RecordSlot } from './text/types.ts';
import type { SolutionOutcome } from '../../../schemas/protocol.ts';

/** All that follows from a record's text and the file's settings alone. May be cached by text: it holds no place. */
export interface CheckedText {
  readonly text: string;
  readonly parsed: ParsedText;
  /** undefined where the text is no JSON object. */
  readonly record: CanonicalRecord | undefined;
  readonly solution: StaticSolution | undefined;
  /** The result of a solution that is a program and not Python: it needs no engine. */
  readonly computed?: RunResult;
  readonly findings: readonly LocalFinding[];
}

/** What arrived later for a record; members are absent until then. */
export interface RecordFacts {
  readonly run?: RunResult;
  readonly document?: DocumentFacts;
  /** What the rules on page content found (`readPageFindings`): kept in place of the pages, of which each is a megabyte. */
  readonly pageFindings?: readonly LocalFinding[];
}

/** What was read of a record's pages. */
export interface PagesRead {
  readonly pages: ReadonlyMap<number, PageFacts>;
  /** Text of all pages of the document; absent until a rule has asked for it. */
  readonly documentText?: readonly string[];
}

/**
 * The pipeline for the records of one file. Pure; every surface calls these functions in this order:
 * checkText → (runRequest → run → outcome) / (documentRequest → read) → findings(slot, checked, facts) → collect/end.
 */
export interface Checker {
  readonly settings: FileSettings;
  /** `outer`: the element that a nested record lies in (`RecordSlot.outer`). */
  checkText(text: string, outer?: RecordSlot['outer']): CheckedText;
  /** The run that the record's solution needs; undefined: no solution, or one that is not to be run. */
  runRequest(checked: CheckedText): RunRequest | undefined;
  /** Where the record's document may lie; undefined: the record names none or no location is known. */
  documentRequest(checked: CheckedText): DocumentRequest | undefined;
  /** The pages whose content the rules want to see; empty: none. */
  pagesWanted(checked: CheckedText, document: DocumentFacts): readonly CitedPage[];
  /** What the rules on page content find. `wantsText`: they need the text of the whole document to tell; ask again with it. */
  checkPages(
    checked: CheckedText,
    document: DocumentFacts,
    read: PagesRead,
  ): { readonly findings: readonly LocalFinding[]; readonly wantsText: boolean };
  /** Value, gold and verdict for lenses and reports; `run` undefined means skipped. undefined: the record has no solution. */
  outcome(checked: CheckedText, run: RunResult | undefined): SolutionOutcome | undefined;
  /**
   * All findings of one record, placed, precedence and levels applied, in order of place. `ordinal` tells records with
   * the same key apart in fingerprints (`createOrdinals`, in file order).
   */
  findings(slot: RecordSlot, checked: CheckedText, facts: RecordFacts, ordinal?: number): Finding[];
  /** Starts the rules that look across the records of the file; with `dataset` also across the files before it. */
  collect(dataset?: DatasetMemory): Collection;
  /** Places faults of the text stage that belong to no record. */
  fileFindings(faults: readonly FileFault[]): Finding[];
}

export interface Collection {
  add(slot: RecordSlot, checked: CheckedText, facts: RecordFacts): void;
  /** Findings of file and dataset rules, by record index; null belongs to the file's start. Places need the record's slot and text. */
  end(): readonly { readonly index: number | null; readonly finding: LocalFinding }[];
  /** Places one of them; slot and checked undefined for index null. undefined: the rule is off. */
  place(
    found: { readonly index: number | null; readonly finding: LocalFinding },
    slot?: RecordSlot,
    checked?: CheckedText,
    ordinal?: number,
  ): Finding | undefined;
}

export type { Position };
