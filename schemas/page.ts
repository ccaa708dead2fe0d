/**
 * Messages between the preview page and its host. The page knows nothing else of the outside; sources of pages arrive as
 * addresses it may fetch.
 */
import type { CropParams, CropResult } from './crops.ts';
import type { EvidencePage, EvidenceView, RecordParams, TextSpan } from './protocol.ts';
import type {
  ChangeEvidenceParams,
  ConvertBoxesParams,
  CoordinateReading,
  DocumentPage,
  FitRegionParams,
  FitRegionResult,
  PagePictureParams,
  PagePictureResult,
  ProposeRegionsParams,
  ProposeRegionsResult,
  RegionTextParams,
  RegionTextResult,
} from './regions.ts';

export interface PageSourceUrl {
  readonly kind: 'pdf' | 'image' | 'missing';
  /** Address to fetch; absent for `missing`. */
  readonly url?: string;
  /** 0-based; `pdf` only. */
  readonly pageIndex?: number;
  readonly message?: string;
}
export type ShownPage = Omit<EvidencePage, 'source'> & { readonly source: PageSourceUrl };
export type ShownEvidence = Omit<EvidenceView, 'pages'> & { readonly pages: readonly ShownPage[] };

export type ShownDocumentPage = Omit<DocumentPage, 'source'> & { readonly source: PageSourceUrl };

/**
 * What the page asks the host, each with an answer of its own. `uri`, `index` and `version` are those of the snapshot that is shown: by
 * the time that the host hears the question, it may have sent another one.
 */
export interface PageQuestions {
  /** Makes a change in the text document. `done`: the snapshot that shows it follows. */
  change: { ask: ChangeEvidenceParams; answer: ChangeAnswer };
  undo: { ask: { readonly uri: string; readonly redo: boolean }; answer: ChangeAnswer };
  fit: { ask: FitRegionParams; answer: FitRegionResult };
  /** `service`: from the service that the user has configured, by the picture of the page; else by what stands on the page. */
  propose: {
    ask: ProposeRegionsParams & { readonly service?: PagePicture };
    answer: ProposeRegionsResult;
  };
  regionText: { ask: RegionTextParams; answer: RegionTextResult };
  documentPages: {
    ask: RecordParams;
    answer: {
      readonly name: string | null;
      readonly pages: readonly ShownDocumentPage[];
      readonly problem: string | null;
    };
  };
  /** A page image that the browser cannot show. */
  pagePicture: { ask: PagePictureParams; answer: PagePictureResult };
  convert: { ask: ConvertBoxesParams; answer: ChangeAnswer };
  /** A part of a page, or a page, at its full resolution. */
  crop: { ask: CropParams; answer: CropResult };
  /** The same, written to a file that the user is asked for. `name`: proposed for it. `saved`: its name; null: the user would rather not. */
  saveCrop: { ask: CropParams & { readonly name: string }; answer: { readonly saved: string | null } };
}
export type PageQuestion = keyof PageQuestions;

/** A page as PNG, in base64, and its size in pixels. */
export interface PagePicture {
  readonly png: string;
  readonly width: number;
  readonly height: number;
}

/**
 * `pointer`, `title`: as in `ChangeEvidenceResult`. `unchanged`: the text is what was asked for already, and no snapshot follows.
 * `problem`: why nothing was changed, as a sentence.
 */
export type ChangeAnswer =
  | { readonly done: true; readonly pointer: string | null; readonly title: string; readonly unchanged?: true }
  | { readonly done: false; readonly problem: string };

/** Host → page. */
export type ToPage =
  | { readonly type: 'show'; readonly evidence: ShownEvidence | null; readonly message?: string }
  /** The cursor moved inside the record that is shown. `at`: as `EvidenceView.cursorAt`. */
  | { readonly type: 'cursor'; readonly pointer: string | null; readonly at?: number | null }
  /** The answer to `ask`; `problem`: there is none, as a sentence. */
  | { readonly type: 'answer'; readonly id: number; readonly answer?: unknown; readonly problem?: string }
  /** What the user has set. `service`: regions can be proposed by a service. */
  | { readonly type: 'options'; readonly service: boolean }
  /** From now on, nothing but the question and the evidence: answer, solution and findings when they are asked for. */
  | { readonly type: 'evidenceOnly' }
  /** The region that is chosen is to be saved as a picture. */
  | { readonly type: 'saveCrop' };

/** Page → host. */
export type FromPage =
  | { readonly type: 'ready' }
  /** `inString`: a part of the text there. */
  | { readonly type: 'select'; readonly index: number; readonly pointer: string; readonly inString?: TextSpan }
  | { readonly type: 'record'; readonly step: 1 | -1 }
  /** The next or previous problem of the file, as in the Records view. */
  | { readonly type: 'problem'; readonly step: 1 | -1 }
  /** `question`: a key of `PageQuestions`, `ask` its question. */
  | { readonly type: 'ask'; readonly id: number; readonly question: PageQuestion; readonly ask: unknown }
  /** Boxes are to be shown as if read so; null: as declared. */
  | { readonly type: 'reading'; readonly reading: CoordinateReading | null }
  /** The reading is to be declared in the configuration. */
  | { readonly type: 'declare'; readonly reading: CoordinateReading }
  | { readonly type: 'editSolution'; readonly index: number }
  | { readonly type: 'copy'; readonly text: string }
  /** The user is to know, whatever the page shows. */
  | { readonly type: 'tell'; readonly level: 'warning' | 'info'; readonly message: string }
  | { readonly type: 'openDocument'; readonly page: number }
  | { readonly type: 'log'; readonly level: 'error' | 'warning' | 'info'; readonly message: string };
