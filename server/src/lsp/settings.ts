import type { InitializationOptions, Settings } from '../../../schemas/protocol.ts';
import { DEFAULT_SETTINGS } from '../../../schemas/protocol.ts';
import type { RuleLevel } from '../../../schemas/report.ts';

const LEVELS: ReadonlySet<unknown> = new Set(['error', 'warning', 'info', 'off'] satisfies RuleLevel[]);
const RUNS: ReadonlySet<unknown> = new Set(['automatic', 'manual', 'off'] satisfies Settings['solutions']['run'][]);

/** Reads what an editor sent as settings; what is missing or of the wrong kind has its default. */
export function readSettings(sent: unknown): Settings {
  const root = objectOf(sent);
  const { run, runner, python } = objectOf(root['solutions']);
  const { enabled } = objectOf(root['codeLens']);
  const most = root['maxDiagnostics'];
  const rules = Object.entries(objectOf(root['rules'])).filter(([, level]) => LEVELS.has(level));
  return {
    solutions: {
      run: RUNS.has(run) ? (run as Settings['solutions']['run']) : DEFAULT_SETTINGS.solutions.run,
      runner: runner === 'python' ? 'python' : DEFAULT_SETTINGS.solutions.runner,
      python: typeof python === 'string' ? python.trim() : DEFAULT_SETTINGS.solutions.python,
    },
    rules: Object.fromEntries(rules) as Record<string, RuleLevel>,
    codeLens: { enabled: typeof enabled === 'boolean' ? enabled : DEFAULT_SETTINGS.codeLens.enabled },
    maxDiagnostics:
      typeof most === 'number' && Number.isInteger(most) && most > 0 ? most : DEFAULT_SETTINGS.maxDiagnostics,
  };
}

/** Without a word about trust there is none. */
export function readOptions(sent: unknown): InitializationOptions {
  const { trusted, cacheFolder, asks, largeFileBytes } = objectOf(sent);
  return {
    trusted: trusted === true,
    ...(typeof cacheFolder === 'string' && { cacheFolder }),
    ...(asks === true && { asks }),
    ...(typeof largeFileBytes === 'number' && largeFileBytes >= 0 && { largeFileBytes }),
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
