import { addAbortSignal } from 'node:stream';
import path from 'node:path';
import type { Counts, Statistics, StatsFile, StatsReport } from '../../../schemas/stats.ts';
import type { NoProfile } from '../core/profile/settings.ts';
import type { FileSettings } from '../core/profile/types.ts';
import { toCanonical } from '../core/record/canonical.ts';
import { createNesting, withOuter } from '../core/text/nested.ts';
import { parseRecordText } from '../core/text/parse.ts';
import type { RecordSlot } from '../core/text/types.ts';
import { fileSource, streamSource } from '../node/files/read.ts';
import type { RecordSource } from '../node/files/read.ts';
import { isOwnFile } from '../node/files/walk.ts';
import type { Runtime } from '../node/runtime.ts';
import { findInputs, openRuntime } from './check.ts';
import type { Input, Shell } from './job.ts';
import { createPaint, oneLine } from './output.ts';
import type { Paint } from './output.ts';
import { createCounter } from './statistics.ts';
import type { Counter } from './statistics.ts';
import { unfitText } from './unfit.ts';
import { UsageError } from './usage.ts';

export interface StatsOptions {
  readonly format: 'text' | 'json';
  readonly config?: string;
  readonly profile?: string;
}

const SAMPLES = 1000;
/** Values listed of one kind in text; JSON has them all. */
const LISTED = 20;

/** Gives the exit code: 0 counted, 2 something could not be done. */
export async function stats(paths: readonly string[], options: StatsOptions, shell: Shell): Promise<number> {
  const { inputs, problems } = await findInputs(paths, shell.cwd);
  const runtime = await openRuntime(options, shell);
  const tell = (shown: string, message: string): Promise<void> =>
    shell.err.write(`auditable-qa: ${oneLine(shown)}: ${oneLine(message)}\n`);
  let failed = problems.length > 0;
  try {
    for (const { shown, message } of problems) await tell(shown, message);
    const total = createCounter();
    const files: StatsFile[] = [];
    for (const input of inputs) {
      const counted = await countInput(input, options, shell, runtime, total);
      if (typeof counted === 'object') files.push(counted);
      else if (counted !== undefined) {
        failed = true;
        await tell(input === 'stdin' ? '<stdin>' : input.shown, counted);
      }
    }
    if (files.length === 0 && !failed) {
      failed = true;
      await tell(paths.join(', '), 'there is no record file that a profile fits');
    }
    await shell.out.write(
      options.format === 'json'
        ? jsonText(files, total.end())
        : allText(files, total.end(), createPaint(shell.out.colors)),
    );
    return failed ? 2 : 0;
  } finally {
    await runtime.dispose();
  }
}

/** Text: why it cannot be counted. undefined: it was not asked for by name and is no record file. */
async function countInput(
  input: Input,
  { profile }: StatsOptions,
  { cwd, stop, installation }: Shell,
  runtime: Runtime,
  total: Counter,
): Promise<StatsFile | string | undefined> {
  const shown = input === 'stdin' ? '<stdin>' : input.shown;
  const file = input === 'stdin' ? path.join(cwd, shown) : input.path;
  if (isOwnFile(file)) return 'belongs to the program and is no record file';
  const source = input === 'stdin' ? streamSource(addAbortSignal(stop, process.stdin)) : fileSource(file);
  const counter = createCounter();
  const overrides = { rules: {}, ...(profile !== undefined && { profile }) };
  const settings = await countRecords(source, (samples) => runtime.settingsOf(file, samples, overrides), stop, [
    counter,
    total,
  ]);
  if (source.problem !== undefined) return source.problem;
  if ('profile' in settings) return { path: shown, profile: settings.profile.name, ...counter.end() };
  if (profile !== undefined) throw new UsageError(settings.message);
  return input === 'stdin' || input.explicit ? unfitText(settings, installation) : undefined;
}

async function countRecords(
  source: RecordSource,
  resolve: (samples: readonly unknown[]) => Promise<FileSettings | NoProfile>,
  stop: AbortSignal,
  counters: readonly Counter[],
): Promise<FileSettings | NoProfile> {
  let settings: FileSettings | NoProfile | undefined;
  let waiting: RecordSlot[] = [];
  let nesting: ReturnType<typeof createNesting> | undefined;

  async function countAll(): Promise<void> {
    settings ??= await resolve(waiting.slice(0, SAMPLES).flatMap(({ text }) => parseRecordText(text).value ?? []));
    if (!('profile' in settings)) return;
    nesting ??= createNesting(settings.profile.records);
    for (const { text, outer } of nesting.expand(waiting)) {
      const { value } = parseRecordText(text);
      const record = value && toCanonical(withOuter(value, outer), settings.profile);
      for (const counter of counters) counter.add(record);
    }
    waiting = [];
  }

  for await (const batch of source.open()) {
    stop.throwIfAborted();
    waiting.push(...batch);
    if (waiting.length >= SAMPLES || settings !== undefined) await countAll();
    if (settings !== undefined && !('profile' in settings)) return settings;
  }
  await countAll();
  return settings!;
}

function jsonText(files: readonly StatsFile[], total: Statistics): string {
  return `${JSON.stringify({ version: 1, files, total } satisfies StatsReport, null, 2)}\n`;
}

function allText(files: readonly StatsFile[], total: Statistics, paint: Paint): string {
  const parts = files.map((file) =>
    statisticsText(`${paint('bold', oneLine(file.path))} (${oneLine(file.profile)})`, file, paint),
  );
  if (files.length > 1)
    parts.push(statisticsText(paint('bold', `${number(files.length)} files together`), total, paint));
  return parts.join('\n');
}

function statisticsText(head: string, of: Statistics, paint: Paint): string {
  const { types, lengths } = of;
  const typed = types.SPSR + types.SPMR + types.MPMR > 0;
  const rows: [string, string][] = [
    ['records', number(of.records) + (of.unreadable > 0 ? `, and ${number(of.unreadable)} that cannot be read` : '')],
    ['answers', listed(of.answers)],
    ['documents', of.documents > 0 ? number(of.documents) : ''],
    ['splits', listed(of.splits)],
    ['types', typed ? listed(types) : ''],
    ['labels', listed(of.labels)],
    ['categories', listed(of.categories)],
    ['pages', listed(of.pages, 'page')],
    ['regions', listed(of.regions, 'region')],
    ...Object.entries(lengths).map(([text, { min, mean, max }]): [string, string] => [
      `${text} length`,
      `${number(min)} to ${number(max)} characters, ${number(mean)} on average`,
    ]),
  ];
  const lines = rows.filter(([, text]) => text !== '');
  const width = Math.max(...lines.map(([name]) => name.length));
  return `${head}\n${lines.map(([name, text]) => `  ${paint('dim', name.padEnd(width))}  ${text}\n`).join('')}`;
}

function listed(counts: Counts, noun?: string): string {
  const all = Object.entries(counts);
  const some = all.slice(0, LISTED).map(([value, count]) =>
    // A number is told from its count by what it counts.
    noun === undefined
      ? `${oneLine(value)} ${number(count)}`
      : `${value} ${noun}${value === '1' ? '' : 's'}: ${number(count)}`,
  );
  return some.join(', ') + (all.length > LISTED ? `, and ${number(all.length - LISTED)} others` : '');
}

function number(value: number): string {
  return value.toLocaleString('en');
}
