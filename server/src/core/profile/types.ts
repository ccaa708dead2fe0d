import type { RuleLevel } from '../../../../schemas/report.ts';

/** The canonical fields; a profile says where each of them lies. Fields that are not listed do not exist in the dataset. */
export const FIELDS = [
  'id',
  'question',
  /** An answer that is text (or, in some sets, of several types). */
  'answer',
  /** An answer that must be a number. */
  'gold',
  'solution',
  /** List of text and table blocks. */
  'context',
  /** 0-based indices into `context`. */
  'tableEvidence',
  'textEvidence',
  'document',
  'pages',
  /** [page][box][4 numbers] in the profile's `coordinates`. */
  'boxes',
  /** The same boxes again in `relativeCoordinates`. */
  'relativeBoxes',
  /** [page][box] of text. */
  'labels',
  /** Paths of page images. */
  'images',
  'category',
  'split',
  'unit',
  'answerFormat',
  /** Where in the document the evidence stands, such as chart or table: a list of text. */
  'sources',
] as const;
export type Field = (typeof FIELDS)[number];

export type SpaceName = 'pixel' | 'point' | 'unit' | 'percent' | 'permille';
export type CornerOrder = 'xyxy' | 'xywh' | 'whxy';
export type Origin = 'top-left' | 'bottom-left';

/** What the four numbers of a box mean. `pixel` needs `dpi`, unless boxes refer to the page image's own pixels. */
export interface Coordinates {
  readonly space: SpaceName;
  readonly dpi?: number;
  readonly order: CornerOrder;
  readonly origin: Origin;
}

/**
 * Closed list of decoders for what field paths cannot say; `docs/profiles.md` describes each.
 * - `list-in-string`: a list written as text, in JSON or as Python prints it.
 * - `message`: a chat (`[{role, content}]`): the user's last line for the question, the assistant's words for the answer.
 * - `finqa-program`, `tatqa-derivation`: a solution that is a program or formula and not Python.
 * - `finqa-evidence`: an object whose keys cite rows and sentences (`table_3`, `text_12`).
 * - `tatqa-evidence`: paragraphs by their 1-based number as text; the table where `answer_from` names it.
 * - `tatqa-scale`: a gold that is a number where the answer is one, in the record's scale.
 * - `report-file`: the name of a file that holds the context.
 */
export const DECODERS = [
  'list-in-string',
  'message',
  'finqa-program',
  'finqa-evidence',
  'tatqa-derivation',
  'tatqa-evidence',
  'tatqa-scale',
  'report-file',
] as const;
export type DecoderName = (typeof DECODERS)[number];

/** What a solution is written in. */
export type SolutionLanguage = 'python' | 'finqa-program' | 'tatqa-derivation';

/** Values beside the usual ones that a field may hold without being of the wrong type. */
export type ValueKind = 'number' | 'boolean' | 'list' | 'yes-no';

export interface FieldSpec {
  /**
   * JSON pointer, or several in order of preference (the published spellings of one key). A first key `..` leads to the
   * object in which a nested record lies (`Profile.records`).
   */
  readonly at: string | readonly string[];
  readonly decoder?: DecoderName;
  /** The pointers are parts of one list, in this order, and not spellings. Lists of cells become a row, lists of these a table. */
  readonly join?: boolean;
}

export interface Profile {
  readonly name: string;
  readonly title: string;
  /** Shown as the reason when the profile is recognised. */
  readonly description: string;
  readonly fields: Partial<Readonly<Record<Field, FieldSpec>>>;
  /** Fields that every record must have, under any of their spellings. */
  readonly required: readonly Field[];
  /** Sets of keys: a record that has all keys of any one set is of this profile. */
  readonly recognise: readonly (readonly string[])[];
  /** Further keys that the dataset's published variants have. */
  readonly knownKeys: readonly string[];
  readonly enums: Partial<
    Readonly<Record<'labels' | 'category' | 'split' | 'answerFormat' | 'sources', readonly string[]>>
  >;
  /** Pointer of the records inside an element of the file (`/questions/*`), where they are nested. */
  readonly records?: string;
  /** Further kinds of values of some fields. */
  readonly types: Partial<Readonly<Record<Field, readonly ValueKind[]>>>;
  /** Decimals to which the dataset rounds its golds, where `tolerance.decimals` is not configured. */
  readonly decimals?: number;
  /** Function of the solution that is called. */
  readonly entryPoint: string;
  readonly coordinates?: Coordinates;
  readonly relativeCoordinates?: Coordinates;
  readonly pageBase: 0 | 1;
  readonly imageBase: 0 | 1;
  /** Layouts in which the dataset's documents are published, relative to the record file's folder. */
  readonly layouts: {
    readonly pdf: readonly string[];
    readonly pageImage: readonly string[];
    /** Files that hold the context (`report-file`). */
    readonly context: readonly string[];
  };
  /** Whether `images` holds one image per cited page, or anything else (whole documents, crops). */
  readonly imagesPerPage: 'cited-pages' | 'unless-counts-differ' | 'never';
}

/** Everything that governs one file, from its profile and `auditable-qa.json`. Resolved once per file. */
export interface FileSettings {
  /** Index of the `datasets` entry that governs the file; rules across files work within one. Absent without one. */
  readonly entry?: number;
  /** Absolute folder of the configuration that holds this entry. */
  readonly configurationFolder?: string;
  readonly profile: Profile;
  /** Why this profile: for the status item. */
  readonly reason: string;
  /** Name of the profile that the records' keys fit, where the chosen one is another and they do not fit that. */
  readonly fits?: string;
  /** Absolute folder that locations are relative to, and that they must not leave. */
  readonly base: string;
  readonly pdf: readonly string[];
  readonly pageImage: readonly string[];
  /** Where files that hold the context lie. */
  readonly context?: readonly string[];
  /** Whether `pdf`, `pageImage` or `context` were configured (then a missing document is an error). */
  readonly locationsConfigured: boolean;
  readonly coordinates: Coordinates | undefined;
  readonly relativeCoordinates: Coordinates | undefined;
  readonly pageBase: 0 | 1;
  /** Those of them that the configuration says; the others are the profile's. */
  readonly declaredIn?: readonly ('coordinates' | 'relativeCoordinates' | 'pageBase')[];
  readonly imageBase: 0 | 1;
  readonly tolerance: { readonly relative: number; readonly decimals: number };
  /** Levels that differ from the rules' defaults. */
  readonly rules: Readonly<Record<string, RuleLevel>>;
  readonly solutions: {
    readonly runner: 'sandbox' | 'python' | 'off';
    readonly timeoutMs: number;
    readonly memoryMb: number;
    readonly allowedImports: readonly string[];
  };
}

export const DEFAULT_ALLOWED_IMPORTS: readonly string[] = [
  'math',
  'statistics',
  'decimal',
  'fractions',
  'datetime',
  'calendar',
  'collections',
  'itertools',
  'functools',
  're',
  'string',
  'operator',
  'typing',
  'numbers',
];
export const OUTPUT_LIMIT = 65_536;
