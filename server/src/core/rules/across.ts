/** The two halves of the rules across records: what is read of each record, and what all of it together tells. */
import type { DocumentFacts } from '../ports.ts';
import type { FileSettings } from '../profile/types.ts';
import type { DatasetMemory, FoundAcross, LateFinding, RecordInput, RecordPlace, Reducer, Rule } from './types.ts';

export type RuleAcross = Extract<Rule, { readonly needs: 'file' | 'dataset' }>;

export function isAcross(rule: Rule): rule is RuleAcross {
  return 'reduce' in rule;
}

export function isLate(finding: FoundAcross): finding is LateFinding {
  return 'say' in finding;
}

/** Of those rules, the ones that can find something: rules that compare files need to know of the others. */
export function rulesAcross(rules: readonly Rule[], dataset: DatasetMemory | undefined): readonly RuleAcross[] {
  return rules.filter(isAcross).filter(({ join }) => join === undefined || dataset !== undefined);
}

type Add = (input: RecordInput, place: RecordPlace, document?: DocumentFacts) => void;

/** Both halves for one record. Rules and reducers differ in shape, so they are looked into once and not for each record. */
export function adderOf(rule: RuleAcross, reducer: Reducer): Add {
  if (reducer.read !== undefined) return reducer.read.bind(reducer);
  const digest = rule.digest.bind(rule);
  const add = reducer.add.bind(reducer);
  return (input, place, document) => {
    const item = digest(input, document);
    if (item !== undefined) add(item, place);
  };
}

export interface Collector {
  readonly code: string;
  readonly add: Add;
  readonly end: Reducer['end'];
}

/** Both halves at once, for whoever goes through the records in the order of the file. */
export function collectorOf(rule: RuleAcross, settings: FileSettings, dataset?: DatasetMemory): Collector {
  const reducer = rule.reduce(settings, dataset);
  return {
    code: rule.code,
    add: adderOf(rule, reducer),
    end: (report) => reducer.end(report),
  };
}
