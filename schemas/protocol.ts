/**
 * Messages between the extension and the language server beyond LSP itself. Declared once, here; both sides import the
 * names and types. Positions and ranges are LSP's (0-based, UTF-16).
 */
import type { CoordinateReading, EvidenceCoordinates, PageUnits } from './regions.ts';
import type { RuleLevel, Severity, Verdict } from './report.ts';

export interface ProtocolRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** `initializationOptions` of the server. */
export interface InitializationOptions {
  /** Solutions run in trusted workspaces only. */
  readonly trusted: boolean;
  /** Folder for caches that outlive the server. */
  readonly cacheFolder?: string;
  /** The client carries out commands of code actions that ask the user for something (`ACCEPT_COMMAND`). */
  readonly asks?: boolean;
  /** Above which size the client hands no file over, where it is not `LARGE_FILE_BYTES`. */
  readonly largeFileBytes?: number;
}

/**
 * A file above this size is large, in bytes: VS Code hands no text over 50 MB to extensions. The server reads the records of
 * such a file from disk, one by one.
 */
export const LARGE_FILE_BYTES = 50 * 1024 * 1024;

/** Options of Node with which the server is to be started: what is made and forgotten in checking large files stays small. */
export const SERVER_OPTIONS: readonly string[] = ['--max-semi-space-size=8'];

/** Prefix of the settings, of the commands and of the context keys. */
export const SETTINGS_SECTION = 'auditableQa';

/** Settings under `auditableQa`, as the client sends them (`workspace/configuration`). */
export interface Settings {
  readonly solutions: {
    readonly run: 'automatic' | 'manual' | 'off';
    /** `python`: the user's own, with the user's permissions. Editors must not take it from a workspace's settings. */
    readonly runner: 'sandbox' | 'python';
    /** Absolute path of that Python, or its name on PATH; '': python3 or python on PATH. */
    readonly python: string;
  };
  readonly rules: Readonly<Record<string, RuleLevel>>;
  readonly codeLens: { readonly enabled: boolean };
  readonly maxDiagnostics: number;
}

export const DEFAULT_SETTINGS: Settings = {
  solutions: { run: 'automatic', runner: 'sandbox', python: '' },
  rules: {},
  codeLens: { enabled: true },
  maxDiagnostics: 1000,
};

/** Server → client, whenever it changes: what the status item shows for one document. */
export const STATUS = 'auditableQa/status';
export interface StatusParams {
  readonly uri: string;
  /** null: no profile fits, the server stays silent on the file. */
  readonly profile: { readonly name: string; readonly title: string; readonly reason: string } | null;
  readonly records: number;
  readonly counts: Readonly<Record<Severity, number>>;
  readonly solutions: { readonly done: number; readonly total: number; readonly passed: number };
  /** Something is still being computed. */
  readonly running: boolean;
}

/** Client → server: trust was granted. */
export const TRUST_GRANTED = 'auditableQa/trustGranted';

/** Client → server: run the solution of one record now; the code lens's command. */
export const RUN_SOLUTION = 'auditableQa/runSolution';
export interface RecordParams {
  readonly uri: string;
  /** 0-based. */
  readonly index: number;
}
export interface SolutionOutcome {
  readonly value: string | null;
  readonly type: string | null;
  readonly gold: number | null;
  readonly verdict: Verdict;
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly line: number | null;
    /** The solution ran through: `type` and `message` are of the value that it returned, which is no number. */
    readonly returned?: true;
  } | null;
  readonly stdout: string;
  readonly ms: number;
}

/** Client → server: run all solutions of a file; answered when the last one is done. null: no profile fits the file. */
export const RUN_ALL = 'auditableQa/runAll';
export interface RunAllParams {
  readonly uri: string;
}
export interface RunAllResult {
  readonly run: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Client → server, notification: where the cursor is; above a thousand records only this record and faulty ones get lenses. */
export const CURSOR = 'auditableQa/cursor';
export interface CursorParams {
  readonly uri: string;
  readonly position: { readonly line: number; readonly character: number };
}

/** Client → server: the record at a position; between records the next one, after the last the last. null: there is none. */
export const RECORD_AT = 'auditableQa/recordAt';
export type RecordAtParams = CursorParams;
export interface RecordAt {
  /** 0-based. */
  readonly index: number;
  readonly records: number;
  readonly range: ProtocolRange;
}

/** Client → server: the configuration that says what was recognised for a file. null: no profile fits it. */
export const CONFIGURATION = 'auditableQa/configuration';
export interface ConfigurationParams {
  readonly uri: string;
  /** How boxes and pages are to be read; absent: as they are. */
  readonly reading?: CoordinateReading;
}
export interface ConfigurationProposal {
  /** Where `auditable-qa.json` belongs. */
  readonly uri: string;
  readonly content: string;
}

/** Command of a code action: the client asks for a reason and sends `ACCEPT`. Arguments: the members of `AcceptParams` but for it. */
export const ACCEPT_COMMAND = 'auditableQa.acceptFinding';

/** Client → server: accepts a finding: a line is added to the file of accepted findings beside. */
export const ACCEPT = 'auditableQa/accept';
export interface AcceptParams {
  readonly uri: string;
  readonly fingerprint: string;
  readonly reason: string;
  readonly by?: string;
}
/** `problem`: why it was not written, as a sentence. */
export interface AcceptResult {
  /** The file of accepted findings. */
  readonly uri: string;
  readonly problem: string | null;
}

/** Client → server: all rules, by code. */
export const RULE_LIST = 'auditableQa/rules';
export interface RuleSummary {
  readonly code: string;
  readonly severity: Severity;
  readonly title: string;
}

/** Client → server: a rule's page as Markdown. null: no rule has this code. */
export const EXPLAIN = 'auditableQa/explain';
export interface ExplainParams {
  readonly code: string;
}

/** Command of a code action, carried out by the client: shows a rule's fix in all records of a file, then makes it. Arguments: uri, code. */
export const FIX_EVERYWHERE_COMMAND = 'auditableQa.fixEverywhere';

/** Command of code actions, carried out by the server: a fix that saving from the editor would do more than. */
export const FIX_ON_DISK = 'auditableQa.fixOnDisk';
/**
 * Which fixes: one of a finding (0-based among its fixes), all of a rule, all safe ones, or those that convert boxes as the
 * finding says: of its record (or of the record `index`, of its box at `pointer` only), or of the file.
 */
export type FixTarget = { readonly uri: string } & (
  | { readonly kind: 'finding'; readonly fingerprint: string; readonly fix: number }
  | { readonly kind: 'rule'; readonly code: string }
  | {
      readonly kind: 'conversion';
      readonly fingerprint: string;
      readonly scope: 'box' | 'record' | 'file';
      readonly index?: number;
      readonly pointer?: string;
    }
  | { readonly kind: 'safe' }
);

/**
 * Commands that code lenses and document links name; the client carries them out. Arguments: uri and 0-based record index; of `preview`
 * also the JSON pointer of what is to be shown, such as a page.
 */
export const LENS_COMMANDS = {
  run: 'auditableQa.runSolution',
  preview: 'auditableQa.previewEvidence',
  editRecord: 'auditableQa.editRecord',
  editSolution: 'auditableQa.editSolution',
} as const;

/** Client → server: what the preview shows for the record at a position (or by index). null: no record there. */
export const EVIDENCE = 'auditableQa/evidence';
export interface EvidenceParams {
  readonly uri: string;
  readonly position?: { readonly line: number; readonly character: number };
  readonly index?: number;
  /** Answer when the numbers were looked up on the pages too (`EvidenceTrace.pending`); else at once. */
  readonly withPages?: boolean;
  /** Boxes and pages are read so, to see where they would lie; nothing is changed. */
  readonly reading?: CoordinateReading;
}
/** Client → server: the range of a value of a record in the text document, or of a part of a text. */
export const LOCATE = 'auditableQa/locate';
export interface LocateParams extends RecordParams {
  readonly pointer: string;
  /** Of a text: the part, in UTF-16 units of the decoded text. */
  readonly inString?: TextSpan;
}

/** Offsets in UTF-16 units, end exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A region on a page, in fractions (0–1) of the page as displayed, origin top-left. */
export interface EvidenceRegion {
  /**
   * Nobody knows where it lies: the page's size does not tell, or it is no four numbers. `left` to `height` are 0, and it is shown in lists
   * only. Such ones are told so that positions on the page are those of the record.
   */
  readonly unplaced?: true;
  readonly pointer: string;
  readonly label: string | null;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The numbers as they stand in the file, for people. */
  readonly text: string;
  /** The same as numbers; absent where they are no four finite numbers. */
  readonly numbers?: readonly [number, number, number, number];
  /** Findings on this region. */
  readonly problems: readonly { readonly severity: Severity; readonly code: string; readonly message: string }[];
}

export type PageSource =
  | { readonly kind: 'pdf'; readonly path: string; /** 0-based. */ readonly pageIndex: number }
  | { readonly kind: 'image'; readonly path: string }
  | { readonly kind: 'missing'; readonly message: string };

export interface EvidencePage {
  /** As the record writes it. */
  readonly number: number;
  readonly pointer: string;
  readonly source: PageSource;
  /** Width ÷ height as displayed; null where it is not known. */
  readonly aspect: number | null;
  /** In the units of the record's boxes; absent where the page's size does not tell them. */
  readonly units?: PageUnits;
  /** As readers show the page (`iv`), where the document has labels of its own. */
  readonly label?: string;
  readonly regions: readonly EvidenceRegion[];
}

export interface EvidenceBlock {
  readonly pointer: string;
  /** Where the block itself stands, e.g. `/paragraphs/3`. */
  readonly blockPointer: string;
  /** As in messages: `paragraphs[3]`. */
  readonly name: string;
  readonly kind: 'text' | 'table' | 'missing';
  readonly text: string;
  /**
   * Text around the table, and its cells; tables only. `cells`: where in `text` each cell of `rows` stands, blanks around it left out;
   * null: what the cell shows is not to be found there as one stretch.
   */
  readonly table?: {
    readonly before: string;
    readonly rows: readonly (readonly string[])[];
    readonly after: string;
    readonly cells?: readonly (readonly (TextSpan | null)[])[];
  };
  /** `text` is the value at `blockPointer` in the record itself: it can be edited there. */
  readonly editable?: boolean;
}

/** How a number relates to the evidence; `says` has it in words. */
export type NumberVerdict =
  'cited' | 'context' | 'scaled' | 'negated' | 'digits-exchanged' | 'derived' | 'constant' | 'question' | 'nowhere';

/** Where a number stands in a block of the context. */
export interface NumberInBlock {
  readonly kind: 'block';
  /** As `EvidenceBlock.blockPointer`; not every such block is cited and shown. */
  readonly blockPointer: string;
  /** Offsets in the block's text as it stands in the record. */
  readonly inString: TextSpan;
  /** As in messages: `paragraphs[1] row "Revenue", column "2032"`. */
  readonly name: string;
  readonly cited: boolean;
  /**
   * Offsets in what `EvidenceBlock` has: in `text` of prose; of tables in `before`, `after` or one cell of `rows`, whose
   * 0-based row and column stand beside. null: it is not shown there.
   */
  readonly shown:
    | (TextSpan & {
        readonly part: 'text' | 'before' | 'cell' | 'after';
        readonly row?: number;
        readonly column?: number;
      })
    | null;
}

/** Where a number stands on a page, in fractions (0–1) of the page as displayed, origin top-left. */
export interface NumberOnPage {
  readonly kind: 'page';
  /** Position in `EvidenceView.pages`. */
  readonly page: number;
  /** Pointer of the box that it stands in. */
  readonly region: string | null;
  /** `page 12, inside box 2`. */
  readonly name: string;
  readonly cited: boolean;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A number of the solution, or of the answer where there is no solution. */
export interface EvidenceNumber {
  /** As it is spelled. */
  readonly text: string;
  /** The variable that it is assigned to. */
  readonly name: string | null;
  readonly verdict: NumberVerdict;
  /** The verdict as a clause: "stands in the cited evidence". */
  readonly says: string;
  /** Nothing that could be looked at has the number. */
  readonly unsupported: boolean;
  /** Where it is written: what `LOCATE` takes. */
  readonly pointer: string;
  readonly inString: TextSpan;
  /** Best first; near misses where two digits are exchanged. */
  readonly places: readonly (NumberInBlock | NumberOnPage)[];
}

/** The answer, or a part of it, as words. */
export interface EvidencePhrase {
  readonly text: string;
  /** Where it is written: what `LOCATE` takes. */
  readonly pointer: string;
  readonly inString: TextSpan;
  /** "stands in the cited evidence". */
  readonly says: string;
  /** It stands nowhere that could be looked at, as it is written. */
  readonly unsupported: boolean;
  /** Best first. */
  readonly places: readonly (NumberInBlock | NumberOnPage)[];
}

export interface EvidenceTrace {
  /** In the order in which they are written. */
  readonly numbers: readonly EvidenceNumber[];
  /** The words of an answer that is text, in the order in which they are written; absent: there are none to look up. */
  readonly phrases?: readonly EvidencePhrase[];
  /** Numbers of cited pages without words that could be read: numbers may stand there all the same. */
  readonly unread: readonly number[];
  /** The pages have not been looked at yet: ask again `withPages`. */
  readonly pending: boolean;
}

/** Snapshot of one record's evidence: everything the preview shows. */
export interface EvidenceView {
  readonly uri: string;
  readonly version: number | null;
  readonly index: number;
  readonly records: number;
  readonly id: string | null;
  readonly profile: string;
  readonly question: string | null;
  readonly answer: string | null;
  readonly solution: SolutionOutcome | null;
  /** The solution as it is written, where it is text. `python`: it can be run. */
  readonly code?: { readonly pointer: string; readonly text: string; readonly language: string } | null;
  readonly document: string | null;
  readonly pages: readonly EvidencePage[];
  readonly blocks: readonly EvidenceBlock[];
  /** How boxes are read; absent: the dataset has none. */
  readonly coordinates?: EvidenceCoordinates;
  /** What a label can be, as the profile has it; empty: anything. */
  readonly labels?: readonly string[];
  /** What can be changed in place, as JSON pointers; absent: the record has no such value. */
  readonly editable?: { readonly question?: string; readonly answer?: string; readonly solution?: string };
  /** null: the record has no number that could be looked up, or nothing to look it up in. */
  readonly trace: EvidenceTrace | null;
  readonly problems: readonly {
    readonly severity: Severity;
    readonly code: string;
    readonly message: string;
    readonly pointer: string;
  }[];
  /** Pointer of the value under the cursor, where the request had a position. */
  readonly cursor: string | null;
  /** Of a text under the cursor: where in it the cursor stands, in UTF-16 units of the decoded text. */
  readonly cursorAt?: number | null;
}
