import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { CONFIGURATION_FILE } from '../../../schemas/configuration.ts';
import type { RuleLevel } from '../../../schemas/report.ts';
import type { Finding } from '../core/finding.ts';
import { hashText } from '../core/hash.ts';
import type { ConfigurationFault } from '../core/profile/configuration-place.ts';
import { parseConfiguration } from '../core/profile/configuration.ts';
import type { ParsedConfiguration } from '../core/profile/configuration.ts';
import { levelOf, RULES } from '../core/rules/registry.ts';
import { describeError } from './files/errors.ts';
import { createRecent } from './recent.ts';

export interface LoadedConfiguration {
  /** Absolute path of the file, and of its folder, to which everything in it is relative. */
  readonly path: string;
  readonly folder: string;
  readonly parsed: ParsedConfiguration;
}

export interface ConfigurationFinder {
  /** The nearest `auditable-qa.json` in the folder of a file or above it. Never rejects: faults stand in `parsed`. */
  nearest(file: string): Promise<LoadedConfiguration | undefined>;
  /** Reads a configuration at a path. Rejects with a file system error where there is none. */
  load(file: string): Promise<LoadedConfiguration>;
}

const CODES: readonly string[] = RULES.map((rule) => rule.code);

/** Parsed configurations are kept by path, size and time; where they lie is looked up each time. */
export function createConfigurationFinder(): ConfigurationFinder {
  const known = createRecent<string, { readonly version: string; readonly loaded: LoadedConfiguration }>(100);

  async function load(file: string): Promise<LoadedConfiguration> {
    const stats = await stat(file);
    const version = `${stats.size} ${stats.mtimeMs}`;
    const before = known.get(file);
    if (before?.version === version) return before.loaded;
    const parsed = parseConfiguration(await readFile(file, 'utf8'), CODES);
    const loaded = { path: file, folder: path.dirname(file), parsed };
    known.set(file, { version, loaded });
    return loaded;
  }

  async function nearest(file: string): Promise<LoadedConfiguration | undefined> {
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
      const candidate = path.join(folder, CONFIGURATION_FILE);
      if (await isFile(candidate)) return loadOrFault(candidate);
      if (folder === path.dirname(folder)) return undefined;
    }
  }

  async function loadOrFault(file: string): Promise<LoadedConfiguration> {
    try {
      return await load(file);
    } catch (error) {
      return unreadable(file, `The configuration ${describeError(error)}; the defaults hold.`);
    }
  }

  return { nearest, load };
}

async function isFile(at: string): Promise<boolean> {
  try {
    return (await stat(at)).isFile();
  } catch {
    return false;
  }
}

/** A configuration that is there and cannot be read counts as a broken one. */
function unreadable(file: string, message: string): LoadedConfiguration {
  const start = { line: 0, column: 0 };
  const fault: ConfigurationFault = {
    code: 'config/syntax',
    message,
    pointer: '',
    span: { start: 0, end: 0 },
    start,
    end: start,
  };
  const { entries, profiles } = parseConfiguration('{}');
  return { path: file, folder: path.dirname(file), parsed: { entries, profiles, faults: [fault] } };
}

/** The faults of a configuration as findings of its file. */
export function configurationFindings(
  { parsed }: LoadedConfiguration,
  levels: Readonly<Record<string, RuleLevel>>,
): Finding[] {
  return parsed.faults.flatMap(({ code, message, pointer, start, end, found }) => {
    const severity = levelOf(code, levels);
    if (severity === 'off') return [];
    const fingerprint = hashText(code, '', pointer, found ?? '');
    return { code, severity, message, record: null, pointer, start, end, fingerprint, fixes: [], related: [] };
  });
}
