/**
 * Variants of the kinds in cases.json: the same fault with other numbers, keys, places and profiles, and near misses that
 * must stay quiet. A variant is one file in the folder of its group; a group has one configuration.
 */

export interface Variant {
  readonly name: string;
  /** Name of the record file; its extension decides how it is read. */
  readonly file: string;
  readonly content: string | Buffer;
  readonly expect: readonly Expected[];
  /** Codes that may be there beside the expected ones, because they are true as well. */
  readonly beside: readonly string[];
}

export interface Expected {
  readonly code: string;
  /** Exact; undefined: not looked at. */
  readonly pointer?: string;
  /** The text of the file under the finding's range, exact. */
  readonly at?: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
  readonly mentions?: readonly string[];
  /** What the message must not say. */
  readonly silent?: readonly string[];
}

export interface Group {
  readonly name: string;
  /** Members of the one `datasets` entry of its auditable-qa.json; undefined: no configuration at all. */
  readonly dataset: Readonly<Record<string, unknown>> | undefined;
  readonly profiles?: Readonly<Record<string, unknown>>;
  readonly variants: readonly Variant[];
}

type Patch = Readonly<Record<string, unknown>>;
export type Details = Omit<Expected, 'code'> & { readonly beside?: readonly string[]; readonly file?: string };

const DOCMATH = {
  question_id: 'v-1',
  question: 'What was the change in widget revenue from 2031 to 2032?',
  paragraphs: [
    'Widget revenue grew in 2032.',
    '| Item | 2031 | 2032 |\n| Widget revenue | 1,200 | 1,350 |\n| Total |',
    'Gadget demand fell.',
  ],
  table_evidence: [1],
  paragraph_evidence: [0],
  python_solution: 'def solution():\n    a = 1200\n    b = 1350\n    return b - a',
  ground_truth: 150.0,
};
const SCIEGQA = {
  query: 'Which row of the table has the largest total?',
  answer: 'North',
  doc_name: 'demo-doc',
  evidence_page: [3, 2],
  bbox: [
    [[300, 600, 2100, 1500]],
    [
      [100, 200, 900, 800],
      [425, 330, 1275, 1650],
    ],
  ],
  rel_bbox: [
    [[117.647059, 181.818182, 823.529412, 454.545455]],
    [
      [39.215686, 60.606061, 352.941176, 242.424242],
      [166.666667, 100, 500, 500],
    ],
  ],
  subimg_type: [['table'], ['text', 'image']],
  category: 'cs',
};
const MMLONGBENCH = {
  doc_id: 'demo-doc.pdf',
  doc_type: 'Report',
  question: 'How many thousand parcels did North handle in both years?',
  answer: '2550',
  evidence_pages: '[2]',
  evidence_sources: "['Table']",
  answer_format: 'Int',
};

/** A line of the profile's base record with changes; a member that is undefined is left out. */
export const docmath = (patch: Patch = {}): string => line({ ...DOCMATH, ...patch });
export const sciegqa = (patch: Patch = {}): string => line({ ...SCIEGQA, ...patch });
export const mmlongbench = (patch: Patch = {}): string => line({ ...MMLONGBENCH, ...patch });

export function line(record: unknown): string {
  return `${JSON.stringify(record)}\n`;
}

/** A record of the sciegqa shape with one box on one page; the relative box only where it is given. */
export function oneBox(box: unknown, relative?: unknown, patch: Patch = {}): string {
  return sciegqa({
    evidence_page: [2],
    bbox: [[box]],
    rel_bbox: relative === undefined ? undefined : [[relative]],
    subimg_type: [['table']],
    ...patch,
  });
}

export function solution(python_solution: string, patch: Patch = {}): string {
  return docmath({ python_solution, ...patch });
}

/** A file in which exactly this code is found, and nothing else but what `beside` names. */
export function fires(name: string, content: string | Buffer, code: string, details: Details = {}): Variant {
  const { beside = [], file = 'a.jsonl', ...expected } = details;
  return { name, file, content, expect: [{ code, ...expected }], beside };
}

export function firesAll(
  name: string,
  content: string | Buffer,
  expect: readonly Expected[],
  file = 'a.jsonl',
): Variant {
  return { name, file, content, expect, beside: [] };
}

/** A file without any finding, whatever its severity. */
export function quiet(name: string, content: string | Buffer, file = 'a.jsonl'): Variant {
  return { name, file, content, expect: [], beside: [] };
}
