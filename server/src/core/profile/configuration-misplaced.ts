/** Keys of `auditable-qa.json` that are known, but not where they stand. */
import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import type { Edit, JSONPath } from 'jsonc-parser';
import schema from '../../../../schemas/auditable-qa.schema.json' with { type: 'json' };
import type { Span } from '../finding.ts';
import { joinPointer, parsePointer, valueAt } from '../text/pointer.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Where a key belongs: names of keys from the top; `*` is an entry of a list or the name of a profile. */
type Place = readonly string[];

const RULE_CODE = /^[a-z]+\/[a-z0-9-]+$/;
const RULES_PLACE: Place = ['datasets', '*', 'rules'];
/** Deeper than the schema is, whose parts refer to each other. */
const MAX_DEPTH = 6;

/** Follows a reference. */
export function resolveSchema(node: JsonObject): JsonObject {
  const all = node['allOf'];
  const target = Array.isArray(all) ? (all[0] as JsonObject) : node;
  const reference = target['$ref'];
  return typeof reference === 'string' ? (valueAt(schema, reference.slice(1)) as JsonObject) : target;
}

let places: ReadonlyMap<string, readonly Place[]> | undefined;

/** All places at which the schema knows each key, `datasets` before `profiles`, outer ones first. */
function allPlaces(): ReadonlyMap<string, readonly Place[]> {
  if (places !== undefined) return places;
  const found = new Map<string, Place[]>();
  const waiting: { readonly node: JsonObject; readonly at: Place }[] = [{ node: schema, at: [] }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { at } = next;
    if (at.length > MAX_DEPTH) continue;
    const { properties, additionalProperties, items } = resolveSchema(next.node);
    for (const [key, inner] of Object.entries((properties ?? {}) as JsonObject)) {
      found.set(key, [...(found.get(key) ?? []), at]);
      waiting.push({ node: inner as JsonObject, at: [...at, key] });
    }
    const each = typeof additionalProperties === 'object' ? additionalProperties : items;
    if (typeof each === 'object' && each !== null) waiting.push({ node: each as JsonObject, at: [...at, '*'] });
  }
  return (places = found);
}

export interface Misplaced {
  /** `in an entry of "datasets"`. */
  readonly words: string;
  /** Pointer of the object to which the key can be moved; absent: there is none yet, or several. */
  readonly target?: string;
}

/** Where a key belongs that stands in the object at `parent`; undefined: it is known nowhere. */
export function whereItBelongs(parent: string, key: string, root: unknown): Misplaced | undefined {
  const own = RULE_CODE.test(key) ? [RULES_PLACE] : (allPlaces().get(key) ?? []);
  const here = parsePointer(parent);
  let best: Place | undefined;
  for (const place of own) if (best === undefined || closeness(place, here) > closeness(best, here)) best = place;
  if (best === undefined) return undefined;
  const target = targetOf(best, here, root);
  return { words: wordsOf(best), ...(target !== undefined && { target }) };
}

/** How much of the way is shared; of equal ones, the place around the object is closer than one inside it. */
function closeness(place: Place, here: readonly string[]): number {
  let shared = 0;
  while (shared < place.length && shared < here.length && fits(place[shared]!, here[shared]!)) shared++;
  return 10 * shared - (place.length - shared);
}

function fits(step: string, key: string): boolean {
  return step === '*' || step === key;
}

function wordsOf(place: Place): string {
  const [first, , ...inner] = place;
  if (first === undefined) return 'at the top of the file';
  const entry = first === 'datasets' ? 'an entry of "datasets"' : 'a profile under "profiles"';
  const names = inner.filter((step) => step !== '*').map((step) => `"${step}"`);
  return names.length === 0 ? `in ${entry}` : `in ${names.reverse().join(' of ')} of ${entry}`;
}

function targetOf(place: Place, here: readonly string[], root: unknown): string | undefined {
  let pointer = '';
  let along = true;
  for (const [at, step] of place.entries()) {
    along &&= at < here.length && fits(step, here[at]!);
    const value = valueAt(root, pointer);
    if (typeof value !== 'object' || value === null) return undefined;
    const keys = Object.keys(value);
    const next = along ? here[at]! : step !== '*' ? step : keys.length === 1 ? keys[0] : undefined;
    if (next === undefined) return undefined;
    pointer = joinPointer(pointer, next);
  }
  const value = valueAt(root, pointer);
  // Only what is made along the way is missing: then it is made.
  if (value === undefined) return pointer;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? pointer : undefined;
}

/** Edits that move a key and its value into another object; undefined where it has the key already. */
export function moveKey(
  text: string,
  from: string,
  target: string,
): readonly { span: Span; text: string }[] | undefined {
  const root = parseTree(text);
  if (root === undefined) return undefined;
  const path = pathOf(from, root);
  const to = [...pathOf(target, root), path.at(-1)!];
  const node = findNodeAtLocation(root, path);
  if (node === undefined || findNodeAtLocation(root, to) !== undefined) return undefined;
  const value: unknown = JSON.parse(text.slice(node.offset, node.offset + node.length));
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const tabs = /^\t/m.test(text);
  const tabSize = /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
  const isOneLine = !text.trim().includes('\n');
  const options = isOneLine ? {} : { formattingOptions: { insertSpaces: !tabs, tabSize, eol } };
  const edits: Edit[] = [...modify(text, path, undefined, options), ...modify(text, to, value, options)];
  edits.sort((one, two) => one.offset - two.offset);
  if (edits.some((edit, at) => at > 0 && edit.offset < edits[at - 1]!.offset + edits[at - 1]!.length)) return undefined;
  if (!isJson(applyEdits(text, edits))) return undefined;
  return edits.map(({ offset, length, content }) => ({ span: { start: offset, end: offset + length }, text: content }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Places in lists as numbers. */
function pathOf(pointer: string, root: ReturnType<typeof parseTree>): JSONPath {
  const path: JSONPath = [];
  for (const key of parsePointer(pointer)) {
    const at = root && findNodeAtLocation(root, path);
    path.push(at?.type === 'array' ? Number(key) : key);
  }
  return path;
}
