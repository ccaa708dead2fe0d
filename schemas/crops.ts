/** Evidence as pictures: the manifest of `auditable-qa crops`, one line of JSON for each record, and single crops for the preview. */
import type { RecordParams } from './protocol.ts';
import type { CoordinateReading, PlaceOnPage } from './regions.ts';

/** Whole px of the page's picture from the top left: left, top, right, bottom; the last two lie outside. */
export type PixelCorners = readonly [left: number, top: number, right: number, bottom: number];

/** Where a region lies. */
export interface CropRegion {
  /** 1-based over the record, as the preview counts them. */
  readonly region: number;
  /** JSON pointer of the region in its record. */
  readonly pointer: string;
  readonly label: string | null;
  /** As the record writes it. */
  readonly box: readonly number[];
  /** What its numbers are: `pixel`, `point`, `unit`, `percent` or `permille`. */
  readonly space: string;
  readonly pixels: PixelCorners;
  /** The box reaches beyond the page and was cut at its edges. */
  readonly clipped?: true;
}

interface ImageOfPage {
  /** Below the folder of the manifest, with forward slashes. Records that share a picture share its file. */
  readonly path: string;
  readonly document: string;
  /** As the record writes it. */
  readonly page: number;
  /** Of this image, in px. */
  readonly width: number;
  readonly height: number;
  /** null: not known. */
  readonly dpi: number | null;
  /** Of the file's bytes, in hex. */
  readonly sha256: string;
}

export type CropImage =
  | (ImageOfPage & CropRegion & { readonly kind: 'crop' })
  | (ImageOfPage & { readonly kind: 'page'; readonly regions: readonly CropRegion[] });

export interface CropRecord {
  /** The record's id, else a hash of question and document, with an ordinal for repeats. Always the first member. */
  readonly key: string;
  readonly id: string | null;
  /** As given on the command line. */
  readonly file: string;
  /** 0-based position among the records, and 1-based line. */
  readonly index: number;
  readonly line: number;
  readonly question: string | null;
  /** As it stands in the record; null where it has none. */
  readonly answer: unknown;
  readonly images: readonly CropImage[];
  /** Why images are missing, as sentences; absent where none is. */
  readonly problems?: readonly string[];
}

/** Client → server: a part of a page as a picture, at the full resolution of its page image, or of its PDF as `crops` draws it. */
export const CROP = 'auditableQa/crop';
export interface CropParams extends RecordParams {
  /** As the record would write it; it need not be cited. */
  readonly page: number;
  /** null: the whole page. */
  readonly place: PlaceOnPage | null;
  /** How boxes and pages are read, where another way than the declared one is being tried. */
  readonly reading?: CoordinateReading;
}
export interface CropResult {
  /** PNG in base64; null: `problem` says why, as a sentence. */
  readonly png: string | null;
  readonly width: number;
  readonly height: number;
  readonly problem: string | null;
}
