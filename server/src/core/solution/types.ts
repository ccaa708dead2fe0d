/** A fault of a solution that is seen without running it. */
export interface StaticFault {
  readonly kind: 'code-fence' | 'double-escaped' | 'entry-point' | 'forbidden-import' | 'unavailable-import';
  readonly message: string;
  /** Offsets in the solution's text. */
  readonly start: number;
  readonly end: number;
  /** The module, for imports. */
  readonly found?: string;
}

/** What the parse of a solution tells. Null or blank solutions have none. */
export interface StaticSolution {
  readonly source: string;
  readonly faults: readonly StaticFault[];
  /** Whether it is to be run: no static fault stands against it. */
  readonly runnable: boolean;
}
