/**
 * Rule × file with the number of findings on real data, as in docs/false-alarms.md.
 *   node test/false-alarms/table.ts [FOLDER] [--rule CODE] [--count 20]
 * With --rule: the findings themselves, spread evenly over the file, for a look at each.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ReportFile, ReportFinding } from '../../schemas/report.ts';
import { reportOf, runCli } from '../cli/run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rule: { type: 'string' }, count: { type: 'string', default: '20' } },
});
const folder = positionals[0] ?? path.join('..', 'shared', 'data');
const report = reportOf(await runCli(['check', folder, '--format', 'json']));

if (values.rule === undefined) printTable(report.files);
else printFindings(report.files, values.rule, Number(values.count));

function printTable(files: readonly ReportFile[]): void {
  console.log('| rule | severity | file | records | findings |\n|---|---|---|---|---|');
  const rows = files.flatMap((file) => {
    const counts = new Map<string, number>();
    for (const { code, severity } of file.findings) {
      const key = `${code} | ${severity}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const name = path.relative(folder, file.path).replaceAll('\\', '/');
    return [...counts].map(([key, count]) => `| ${key} | ${name} | ${file.records} | ${count} |`);
  });
  for (const row of rows.sort()) console.log(row);
  const quiet = files.filter((file) => file.findings.length === 0).map((file) => path.basename(file.path));
  console.log(`\nWithout findings: ${quiet.join(', ')}.`);
}

function printFindings(files: readonly ReportFile[], rule: string, count: number): void {
  const found = files.flatMap((file) =>
    file.findings.filter(({ code }) => code === rule).map((finding) => ({ file, finding })),
  );
  const step = Math.max(1, found.length / count);
  for (let i = 0; i < Math.min(count, found.length); i++) {
    const { file, finding } = found[Math.floor(i * step)]!;
    console.log(`${path.basename(file.path)} ${place(finding)} ${finding.message}`);
  }
  console.log(`${found.length} in all.`);
}

function place({ record, pointer, range }: ReportFinding): string {
  return `${record?.id ?? `line ${range.start.line}`} ${pointer}`;
}
