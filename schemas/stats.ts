/** What `auditable-qa stats --format json` prints, version 1. */

/** How often each value occurs, the most frequent first. */
export type Counts = Readonly<Record<string, number>>;

/** Characters (code points) of a text; of a list, of all its texts. Blank texts are not counted. */
export interface Lengths {
  /** Records that have the text. */
  readonly records: number;
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

export interface Statistics {
  readonly records: number;
  /** Lines or elements that are no record. */
  readonly unreadable: number;
  /** What kind the answers (or golds) are: `number`, `text`, `list`, `yes or no`, `none`. Without kinds that do not occur. */
  readonly answers: Counts;
  /** Different documents. */
  readonly documents: number;
  readonly splits: Counts;
  /**
   * Single-page single-region, single-page multi-region, multi-page multi-region: from the different pages that a record cites
   * and its regions. Records without regions, and those that are none of the three, are not counted.
   */
  readonly types: { readonly SPSR: number; readonly SPMR: number; readonly MPMR: number };
  /** Per region. */
  readonly labels: Counts;
  readonly categories: Counts;
  /** Records by how many different pages they cite, and by how many regions they have. */
  readonly pages: Counts;
  readonly regions: Counts;
  readonly lengths: Readonly<Partial<Record<'question' | 'answer' | 'solution' | 'context', Lengths>>>;
}

export interface StatsFile extends Statistics {
  readonly path: string;
  readonly profile: string;
}

export interface StatsReport {
  readonly version: 1;
  readonly files: readonly StatsFile[];
  /** Of all files together. */
  readonly total: Statistics;
}
