import type { Extent } from '../../core/evidence/geometry.ts';
import type { PictureSource } from '../../core/crops/plan.ts';
import type { PixelBox } from '../../core/page/ink.ts';

/** One page, decoded or drawn once, and what is cut out of it. */
export interface PageWork {
  readonly source: PictureSource;
  /** As planned, in px: another one means that the file has changed. */
  readonly size: Extent;
  readonly cuts: readonly Cut[];
}

export interface Cut {
  /** Absolute, without the ending; null: its bytes are wanted, and no file. */
  readonly target: string | null;
  /** `page`: the whole, as its file where that is upright and no TIFF, else as PNG. */
  readonly part: PixelBox | 'page';
}

/** What a thread is started with; null: it writes nothing. */
export interface CutterData {
  /** Absolute; nothing is written outside of it, links included. */
  readonly folder: string;
  /** Absolute, on the same file system: unfinished images lie in it. */
  readonly unfinished: string;
}

export interface CutDone {
  /** Ending of the name, with its dot. */
  readonly ending: string;
  readonly width: number;
  readonly height: number;
  readonly sha256: string;
  /** Where there is no file. */
  readonly bytes?: Uint8Array;
}

export type PageDone =
  /** In the order of the cuts. `version`: of the source's file, as it was read. */
  | { readonly kind: 'done'; readonly version: string; readonly cuts: readonly CutDone[] }
  /** The source is of no use: to stand after its name. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** The output folder is of no use: to stand after its name. */
  | { readonly kind: 'unwritable'; readonly reason: string };

export interface CutQuestion {
  readonly id: number;
  readonly work: PageWork;
}

export interface CutAnswer {
  readonly id: number;
  readonly done: PageDone;
}
