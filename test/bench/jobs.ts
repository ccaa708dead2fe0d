import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { solvedLines } from './solved-records.ts';
import { median } from './ratio.ts';
import type { Ratio } from './ratio.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const COMMAND = path.join(PROJECT, 'dist/cli.js');
const ROUNDS = 5;
/** Two are to be 1.7 times as fast as one. */
const GOAL = 1 / 1.7;

/** ms of one check, from start to end. */
async function timed(file: string, jobs: number, options: readonly string[], processor?: string): Promise<number> {
  const command = [process.execPath, COMMAND, 'check', file, '--jobs', String(jobs), ...options];
  if (processor !== undefined) command.unshift('taskset', '-c', processor);
  const started = performance.now();
  const child = spawn(command[0]!, command.slice(1), { stdio: 'ignore' });
  const code = await new Promise((done) => child.on('close', done));
  assert.equal(code, 1);
  return performance.now() - started;
}

/** Pairs in turn; the machine's other work meets both. */
async function pairs(name: string, one: () => Promise<number>, two: () => Promise<number>): Promise<Ratio> {
  const times: { readonly one: number; readonly two: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push({ two: await two(), one: await one() });
  return {
    name,
    ratio: median(times.map((pair) => pair.two / pair.one)),
    goal: GOAL,
    ms: median(times.map((pair) => pair.two)),
    referenceMs: median(times.map((pair) => pair.one)),
  };
}

/**
 * The command line with two jobs against one, on 30,780 generated records with 4,000 solutions. With one job the records are checked in
 * one thread and the solutions run beside it in a process, so that two processors are in use already; what each processor brings is
 * seen where one job has one and two jobs have two.
 */
export async function jobRatios(): Promise<Ratio[]> {
  if (!existsSync(COMMAND)) throw new Error('npm run build makes the command line that is measured');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'auditable-qa-bench-'));
  try {
    const file = path.join(folder, 'solved.jsonl');
    const lines = solvedLines({ count: 30_780, solutions: 4000 });
    await pipeline(
      Readable.from(lines).map((line: string) => `${line}\n`),
      createWriteStream(file),
    );
    const off = ['--solutions', 'off'];
    const ratios = [
      await pairs(
        'two jobs ÷ one, solutions off',
        () => timed(file, 1, off),
        () => timed(file, 2, off),
      ),
      await pairs(
        'two jobs ÷ one, with solutions',
        () => timed(file, 1, []),
        () => timed(file, 2, []),
      ),
    ];
    if (process.platform !== 'linux') return ratios;
    const pinned = await pairs(
      'two jobs on two processors ÷ one job on one, with solutions',
      () => timed(file, 1, [], '0'),
      () => timed(file, 2, [], '0,1'),
    );
    return [...ratios, pinned];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
