/**
 * Evidence corrected from the preview: what the client asks of the language server, and what it answers. All places are fractions
 * (0–1) of the page as displayed, origin top-left: neither the page nor the client knows coordinate spaces.
 */
import type { PageSource, ProtocolRange, RecordParams, TextSpan } from './protocol.ts';

export interface PlaceOnPage {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** One gesture. Pointers are those of `EvidenceRegion`; pages are numbered as the record writes them. */
export type EvidenceChange =
  /** Drawn. A page that is not cited yet becomes so. */
  | { readonly kind: 'add'; readonly page: number; readonly place: PlaceOnPage; readonly label: string | null }
  /** Moved or resized. Numbers that come out the same keep their spelling. */
  | { readonly kind: 'place'; readonly pointer: string; readonly place: PlaceOnPage }
  /** The four numbers as they are to stand in the file. */
  | { readonly kind: 'numbers'; readonly pointer: string; readonly numbers: readonly [number, number, number, number] }
  | { readonly kind: 'label'; readonly pointer: string; readonly label: string | null }
  /** Once more on its page, `by` away. */
  | {
      readonly kind: 'duplicate';
      readonly pointer: string;
      readonly by: { readonly left: number; readonly top: number };
    }
  | { readonly kind: 'remove'; readonly pointer: string }
  /** `to`: 0-based position among the regions of its page afterwards. */
  | { readonly kind: 'order'; readonly pointer: string; readonly to: number }
  /** To another page, which becomes cited where it was not; at the end of its regions. */
  | { readonly kind: 'page'; readonly pointer: string; readonly page: number }
  | { readonly kind: 'citePage'; readonly page: number }
  /** With all that is marked on it. */
  | { readonly kind: 'uncitePage'; readonly page: number }
  /**
   * Another text in the place of a value: question, answer, a block, a cell's part of a block (`inString`). `was`: the text that
   * was edited; where the record has another one by now, nothing is changed.
   */
  | {
      readonly kind: 'text';
      readonly pointer: string;
      readonly inString?: TextSpan;
      readonly was: string;
      readonly text: string;
    }
  /** A new record behind this one: its question to be written, its evidence the region or page. */
  | {
      readonly kind: 'record';
      readonly page: number;
      readonly place: PlaceOnPage | null;
      readonly label: string | null;
      /** What was selected on the page: becomes the answer. */
      readonly text: string | null;
    };

/**
 * Client → server: the edits that make a change, minimal, in the spelling of the record; nothing is written, but where the client says so
 * (`onDisk`): it has no document of the file that the record stands in, and the server makes the change there (schemas/disk.ts).
 */
export const CHANGE_EVIDENCE = 'auditableQa/changeEvidence';
export interface ChangeEvidenceParams extends RecordParams {
  /** Version of the snapshot (`EvidenceView.version`) that the change was made on: another one is answered with `stale`. */
  readonly version: number | null;
  readonly change: EvidenceChange;
  readonly onDisk?: boolean;
}
export type ChangeEvidenceResult =
  | {
      readonly kind: 'edits';
      /** The document to be edited: the one asked for, or the file. */
      readonly uri: string;
      readonly version: number | null;
      readonly edits: readonly { readonly range: ProtocolRange; readonly newText: string }[];
      /** Pointer of the region afterwards; null: it is gone, or the change was of none. */
      readonly pointer: string | null;
      /** 0-based index of the record to be shown afterwards. */
      readonly index: number;
      /** "Move region 2", for the undo stack and the announcement. */
      readonly title: string;
    }
  /** The server made it in the file. `version` of the record's snapshot from now on; the rest as above. */
  | {
      readonly kind: 'written';
      readonly uri: string;
      readonly version: number | null;
      readonly pointer: string | null;
      readonly index: number;
      readonly title: string;
      /** The file has what was asked for already. */
      readonly unchanged?: true;
    }
  /** The document has changed since: ask again on the new snapshot. */
  | { readonly kind: 'stale' }
  /** It cannot be made; as a sentence. */
  | { readonly kind: 'problem'; readonly message: string };

/** Client → server: a better place for a region, by what stands on the page. */
export const FIT_REGION = 'auditableQa/fitRegion';
export interface FitRegionParams extends RecordParams {
  readonly page: number;
  readonly place: PlaceOnPage;
  /**
   * `snap`: edges go to words, lines, blocks, cells, tables and figures near them, with the file's own margin: also those of a good box,
   * where its margin is another one; `grow`: outward until nothing is cut; `shrink`: inward to the content. Growing and shrinking leave
   * good boxes as they are.
   */
  readonly how: 'snap' | 'grow' | 'shrink';
}
export interface FitRegionResult {
  readonly place: PlaceOnPage;
  /** What it went to, as a phrase: "table", "3 lines of text". null: nothing to go to; the place is the one asked for. */
  readonly says: string | null;
  /** Why the page could not be looked at, as a sentence. */
  readonly problem: string | null;
}

/** Client → server: what could be regions on a page, best first. */
export const PROPOSE_REGIONS = 'auditableQa/proposeRegions';
export interface ProposeRegionsParams extends RecordParams {
  readonly page: number;
}
export interface RegionProposal {
  readonly place: PlaceOnPage;
  /** One of the profile's labels where the kind tells it. */
  readonly label: string | null;
  /** "table", "paragraph of 5 lines", "figure". */
  readonly says: string;
}
export interface ProposeRegionsResult {
  readonly proposals: readonly RegionProposal[];
  readonly problem: string | null;
}

/** Client → server: the words inside a place of a page, in reading order. */
export const REGION_TEXT = 'auditableQa/regionText';
export interface RegionTextParams extends RecordParams {
  readonly page: number;
  readonly place: PlaceOnPage;
}
export interface RegionTextResult {
  /** Lines parted by LF. null: the page has no words that could be read. */
  readonly text: string | null;
}

/** Client → server: all pages of a record's document, for thumbnails, and for citing those that are not cited. */
export const DOCUMENT_PAGES = 'auditableQa/documentPages';
export interface DocumentPage {
  /** As the record would write it. */
  readonly number: number;
  /** As readers show it (`iv`), where the document has labels of its own. */
  readonly label: string | null;
  readonly source: PageSource;
  readonly aspect: number | null;
  /** As in `EvidencePage`. */
  readonly units: PageUnits | null;
}
export interface DocumentPagesResult {
  readonly name: string | null;
  readonly pages: readonly DocumentPage[];
  /** Why there are none, or not all, as a sentence. */
  readonly problem: string | null;
}

/** Client → server: a page image that browsers cannot show (TIFF), as one that they can. */
export const PAGE_PICTURE = 'auditableQa/pagePicture';
export interface PagePictureParams extends RecordParams {
  readonly page: number;
}
export interface PagePictureResult {
  /** PNG in base64, turned as the image's metadata asks for; of less pixels where the image has very many. null: `problem` says why. */
  readonly png: string | null;
  /** Of the page image itself, in px, turned alike. */
  readonly width: number;
  readonly height: number;
  readonly problem: string | null;
}

/** A page in the units that the record writes boxes in. */
export interface PageUnits {
  readonly width: number;
  readonly height: number;
  /** The smallest change that is written: 1 for pixels, 0.001 where boxes have three decimals. */
  readonly step: number;
}

/** A way to read four numbers; a part of `EvidenceCoordinates`, and sent back to try it. */
export interface CoordinateReading {
  readonly space: 'pixel' | 'point' | 'unit' | 'percent' | 'permille';
  readonly dpi: number | null;
  readonly order: 'xyxy' | 'xywh' | 'whxy';
  readonly origin: 'top-left' | 'bottom-left';
  readonly pageBase: 0 | 1;
}

/** How the boxes of a record are read, and how else they could be. */
export interface EvidenceCoordinates {
  readonly reading: CoordinateReading;
  /** "pixels at 300 dpi". */
  readonly name: string;
  /** Where that comes from, and what speaks for or against it, as sentences: "Declared by the profile SciEGQA. …". */
  readonly why: readonly string[];
  /** What the four numbers are called: `x1 y1 x2 y2`, `x y w h`. */
  readonly names: readonly [string, string, string, string];
  /** "px", "pt", "‰", "". */
  readonly unit: string;
  /** What `EvidenceParams.reading` was, where one is being tried. */
  readonly tried: boolean;
  /** Others that make sense, best first, with the reason. */
  readonly others: readonly {
    readonly reading: CoordinateReading;
    readonly name: string;
    readonly why: string;
  }[];
}

/** Client → server: writes the boxes of a record or a file, which are read as `reading`, as what is declared. */
export const CONVERT_BOXES = 'auditableQa/convertBoxes';
export interface ConvertBoxesParams extends RecordParams {
  readonly reading: CoordinateReading;
  readonly scope: 'box' | 'record' | 'file';
  /** Of the box, for `box`. */
  readonly pointer?: string;
  /** As in `ChangeEvidenceParams`. */
  readonly onDisk?: boolean;
}
/** As `ChangeEvidenceResult`. */
export type ConvertBoxesResult = ChangeEvidenceResult;
