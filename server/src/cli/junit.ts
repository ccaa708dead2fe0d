/**
 * JUnit XML, written file by file: a suite for each file, in it a case for the file itself and one for each record with
 * findings. Errors are failures; what is no error stands in the case's output.
 */
import type { Finding } from '../core/finding.ts';
import { wellFormed } from './output.ts';
import type { Output } from './output.ts';
import { inPieces } from './printer.ts';
import type { Printer } from './printer.ts';

export function createJunitPrinter(out: Output): Printer {
  let head = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="auditable-qa">\n';
  return {
    async file({ path, findings }) {
      const write = inPieces(out);
      await write(head);
      head = '';
      const cases = casesOf(findings);
      const failures = cases.filter(({ findings: found }) => found.some(isError)).length;
      const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="0"`;
      await write(`  <testsuite name="${attribute(path)}" ${counts}>\n`);
      for (const one of cases) await write(caseText(path, one));
      await write('  </testsuite>\n', true);
    },
    end: () => out.write(`${head}</testsuites>\n`),
  };
}

interface Case {
  readonly name: string;
  readonly line: number;
  readonly findings: Finding[];
}

/** In the order of the file. The first one is there in any case: a suite without cases counts as not run. */
function casesOf(findings: readonly Finding[]): readonly Case[] {
  const ofFile: Case = { name: 'file', line: 1, findings: [] };
  const ofRecords = new Map<number, Case>();
  for (const finding of findings) {
    const { record } = finding;
    let one = record === null ? ofFile : ofRecords.get(record.index);
    if (one === undefined && record !== null) {
      const name = record.id === null ? `record ${record.index + 1}` : `record ${record.id}`;
      one = { name, line: record.line, findings: [] };
      ofRecords.set(record.index, one);
    }
    one?.findings.push(finding);
  }
  return [ofFile, ...ofRecords.values()];
}

function isError({ severity }: Finding): boolean {
  return severity === 'error';
}

function caseText(path: string, { name, line, findings }: Case): string {
  const errors = findings.filter(isError);
  const others = findings.filter((finding) => !isError(finding));
  const head = `    <testcase name="${attribute(name)}" classname="${attribute(path)}" file="${attribute(path)}" line="${line}"`;
  if (findings.length === 0) return `${head}/>\n`;
  const [first, ...more] = errors;
  const failure =
    first === undefined
      ? ''
      : `      <failure type="${attribute(first.code)}" message="${attribute(headline(first, more.length))}">` +
        `${content(errors.map((finding) => lineOf(path, finding)).join('\n'))}</failure>\n`;
  const output =
    others.length === 0
      ? ''
      : `      <system-out>${content(others.map((finding) => lineOf(path, finding)).join('\n'))}</system-out>\n`;
  return `${head}>\n${failure}${output}    </testcase>\n`;
}

function headline({ message }: Finding, more: number): string {
  return more === 0 ? message : `${message} (and ${more} more)`;
}

function lineOf(path: string, { severity, code, message, start }: Finding): string {
  return `${path}:${start.line + 1}:${start.column + 1}: ${severity} ${code} ${message}`;
}

/** Characters that XML 1.0 cannot hold, not even escaped, are shown as in JSON. */
function legal(text: string): string {
  return wellFormed(text).replace(
    // eslint-disable-next-line no-control-regex
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function content(text: string): string {
  // A carriage return would be read as a line feed.
  return legal(text).replace(/[&<>\r]/g, (character) => ENTITIES[character] ?? '&#13;');
}

/** Line ends and tabs in attributes would be read as blanks. */
function attribute(text: string): string {
  return legal(text).replace(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? `&#${character.charCodeAt(0)};`);
}
