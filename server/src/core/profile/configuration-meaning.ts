import type { DatasetEntry, ProfileDefinition } from '../../../../schemas/configuration.ts';
import type { RuleLevel } from '../../../../schemas/report.ts';
import { nearestName } from '../schema/nearest.ts';
import { joinPointer } from '../text/pointer.ts';
import { BUILTIN_PROFILES } from './builtin.ts';
import type { ConfiguredEntry } from './configuration.ts';
import type { ReportFault } from './configuration-place.ts';
import { defineProfile } from './definition.ts';
import { compileGlob, type PathTest } from './glob.ts';
import { unsafePathReason } from './paths.ts';
import { parseTemplate } from './template.ts';
import type { Profile } from './types.ts';

export interface KnownProfiles {
  readonly usable: readonly Profile[];
  /** Names under `profiles`, also of those that cannot be used. */
  readonly named: ReadonlySet<string>;
}

/** Makes the profiles of a configuration, each after the one that it extends. */
export function resolveProfiles(
  definitions: Readonly<Record<string, ProfileDefinition>>,
  report: ReportFault,
): KnownProfiles {
  const own = new Map<string, Profile | undefined>();
  const builtin = (name: string): Profile | undefined => BUILTIN_PROFILES.find((profile) => profile.name === name);
  const names = [...Object.keys(definitions), ...BUILTIN_PROFILES.map(({ name }) => name)];

  function resolve(name: string, chain: readonly string[]): Profile | undefined {
    if (own.has(name)) return own.get(name);
    const definition = definitions[name]!;
    const parent = definition.extends;
    let base: Profile | undefined;
    if (parent !== undefined) {
      const place = { pointer: joinPointer('/profiles', name, 'extends'), found: parent };
      if (parent !== name && chain.includes(parent)) {
        report({
          ...place,
          code: 'config/invalid',
          message: `The profiles ${[...chain, name].map(quote).join(', ')} extend each other in a circle.`,
        });
      } else {
        const isOwn = parent !== name && Object.hasOwn(definitions, parent);
        base = isOwn ? resolve(parent, [...chain, name]) : builtin(parent);
        if (!isOwn && !base)
          report({ ...place, code: 'config/unknown-profile', message: unknownProfile(parent, names) });
      }
    }
    const usable = {
      ...definition,
      ...(definition.layouts && {
        layouts: usableLayouts(definition.layouts, joinPointer('/profiles', name, 'layouts'), report),
      }),
    };
    const profile = parent !== undefined && !base ? undefined : defineProfile(name, usable, base);
    own.set(name, profile);
    return profile;
  }

  const made = Object.keys(definitions).flatMap((name) => resolve(name, []) ?? []);
  const rest = BUILTIN_PROFILES.filter(({ name }) => !made.some((profile) => profile.name === name));
  return { usable: [...made, ...rest], named: new Set(Object.keys(definitions)) };
}

function quote(name: string): string {
  return `"${name}"`;
}

function unknownProfile(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  const hint = near === undefined ? `Known are ${known.map(quote).join(', ')}.` : `Did you mean "${near}"?`;
  return `There is no profile "${name}". ${hint}`;
}

function usableLayouts(
  layouts: NonNullable<ProfileDefinition['layouts']>,
  pointer: string,
  report: ReportFault,
): NonNullable<ProfileDefinition['layouts']> {
  const { pdf, pageImage, context } = layouts;
  return {
    ...(pdf && { pdf: usableTemplates(pdf, joinPointer(pointer, 'pdf'), 'pdf', report) }),
    ...(pageImage && { pageImage: usableTemplates(pageImage, joinPointer(pointer, 'pageImage'), 'pageImage', report) }),
    ...(context && { context: usableTemplates(context, joinPointer(pointer, 'context'), 'context', report) }),
  };
}

/** What is usable of `datasets`; an element that the shape check left out is undefined. */
export function checkDatasets(
  datasets: readonly (DatasetEntry | undefined)[],
  profiles: KnownProfiles,
  ruleCodes: readonly string[] | undefined,
  report: ReportFault,
): ConfiguredEntry[] {
  return datasets.flatMap((entry, index) => {
    if (!entry) return [];
    const pointer = joinPointer('/datasets', index);
    const profile = profiles.usable.find(({ name }) => name === entry.profile);
    if (entry.profile !== undefined && !profile && !profiles.named.has(entry.profile)) {
      const names = profiles.usable.map(({ name }) => name);
      const message = unknownProfile(entry.profile, names);
      report({
        code: 'config/unknown-profile',
        pointer: joinPointer(pointer, 'profile'),
        message,
        found: entry.profile,
      });
    }
    const usable = {
      ...entry,
      ...usableLocation(entry, 'pdf', pointer, report),
      ...usableLocation(entry, 'pageImage', pointer, report),
      ...usableLocation(entry, 'context', pointer, report),
      rules: usableLevels(entry.rules ?? {}, joinPointer(pointer, 'rules'), ruleCodes, report),
    };
    return [
      {
        index,
        entry: usable,
        matches: compileFiles(entry.files ?? [], joinPointer(pointer, 'files'), report),
        profile,
      },
    ];
  });
}

type Location = 'pdf' | 'pageImage' | 'context';

/** A location of which nothing can be used still counts as configured: it is not looked for elsewhere. */
function usableLocation(
  entry: DatasetEntry,
  key: Location,
  pointer: string,
  report: ReportFault,
): { readonly [key in Location]?: readonly string[] } {
  const value = entry[key];
  if (value === undefined) return {};
  const place = joinPointer(pointer, key);
  return { [key]: usableTemplates(value, place, key, report) };
}

function usableTemplates(
  value: string | readonly string[],
  pointer: string,
  key: Location,
  report: ReportFault,
): string[] {
  const templates = typeof value === 'string' ? [value] : value;
  return templates.filter((template, i) => {
    const place = { pointer: typeof value === 'string' ? pointer : joinPointer(pointer, i), found: template };
    const result = parseTemplate(template);
    if ('problem' in result) {
      const code = result.unsafe ? 'config/unsafe-path' : 'config/invalid';
      report({ ...place, code, message: `The location "${template}" cannot be used: ${result.problem}.` });
      return false;
    }
    if (key !== 'pageImage' && result.parts.some((part) => part.kind === 'page')) {
      report({
        ...place,
        code: 'config/invalid',
        message: `${key === 'pdf' ? 'A PDF' : 'Such a file'} holds all pages of a document: {page} has no meaning in "${key}".`,
      });
      return false;
    }
    return true;
  });
}

function usableLevels(
  levels: Readonly<Record<string, RuleLevel>>,
  pointer: string,
  ruleCodes: readonly string[] | undefined,
  report: ReportFault,
): Record<string, RuleLevel> {
  const known = ruleCodes && new Set(ruleCodes);
  const usable: Record<string, RuleLevel> = {};
  for (const [code, level] of Object.entries(levels)) {
    if (!known || known.has(code)) {
      usable[code] = level;
      continue;
    }
    const near = nearestName(code, known);
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    report({
      code: 'config/unknown-rule',
      pointer: joinPointer(pointer, code),
      onKey: true,
      message: `There is no rule "${code}".${hint}`,
      found: code,
    });
  }
  return usable;
}

/** `!` takes files out again, whatever the order. */
function compileFiles(globs: readonly string[], pointer: string, report: ReportFault): PathTest {
  const included: PathTest[] = [];
  const excluded: PathTest[] = [];
  globs.forEach((glob, i) => {
    const isExclusion = glob.startsWith('!');
    const pattern = isExclusion ? glob.slice(1) : glob;
    const place = { pointer: joinPointer(pointer, i), found: glob };
    const reason = unsafePathReason(pattern);
    if (reason !== undefined) {
      report({ ...place, code: 'config/unsafe-path', message: `The glob "${glob}" cannot be used: ${reason}.` });
      return;
    }
    const compiled = compileGlob(pattern);
    if ('problem' in compiled) {
      report({ ...place, code: 'config/invalid', message: `The glob "${glob}" cannot be used: ${compiled.problem}.` });
    } else (isExclusion ? excluded : included).push(compiled.test);
  });
  return (path) => included.some((test) => test(path)) && !excluded.some((test) => test(path));
}
