/** The command line: parses arguments, calls the command, and turns its outcome into an exit code. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { BASELINE_FILE } from '../../../schemas/acceptance.ts';
import type { RuleLevel } from '../../../schemas/report.ts';
import { RULES, ruleOf } from '../core/rules/registry.ts';
import type { Shard } from '../node/jobs/messages.ts';
import { describeWriting } from '../node/files/write.ts';
import { isAbort } from '../node/session.ts';
import { baseline } from './baseline.ts';
import type { BaselineOptions } from './baseline.ts';
import { addBulkCommands } from './bulk-commands.ts';
import { check } from './check.ts';
import { CROP_KINDS } from '../core/crops/plan.ts';
import { crops } from './crops.ts';
import type { CropsOptions } from './crops.ts';
import { explain, listRules } from './explain.ts';
import { fix } from './fix.ts';
import type { FixOptions } from './fix.ts';
import { FORMATS } from './job.ts';
import type { CheckOptions, Installation, Shell } from './job.ts';
import { manifestOf } from './manifest.ts';
import { mergeReports } from './merge-reports.ts';
import type { MergeReportsOptions } from './merge-reports.ts';
import { createOutput } from './output.ts';
import { stats } from './stats.ts';
import type { StatsOptions } from './stats.ts';
import { didYouMean } from './suggest.ts';
import { UsageError } from './usage.ts';

/** 0: done, no error-level finding; 1: there are some; 2: could not do the job. */
const FAILED = 2;
/** What asks a program to end, Ctrl-C and `kill` or a scheduler, with the exit codes as shells report them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof SIGNALS;
const LEVELS: readonly RuleLevel[] = ['error', 'warning', 'info', 'off'];

/** Runs one command; gives the exit code. `args` are those after the program's name. */
export async function main(args: readonly string[], installation: Installation): Promise<number> {
  const out = createOutput(process.stdout, process.env);
  const err = createOutput(process.stderr, process.env);
  const stop = new AbortController();
  let ended: Signal | undefined;
  const interrupt = (signal: Signal): void => {
    // A second one, while the first is still being served, ends the process as usual.
    listen(false);
    ended = signal;
    stop.abort();
  };
  const listen = (on: boolean): void => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process[on ? 'on' : 'off'](signal, interrupt);
  };
  listen(true);
  out.closed.addEventListener('abort', () => stop.abort());
  const shell: Shell = { out, err, cwd: process.cwd(), stop: stop.signal, installation };

  let exitCode = 0;
  const program = createProgram(shell, (code) => (exitCode = code));
  try {
    await program.parseAsync(args, { from: 'user' });
    return out.closed.aborted ? FAILED : exitCode;
  } catch (error) {
    if (ended !== undefined) return SIGNALS[ended];
    if (out.closed.aborted && isAbort(error)) return FAILED;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : FAILED;
    await err.write(`auditable-qa: ${error instanceof UsageError ? error.message : unexpected(error)}\n`);
    return FAILED;
  } finally {
    listen(false);
    if (out.failure !== undefined) {
      await err.write(`auditable-qa: what is printed ${describeWriting(out.failure)}\n`);
    }
  }
}

function unexpected(error: unknown): string {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `a fault of the program itself, please report it: ${trace}`;
}

/** The commands with their options; `done` gets the exit code. The documentation reads it, too. */
export function createProgram(shell: Shell, done: (exitCode: number) => void): Command {
  const program = new Command('auditable-qa')
    .description('Checks document question answering datasets where they lie.')
    .version(manifestOf(shell.installation).version, '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void shell.out.write(text),
      writeErr: (text) => void shell.err.write(text),
    });
  for (const mode of ['check', 'run'] as const) {
    checkCommand(program.command(mode), mode).action(
      async (paths: string[], options: CheckOptions, command: Command) => {
        if (options.shard !== undefined) onlyJson(options, command);
        done(await check(paths, options, shell, mode));
      },
    );
  }
  program
    .command('merge-reports')
    .description('put the reports of all shards of a check together, as if it had not been parted')
    .argument('<reports...>', 'what check --shard I/N printed, for each I from 1 to N')
    .addOption(formatOption(FORMATS))
    .option('-o, --output <file>', 'file to write, instead of standard output')
    .option('--baseline <file>', 'report only what this baseline does not have')
    .option('--max-findings <n>', 'findings listed per file, the gravest first (0: all)', toCount, 0)
    .action(async (reports: string[], options: MergeReportsOptions) =>
      done(await mergeReports(reports, options, shell)),
    );
  program
    .command('fix')
    .description('put right what can be put right without a doubt; without --write the changes are only shown')
    .argument('<paths...>', 'record files, folders to walk, or - for standard input')
    .addOption(
      new Option(
        '--rule <code>',
        'only fixes of this rule, also one that has to be chosen where it is the only one; may be repeated',
      )
        .argParser(collectCode)
        .default([], 'all safe fixes'),
    )
    .option('--write', 'write the files instead of printing a diff; of standard input, print it fixed')
    .addOption(solutionsOption())
    .addOption(pagesOption())
    .option('--config <file>', 'configuration instead of the nearest auditable-qa.json')
    .option('--profile <name>', 'profile of all files, instead of recognising it')
    .option('--jobs <n>', 'solutions that run at the same time', toJobs)
    .addOption(cacheOption())
    .action(async (paths: string[], options: FixOptions) => done(await fix(paths, options, shell)));
  program
    .command('stats')
    .description('count records: per split, type, label, category, pages and length')
    .argument('<paths...>', 'record files, folders to walk, or - for standard input')
    .addOption(formatOption())
    .option('--config <file>', 'configuration instead of the nearest auditable-qa.json')
    .option('--profile <name>', 'profile of all files, instead of recognising it')
    .action(async (paths: string[], options: StatsOptions) => done(await stats(paths, options, shell)));
  program
    .command('crops')
    .description('write the evidence as pictures: cited regions, cited pages, or whole documents, with a manifest')
    .argument('<paths...>', 'record files, folders to walk, or - for standard input')
    .requiredOption('--out <folder>', 'folder to write to; a run that was stopped goes on there')
    .addOption(
      new Option('--what <what>', 'one image for each region, each cited page, or each page of the document')
        .choices(CROP_KINDS)
        .default('crops'),
    )
    .option('--dpi <n>', 'resolution of pages that are drawn from a PDF; page images stay as they are', toDpi)
    .option('--jobs <n>', 'pages that are worked on at the same time', toJobs)
    .option('--config <file>', 'configuration instead of the nearest auditable-qa.json')
    .option('--profile <name>', 'profile of all files, instead of recognising it')
    .addHelpText('after', CROPS_HELP)
    .action(async (paths: string[], options: CropsOptions) => done(await crops(paths, options, shell)));
  judging(program.command('baseline'))
    .description('write down the findings that are known, for check --baseline')
    .argument('<paths...>', 'record files, or folders to walk')
    .option('-o, --output <file>', 'file to write; - for standard output', BASELINE_FILE)
    .addOption(solutionsOption())
    .addOption(pagesOption())
    .action(async (paths: string[], options: BaselineOptions) => done(await baseline(paths, options, shell)));
  addBulkCommands(program, shell, done);
  program
    .command('explain')
    .description('what a rule means')
    .argument('<code>', 'code of the rule, such as box/out-of-page')
    .action(async (code: string) => done(await explain(code, shell.out)));
  program
    .command('rules')
    .description('list all rules')
    .addOption(formatOption())
    .action(async ({ format }: { format: 'text' | 'json' }) => done(await listRules(format, shell.out)));
  program
    .command('lsp')
    .description('the language server, for any editor')
    .requiredOption('--stdio', 'talk over standard input and output')
    .action(async () => {
      const { startStdio } = await import('../lsp/main.ts');
      await startStdio();
      done(0);
    });
  return program;
}

const CROPS_HELP = `
manifest.jsonl in the folder has a line for each record: key, question, answer, and for each of its images path, document,
page, label, box, place in pixels, size, dpi and SHA-256. Pages come from the page images as they are, else from the PDF,
drawn at the dpi that the boxes are in (300 where they are in none).

Exit code 0: all images are there; 1: some records lack images, and "problems" says why; 2: could not do the job.`;

function checkCommand(command: Command, mode: 'check' | 'run'): Command {
  command
    .description(mode === 'check' ? 'check record files' : 'run the solutions only: value, gold, verdict, time')
    .argument('<paths...>', 'record files, folders to walk, or - for standard input')
    .addOption(formatOption(mode === 'check' ? FORMATS : undefined))
    .addOption(solutionsOption());
  if (mode === 'check') {
    command
      .addOption(pagesOption())
      .option('--baseline <file>', 'report only what this baseline does not have')
      .option('--changed-since <revision>', 'report only records that have changed since a git revision')
      .option('--shard <i/n>', 'check only this part of the records, for merge-reports; the report is JSON', toShard);
  }
  return judging(command).option(
    '--max-findings <n>',
    'findings listed per file, the gravest first (0: all)',
    toCount,
    0,
  );
}

function judging(command: Command): Command {
  return command
    .option('--config <file>', 'configuration instead of the nearest auditable-qa.json')
    .option('--profile <name>', 'profile of all files, instead of recognising it')
    .addOption(
      new Option('--rule <code=severity>', 'level of a rule: error, warning, info or off; may be repeated')
        .argParser(collectRule)
        .default({}, 'as configured'),
    )
    .option('--jobs <n>', JOBS, toJobs)
    .addOption(cacheOption());
}

const JOBS =
  'records that are checked, and solutions that run, at the same time (default: as many as there are processors, 4 at most)';

function cacheOption(): Option {
  return new Option(
    '--cache <folder>',
    'keep results of solutions in this folder, which machines may share (see docs/clusters.md)',
  ).env('AUDITABLE_QA_CACHE');
}

function formatOption(formats: readonly string[] = ['text', 'json']): Option {
  return new Option('--format <format>', 'how results are printed').choices(formats).default('text');
}

function solutionsOption(): Option {
  return new Option(
    '--solutions <runner>',
    'how solutions are run; where nothing is said, in the sandbox unless configured off',
  ).choices(['sandbox', 'python', 'off']);
}

function pagesOption(): Option {
  return new Option('--pages <mode>', 'whether documents are looked at').choices(['on', 'off']).default('on');
}

function collectRule(given: string, before: Readonly<Record<string, RuleLevel>>): Readonly<Record<string, RuleLevel>> {
  const [code = '', level, ...rest] = given.split('=');
  if (level === undefined || rest.length > 0) {
    throw new InvalidArgumentError('Write CODE=SEVERITY, such as box/out-of-page=warning.');
  }
  checkCode(code);
  const known = LEVELS.find((one) => one === level);
  if (known === undefined) {
    throw new InvalidArgumentError(
      `${level} is no severity.${didYouMean(level, LEVELS)} Use error, warning, info or off.`,
    );
  }
  return { ...before, [code]: known };
}

function collectCode(code: string, before: readonly string[]): readonly string[] {
  checkCode(code);
  return [...before, code];
}

function checkCode(code: string): void {
  if (ruleOf(code) !== undefined) return;
  const known = RULES.map((rule) => rule.code);
  throw new InvalidArgumentError(`There is no rule ${code}.${didYouMean(code, known)}`);
}

function toCount(given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(given);
}

function toDpi(given: string): number {
  const dpi = /^\d{1,4}(?:\.\d{1,3})?$/.test(given) ? Number(given) : 0;
  if (dpi < 10 || dpi > 2400) throw new InvalidArgumentError('It must be a number from 10 to 2400.');
  return dpi;
}

/** Other formats have no room for what merging needs. */
function onlyJson({ format }: CheckOptions, command: Command): void {
  if (format === 'json' || command.getOptionValueSource('format') === 'default') return;
  throw new UsageError(
    `A shard prints JSON only, since merge-reports reads it: that one prints all shards together with --format ${format}.`,
  );
}

function toShard(given: string): Shard {
  const [, number = '0', of = '0'] = /^(\d{1,6})\/(\d{1,6})$/.exec(given) ?? [];
  const shard = { number: Number(number), of: Number(of) };
  if (shard.number < 1 || shard.number > shard.of) {
    throw new InvalidArgumentError('Write I/N, such as 2/4 for the second of four parts; I is from 1 to N.');
  }
  return shard;
}

function toJobs(given: string): number {
  const jobs = toCount(given);
  if (jobs < 1 || jobs > 64) throw new InvalidArgumentError('It must be a whole number from 1 to 64.');
  return jobs;
}
