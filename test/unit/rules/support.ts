import type { LocalFinding } from '../../../server/src/core/finding.ts';
import type { DocumentFacts, PageImageFacts, RunResult } from '../../../server/src/core/ports.ts';
import { builtinProfile } from '../../../server/src/core/profile/builtin.ts';
import { settingsFor } from '../../../server/src/core/profile/settings.ts';
import type { FileSettings } from '../../../server/src/core/profile/types.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import { collectorOf, isAcross, isLate } from '../../../server/src/core/rules/across.ts';
import type { RecordInput, Rule } from '../../../server/src/core/rules/types.ts';
import type { StaticFault, StaticSolution } from '../../../server/src/core/solution/types.ts';
import { parseRecordText } from '../../../server/src/core/text/parse.ts';

/** Runs rules on records without the checker around them: facts are made by hand. */

export type JsonRecord = Readonly<Record<string, unknown>>;
export type Found = LocalFinding & { readonly index: number | null };

export interface Facts {
  readonly run?: RunResult;
  readonly document?: DocumentFacts;
  readonly faults?: readonly StaticFault[];
}

export const DOCMATH: JsonRecord = {
  question_id: 'q-0',
  question: 'What was the change in widget revenue from 2031 to 2032, in thousands?',
  paragraphs: [
    'Widget revenue grew in 2032. Amounts are in thousands.',
    '| Item | 2031 | 2032 |\n| Widget revenue | 1,200 | 1,350 |',
    'Gadget demand fell.',
  ],
  table_evidence: [1],
  paragraph_evidence: [0],
  python_solution: 'def solution():\n    r2031 = 1200\n    r2032 = 1350\n    return r2032 - r2031',
  ground_truth: 150,
};

export const SCIEGQA: JsonRecord = {
  query: 'Which row of the table has the largest total?',
  answer: 'North',
  doc_name: 'paper',
  evidence_page: [2],
  bbox: [[[300, 600, 2100, 1500]]],
  rel_bbox: [[[117.647059, 181.818182, 823.529412, 454.545455]]],
  subimg_type: [['table']],
  category: 'cs',
};

export function settingsOf(profile: string, changes: Partial<FileSettings> = {}): FileSettings {
  const settings = settingsFor({ filePath: '/data/a.jsonl', samples: [], overrides: { profile } });
  if (!('profile' in settings)) throw new Error(settings.message);
  return { ...settings, base: '/data', locationsConfigured: true, ...changes };
}

export function inputOf(text: string, settings: FileSettings, faults: readonly StaticFault[] = []): RecordInput {
  const parsed = parseRecordText(text);
  if (parsed.value === undefined) throw new Error(`no record: ${text}`);
  const record = toCanonical(parsed.value, settings.profile);
  const source = record.solution;
  const solution: StaticSolution | undefined =
    source === undefined || source.trim() === '' ? undefined : { source, faults, runnable: faults.length === 0 };
  return { record, settings, solution, nonFinite: parsed.nonFinite };
}

/** What the rules report on records of one file, each with its facts. */
export function check(
  rules: readonly Rule[],
  settings: FileSettings,
  records: readonly (JsonRecord | string)[],
  facts: Facts | ((index: number) => Facts) = {},
): Found[] {
  const found: Found[] = [];
  const collectors = rules.filter(isAcross).map((rule) => collectorOf(rule, settings));
  const inputs: { readonly input: RecordInput; readonly document: DocumentFacts | undefined }[] = [];
  for (const [index, record] of records.entries()) {
    const text = typeof record === 'string' ? record : JSON.stringify(record);
    const { run, document, faults } = typeof facts === 'function' ? facts(index) : facts;
    const input = inputOf(text, settings, faults);
    const slot = { index, line: index, column: 0, offset: 0, text };
    for (const rule of rules) {
      const report = (finding: Omit<LocalFinding, 'code'>): number =>
        found.push({ code: rule.code, index, ...finding });
      if ('checkRecord' in rule) rule.checkRecord(input, report);
      if ('checkRun' in rule && run !== undefined) rule.checkRun({ ...input, run }, report);
      if ('checkSize' in rule && document !== undefined) rule.checkSize({ ...input, document }, report);
    }
    inputs.push({ input: { ...input, text }, document });
    for (const collector of collectors) collector.add({ ...input, text }, slot, document);
  }
  for (const { code, end } of collectors) {
    end((index, finding) => {
      const { input, document } = inputs[index ?? 0]!;
      found.push({ code, index, ...(isLate(finding) ? finding.say(input, document) : finding) });
    });
  }
  return found;
}

export function ruleIn(rules: readonly Rule[], code: string): Rule {
  const rule = rules.find((candidate) => candidate.code === code);
  if (rule === undefined) throw new Error(`no rule ${code}`);
  return rule;
}

export function profileOf(name: string) {
  const profile = builtinProfile(name);
  if (profile === undefined) throw new Error(`no profile ${name}`);
  return profile;
}

const RUN = { engine: 'sandbox', pythonVersion: '3.13.2', stdout: '', stdoutTruncated: false, ms: 1 } as const;

export function yields(repr: string): RunResult {
  return { ...RUN, value: { kind: /^-?\d+$/.test(repr) ? 'int' : 'float', repr } };
}

export function fails(error: NonNullable<RunResult['error']>, stdout = ''): RunResult {
  return { ...RUN, error, stdout };
}

const LETTER = { width: 612, height: 792 };

/** A document of letter-size pages as PDF, with 300-dpi images of the cited ones. */
export function documentOf(pages: number, images: readonly number[] = [], name = 'paper'): DocumentFacts {
  const image: PageImageFacts = { state: 'ok', path: `/data/${name}.png`, width: 2550, height: 3300 };
  return {
    name,
    pdf: { state: 'ok', path: `/data/pdf/${name}.pdf`, pages: Array.from({ length: pages }, () => LETTER) },
    ...(images.length > 0 && { images: new Map(images.map((page) => [page, image])), imageNumbers: images }),
  };
}
