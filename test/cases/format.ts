import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Report, ReportFile, ReportFinding } from '../../schemas/report.ts';

/** The format of cases.json; README.md beside it explains each member. */
export interface Expectation {
  readonly code: string;
  readonly severity?: string;
  readonly pointer?: string;
  readonly line?: number;
  readonly mentions?: readonly string[];
  readonly issue?: number;
}
interface CaseBase {
  readonly name: string;
  readonly profile: string;
  readonly expect: readonly Expectation[];
  readonly absent?: readonly string[];
  readonly only?: boolean;
  readonly records?: number;
  readonly why: string;
}
export interface RecordCase extends CaseBase {
  readonly patch: Readonly<Record<string, unknown>>;
}
export interface FileCase extends CaseBase {
  readonly files?: Readonly<Record<string, string>>;
  readonly filesBase64?: Readonly<Record<string, string>>;
  readonly copies?: Readonly<Record<string, string>>;
  readonly repeat?: { readonly find: string; readonly with_: string; readonly times: readonly number[] };
}
export interface CaseFile {
  readonly bases: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly cases: readonly RecordCase[];
  readonly fileCases: readonly FileCase[];
}

export const HOME = import.meta.dirname;

export function readCases(): CaseFile {
  return JSON.parse(readFileSync(join(HOME, 'cases.json'), 'utf8')) as CaseFile;
}

/** The issue up to which the product is built: expectations of later ones are not asked for yet. */
export const BUILT = 3;

/** Cases whose expectations are all built; a case without expectations always is. */
export function isBuilt(one: CaseBase): boolean {
  return one.expect.every((expected) => (expected.issue ?? BUILT) <= BUILT);
}

/** Lays the case's folders under `root`, one per variant, each as the README's set-up says; gives their names. */
export function layOut(file: CaseFile, one: RecordCase | FileCase, root: string): string[] {
  const lay = (name: string, ...content: [Texts, Texts, Texts]): string => {
    layFolder(join(root, name), one.profile, ...content);
    return name;
  };
  if ('patch' in one) {
    const record = { ...file.bases[one.profile], ...one.patch };
    return [lay(one.name, { 'a.jsonl': `${JSON.stringify(record)}\n` }, {}, {})];
  }
  const variants = one.repeat?.times ?? [1];
  return variants.map((times) => {
    const files = Object.entries(one.files ?? {}).map(([name, text]) => [
      name,
      one.repeat === undefined ? text : text.replace(one.repeat.find, one.repeat.with_.repeat(times)),
    ]);
    return lay(`${one.name}-${times}`, Object.fromEntries(files), one.filesBase64 ?? {}, one.copies ?? {});
  });
}

type Texts = Readonly<Record<string, string>>;

function layFolder(folder: string, profile: string, files: Texts, base64: Texts, copies: Texts): void {
  cpSync(join(HOME, 'documents'), join(folder, 'documents'), { recursive: true });
  const write = (name: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  for (const [name, text] of Object.entries(base64)) write(name, Buffer.from(text, 'base64'));
  for (const [name, source] of Object.entries(copies)) cpSync(join(HOME, 'documents', source), join(folder, name));
  write('auditable-qa.json', JSON.stringify({ datasets: [datasetFor(profile)] }));
}

function datasetFor(profile: string): object {
  const location =
    profile === 'mmlongbench-doc'
      ? { pdf: 'documents/{doc_id}' }
      : { pdf: 'documents/{doc_name}.pdf', pageImage: 'documents/{doc_name}_{page}.png' };
  return {
    files: ['*.jsonl', '*.json'],
    profile,
    ...location,
    coordinates: { space: 'pixel', dpi: 300, order: 'xyxy', origin: 'top-left' },
    pageBase: 1,
    imageBase: 1,
    solutions: { runner: 'sandbox', timeoutMs: 2000 },
  };
}

/** The files of a report that lie in a folder of the root from which it was made. */
export function filesIn(report: Report, folder: string): ReportFile[] {
  return report.files.filter((file) => file.path.replaceAll('\\', '/').startsWith(`${folder}/`));
}

/** What is wrong with the files of a report against the case's expectations, in words; empty when it is as expected. */
export function misses(one: CaseBase, files: readonly ReportFile[]): string[] {
  const findings = files.flatMap((file) => file.findings);
  const told = findings.map((f) => `${f.severity} ${f.code} ${f.pointer} «${f.message}»`).join('\n    ') || 'none';
  const wrong: string[] = [];
  for (const expected of one.expect) {
    if (!findings.some((finding) => matches(finding, expected))) wrong.push(`missing ${JSON.stringify(expected)}`);
  }
  for (const code of one.absent ?? []) {
    if (findings.some((finding) => finding.code === code)) wrong.push(`${code} must not be reported`);
  }
  if (one.expect.length === 0 && one.absent === undefined && findings.length > 0) wrong.push('expected no finding');
  if (one.only === true) {
    const codes = new Set(one.expect.map((expected) => expected.code));
    if (findings.some((finding) => !codes.has(finding.code))) wrong.push('nothing else may be reported');
  }
  const records = files.reduce((sum, file) => sum + file.records, 0);
  if (one.records !== undefined && records !== one.records) wrong.push(`${records} records instead of ${one.records}`);
  return wrong.length === 0 ? [] : [...wrong, `findings:\n    ${told}`];
}

function matches(finding: ReportFinding, expected: Expectation): boolean {
  return (
    finding.code === expected.code &&
    (expected.severity === undefined || finding.severity === expected.severity) &&
    (expected.pointer === undefined ||
      finding.pointer === expected.pointer ||
      finding.pointer.startsWith(`${expected.pointer}/`)) &&
    (expected.line === undefined || finding.range.start.line === expected.line) &&
    (expected.mentions ?? []).every((mention) => mention.split('|').some((word) => says(finding.message, word)))
  );
}

/** Without case, all dashes alike, thousands separators optional, numbers as whole tokens. */
export function says(message: string, word: string): boolean {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[‐-―−]/g, '-')
      .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  const needle = plain(word);
  const escaped = needle.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const before = /^[\d.]/.test(needle) ? '(?<![\\d.])' : '';
  const after = /\d$/.test(needle) ? '(?!\\d|\\.\\d)' : '';
  return new RegExp(before + escaped + after).test(plain(message));
}
