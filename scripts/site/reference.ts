/** Pages that are written from the program itself, so that they cannot be out of date: the command line, settings and commands. */
import path from 'node:path';
import type { Argument, Command, Option } from 'commander';
import type { Shell } from '../../server/src/cli/job.ts';
import { createProgram } from '../../server/src/cli/program.ts';
import { manifest } from '../manifest.ts';
import type { Setting } from '../manifest.ts';
import { ROOT } from './pages.ts';

/** The commands of the command line, as the program itself declares them. Nothing of them is run. */
export function commandLine(): Command {
  // What a command does is never asked for here, so nothing of the shell is needed but where the version stands.
  const shell = { installation: { distFolder: path.join(ROOT, 'dist') } } as Shell;
  return createProgram(shell, () => undefined);
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/[<>]/g, (sign) => `\\${sign}`);
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

function optionText(option: Option): string {
  const choices = option.argChoices === undefined ? '' : ` One of ${option.argChoices.map(code).join(', ')}.`;
  const usual =
    option.defaultValueDescription ??
    (['string', 'number'].includes(typeof option.defaultValue) ? code(String(option.defaultValue)) : undefined);
  return `${sentence(cell(option.description))}${choices}${usual === undefined ? '' : ` Default: ${usual}.`}`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function commandSection(command: Command): string {
  const parts = command.registeredArguments.map(argumentUsage);
  const rows = [
    ...command.registeredArguments.map((one) => [code(argumentUsage(one)), sentence(cell(one.description))]),
    ...command.options.map((option) => [code(option.flags), optionText(option)]),
  ];
  return [
    `## ${command.name()}`,
    sentence(command.description()),
    ['```', `auditable-qa ${[command.name(), '[options]', ...parts].join(' ')}`, '```'].join('\n'),
    table(['', ''], rows),
  ].join('\n\n');
}

const argumentUsage = (argument: Argument): string => {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
};

/** Markdown of the command line's reference. */
export function commandLinePage(): string {
  const program = commandLine();
  return [
    '# Command line',
    `This page has what \`auditable-qa COMMAND --help\` prints of arguments and options. Needs Node ≥ 22. How it is used: [getting started](getting-started.md), [in CI](ci.md).`,
    'Exit codes: 0, no finding at error level; 1, there are some (`crops`: images are missing; `split`: ids were not found; `merge`: conflicts); 2, something could not be done; 130, ended by Ctrl-C, 143 by a signal. A shard gives 0 whatever it found, `merge-reports` tells.',
    ...program.commands.map(commandSection),
    '',
  ].join('\n\n');
}

/** VS Code's own notation for settings and commands in descriptions. */
const plain = (text: string): string =>
  text.replace(/`#([^#`]+)#`/g, '`$1`').replace(/\[([^\]]+)\]\(command:[^)]+\)/g, '**$1**');

const SCOPES: Readonly<Record<string, string>> = {
  machine: 'Your own settings only; no workspace can set it.',
  resource: 'May be set for a folder.',
  window: 'May be set for a workspace.',
};

function settingSection(name: string, setting: Setting): string {
  const choices = (setting.enum ?? []).map(
    (value, at) => `- \`${value}\`: ${plain(setting.markdownEnumDescriptions?.[at] ?? '')}`,
  );
  return [
    `### ${name}`,
    plain(setting.markdownDescription),
    ...(setting.markdownEnumDescriptions === undefined ? [] : [choices.join('\n')]),
    `Default: \`${JSON.stringify(setting.default)}\`. ${SCOPES[setting.scope] ?? ''}`,
  ].join('\n\n');
}

/** Markdown of settings, commands and keys of the extension. */
export function settingsPage(): string {
  const { configuration, keybindings } = manifest.contributes;
  const keysOf = (command: string): string =>
    keybindings
      .filter((binding) => binding.command === command)
      .map(({ key, mac }) => `${code(key)}${mac === undefined ? '' : ` (macOS: ${code(mac)})`}`)
      .join(', ');
  return [
    '# Settings, commands, keys',
    'This page is made from the manifest of the extension. What holds for a dataset, for everybody and on the command line, stands in [auditable-qa.json](configuration.md).',
    '## Settings',
    ...Object.entries(configuration.properties)
      .sort(([, a], [, b]) => a.order - b.order)
      .map(([name, setting]) => settingSection(name, setting)),
    '## Commands',
    'In the command palette they begin with “Auditable QA:”. Those of the Records view’s own menu, about the records that are chosen there, are not in it.',
    table(
      ['command', 'keys', 'identifier'],
      manifest.contributes.commands.map(({ title, command }) => [cell(title), keysOf(command), code(command)]),
    ),
    '',
  ].join('\n\n');
}
