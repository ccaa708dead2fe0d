/**
 * Compiles the JSON Schemas ahead of time, so that the product carries no schema compiler and starts at once. Writes
 * only what changed: each file names the hash of all it came from in its first line.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);

/** Definitions are inlined where the check runs on every record, and shared where its size counts. */
const CHECKS = [
  {
    schema: 'server/src/core/schema/record.schema.json',
    output: 'server/src/core/schema/record.generated.js',
    inlineRefs: true,
  },
  {
    schema: 'schemas/auditable-qa.schema.json',
    output: 'server/src/core/schema/configuration.generated.js',
    inlineRefs: false,
    // The names of the rules are for editors; the same holds for any other name.
    simplify: ({ definitions: { rules, ...definitions }, ...schema }) => ({
      ...schema,
      definitions: { ...definitions, rules: { ...rules, properties: {} } },
    }),
  },
];

/** What is written for people stays out of the code. Keys of `properties` and the like are names, not keywords. */
function withoutAnnotations(schema) {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const kept = {};
  for (const [key, value] of Object.entries(schema)) {
    if (['title', 'description', 'default', 'defaultSnippets', 'examples'].includes(key)) continue;
    if (key === 'properties' || key === 'definitions') {
      kept[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutAnnotations(inner)]));
    } else {
      kept[key] = Array.isArray(value) ? value.map(withoutAnnotations) : withoutAnnotations(value);
    }
  }
  return kept;
}

/** Whether a text is not blank is asked of every record, and nearly always its first character tells: sooner than a pattern. */
const NOT_BLANK = 'new RegExp("\\\\S", "u")';
const QUICK_NOT_BLANK = `{ blank: ${NOT_BLANK}, test(text) { const first = text.charCodeAt(0); return (first > 32 && first < 127) || this.blank.test(text); } }`;

/** JavaScript of an ES module that exports the schema's check as `check`. */
function compile(schema, inlineRefs) {
  const { Ajv } = require('ajv');
  const standalone = require('ajv/dist/standalone').default;
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    inlineRefs,
    code: { source: true, esm: true, lines: true, optimize: 2 },
  });
  ajv.addSchema({ ...withoutAnnotations(schema), $id: 'check' });
  const code = standalone(ajv, { check: 'check' });
  const quick = code.replaceAll(NOT_BLANK, QUICK_NOT_BLANK);
  if (quick.includes('require(')) throw new Error('A keyword of the schema needs a runtime library.');
  return quick;
}

/** Returns the paths that were written, relative to the project. */
export function generate() {
  const tools = readFileSync(fileURLToPath(import.meta.url)) + require('ajv/package.json').version;
  const written = [];
  for (const { schema, output, inlineRefs, simplify = (whole) => whole } of CHECKS) {
    const source = readFileSync(join(root, schema), 'utf8');
    const head = `// Generated from ${schema} by scripts/generate.mjs. ${createHash('sha256').update(tools).update(source).digest('hex')}\n`;
    const target = join(root, output);
    if (existsSync(target) && readFileSync(target, 'utf8').startsWith(head)) continue;
    const code = compile(simplify(JSON.parse(source)), inlineRefs);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, head + code);
    written.push(output);
  }
  return written;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const path of generate()) console.log(`wrote ${path}`);
}
