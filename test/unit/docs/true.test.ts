/** What the documentation says of commands, options, settings, rules and configuration is held against the program. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { manifest } from '../../../scripts/manifest.ts';
import { filedPages, ROOT } from '../../../scripts/site/pages.ts';
import { commandLine } from '../../../scripts/site/reference.ts';
import { RULES } from '../../../server/src/core/rules/registry.ts';

const PAGES = filedPages().filter(({ page }) => page !== 'CHANGELOG.md');
const PROSE = PAGES.filter(({ page }) => !page.startsWith('docs/rules/'));

/** Code of a page: text between backticks, and the lines of code blocks, indented ones too. */
function codeOf(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(/^```[^\n]*\n(.*?)^```$/gms)].flatMap(([, block = '']) => block.split('\n'));
  const rest = markdown.replace(/^```.*?^```$/gms, '');
  const indented = rest.split('\n').filter((line) => /^ {4}/.test(line));
  const inline = [...rest.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...indented, ...inline].map((line) => line.trim());
}

const PROGRAM = commandLine();
const optionsOf = (command: Command): readonly string[] => [
  ...command.options.flatMap(({ long, short }) => [long, short]).filter((flag) => flag !== undefined),
  '--help',
];

interface Call {
  readonly page: string;
  readonly line: string;
  readonly command: string;
  readonly flags: readonly string[];
}

/** Calls of the command line in the code of a page. What is behind a pipe, a redirection, a comment or two blanks is not its own. */
function callsOf(page: string, markdown: string): readonly Call[] {
  return codeOf(markdown).flatMap((line) =>
    [
      ...line.matchAll(/(?:^|[\s|("'&;])(?:auditable-qa|node \S*dist\/cli\.js) ([a-z][a-z-]*)((?:(?! {2})[^|;#>)])*)/g),
    ].map(([, command = '', rest = '']) => ({
      page,
      line,
      command,
      flags: [...rest.matchAll(/(?:^|\s)(--?[a-zA-Z][a-z-]*)/g)].map(([, flag = '']) => flag),
    })),
  );
}

const CALLS = PAGES.flatMap(({ page, markdown }) => callsOf(page, markdown));

describe('what the documentation says', () => {
  it('calls commands and options of the command line that exist', () => {
    assert.ok(CALLS.length > 15);
    const wrong = CALLS.flatMap(({ page, line, command, flags }) => {
      const known = PROGRAM.commands.find((one) => one.name() === command);
      if (known === undefined) return [`${page}: no command ${command}: ${line}`];
      return flags
        .filter((flag) => !optionsOf(known).includes(flag))
        .map((flag) => `${page}: ${command} has no ${flag}: ${line}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('names single options that some command has', () => {
    const known = new Set([...PROGRAM.commands.flatMap(optionsOf), '--version']);
    // Pages that are about other programs, too.
    const others = new Set([
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'docs/speed-and-memory.md',
      'docs/clusters.md',
      'docs/recipes.md',
      'docs/releasing.md',
    ]);
    const wrong = PROSE.filter(({ page }) => !others.has(page)).flatMap(({ page, markdown }) =>
      [...markdown.matchAll(/`(--[a-z][a-z-]*)[^`]*`/g)]
        .map(([, flag = '']) => flag)
        .filter((flag) => !known.has(flag))
        .map((flag) => `${page}: ${flag}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('names settings, commands and views that the extension has', () => {
    const { contributes } = manifest;
    const known = new Set([
      ...Object.keys(contributes.configuration.properties),
      ...contributes.commands.map(({ command }) => command),
      ...Object.values(contributes.views).flatMap((views) => views.map(({ id }) => id)),
      'auditableQa.active',
    ]);
    const wrong = PAGES.flatMap(({ page, markdown }) =>
      [...markdown.matchAll(/(?<![\w.])auditableQa\.[A-Za-z.]*[A-Za-z]/g)]
        .map(([name]) => name)
        .filter((name) => !known.has(name))
        .map((name) => `${page}: ${name}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('quotes titles of commands as the palette shows them', () => {
    const titles = new Set(manifest.contributes.commands.map(({ title }) => title.replace(/…$/, '')));
    const quoted = PAGES.flatMap(({ page, markdown }) =>
      [...markdown.matchAll(/["“*`]Auditable QA: ([^"”*`]+)["”*`]/g)].map(([, title = '']) => ({ page, title })),
    );
    assert.ok(quoted.length > 0);
    assert.deepEqual(
      quoted.filter(({ title }) => !titles.has(title.replace(/…$/, ''))),
      [],
    );
  });

  it('names rules that exist', () => {
    const families = new Set(RULES.map(({ code }) => code.split('/')[0]));
    const codes = new Set<string>(RULES.map(({ code }) => code));
    const wrong = PROSE.flatMap(({ page, markdown }) =>
      [...markdown.matchAll(/(?<![\w/.-])([a-z]+)\/([a-z]+(?:-[a-z]+)*)(?![\w/.*-])/g)]
        .filter(([, family = '']) => families.has(family))
        .map(([code]) => code)
        .filter((code) => !codes.has(code))
        .map((code) => `${page}: ${code}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('calls scripts that package.json has', () => {
    const wrong = PAGES.flatMap(({ page, markdown }) =>
      codeOf(markdown)
        .flatMap((line) => [...line.matchAll(/(?:^|\s)npm run ([a-z][a-z:-]*)/g)].map(([, name = '']) => name))
        .filter((name) => !(name in manifest.scripts))
        .map((name) => `${page}: npm run ${name}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('names source files and folders that are there', () => {
    const names = new Set(
      readdirSync(ROOT, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name),
    );
    const files = new Set<string>();
    for (const room of ['server', 'client', 'webview', 'schemas', 'scripts', 'test', 'docs', 'examples', 'syntaxes'])
      for (const file of readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' }))
        files.add(`${room}/${file.replaceAll('\\', '/')}`);
    const wrong = PROSE.flatMap(({ page, markdown }) =>
      [...markdown.matchAll(/`((?:server|client|webview|schemas|scripts|test|examples|syntaxes)\/[\w./-]+)`/g)]
        .map(([, name = '']) => name.replace(/\/$/, ''))
        .filter((name) => !files.has(name) && !names.has(name))
        .map((name) => `${page}: ${name}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('shows configurations that the schema allows', async () => {
    const { Ajv } = await import('ajv');
    const schema = JSON.parse(readFileSync(path.join(ROOT, 'schemas/auditable-qa.schema.json'), 'utf8')) as object;
    const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
    const samples = PROSE.flatMap(({ page, markdown }) =>
      [...markdown.matchAll(/^```json\n(.*?)^```$/gms)]
        .map(([, text = '']) => ({ page, text }))
        .filter(({ text }) => /^\s*\{\s*"(?:datasets|profiles)"/.test(text)),
    );
    assert.ok(samples.length > 1);
    const wrong = samples.flatMap(({ page, text }) =>
      validate(JSON.parse(text)) ? [] : [`${page}: ${JSON.stringify(validate.errors)}`],
    );
    assert.deepEqual(wrong, []);
  });
});
