/**
 * `auditable-qa.json` as it is written: the shape that auditable-qa.schema.json describes, member by member. Built-in
 * profiles are files of the same shape (`ProfileDefinition`).
 */
import type { RuleLevel } from './report.ts';

/** The configuration file's name; it is never a record file, whatever the globs say. */
export const CONFIGURATION_FILE = 'auditable-qa.json';

export interface Configuration {
  readonly $schema?: string;
  readonly datasets?: readonly DatasetEntry[];
  readonly profiles?: Readonly<Record<string, ProfileDefinition>>;
}

/** One group of files. The first group with a glob that fits a file governs it. */
export interface DatasetEntry {
  /** Globs relative to the configuration file. */
  readonly files: readonly string[];
  readonly profile?: string;
  /** Templates relative to the configuration file. */
  readonly pdf?: string | readonly string[];
  readonly pageImage?: string | readonly string[];
  /** Templates of the files that hold the context of the records, where it lies in files of its own. */
  readonly context?: string | readonly string[];
  readonly coordinates?: CoordinatesDefinition;
  readonly relativeCoordinates?: CoordinatesDefinition;
  readonly pageBase?: 0 | 1;
  readonly imageBase?: 0 | 1;
  readonly tolerance?: { readonly relative?: number; readonly decimals?: number };
  readonly rules?: Readonly<Record<string, RuleLevel>>;
  readonly solutions?: {
    readonly runner?: 'sandbox' | 'off';
    readonly timeoutMs?: number;
    readonly memoryMb?: number;
    readonly allowedImports?: readonly string[];
  };
}

export interface CoordinatesDefinition {
  readonly space?: 'pixel' | 'point' | 'unit' | 'percent' | 'permille';
  readonly dpi?: number;
  readonly order?: 'xyxy' | 'xywh' | 'whxy';
  readonly origin?: 'top-left' | 'bottom-left';
}

/** JSON Pointer (`*` for every element of a list), several in order of preference, or one with a decoder. */
export type FieldDefinition =
  | string
  | readonly string[]
  | { readonly at: string | readonly string[]; readonly decoder?: DecoderName; readonly join?: boolean };

/** See `docs/profiles.md`. */
export type DecoderName =
  | 'list-in-string'
  | 'message'
  | 'finqa-program'
  | 'finqa-evidence'
  | 'tatqa-derivation'
  | 'tatqa-evidence'
  | 'tatqa-scale'
  | 'report-file';

export type FieldName =
  | 'id'
  | 'question'
  | 'answer'
  | 'gold'
  | 'solution'
  | 'context'
  | 'tableEvidence'
  | 'textEvidence'
  | 'document'
  | 'pages'
  | 'boxes'
  | 'relativeBoxes'
  | 'labels'
  | 'images'
  | 'category'
  | 'split'
  | 'unit'
  | 'answerFormat'
  | 'sources';

export type RegionFieldName = 'boxes' | 'relativeBoxes' | 'labels' | 'pages';

export interface ProfileDefinition {
  readonly extends?: string;
  readonly title?: string;
  readonly description?: string;
  readonly fields?: Partial<Readonly<Record<FieldName, FieldDefinition>>> & {
    readonly regions?: Partial<Readonly<Record<RegionFieldName, FieldDefinition>>>;
  };
  readonly required?: readonly FieldName[];
  /** JSON Pointer with `*` to records that lie inside the elements of the file. */
  readonly records?: string;
  readonly types?: Partial<Readonly<Record<FieldName, readonly ('number' | 'boolean' | 'list' | 'yes-no')[]>>>;
  readonly decimals?: number;
  readonly recognise?: readonly (readonly string[])[];
  readonly knownKeys?: readonly string[];
  readonly enums?: Partial<
    Readonly<Record<'labels' | 'category' | 'split' | 'answerFormat' | 'sources', readonly string[]>>
  >;
  readonly entryPoint?: string;
  readonly coordinates?: CoordinatesDefinition;
  readonly relativeCoordinates?: CoordinatesDefinition;
  readonly pageBase?: 0 | 1;
  readonly imageBase?: 0 | 1;
  readonly layouts?: {
    readonly pdf?: readonly string[];
    readonly pageImage?: readonly string[];
    readonly context?: readonly string[];
  };
  readonly imagesPerPage?: 'cited-pages' | 'unless-counts-differ' | 'never';
}
