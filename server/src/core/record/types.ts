import type { Field, Profile, SolutionLanguage } from '../profile/types.ts';

/**
 * A record through its profile. Members are undefined where the field is absent, null or of the wrong outer JSON type
 * (schema/type reports that); elements of lists are as they stand in the file, so rules check what they read.
 * Pointers are made on demand by `pointerTo`, since nearly all records have no finding.
 */
export interface CanonicalRecord {
  readonly profile: Profile;
  /** The object of the file, decoders not applied. */
  readonly source: Readonly<Record<string, unknown>>;
  /** Ids that are numbers are given as text. */
  readonly id: string | undefined;
  readonly question: string | undefined;
  readonly answer: unknown;
  /** As it stands in the file: a number in good data. */
  readonly gold: unknown;
  /** Python; a solution in another language is `program`. */
  readonly solution: string | undefined;
  /** A solution that is a program or formula of its own language. */
  readonly program: Program | undefined;
  readonly context: readonly unknown[] | undefined;
  readonly tableEvidence: readonly unknown[] | undefined;
  readonly textEvidence: readonly unknown[] | undefined;
  readonly document: string | undefined;
  readonly pages: readonly unknown[] | undefined;
  readonly boxes: readonly unknown[] | undefined;
  readonly relativeBoxes: readonly unknown[] | undefined;
  readonly labels: readonly unknown[] | undefined;
  readonly images: readonly unknown[] | undefined;
  readonly category: string | undefined;
  readonly split: string | undefined;
  readonly unit: string | undefined;
  readonly answerFormat: string | undefined;
  readonly sources: readonly unknown[] | undefined;
  /** Keys that the profile does not know; undefined: none. */
  readonly strangers: readonly string[] | undefined;
  /** Something other than null stands in a field and is of the wrong outer JSON type. */
  readonly hasMisfit: boolean;
}

export interface Program {
  readonly language: Exclude<SolutionLanguage, 'python'>;
  readonly source: string;
}

/** Pointer of a field, or of an element inside it, in the record as it stands in the file. */
export type PointerTo = (record: CanonicalRecord, field: Field, ...path: (string | number)[]) => string;
