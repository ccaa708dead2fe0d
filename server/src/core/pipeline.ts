import type { Position, Finding, LocalFinding, RelatedPlace } from './finding.ts';
import type { CitedPage, DocumentFacts, DocumentRequest, PageFacts, RunRequest, RunResult } from './ports.ts';
import type { FileSettings } from './profile/types.ts';
import type { DatasetMemory, FoundAcross, RecordPlace } from './rules/types.ts';
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

/** A finding of a rule across records. */
export interface Found {
  /** Of the record that it is about; null: the file. */
  readonly index: number | null;
  readonly code: string;
  readonly finding: FoundAcross;
}

/** What the rules across records read of one record, by the place of the rule among `Collection.codes`; JSON. */
export type RecordItems = readonly (readonly [rule: number, item: unknown])[];

export interface Collection {
  /** Of the rules at work. */
  readonly codes: readonly string[];
  /** In the order of the file. */
  add(slot: RecordSlot, checked: CheckedText, facts: RecordFacts): void;
  /** The two halves of `add`: what is read of one record, in any order and anywhere; and what is made of it, in the order of the file. */
  digest(checked: CheckedText, facts: RecordFacts): RecordItems;
  reduce(place: RecordPlace, items: RecordItems): void;
  end(): readonly Found[];
  /**
   * Places one of them; slot, checked and facts of its record, undefined for index null. undefined: the rule is off. `elsewhere` are
   * related places in other records, to be laid by whoever has these.
   */
  place(
    found: Found,
    slot?: RecordSlot,
    checked?: CheckedText,
    ordinal?: number,
    facts?: RecordFacts,
  ): { readonly finding: Finding; readonly elsewhere: readonly PlaceElsewhere[] } | undefined;
}

export type PlaceElsewhere = RelatedPlace & { readonly recordIndex: number };

export type { Position };
