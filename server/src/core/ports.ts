/**
 * What the pipeline needs from outside, as plain data and small asynchronous ports. The core implements none of them.
 */

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

export interface RunResult {
  readonly engine: 'sandbox' | 'python';
  readonly pythonVersion: string;
  /** Python's `repr` of the value; ints stay text. */
  readonly value?: { readonly kind: 'int' | 'float'; readonly repr: string };
  readonly error?: RunError;
  readonly stdout: string;
  readonly stdoutTruncated: boolean;
  /** Time of the run in ms, without queueing. */
  readonly ms: number;
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
  | { readonly state: 'ok'; readonly path: string; readonly pages: readonly PageSize[] }
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

/** What is known of the document of one record. Absent members: no location is configured or recognised for them. */
export interface DocumentFacts {
  /** The document's name as the record gives it. */
  readonly name: string;
  readonly pdf?: PdfFacts;
  /** Per cited page, under the page's number as the record writes it. */
  readonly images?: ReadonlyMap<number, PageImageFacts>;
  /** Numbers of the page images that lie in the document's folder, ascending, as named there; for the page count. */
  readonly imageNumbers?: readonly number[];
}

/** Where documents of a record may lie; templates are already filled in by the core, paths are absolute and inside the root. */
export interface DocumentRequest {
  readonly name: string;
  readonly pdf: readonly string[];
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

/** Page sizes and existence of documents. Reads headers only; results are cached by path, size and time. */
export interface DocumentReader {
  read(request: DocumentRequest, cancel?: Cancel): Promise<DocumentFacts>;
  dispose(): Promise<void>;
}
