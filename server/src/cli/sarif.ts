/**
 * SARIF 2.1.0 (OASIS, errata 01), written file by file. Regions are 1-based and count UTF-16 units; addresses are relative to
 * %SRCROOT%, the folder in which the command ran.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Severity } from '../../../schemas/report.ts';
import type { Position } from '../core/finding.ts';
import { RULES } from '../core/rules/registry.ts';
import type { Rule, RuleExample } from '../core/rules/types.ts';
import { exampleText } from './explain.ts';
import { wellFormed } from './output.ts';
import type { Output } from './output.ts';
import { inPieces } from './printer.ts';
import type { Printer } from './printer.ts';
import type { LaidFinding, LaidFix } from './report.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const LEVEL: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};
const INDEX: ReadonlyMap<string, number> = new Map(RULES.map(({ code }, i) => [code, i]));

export interface SarifOptions {
  readonly version: string;
  /** Address of the folder with the rules' pages, ending in `/`; absent: rules carry their text only. */
  readonly rulePages?: string;
}

export function createSarifPrinter(out: Output, { version, rulePages }: SarifOptions): Printer {
  const driver = {
    name: 'Auditable QA',
    semanticVersion: version,
    rules: RULES.map((rule) => descriptor(rule, rulePages)),
  };
  const base = { '%SRCROOT%': { description: { text: 'The folder in which auditable-qa ran.' } } };
  const head =
    `{"$schema":${JSON.stringify(SCHEMA)},"version":"2.1.0","runs":[{"tool":{"driver":${JSON.stringify(driver)}},\n` +
    `"columnKind":"utf16CodeUnits","originalUriBaseIds":${JSON.stringify(base)},\n"results":[`;
  let separator = `${head}\n`;
  return {
    async file({ path: file, findings }) {
      const write = inPieces(out);
      const artifact = artifactOf(file);
      for (const finding of findings) {
        await write(separator + JSON.stringify(resultOf(finding, artifact)));
        separator = ',\n';
      }
      await write('', true);
    },
    async end({ summary }, failed) {
      if (separator !== ',\n') await out.write(head);
      const invocation = {
        executionSuccessful: !failed,
        exitCode: failed ? 2 : summary.errors > 0 ? 1 : 0,
      };
      await out.write(`],\n"invocations":[${JSON.stringify(invocation)}]}]}\n`);
    },
  };
}

function descriptor(rule: Rule, pages: string | undefined): object {
  const { code, severity, off, title, why, fires, quiet } = rule;
  return {
    id: code,
    name: nameOf(code),
    shortDescription: { text: title },
    fullDescription: { text: why.trim() },
    help: {
      text: `${why.trim()}\n\nReported:\n${exampleText(fires)}\n\nNot reported:\n${exampleText(quiet)}`,
      markdown: `${why.trim()}\n\n**Reported**\n\n${fenced(fires)}\n\n**Not reported**\n\n${fenced(quiet)}`,
    },
    ...(pages !== undefined && { helpUri: `${pages}${code}.md` }),
    defaultConfiguration: { enabled: off !== true, level: LEVEL[severity] },
    properties: {
      tags: [code.slice(0, code.indexOf('/'))],
      'problem.severity': severity === 'info' ? 'recommendation' : severity,
    },
  };
}

/** `box/out-of-page` → `BoxOutOfPage`. */
function nameOf(code: string): string {
  return code.replace(/(?:^|[/-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function fenced({ lines, note }: RuleExample): string {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}${note === undefined ? '' : `\n\n${note}`}`;
}

interface Artifact {
  readonly uri: string;
  readonly uriBaseId?: '%SRCROOT%';
}

/** `shown` is relative to the working folder where the file lies inside it, else absolute. */
function artifactOf(shown: string): Artifact {
  if (path.isAbsolute(shown)) return { uri: pathToFileURL(shown).href };
  return { uri: shown.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}

function resultOf(finding: LaidFinding, artifact: Artifact): object {
  const { code, severity, message, record, recordKey, pointer, fingerprint, related, laidFixes } = finding;
  return {
    ruleId: code,
    ruleIndex: INDEX.get(code),
    level: LEVEL[severity],
    message: { text: messageText(message) },
    locations: [
      {
        physicalLocation: place(finding, artifact),
        ...(recordKey !== undefined && {
          logicalLocations: [
            { name: pointer === '' ? recordKey : pointer, fullyQualifiedName: `${recordKey}${pointer}`, kind: 'value' },
          ],
        }),
      },
    ],
    ...(related.length > 0 && {
      relatedLocations: related.map((one, id) => ({
        id,
        message: { text: messageText(one.message) },
        physicalLocation: place(one, one.file === undefined ? artifact : artifactOf(one.file.name)),
      })),
    }),
    partialFingerprints: { 'auditableQa/v1': fingerprint },
    ...(laidFixes && laidFixes.length > 0 && { fixes: laidFixes.map((fix) => fixOf(fix, artifact)) }),
    properties: {
      pointer,
      ...(record !== null && { record: record.index + 1, id: record.id }),
      ...(recordKey !== undefined && { recordKey }),
    },
  };
}

function place(at: { readonly start: Position; readonly end: Position }, artifactLocation: Artifact): object {
  return { artifactLocation, region: regionOf(at) };
}

/** The end column of a region is the one behind it. */
function regionOf({ start, end }: { readonly start: Position; readonly end: Position }): object {
  return {
    startLine: start.line + 1,
    startColumn: start.column + 1,
    endLine: end.line + 1,
    endColumn: end.column + 1,
  };
}

function fixOf({ title, replacements }: LaidFix, artifactLocation: Artifact): object {
  return {
    description: { text: messageText(title) },
    artifactChanges: [
      {
        artifactLocation,
        replacements: replacements.map((one) => ({
          deletedRegion: regionOf(one),
          insertedContent: { text: one.text },
        })),
      },
    ],
  };
}

/** Braces name arguments and brackets before a parenthesis make links (SARIF 3.11.5 and 3.11.6); ours are plain text. */
function messageText(text: string): string {
  return wellFormed(text)
    .replace(/[{}]/g, (brace) => brace + brace)
    .replace(/\[(?=[^\]]*\]\()/g, '\\[');
}
