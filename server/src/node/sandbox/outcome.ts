/**
 * Turns what a child says about a run into a `RunResult`. A solution can reach the runner inside the interpreter, so
 * every field is checked and every text cut; what does not fit is reported as a crash of that run.
 */
import type { RunError, RunErrorKind, RunLimits, RunRequest, RunResult } from '../../core/ports.ts';
import { PYTHON_VERSION } from './engine.ts';
import type { ResultMessage } from './messages.ts';
import { readSteps } from './steps.ts';

const TEXT_LIMIT = 2_000;
const NAME_LIMIT = 200;
const FLOAT = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;
const DECIMAL = /^-?\d{1,4400}$/;
const HEXADECIMAL = /^(-?)(0x[0-9a-f]{1,100000})$/;
/** What runner.py may call an error. */
const SPOKEN: ReadonlySet<string> = new Set([
  'syntax',
  'exception',
  'entryPoint',
  'badReturn',
  'notFinite',
  'memory',
  'recursion',
]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Cut to at most `limit` UTF-16 units without halving a surrogate pair. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

const isCount = (value: unknown, limit: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= limit;

function readValue(kind: unknown, repr: unknown): RunResult['value'] {
  if (typeof repr !== 'string') return undefined;
  if (kind === 'float') return FLOAT.test(repr) && Number.isFinite(Number(repr)) ? { kind, repr } : undefined;
  if (kind !== 'int') return undefined;
  if (DECIMAL.test(repr)) return { kind, repr };
  const hexadecimal = HEXADECIMAL.exec(repr);
  return hexadecimal ? { kind, repr: hexadecimal[1]! + BigInt(hexadecimal[2]!).toString() } : undefined;
}

function readError(found: unknown, request: RunRequest, refused: string): RunError | undefined {
  if (!isObject(found)) return undefined;
  const { kind, type, message, line, column, os } = found;
  if (typeof kind !== 'string' || !SPOKEN.has(kind) || typeof type !== 'string' || typeof message !== 'string')
    return undefined;
  const lines = linesOf(request.source) + 1;
  // Python's read-only answers to what the gate refused.
  const blocked = os === true && refused !== '' && kind === 'exception';
  const place = isCount(line, lines) ? { line } : {};
  return {
    kind: blocked ? 'blocked' : (kind as RunErrorKind),
    type: cut(type, NAME_LIMIT),
    message: cut(message, TEXT_LIMIT),
    ...place,
    ...(isCount(column, request.source.length + 2) ? { column } : {}),
  };
}

const linesOf = (source: string): number => source.split(/\r\n?|\n/).length;

const crash = (message: string): RunError => ({ kind: 'crash', type: 'Crash', message });

/** The error of a run that did not come back from the interpreter. */
export function trapError(trap: ResultMessage[3] | 'killed', detail: string, limits: RunLimits): RunError {
  switch (trap) {
    case 'timeout':
      return { kind: 'timeout', type: 'Timeout', message: `it ran for longer than ${limits.timeoutMs} ms` };
    case 'blocked':
      return {
        kind: 'blocked',
        type: 'Blocked',
        message: `it called what the sandbox does not offer (${cut(detail, NAME_LIMIT)})`,
      };
    case 'ended':
      return { kind: 'blocked', type: 'Blocked', message: 'it tried to end or to signal the interpreter' };
    case 'stack':
      return { kind: 'recursion', type: 'RecursionError', message: 'it nests deeper than the interpreter can follow' };
    case 'killed':
      return crash('the sandbox process ended during this run');
    default:
      return crash(`the interpreter failed: ${cut(detail, NAME_LIMIT)}`);
  }
}

/** Everything of a `RunResult` but what is known without the child. */
function result(ms: number, rest: Partial<RunResult>): RunResult {
  return { engine: 'sandbox', pythonVersion: PYTHON_VERSION, stdout: '', stdoutTruncated: false, ms, ...rest };
}

export function errorResult(error: RunError, ms: number): RunResult {
  return result(ms, { error });
}

export const CLOSED = 'it was closed';

/** The answer where nothing can be run. */
export function noSandbox(reason: string): RunResult {
  return errorResult(
    { kind: 'unavailable', type: 'Unavailable', message: `there is no sandbox to run it: ${reason}` },
    0,
  );
}

/** Reads one answer. Never throws. */
export function readOutcome(message: ResultMessage, request: RunRequest): RunResult {
  const [, spokenMs, text, trap, detail, refused] = message;
  const ms = typeof spokenMs === 'number' && spokenMs >= 0 ? spokenMs : 0;
  if (typeof text !== 'string') return errorResult(trapError(trap, String(detail), request.limits), ms);
  let spoken: unknown;
  try {
    spoken = JSON.parse(text);
  } catch {
    spoken = undefined;
  }
  if (!isObject(spoken)) return errorResult(crash('the interpreter gave no readable answer'), ms);
  const printed = typeof spoken['printed'] === 'string' ? spoken['printed'] : '';
  const stdout = cut(printed, request.limits.outputLimit);
  const output = { stdout, stdoutTruncated: spoken['truncated'] === true || stdout.length < printed.length };
  const value = readValue(spoken['kind'], spoken['value']);
  const steps = request.trace === undefined ? undefined : readSteps(spoken['steps'], linesOf(request.source));
  const told = { ...output, ...(steps && { steps }) };
  if (value && spoken['error'] === undefined) return result(ms, { ...told, value });
  const error = readError(spoken['error'], request, String(refused));
  return result(ms, { ...told, error: error ?? crash('the interpreter gave no readable answer') });
}

/** Whether the same solution would give the same again: not for what depends on load, clock or chance. */
export function isRepeatable(message: ResultMessage): boolean {
  const [, , text, trap, , , impure] = message;
  return impure === 0 && (typeof text === 'string' || trap === 'blocked' || trap === 'ended');
}
