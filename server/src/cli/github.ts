/**
 * GitHub Actions: annotations on the lines of the change, within the limits of one step, and a job summary. Workflow commands:
 * docs.github.com, "Workflow commands for GitHub Actions".
 */
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import type { Severity } from '../../../schemas/report.ts';
import type { Finding } from '../core/finding.ts';
import { createPaint, oneLine, wellFormed } from './output.ts';
import type { Output } from './output.ts';
import type { Printer } from './printer.ts';
import type { Totals } from './report.ts';

import { summaryLine } from './text-format.ts';

/** Annotations of one kind that GitHub shows for a step; it drops the others without a word. */
const LIMIT = 10;
const ORDER: readonly Severity[] = ['error', 'warning', 'info'];
const COMMAND: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };
/** Rows of the job summary; a summary holds a megabyte at most. */
const ROWS = 100;
const CELL = 300;

export interface GithubOptions {
  readonly cwd: string;
  /** `GITHUB_WORKSPACE`: annotations name files relative to the repository. */
  readonly workspace: string | undefined;
  /** `GITHUB_STEP_SUMMARY`: the file that the job summary is added to. */
  readonly summaryFile: string | undefined;
}

interface Shown {
  readonly file: string;
  readonly finding: Finding;
}

export function createGithubPrinter(out: Output, options: GithubOptions): Printer {
  const shown: Record<Severity, Shown[]> = { error: [], warning: [], info: [] };
  const rows: Record<Severity, Shown[]> = { error: [], warning: [], info: [] };
  const byCode = new Map<string, { readonly severity: Severity; count: number }>();
  return {
    file({ path: name, findings }) {
      const file = inRepository(name, options);
      for (const finding of findings) {
        const { code, severity } = finding;
        if (shown[severity].length < LIMIT) shown[severity].push({ file, finding });
        if (rows[severity].length < ROWS) rows[severity].push({ file, finding });
        const count = byCode.get(`${severity} ${code}`);
        if (count === undefined) byCode.set(`${severity} ${code}`, { severity, count: 1 });
        else count.count += 1;
      }
      return Promise.resolve();
    },
    async end(totals) {
      const all = ORDER.flatMap((severity) => shown[severity]);
      const lines = all.map(({ file, finding }) => annotation(file, finding));
      await out.write(lines.join('') + moreLine(totals, shown) + summaryLine(totals, createPaint(false)));
      if (options.summaryFile === undefined) return;
      const listed = ORDER.flatMap((severity) => rows[severity]).slice(0, ROWS);
      await appendFile(options.summaryFile, jobSummary(totals, byCode, listed));
    },
  };
}

function inRepository(shown: string, { cwd, workspace }: GithubOptions): string {
  if (workspace === undefined || workspace === '') return shown;
  const relative = path.relative(workspace, path.resolve(cwd, shown));
  return relative.startsWith('..') || path.isAbsolute(relative) ? shown : relative.split(path.sep).join('/');
}

function annotation(file: string, { code, severity, message, start, end, record }: Finding): string {
  const id = record?.id ?? null;
  const name = id === null ? '' : ` (${id})`;
  const places = [
    `file=${property(file)}`,
    `line=${start.line + 1}`,
    `endLine=${end.line + 1}`,
    // Columns are only heeded within one line.
    ...(start.line === end.line ? [`col=${start.column + 1}`, `endColumn=${end.column + 1}`] : []),
    `title=${property(code + name)}`,
  ];
  return `::${COMMAND[severity]} ${places.join(',')}::${data(message)}\n`;
}

/** As the runner undoes it. Other control characters, which a log would obey, are shown. */
function data(text: string): string {
  return visible(text).replace(/[%\r\n]/g, percent);
}

function property(text: string): string {
  return visible(text).replace(/[%\r\n:,]/g, percent);
}

function visible(text: string): string {
  return wellFormed(text)
    .split(/(\r?\n)/)
    .map((part, i) => (i % 2 === 1 ? part : oneLine(part)))
    .join('');
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function moreLine({ summary }: Totals, shown: Readonly<Record<Severity, readonly Shown[]>>): string {
  const more = [
    [summary.errors - shown.error.length, 'error'] as const,
    [summary.warnings - shown.warning.length, 'warning'] as const,
    [summary.infos - shown.info.length, 'info'] as const,
  ].filter(([count]) => count > 0);
  if (more.length === 0) return '';
  const words = more.map(([count, noun]) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`);
  return `${words.join(', ')} more without annotation: GitHub shows ${LIMIT} of each kind for a step.\n`;
}

function jobSummary(
  totals: Totals,
  byCode: ReadonlyMap<string, { readonly severity: Severity; readonly count: number }>,
  listed: readonly Shown[],
): string {
  const { errors, warnings, infos } = totals.summary;
  const head = `## Auditable QA\n\n${summaryLine(totals, createPaint(false))}\n`;
  if (errors + warnings + infos === 0) return `${head}\n`;
  const rank = (severity: Severity): number => ORDER.indexOf(severity);
  const counts = [...byCode]
    .sort(([, a], [, b]) => rank(a.severity) - rank(b.severity) || b.count - a.count)
    .map(([key, { severity, count }]) => `| ${severity} | ${key.slice(severity.length + 1)} | ${count} |\n`);
  const places = listed.map(({ file, finding }) => {
    const { severity, code, message, start, record } = finding;
    const name = record === null ? '' : (record.id ?? `record ${record.index + 1}`);
    return `| ${severity} | ${code} | ${cell(`${file}:${start.line + 1}`)} | ${cell(name)} | ${cell(message)} |\n`;
  });
  const more = errors + warnings + infos - listed.length;
  return (
    `${head}\n| | rule | findings |\n| --- | --- | ---: |\n${counts.join('')}\n` +
    `| | rule | place | record | finding |\n| --- | --- | --- | --- | --- |\n${places.join('')}\n` +
    (more > 0 ? `and ${more.toLocaleString('en')} more.\n\n` : '')
  );
}

/** Text of data in a table of Markdown: shown, never obeyed. */
function cell(text: string): string {
  const whole = oneLine(wellFormed(text));
  const short = whole.length > CELL ? `${wellFormed(whole.slice(0, CELL))}…` : whole;
  return short.replace(/[\\`*_{}[\]()<>#+!|~&@$:]/g, (character) => `&#${character.charCodeAt(0)};`);
}
