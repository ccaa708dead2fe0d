/** What a list shows of one record and filters it by: small, and made anew only when something of the record has changed. */
import type { CodeCount, ListedRecord } from '../../../../schemas/records.ts';
import { FACETS, NO_VALUE } from '../../../../schemas/records.ts';
import type { Facet } from '../../../../schemas/records.ts';
import type { Severity, Verdict } from '../../../../schemas/report.ts';
import type { Finding } from '../finding.ts';
import { evidenceTypeOf, regionsOf } from '../record/evidence-type.ts';
import type { CanonicalRecord } from '../record/types.ts';
import type { Interner } from './interner.ts';

/** Follows from the record alone. */
export interface RecordFacts {
  readonly id: string | null;
  readonly question: string | null;
  readonly answer: string;
  readonly type: string | null;
  readonly document: string | null;
  readonly category: string | null;
  readonly split: string | null;
  readonly labels: readonly string[];
}

export interface Summary extends Omit<ListedRecord, 'key' | 'index'> {
  readonly facts: RecordFacts | undefined;
  /** Findings by severity. */
  readonly counts: Readonly<Record<Severity, number>>;
  /** Numbers of the values of each facet, in the order of `FACETS`; empty: the record was not checked yet. */
  readonly values: readonly (readonly number[])[];
}

/** Values of each facet as numbers. */
export type Interners = Readonly<Record<Facet, Interner>>;

const QUESTION = 240;
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];
const NOTHING: Readonly<Record<Severity, number>> = { error: 0, warning: 0, info: 0 };

/** Rows that the server has not come to yet. */
export const UNCHECKED: Summary = {
  facts: undefined,
  id: null,
  question: null,
  type: null,
  document: null,
  category: null,
  split: null,
  severity: null,
  checked: false,
  solution: null,
  findings: [],
  counts: NOTHING,
  values: [],
};

export function factsOf(record: CanonicalRecord): RecordFacts {
  const { id, question, answer, gold, document, category, split, labels } = record;
  return {
    id: present(id),
    question: present(question),
    answer: textOf(answer ?? gold),
    type: evidenceTypeOf(record, regionsOf(record)) ?? null,
    document: present(document),
    category: present(category),
    split: present(split),
    labels: labels === undefined ? [] : [...new Set(textsIn(labels))],
  };
}

/** `facts` undefined: the text is no record. `solution` null: it has none. */
export function summaryOf(
  facts: RecordFacts | undefined,
  found: readonly Pick<Finding, 'code' | 'severity'>[],
  solution: Verdict | 'running' | null,
  interners: Interners,
): Summary {
  const { findings, counts } = countCodes(found);
  const one = (value: string | null | undefined): readonly string[] => [value ?? NO_VALUE];
  const some = (values: readonly string[]): readonly string[] => (values.length === 0 ? [NO_VALUE] : values);
  const texts: Readonly<Record<Facet, readonly string[]>> = {
    severity: some(SEVERITIES.filter((severity) => counts[severity] > 0)),
    rule: some(findings.map(({ code }) => code)),
    solution: one(solution),
    type: one(facts?.type),
    label: some(facts?.labels ?? []),
    document: one(facts?.document),
    category: one(facts?.category),
    split: one(facts?.split),
  };
  return {
    facts,
    id: facts?.id ?? null,
    question: facts?.question?.slice(0, QUESTION) ?? null,
    type: facts?.type ?? null,
    document: facts?.document ?? null,
    category: facts?.category ?? null,
    split: facts?.split ?? null,
    severity: SEVERITIES.find((severity) => counts[severity] > 0) ?? null,
    checked: true,
    solution,
    findings,
    counts,
    values: FACETS.map((facet) => texts[facet].map((text) => interners[facet].number(text))),
  };
}

/** Findings by rule, the gravest first. A rule whose findings differ in severity counts with its gravest. */
export function countCodes(found: readonly Pick<Finding, 'code' | 'severity'>[]): {
  readonly findings: readonly CodeCount[];
  readonly counts: Readonly<Record<Severity, number>>;
} {
  if (found.length === 0) return { findings: [], counts: NOTHING };
  const counts = { ...NOTHING };
  const byCode = new Map<string, { code: string; severity: Severity; count: number }>();
  for (const { code, severity } of found) {
    counts[severity]++;
    const known = byCode.get(code);
    if (known === undefined) byCode.set(code, { code, severity, count: 1 });
    else {
      known.count++;
      if (rank(severity) < rank(known.severity)) known.severity = severity;
    }
  }
  const findings = [...byCode.values()].sort(
    (a, b) => rank(a.severity) - rank(b.severity) || (a.code < b.code ? -1 : 1),
  );
  return { findings, counts };
}

/** 0 for errors, 1 for warnings, 2 for infos, 3 for nothing. */
export function rank(severity: Severity | null): number {
  return severity === null ? 3 : SEVERITIES.indexOf(severity);
}

function present(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? textsIn(value).join(' ') : '';
}

function textsIn(list: readonly unknown[]): string[] {
  return list.flatMap((value) => (typeof value === 'string' ? [value] : Array.isArray(value) ? textsIn(value) : []));
}
