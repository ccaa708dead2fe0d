import type { DatasetEntry } from '../../../../schemas/configuration.ts';
import { CONFIGURATION_FILE } from '../../../../schemas/configuration.ts';
import type { RuleLevel } from '../../../../schemas/report.ts';
import { nearestName } from '../schema/nearest.ts';
import { BUILTIN_PROFILES } from './builtin.ts';
import type { ConfiguredEntry, ParsedConfiguration } from './configuration.ts';
import { completeCoordinates } from './definition.ts';
import { baseName, folderOf, normalisePath, relativePath } from './paths.ts';
import { recogniseProfile, type Unrecognised } from './recognise.ts';
import { relativeSpaceVote } from './relative-space.ts';
import { DEFAULT_ALLOWED_IMPORTS, type Coordinates, type FileSettings, type Profile } from './types.ts';

export interface SettingsArgs {
  /** Absolute path of the record file. */
  readonly filePath: string;
  /** The nearest configuration upward, with its absolute folder. */
  readonly configuration?: { readonly folder: string; readonly parsed: ParsedConfiguration };
  /** Values of the file's first records; what could not be read is undefined. */
  readonly samples: readonly unknown[];
  /** From the command line or the user's own settings; they win over the configuration. */
  readonly overrides?: {
    readonly profile?: string;
    readonly rules?: Readonly<Record<string, RuleLevel>>;
    readonly solutions?: 'sandbox' | 'python' | 'off';
  };
}

/** No profile governs the file; `message` is a sentence for people. */
export interface NoProfile extends Unrecognised {
  readonly message: string;
}

const DECLARED = ['coordinates', 'relativeCoordinates', 'pageBase'] as const;

/** Everything that governs one file. `'profile' in result` tells the two apart. */
export function settingsFor(args: SettingsArgs): FileSettings | NoProfile {
  const filePath = normalisePath(args.filePath);
  if (isConfigurationFile(filePath)) {
    return {
      nearest: undefined,
      missing: [],
      message: `${CONFIGURATION_FILE} is the configuration and no record file.`,
    };
  }
  const configured = entryFor(filePath, args.configuration);
  const chosen = chooseProfile(args, configured?.entry);
  if ('message' in chosen) return chosen;
  const { profile, reason, fits } = chosen;
  const entry: Partial<DatasetEntry> = configured?.entry.entry ?? {};
  const pdf = toList(entry.pdf);
  const pageImage = toList(entry.pageImage);
  const context = toList(entry.context);
  const locationsConfigured = pdf !== undefined || pageImage !== undefined || context !== undefined;
  const declaredIn = DECLARED.filter((key) => entry[key] !== undefined);
  const limits = entry.solutions ?? {};
  return {
    ...(configured && { entry: configured.entry.index, configurationFolder: configured.folder }),
    profile,
    reason,
    ...(fits !== undefined && { fits }),
    // Recognised layouts lie beside the record file, configured locations are relative to the configuration.
    base: (locationsConfigured ? configured?.folder : undefined) ?? folderOf(filePath),
    pdf: pdf ?? (locationsConfigured ? [] : profile.layouts.pdf),
    pageImage: pageImage ?? (locationsConfigured ? [] : profile.layouts.pageImage),
    context: context ?? (locationsConfigured ? [] : profile.layouts.context),
    locationsConfigured,
    coordinates: completeCoordinates(entry.coordinates, profile.coordinates),
    relativeCoordinates: relativeCoordinates(entry, profile, args.samples),
    pageBase: entry.pageBase ?? profile.pageBase,
    ...(declaredIn.length > 0 && { declaredIn }),
    imageBase: entry.imageBase ?? profile.imageBase,
    tolerance: {
      relative: entry.tolerance?.relative ?? 0.0015,
      decimals: entry.tolerance?.decimals ?? profile.decimals ?? 3,
    },
    rules: { ...entry.rules, ...args.overrides?.rules },
    solutions: {
      runner: args.overrides?.solutions ?? limits.runner ?? 'sandbox',
      timeoutMs: limits.timeoutMs ?? 3000,
      memoryMb: limits.memoryMb ?? 128,
      allowedImports: limits.allowedImports ?? DEFAULT_ALLOWED_IMPORTS,
    },
  };
}

export function isConfigurationFile(path: string): boolean {
  return baseName(normalisePath(path)) === CONFIGURATION_FILE;
}

/** The `datasets` entry that governs a file, by its place in the configuration; undefined: none does. */
export function entryIndexOf(filePath: string, configuration: SettingsArgs['configuration']): number | undefined {
  return entryFor(normalisePath(filePath), configuration)?.entry.index;
}

function entryFor(
  filePath: string,
  configuration: SettingsArgs['configuration'],
): { readonly folder: string; readonly entry: ConfiguredEntry } | undefined {
  if (!configuration) return undefined;
  const folder = normalisePath(configuration.folder);
  const path = relativePath(folder, filePath);
  const entry = path === undefined ? undefined : configuration.parsed.entries.find(({ matches }) => matches(path));
  return entry && { folder, entry };
}

function chooseProfile(
  { samples, configuration, overrides }: SettingsArgs,
  entry: ConfiguredEntry | undefined,
): { readonly profile: Profile; readonly reason: string; readonly fits?: string } | NoProfile {
  const profiles = configuration?.parsed.profiles ?? BUILTIN_PROFILES;
  const wanted = overrides?.profile;
  if (wanted !== undefined) {
    const profile = profiles.find(({ name }) => name === wanted);
    if (profile === undefined) return noSuchProfile(wanted, profiles);
    return { profile, reason: 'chosen on the command line', ...betterFit(samples, profile, profiles) };
  }
  if (entry?.profile) {
    const { profile } = entry;
    return { profile, reason: `set in ${CONFIGURATION_FILE}`, ...betterFit(samples, profile, profiles) };
  }
  const found = recogniseProfile(samples, profiles);
  return 'profile' in found ? found : { ...found, message: unrecognised(found) };
}

/** What speaks against a profile that was chosen: the keys are those of another one, and not its own. */
function betterFit(
  samples: readonly unknown[],
  chosen: Profile,
  profiles: readonly Profile[],
): { readonly fits?: string } {
  if ('profile' in recogniseProfile(samples, [chosen])) return {};
  const found = recogniseProfile(samples, profiles);
  return 'profile' in found ? { fits: found.profile.name } : {};
}

function noSuchProfile(name: string, profiles: readonly Profile[]): NoProfile {
  const near = nearestName(
    name,
    profiles.map((profile) => profile.name),
  );
  const hint =
    near === undefined ? `Known are ${profiles.map((profile) => profile.name).join(', ')}.` : `Did you mean ${near}?`;
  return {
    nearest: profiles.find((profile) => profile.name === near),
    missing: [],
    message: `There is no profile ${name}. ${hint}`,
  };
}

function unrecognised({ nearest, missing }: Unrecognised): string {
  if (!nearest) return 'No profile fits the keys of its records.';
  return `No profile fits; the nearest is ${nearest.name}, for which ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`;
}

function toList(location: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof location === 'string' ? [location] : location;
}

/** What is configured holds for every record, also where the file says otherwise; else the file's own boxes decide. */
function relativeCoordinates(
  entry: Partial<DatasetEntry>,
  profile: Profile,
  samples: readonly unknown[],
): Coordinates | undefined {
  if (entry.relativeCoordinates) return completeCoordinates(entry.relativeCoordinates, profile.relativeCoordinates);
  const own = profile.relativeCoordinates;
  const space = entry.coordinates ? undefined : relativeSpaceVote(samples, profile);
  return own && space ? { ...own, space } : own;
}
