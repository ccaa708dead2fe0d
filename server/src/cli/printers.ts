/** The printer of a format. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createGithubPrinter } from './github.ts';
import type { CheckOptions, Installation, Shell } from './job.ts';
import { createJunitPrinter } from './junit.ts';
import { manifestOf } from './manifest.ts';
import { createJsonPrinter, createTextPrinter } from './printer.ts';
import type { Printer } from './printer.ts';
import { createSarifPrinter } from './sarif.ts';
import type { SarifOptions } from './sarif.ts';

export function createPrinter(
  { format, maxFindings }: Pick<CheckOptions, 'format' | 'maxFindings'>,
  { out, cwd, installation }: Shell,
): Printer {
  switch (format) {
    case 'text':
      return createTextPrinter(out, maxFindings);
    case 'json':
      return createJsonPrinter(out);
    case 'sarif':
      return createSarifPrinter(out, sarifOptions(installation));
    case 'junit':
      return createJunitPrinter(out);
    case 'github':
      return createGithubPrinter(out, {
        cwd,
        workspace: process.env['GITHUB_WORKSPACE'],
        summaryFile: process.env['GITHUB_STEP_SUMMARY'] || undefined,
      });
  }
}

/** The rules' pages lie beside the built program. */
function sarifOptions(installation: Installation): SarifOptions {
  const { version, homepage } = manifestOf(installation);
  const pages = path.join(path.dirname(installation.distFolder), 'docs', 'rules');
  if (homepage !== undefined) return { version, rulePages: `${homepage.replace(/\/?(?:#.*)?$/, '')}/docs/rules/` };
  return { version, ...(existsSync(pages) && { rulePages: `${pathToFileURL(pages).href}/` }) };
}
