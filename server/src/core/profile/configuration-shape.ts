import schema from '../../../../schemas/auditable-qa.schema.json' with { type: 'json' };
import { check } from '../schema/configuration.generated.js';
import type { CheckError } from '../schema/generated-check.ts';
import { nearestName } from '../schema/nearest.ts';
import { joinPointer, parsePointer, valueAt } from '../text/pointer.ts';
import { resolveSchema, whereItBelongs } from './configuration-misplaced.ts';
import type { ReportFault } from './configuration-place.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Holds a configuration to its JSON Schema. Returns it without the values that do not fit, so that all that is left has the
 * shape of `Configuration`.
 */
export function checkShape(value: unknown, report: ReportFault): JsonObject {
  if (check(value)) return value as JsonObject;
  const unusable = new Set<string>();
  const reported = new Set<string>();
  for (const error of check.errors ?? []) {
    const fault = toFault(error, value);
    const key = `${fault.pointer} ${fault.code}`;
    if (!reported.has(key)) report(fault);
    reported.add(key);
    if (fault.code !== 'config/unknown-key') unusable.add(unitOf(error.instancePath));
  }
  return unusable.has('') ? {} : (without(value, unusable, '') as JsonObject);
}

/** What is left out as a whole when something in it cannot be used: half a field or half a set of keys would mislead. */
function unitOf(pointer: string): string {
  const whole = /^\/profiles\/[^/]*(\/extends|\/fields\/(regions\/)?[^/]+|\/recognise\/\d+)?/.exec(pointer);
  if (!whole) return pointer;
  if (whole[1] === '/extends') return pointer.slice(0, pointer.lastIndexOf('/'));
  return whole[1] === undefined ? pointer : whole[0];
}

function without(value: unknown, unusable: ReadonlySet<string>, pointer: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    // Entries of `datasets` keep their places, by which they are known; other lists close up.
    const kept = value.map((element, i) =>
      unusable.has(joinPointer(pointer, i)) ? undefined : without(element, unusable, joinPointer(pointer, i)),
    );
    return pointer === '/datasets' ? kept : kept.filter((element) => element !== undefined);
  }
  const entries = Object.entries(value).filter(([key]) => !unusable.has(joinPointer(pointer, key)));
  return Object.fromEntries(entries.map(([key, inner]) => [key, without(inner, unusable, joinPointer(pointer, key))]));
}

function toFault({ instancePath, keyword, params, message }: CheckError, root: unknown): Parameters<ReportFault>[0] {
  const found = valueAt(root, instancePath);
  const name = nameOf(instancePath);
  const shown = show(found);
  const invalid = (text: string): Parameters<ReportFault>[0] => ({
    code: 'config/invalid',
    pointer: instancePath,
    message: text,
    found: shown,
  });
  switch (keyword) {
    case 'additionalProperties':
      return unknownKey(instancePath, String(params['additionalProperty']), root);
    case 'enum':
      if (/\/solutions\/runner$/.test(instancePath) && found === 'python') return untrustedRunner(instancePath);
      return invalid(`${name} is ${shown}; allowed are ${allowed(params['allowedValues'], found)}`);
    case 'type':
      return invalid(`${name} is ${shown}; ${typeWords(params['type'])} is expected.`);
    case 'required':
      return invalid(`${name} has no "${String(params['missingProperty'])}", without which it means nothing.`);
    case 'pattern':
      return invalid(`${name} is ${shown}; ${patternWords(instancePath)}`);
    case 'minItems':
      return invalid(`${name} is an empty list.`);
    default:
      return invalid(`${name} is ${shown}; it ${message ?? 'does not fit'}.`);
  }
}

function unknownKey(parent: string, key: string, root: unknown): Parameters<ReportFault>[0] {
  const misplaced = whereItBelongs(parent, key, root);
  if (misplaced !== undefined) {
    const { words, target } = misplaced;
    return {
      code: 'config/unknown-key',
      pointer: joinPointer(parent, key),
      onKey: true,
      message: `"${key}" has no meaning here: it belongs ${words}.`,
      found: key,
      ...(target !== undefined && { target }),
    };
  }
  const near = nearestName(key, knownKeys(parent));
  return {
    code: 'config/unknown-key',
    pointer: joinPointer(parent, key),
    onKey: true,
    message: `"${key}" has no meaning here.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    found: key,
  };
}

function untrustedRunner(pointer: string): Parameters<ReportFault>[0] {
  return {
    code: 'config/untrusted-runner',
    pointer,
    message:
      'A file of the repository cannot choose to run solutions with your own Python; the sandbox is used. Choose it in your own settings or with --solutions python.',
    found: '"python"',
  };
}

/** The keys that the schema knows in the object at a pointer. */
function knownKeys(pointer: string): string[] {
  let node: JsonObject = schema;
  for (const key of parsePointer(pointer)) {
    const { properties, additionalProperties, items } = resolveSchema(node);
    const inner = (properties as JsonObject | undefined)?.[key] ?? additionalProperties ?? items;
    if (typeof inner !== 'object' || inner === null) return [];
    node = inner as JsonObject;
  }
  return Object.keys(resolveSchema(node)['properties'] ?? {});
}

function nameOf(pointer: string): string {
  const keys = parsePointer(pointer);
  const last = keys.at(-1);
  if (last === undefined) return 'The configuration';
  if (!/^\d+$/.test(last)) return `"${last}"`;
  return keys.length > 1 ? `Element ${Number(last) + 1} of "${keys.at(-2)}"` : `"${last}"`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function allowed(values: unknown, found: unknown): string {
  const list = Array.isArray(values) ? values : [];
  const near =
    typeof found === 'string'
      ? nearestName(
          found,
          list.filter((value) => typeof value === 'string'),
        )
      : undefined;
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return `${list.map(show).join(', ')}.${hint}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  array: 'a list',
  object: 'an object',
};

function typeWords(types: unknown): string {
  return [types]
    .flat()
    .map((type) => TYPE_WORDS[String(type)] ?? String(type))
    .join(' or ');
}

function patternWords(pointer: string): string {
  if (pointer.includes('/fields/')) return 'a JSON Pointer begins with "/", as in "/question".';
  if (pointer.includes('/allowedImports/')) return 'it is no name of a Python module.';
  if (pointer.endsWith('/entryPoint')) return 'it is no name of a Python function.';
  return 'it is blank.';
}
