/** The commands that make files of files: `convert`, `split`, `merge`. */
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { convert } from './convert.ts';
import type { ConvertOptions } from './convert.ts';
import type { Shell } from './job.ts';
import { merge } from './merge.ts';
import type { MergeOptions } from './merge.ts';
import { split } from './split.ts';
import type { SplitOptions } from './split.ts';

export function addBulkCommands(program: Command, shell: Shell, done: (exitCode: number) => void): void {
  program
    .command('convert')
    .description('make JSONL of a JSON array, or the other way round; every value keeps its spelling')
    .argument('<file>', 'record file, or - for standard input')
    .addOption(new Option('--to <kind>', 'what to make').choices(['jsonl', 'json']).makeOptionMandatory())
    .option(
      '-o, --output <file>',
      'file to write; - for standard output (default: beside the file, with the other extension)',
    )
    .option('--force', 'replace the file to write where it is there already')
    .action(async (file: string, options: ConvertOptions) => done(await convert(file, options, shell)));
  recognising(program.command('split'))
    .description('write the records of a file into several files')
    .argument('<file>', 'record file')
    .option('--by <field>', 'a file for each value: split, category, document, another key, or a JSON pointer')
    .option('--count <n>', 'a file for every n records', toNumber)
    .option('--ids <file>', 'a file for the records of these ids, one to a line, and one for the others')
    .requiredOption('-o, --output <folder>', 'folder to write into')
    .option('--force', 'replace files that are there already')
    .action(async (file: string, options: SplitOptions) => done(await split(file, options, shell)));
  recognising(program.command('merge'))
    .description('make one file of several, records of the same id once')
    .argument('<files...>', 'record files, in the order that counts')
    .requiredOption('-o, --output <file>', 'file to write: a JSON array where it ends in .json, else JSONL')
    .addOption(
      new Option('--on-conflict <what>', 'where records of the same id differ')
        .choices(['stop', 'first', 'last', 'keep-both'])
        .default('stop'),
    )
    .option('--force', 'replace the file to write where it is there already')
    .action(async (files: string[], options: MergeOptions) => done(await merge(files, options, shell)));
}

function recognising(command: Command): Command {
  return command
    .option('--id <pointer>', 'where ids lie, as a key or a JSON pointer (default: as the profile says)')
    .option('--config <file>', 'configuration instead of the nearest auditable-qa.json')
    .option('--profile <name>', 'profile of all files, instead of recognising it');
}

function toNumber(given: string): number {
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(given);
}
