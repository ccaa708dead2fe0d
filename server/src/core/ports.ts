/**
 * What the pipeline needs from outside, as plain data and small asynchronous ports. The core implements none of them.
 */
import type { RunSteps } from '../../../schemas/steps.ts';

/** A signal that work is no longer wanted. Structurally an LSP CancellationToken or AbortSignal adapter. */
export interface Cancel {
  readonly aborted: boolean;
  onAbort(listener: () => void): { dispose(): void };
}

export interface RunLimits {
  /** Wall-clock limit in ms. */
  readonly timeoutMs: number;
  /** Heap limit of the interpreter in MiB. */
  readonly memoryMb: number;
  /** Limit of the printed text in UTF-16 units. */
  readonly outputLimit: number;
}

export interface RunRequest {
  readonly source: string;
  /** Function that is called without arguments. */
  readonly entryPoint: string;
  readonly limits: RunLimits;
  /** Set where the user has chosen the own Python instead of the sandbox. */
  readonly engine?: 'python';
  /**
   * Writes down the steps of the run (`RunResult.steps`). `steps`: nobody wants the value, the run may end when no more of them are
   * kept, so that endless ones have steps too.
   */
  readonly trace?: 'run' | 'steps';
}

export type RunErrorKind =
  | 'syntax'
  | 'exception'
  | 'entryPoint'
  | 'badReturn'
  | 'notFinite'
  | 'timeout'
  | 'memory'
  | 'recursion'
  | 'blocked'
  | 'crash'
  /** No engine could be started: says nothing of the solution, which counts as not run. */
  | 'unavailable';

export interface RunError {
  readonly kind: RunErrorKind;
  /** Python's exception type, or the type of the value returned. */
  readonly type: string;
  readonly message: string;
  /** 1-based line and column inside the solution. */
  readonly line?: number;
  readonly column?: number;
}

/** A solution run again under other circumstances (`core/trace/probe.ts`). */
export interface ProbedRun {
  /** The value under another clock, other seeds and hashes, and sets in another order, as `repr`. */
  readonly shifted?: string;
  /** Variables whose numbers can be changed without moving the result. */
  readonly withoutEffect?: readonly string[];
}

export interface RunResult {
  /** `program`: computed by the core itself, from a program or formula that is not Python. */
  readonly engine: 'sandbox' | 'python' | 'program';
  readonly pythonVersion: string;
  /** Python's `repr` of the value; ints stay text. */
  readonly value?: {
    /** `list` (several numbers) and `text` (yes or no) only where the dataset's golds are such. */
    readonly kind: 'int' | 'float' | 'list' | 'text';
    readonly repr: string;
  };
  readonly error?: RunError;
  readonly stdout: string;
  readonly stdoutTruncated: boolean;
  /** Time of the run in ms, without queueing. */
  readonly ms: number;
  /** What further runs of the same solution told; absent where none was needed or wanted. */
  readonly probed?: ProbedRun;
  /** Only where they were asked for, and only of runs that came to an end. */
  readonly steps?: RunSteps;
}

/** Runs solutions. A request never rejects but for `Cancel`; every fault is a `RunResult` with an error. */
export interface SolutionRunner {
  run(request: RunRequest, cancel?: Cancel): Promise<RunResult>;
  dispose(): Promise<void>;
}

/** Size of a page as displayed (rotation and CropBox applied), in PDF points of 1/72 inch. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export type PdfFacts =
  | {
      readonly state: 'ok';
      readonly path: string;
      readonly pages: readonly PageSize[];
      /** The labels under which readers show the pages (i, ii, 1, 2, …), where the document has its own. */
      readonly labels?: readonly string[];
    }
  | { readonly state: 'unreadable'; readonly path: string; readonly reason: string }
  | { readonly state: 'missing'; readonly looked: readonly string[] }
  /** The location leads outside the workspace, or holds a placeholder the record has no value for. */
  | { readonly state: 'refused'; readonly reason: string };

export type PageImageFacts =
  /** Width and height in pixels of the image itself. */
  | { readonly state: 'ok'; readonly path: string; readonly width: number; readonly height: number }
  | { readonly state: 'unreadable'; readonly path: string; readonly reason: string }
  | { readonly state: 'missing'; readonly looked: readonly string[] }
  | { readonly state: 'refused'; readonly reason: string };

/** A file that holds the context of a record: its paragraphs and tables in order, each a text. */
export type ContextFacts =
  | { readonly state: 'ok'; readonly path: string; readonly blocks: readonly string[] }
  | { readonly state: 'unreadable'; readonly path: string; readonly reason: string }
  | { readonly state: 'missing'; readonly looked: readonly string[] }
  | { readonly state: 'refused'; readonly reason: string };

/** What is known of the document of one record. Absent members: no location is configured or recognised for them. */
export interface DocumentFacts {
  /** The document's name as the record gives it. */
  readonly name: string;
  readonly pdf?: PdfFacts;
  /** Per cited page, under the page's number as the record writes it. */
  readonly images?: ReadonlyMap<number, PageImageFacts>;
  /** Numbers of the page images that lie in the document's folder, ascending, as named there; for the page count. */
  readonly imageNumbers?: readonly number[];
  /** Only where the record's context lies in a file of its own. */
  readonly context?: ContextFacts;
}

/** Where documents of a record may lie; templates are already filled in by the core, paths are absolute and inside the root. */
export interface DocumentRequest {
  readonly name: string;
  readonly pdf: readonly string[];
  /** Candidates of the file that holds the context. */
  readonly context?: readonly string[];
  /** Per cited page the candidate paths, best first. */
  readonly images: ReadonlyMap<number, readonly string[]>;
  /** For counting pages: folder and a file name pattern with one group for the number. */
  readonly imageListing?: { readonly folder: string; readonly pattern: string };
  /** Listings of the further layouts, best first: to be tried where `imageListing` has no page. Recognised layouts only. */
  readonly otherListings?: readonly { readonly folder: string; readonly pattern: string }[];
  readonly refused?: string;
  /** Absolute folder that no candidate may leave, also not through a link (`FileSettings.base`); the reader checks it. */
  readonly root?: string;
}

/** A place on a page: fractions (0–1) of the page as displayed, origin top-left. */
export interface PagePlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PageWord extends PagePlace {
  readonly text: string;
}

/** Words of one line that follow each other without a gap: cells of a table row are lines of their own. */
export interface PageLine extends PagePlace {
  readonly words: readonly PageWord[];
  /** Mean width of a glyph, as a fraction of the page's width (of its height, where the text is turned). */
  readonly glyph: number;
  /** Reads from left to right; text that is turned has false. */
  readonly upright: boolean;
}

/** Lines that stand together: a paragraph, a table row, a heading. */
export interface PageBlock extends PagePlace {
  readonly lines: readonly PageLine[];
}

/** A picture or drawing on a PDF page. `rule` is a thin straight line, as in tables. */
export interface PageGraphic extends PagePlace {
  readonly kind: 'image' | 'drawing' | 'rule';
}

/** The text layer of a PDF page. Line boxes hug the glyphs: from the top of capitals to the baseline or the descenders. */
export interface PageText {
  readonly lines: readonly PageLine[];
  readonly blocks: readonly PageBlock[];
  readonly graphics: readonly PageGraphic[];
}

/** A page image reduced to what rules and snapping need. Rows of `bits` and `marks` begin at a whole byte, highest bit first. */
export interface PageInk {
  /** Pixels of the image. */
  readonly width: number;
  readonly height: number;
  /** One bit a pixel: ink, that is luminance below 128. */
  readonly bits: Uint8Array;
  /** One bit for each square of `cell` × `cell` pixels: something in it differs from the page's background. */
  readonly marks: Uint8Array;
  readonly cell: number;
}

/** What stands on one page: its PDF text, and the ink of its image, each where it is there and could be read. */
export interface PageFacts {
  readonly text?: PageText;
  readonly ink?: PageInk;
  /** The image is there, and its pixels could not be had. */
  readonly imageFault?: PageImageFault;
}

export interface PageImageFault {
  /** Absolute. */
  readonly path: string;
  /** To stand after its name. */
  readonly reason: string;
  /** Nothing is wrong with it that is known: it is too large, or takes too long. */
  readonly isLimit: boolean;
}

/** A page of a document: its number as the record cites it, and its 0-based position in the PDF. */
export interface CitedPage {
  readonly number: number;
  readonly index: number;
}

/** Absolute paths of the files of a document that are there. */
export interface FoundDocument {
  readonly pdf?: string;
  /** Per cited page, under the page's number as the record writes it. */
  readonly images: ReadonlyMap<number, string>;
}

/** A page image as it is displayed, for whoever can show PNG only. */
export interface PagePicture {
  /** Of less pixels where the image has very many. */
  readonly png: Uint8Array;
  /** Of the image itself, in px. */
  readonly width: number;
  readonly height: number;
}

/**
 * Page sizes and existence of documents (headers only), and on demand what stands on single pages. Results are cached by
 * path, size and time; the cache of pages is small, since one is a megabyte.
 */
export interface DocumentReader {
  read(request: DocumentRequest, cancel?: Cancel): Promise<DocumentFacts>;
  /** What stands on pages of a document that was found, by number as cited. Of pages that cannot be read nothing is given. */
  readPages?(
    document: DocumentFacts,
    pages: readonly CitedPage[],
    cancel?: Cancel,
  ): Promise<ReadonlyMap<number, PageFacts>>;
  /** Which of the files are there, without reading them. What is refused or cannot be reached counts as not there. */
  find?(request: DocumentRequest, cancel?: Cancel): Promise<FoundDocument>;
  /** Names of what lies in a folder inside of `root`; none where it cannot be listed. At most a few thousand. */
  names?(folder: string, root: string): Promise<readonly string[]>;
  /** Plain text of every page of the PDF, words parted by blanks; undefined where there is none that can be read. */
  readText?(document: DocumentFacts, cancel?: Cancel): Promise<readonly string[] | undefined>;
  /** The image of a page that was found, by number as cited; undefined where it cannot be read. */
  readPicture?(document: DocumentFacts, number: number, cancel?: Cancel): Promise<PagePicture | undefined>;
  dispose(): Promise<void>;
}
