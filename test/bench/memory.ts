import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ratio } from './ratio.ts';
import { sciegqaLines } from './records.ts';

const COMMAND_LINE = join(import.meta.dirname, '../../dist/cli.js');
const REAL_RECORDS = join(import.meta.dirname, '../../../shared/data/docmath-eval/testmini_703.jsonl');

/** Writes its greatest resident memory, in KB, to descriptor 3 when it ends. */
const TELLS_MEMORY = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));`,
)}`;

type Make = (index: number) => string;

/** Records of a few KB with solutions: real ones where they are at hand, each under an id and a question of its own. */
function longRecords(): Make | undefined {
  if (!existsSync(REAL_RECORDS)) return undefined;
  const records = readFileSync(REAL_RECORDS, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly question_id: string; readonly question: string });
  return (index) => {
    const record = records[index % records.length]!;
    const { question_id: id, question } = record;
    return JSON.stringify({ ...record, question_id: `${id}-${index}`, question: `${question} (variant ${index})` });
  };
}

/** SciEGQA's size: about 340 bytes, so that what is kept per record weighs most. */
function shortRecords(): Make {
  const lines = sciegqaLines(3000);
  return (index) => lines[index % lines.length]!.replace(/\d+\?"/, `${index}?"`);
}

/** 1 MB each. */
function largeRecords(): Make {
  const lines = sciegqaLines(100);
  return (index) => lines[index % lines.length]!.replace(/\d+\?"/, `${'which of the rows '.repeat(60_000)}${index}?"`);
}

function writeRecords(path: string, make: Make, megabytes: number, isArray: boolean): void {
  const file = openSync(path, 'w');
  let size = 0;
  let text = isArray ? '[' : '';
  for (let index = 0; size < megabytes * 1e6; index++) {
    const line = make(index);
    text += isArray ? `${index === 0 ? '' : ','}\n${line}` : `${line}\n`;
    size += line.length + 2;
    if (text.length < 1 << 20) continue;
    writeSync(file, text);
    text = '';
  }
  writeSync(file, isArray ? `${text}\n]\n` : text);
  closeSync(file);
}

/** Greatest resident memory in MB of a process of its own that checks the file. */
async function memoryOf(path: string): Promise<number> {
  // What is to be listed is kept until the file ends; that is not what is measured.
  const options = ['--solutions', 'off', '--format', 'json', '--max-findings', '1000'];
  const args = ['--import', TELLS_MEMORY, COMMAND_LINE, 'check', '--jobs', '1', ...options, path];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  let told = '';
  child.stdio[3]?.on('data', (piece) => (told += String(piece)));
  await new Promise((resolve) => child.once('close', resolve));
  if (!(Number(told) > 0)) throw new Error(`checking ${path} told no memory`);
  return Number(told) / 1024;
}

/** Memory for a long file over that for one a tenth as long. The whole sizes take minutes: with SOAK only. */
export async function memoryRatios(): Promise<Ratio[]> {
  const whole = process.env['SOAK'] !== undefined;
  const folder = mkdtempSync(join(tmpdir(), 'auditable-qa-memory-'));
  const ratios: Ratio[] = [];
  const compare = async (what: string, make: Make, large: number, small: number, isArray = false): Promise<void> => {
    const path = join(folder, isArray ? 'records.json' : 'records.jsonl');
    writeRecords(path, make, small, isArray);
    const few = await memoryOf(path);
    writeRecords(path, make, large, isArray);
    const many = await memoryOf(path);
    rmSync(path);
    const name = `memory for ${large} MB of ${what} ÷ for ${small} MB (${many.toFixed(0)} ÷ ${few.toFixed(0)} MB)`;
    ratios.push({ name, ratio: many / few, goal: 1.2 });
  };
  try {
    const long = longRecords();
    if (long !== undefined) await compare('JSONL of 2 KB each', long, whole ? 500 : 30, whole ? 50 : 10);
    await compare('JSONL of 340 bytes each', shortRecords(), whole ? 500 : 100, whole ? 50 : 30);
    await compare('an array of 1 MB each', largeRecords(), whole ? 220 : 60, whole ? 50 : 30, true);
    return ratios;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
