import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Report } from '../../schemas/report.ts';

export const PROJECT = path.resolve(import.meta.dirname, '../..');
const SOURCE = path.join(PROJECT, 'server/src/cli/main.ts');
export const BUILT = path.join(PROJECT, 'dist/cli.js');
/** As it ships, where it is built: it starts in a quarter of the time that the sources take. */
export const PROGRAM =
  existsSync(path.join(PROJECT, 'dist/cli-main.cjs')) && process.env['AUDITABLE_QA_UNBUILT'] === undefined
    ? BUILT
    : SOURCE;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

export function start(args: readonly string[], options: RunOptions = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [PROGRAM, ...args], {
    cwd: options.cwd ?? PROJECT,
    env: { ...process.env, ...options.env },
  });
}

/** Runs the command line as a process of its own. */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = start(args, options);
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  return finished(child);
}

export function finished(child: ChildProcessWithoutNullStreams): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((done) => child.on('close', (code) => done({ code, stdout, stderr })));
}

export function reportOf({ stdout, stderr }: Ran): Report {
  try {
    return JSON.parse(stdout) as Report;
  } catch {
    throw new Error(`No report on standard output: ${stdout.slice(0, 500)}\n${stderr}`);
  }
}

/** A folder with these files; `remove` when done. */
export async function layFolder(
  files: Readonly<Record<string, string | Buffer>>,
): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'auditable-qa-cli-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A sound DocMath-Eval record whose solution yields its gold. */
export function docmath(id: string, change: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    question_id: id,
    question: `What is the sum for ${id}, in dollars?`,
    python_solution: 'def solution():\n    a = 100\n    b = 50\n    return a + b',
    ground_truth: 150,
    paragraphs: ['Sales were 100 dollars in spring and 50 dollars in autumn.'],
    table_evidence: [],
    paragraph_evidence: [0],
    ...change,
  });
}
