import type { CoordinatesDefinition, FieldDefinition, ProfileDefinition } from '../../../../schemas/configuration.ts';
import { parsePointer } from '../text/pointer.ts';
import { FIELDS, type Coordinates, type Field, type FieldSpec, type Profile } from './types.ts';

type Fields = Partial<Record<Field, FieldSpec>>;

/** Makes a profile from its definition; what the definition leaves out is `base`'s, or nothing where there is none. */
export function defineProfile(name: string, definition: ProfileDefinition, base?: Profile): Profile {
  const own = ownFields(definition);
  const fields: Fields = { ...base?.fields, ...own };
  const required = definition.required ?? base?.required ?? [];
  const inheritsKeys = base !== undefined && Object.keys(own).length === 0;
  const coordinates = completeCoordinates(definition.coordinates, base?.coordinates);
  const records = definition.records ?? base?.records;
  const decimals = definition.decimals ?? base?.decimals;
  const relativeCoordinates = completeCoordinates(definition.relativeCoordinates, base?.relativeCoordinates);
  return {
    name,
    title: definition.title ?? name,
    description: definition.description ?? base?.description ?? '',
    fields,
    required: required.filter((field) => fields[field] !== undefined),
    recognise: definition.recognise ?? (inheritsKeys ? base.recognise : recogniseByFields(fields, required)),
    knownKeys: [...(base?.knownKeys ?? []), ...(definition.knownKeys ?? [])],
    enums: { ...base?.enums, ...definition.enums },
    ...(records !== undefined && { records }),
    types: { ...base?.types, ...definition.types },
    ...(decimals !== undefined && { decimals }),
    entryPoint: definition.entryPoint ?? base?.entryPoint ?? 'solution',
    ...(coordinates && { coordinates }),
    ...(relativeCoordinates && { relativeCoordinates }),
    pageBase: definition.pageBase ?? base?.pageBase ?? 1,
    imageBase: definition.imageBase ?? base?.imageBase ?? 1,
    layouts: {
      pdf: definition.layouts?.pdf ?? base?.layouts.pdf ?? [],
      pageImage: definition.layouts?.pageImage ?? base?.layouts.pageImage ?? [],
      context: definition.layouts?.context ?? base?.layouts.context ?? [],
    },
    imagesPerPage: definition.imagesPerPage ?? base?.imagesPerPage ?? 'never',
  };
}

function ownFields({ fields }: ProfileDefinition): Fields {
  if (!fields) return {};
  const { regions, ...others } = fields;
  const given: Partial<Record<Field, FieldDefinition>> = { ...others, ...regions };
  const specs: Fields = {};
  for (const field of FIELDS) {
    const spec = given[field];
    if (spec !== undefined) specs[field] = isSpec(spec) ? spec : { at: spec };
  }
  return specs;
}

function isSpec(definition: FieldDefinition): definition is FieldSpec {
  return typeof definition === 'object' && !Array.isArray(definition);
}

/** Own keys are recognised by the required fields; a single required field would fit far too much. */
function recogniseByFields(fields: Fields, required: readonly Field[]): string[][] {
  if (required.length < 2) return [];
  let sets: string[][] = [[]];
  for (const field of required) {
    const keys = [fields[field]?.at ?? []].flat().map((pointer) => parsePointer(pointer)[0] ?? '');
    if (keys.length > 0) sets = sets.flatMap((set) => keys.map((key) => [...set, key]));
  }
  return sets;
}

/** What is left out is the base's, else two corners from the top left in pixels of the page image. Only pixels have a dpi. */
export function completeCoordinates(
  given: CoordinatesDefinition | undefined,
  base: Coordinates | undefined,
): Coordinates | undefined {
  if (!given) return base;
  const space = given.space ?? base?.space ?? 'pixel';
  const dpi = given.dpi ?? base?.dpi;
  return {
    space,
    ...(space === 'pixel' && dpi !== undefined && { dpi }),
    order: given.order ?? base?.order ?? 'xyxy',
    origin: given.origin ?? base?.origin ?? 'top-left',
  };
}
