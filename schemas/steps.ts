/** A run of a solution step by step: written down by the sandbox, shown and replayed by editors. Nothing runs while it is replayed. */
import type { ProtocolRange, SolutionOutcome } from './protocol.ts';

/** The value of a variable in short (at most 160 code points); null: the variable is gone. */
export interface StepChange {
  readonly name: string;
  readonly value: string | null;
}

/** One moment of a run, in the solution's own code. */
export interface RunStep {
  /** `line`: the line is about to run; `return`: its function gives `value` back; `raise`: it has raised the exception type `value`. */
  readonly kind: 'line' | 'return' | 'raise';
  /** 1-based. */
  readonly line: number;
  /** Position in `RunSteps.frames`. */
  readonly frame: number;
  /** What has changed in the frame since its step before. */
  readonly changes: readonly StepChange[];
  readonly value?: string;
}

export interface RunSteps {
  /** Calls of the solution's functions by name, in the order in which they began; `<module>`: the solution's text itself. */
  readonly frames: readonly string[];
  readonly steps: readonly RunStep[];
  /** The run had more steps than are kept. */
  readonly full: boolean;
}

/** Client → server: the steps of the solution that a document shows. The solution is run where it was not yet. */
export const STEPS = 'auditableQa/steps';
export interface StepsParams {
  readonly uri: string;
}
export type StepsResult =
  | (RunSteps & {
      readonly kind: 'steps';
      /** Of the document's text. */
      readonly version: number;
      /** Where the lines of the solution stand in the document, without what indents them. */
      readonly lines: readonly ProtocolRange[];
      readonly outcome: SolutionOutcome;
    })
  /** Why there are none, as a sentence. */
  | { readonly kind: 'problem'; readonly message: string };
