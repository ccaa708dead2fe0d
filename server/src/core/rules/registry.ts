import type { RuleLevel } from '../../../../schemas/report.ts';
import type { Field, Profile } from '../profile/types.ts';
import { acceptanceRules } from './acceptance.ts';
import { answerTextRules } from './answer-text.ts';
import { answerRules } from './answer.ts';
import { boxRules } from './box.ts';
import { boxesOnPageRules } from './boxes-on-page.ts';
import { configRules } from './config.ts';
import { coordinateRules } from './coordinates.ts';
import { conflictingCopyRule } from './dataset-copies.ts';
import { datasetQuestionRules } from './dataset-questions.ts';
import { datasetRules } from './dataset.ts';
import { evidenceTextRules } from './evidence-text.ts';
import { evidenceRules } from './evidence.ts';
import { fileRules } from './file.ts';
import { pageContentRules } from './page-content.ts';
import { pageRules } from './page.ts';
import { repeatRules } from './repeat.ts';
import { schemaRules } from './schema.ts';
import { solutionStyleRules } from './solution-style.ts';
import { solutionRules } from './solution.ts';
import { textRules } from './text.ts';
import { plausibilityRules } from './plausibility.ts';
import { traceRules } from './trace.ts';
import type { Rule } from './types.ts';
import { unusedRules } from './unused.ts';

/** The only list of rules. Codes, settings, `explain`, the rule pages and the tests' examples come from it. */
export const RULES: readonly Rule[] = [
  ...fileRules,
  ...configRules,
  ...acceptanceRules,
  ...schemaRules,
  ...answerRules,
  ...solutionRules,
  ...evidenceRules,
  ...pageRules,
  ...boxRules,
  ...datasetRules,
  ...traceRules,
  ...unusedRules,
  ...repeatRules,
  ...plausibilityRules,
  ...textRules,
  ...answerTextRules,
  ...evidenceTextRules,
  ...solutionStyleRules,
  ...boxesOnPageRules,
  ...pageContentRules,
  ...coordinateRules,
  ...datasetQuestionRules,
  conflictingCopyRule,
];

const BY_CODE: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.code, rule]));

/** Fields without any of which a family, or a single rule, has nothing to look at. */
const FIELDS_OF: Readonly<Record<string, readonly Field[]>> = {
  evidence: ['tableEvidence', 'textEvidence'],
  solution: ['solution'],
  box: ['boxes', 'relativeBoxes'],
  page: ['document', 'pages', 'images'],
  'answer/format': ['answerFormat'],
  'answer/number-as-text': ['gold'],
  'plausibility/fields-exchanged': ['gold', 'answer'],
};

/** Whether the rule can find anything in records of the profile: one that cannot costs time on each of them. */
export function appliesTo({ code }: Rule, profile: Profile): boolean {
  const fields = FIELDS_OF[code] ?? FIELDS_OF[code.slice(0, code.indexOf('/'))];
  return fields === undefined || fields.some((field) => profile.fields[field] !== undefined);
}

export function ruleOf(code: string): Rule | undefined {
  return BY_CODE.get(code);
}

/** Level of a rule before configuration. */
export function defaultLevel(rule: Rule): RuleLevel {
  return rule.off === true ? 'off' : rule.severity;
}

/** Level of a code under a configuration; codes without a rule do not exist. */
export function levelOf(code: string, configured: Readonly<Record<string, RuleLevel>>): RuleLevel {
  const rule = BY_CODE.get(code);
  if (rule === undefined) throw new Error(`No rule has the code ${code}`);
  return configured[code] ?? defaultLevel(rule);
}
