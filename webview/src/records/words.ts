/** What things are called on the page. */
import type { Column, Facet, ListedRecord } from '../../../schemas/records.ts';
import { NO_VALUE } from '../../../schemas/records.ts';
import type { Severity } from '../../../schemas/report.ts';
import { plural } from '../dom.ts';

export const FACET_NAMES: Readonly<Record<Facet, string>> = {
  severity: 'Severity',
  rule: 'Rule',
  solution: 'Solution',
  type: 'Type',
  label: 'Label',
  document: 'Document',
  category: 'Category',
  split: 'Split',
};

export const COLUMN_NAMES: Readonly<Record<Column, string>> = {
  state: 'State',
  index: '#',
  id: 'Id',
  question: 'Question',
  type: 'Type',
  document: 'Document',
  category: 'Category',
  split: 'Split',
  findings: 'Findings',
};

const SOLUTIONS: Readonly<Record<string, string>> = {
  equal: '= gold',
  tolerance: '≈ gold, within tolerance',
  rounded: '≈ gold, rounded',
  mismatch: '≠ gold',
  error: 'fails',
  skipped: 'no verdict',
  running: 'running',
  [NO_VALUE]: 'no solution',
};

const SEVERITIES: Readonly<Record<string, string>> = {
  error: 'Errors',
  warning: 'Warnings',
  info: 'Infos',
  [NO_VALUE]: 'No finding',
};

const TYPES: Readonly<Record<string, string>> = {
  SPSR: 'single page, single region',
  SPMR: 'single page, multiple regions',
  MPMR: 'multiple pages, multiple regions',
};

export function valueName(facet: Facet, value: string): string {
  if (facet === 'severity') return SEVERITIES[value] ?? value;
  if (facet === 'solution') return SOLUTIONS[value] ?? value;
  if (value === NO_VALUE) return facet === 'rule' ? 'no finding' : 'none';
  const type = facet === 'type' ? TYPES[value] : undefined;
  return type === undefined ? value : `${value} (${type})`;
}

export function solutionName(solution: ListedRecord['solution']): string {
  return solution === null ? '' : `solution ${SOLUTIONS[solution] ?? solution}`;
}

/** "14 errors · 3 warnings"; nothing for those that do not occur. */
export function countsText(counts: Readonly<Record<Severity, number>>): string[] {
  const parts: string[] = [];
  if (counts.error > 0) parts.push(plural(counts.error, 'error', 'errors'));
  if (counts.warning > 0) parts.push(plural(counts.warning, 'warning', 'warnings'));
  if (counts.info > 0) parts.push(plural(counts.info, 'info', 'infos'));
  return parts;
}

/** What a screen reader says of a record's state. */
export function stateText({ severity, solution, checked }: ListedRecord): string {
  if (!checked) return 'not checked yet';
  return [severity ?? 'no finding', solutionName(solution)].filter(Boolean).join(', ');
}

export function titleOf(index: number, id: string | null): string {
  return id === null ? `Record ${index + 1}` : `Record ${index + 1}, ${id}`;
}
