/**
 * Writes what follows from the rule registry: docs/rules/ (a page per rule and an index) and schemas/rules.json (the
 * list that the client, the settings and the configuration's schema read). `npm run generate` calls it; a test holds
 * the files to it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import { defaultLevel, RULES } from '../server/src/core/rules/registry.ts';
import type { Rule, RuleExample } from '../server/src/core/rules/types.ts';

const ROOT = join(import.meta.dirname, '..');

/** File name → content of all generated files, relative to the project's root. */
export async function rulePages(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const rule of RULES) files.set(`docs/rules/${rule.code}.md`, page(rule));
  files.set('docs/rules/README.md', index());
  files.set('schemas/rules.json', await format('schemas/rules.json', JSON.stringify(list())));
  const schema = 'schemas/auditable-qa.schema.json';
  files.set(
    schema,
    await format(schema, JSON.stringify(withCodes(JSON.parse(readFileSync(join(ROOT, schema), 'utf8'))))),
  );
  return files;
}

async function format(path: string, text: string): Promise<string> {
  const options = await prettier.resolveConfig(join(ROOT, path));
  return prettier.format(text, { ...options, filepath: path });
}

function list(): object[] {
  return RULES.map((rule) => ({
    code: rule.code,
    severity: rule.severity,
    default: defaultLevel(rule),
    needs: rule.needs,
    title: rule.title,
  }));
}

/** The configuration's schema names every rule, so that editors complete and explain codes. */
function withCodes(schema: { definitions?: Record<string, unknown> }): object {
  const properties = Object.fromEntries(
    RULES.map((rule) => [
      rule.code,
      // Beside a reference a description would not count.
      {
        allOf: [{ $ref: '#/definitions/ruleLevel' }],
        description: `${rule.title.replace(/\.$/, '')}. Default: ${defaultLevel(rule)}.`,
      },
    ]),
  );
  const before = schema.definitions?.['rules'] as Record<string, unknown> | undefined;
  return { ...schema, definitions: { ...schema.definitions, rules: { ...before, properties } } };
}

function page(rule: Rule): string {
  return [
    `# ${rule.code}`,
    `**${rule.title}**`,
    `Severity: ${rule.severity}${rule.off === true ? ' (off by default)' : ''}. Needs: ${NEEDS[rule.needs]}.`,
    rule.why.trim(),
    `## Reported`,
    example(rule.fires),
    `## Not reported`,
    example(rule.quiet),
    `## Changing its level`,
    'In `auditable-qa.json`, for a group of files:',
    ['```json', `{ "datasets": [{ "files": ["**/*.jsonl"], "rules": { "${rule.code}": "off" } }] }`, '```'].join('\n'),
    `On the command line: \`--rule ${rule.code}=off\`. Levels: \`error\`, \`warning\`, \`info\`, \`off\`.`,
    '',
  ].join('\n\n');
}

const NEEDS: Readonly<Record<Rule['needs'], string>> = {
  text: 'the bytes of the file',
  record: 'the record',
  solution: "the solution's text",
  run: 'the executed solution',
  trace: 'the numbers of the solution, looked up in the evidence',
  size: 'the document (page count and page sizes)',
  page: 'what stands on the pages (text of the PDF, ink of the page images)',
  file: 'all records of the file',
  dataset: 'all records of the data set',
};

function example(one: RuleExample): string {
  const lines = one.lines.map((line) => (typeof line === 'string' ? visible(line) : JSON.stringify(line)));
  const language = one.profile === 'config' ? 'json' : 'jsonl';
  const block = ['```' + language, ...lines, '```'].join('\n');
  return one.note === undefined ? block : `${block}\n\n${one.note}`;
}

/** Characters that a page would hide are written as escapes in angle brackets. */
function visible(line: string): string {
  return line.replace(
    // eslint-disable-next-line no-control-regex -- control characters are what it looks for
    /[\0-\x1f\x7f-\x9f\ufeff\u2028\u2029]/g,
    (c) => `<U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}

function index(): string {
  const rows = RULES.map((rule) => `| [${rule.code}](${rule.code}.md) | ${defaultLevel(rule)} | ${rule.title} |`);
  return ['# Rules', '', '| code | default | what it reports |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(join(ROOT, 'docs/rules'), { recursive: true, force: true });
  for (const [path, content] of await rulePages()) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), content);
  }
}
