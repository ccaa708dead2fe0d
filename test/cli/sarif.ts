/** What the SARIF 2.1.0 schema and specification demand of the parts that are written here. */
import assert from 'node:assert/strict';

interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}
interface PhysicalLocation {
  readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
  readonly region: Region;
}
interface Message {
  readonly text: string;
}
export interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: Message;
  readonly locations: readonly {
    readonly physicalLocation: PhysicalLocation;
    readonly logicalLocations?: readonly { readonly name: string; readonly fullyQualifiedName: string }[];
  }[];
  readonly relatedLocations?: readonly {
    readonly id: number;
    readonly message: Message;
    readonly physicalLocation: PhysicalLocation;
  }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly fixes?: readonly {
    readonly description: Message;
    readonly artifactChanges: readonly {
      readonly artifactLocation: PhysicalLocation['artifactLocation'];
      readonly replacements: readonly { readonly deletedRegion: Region; readonly insertedContent: Message }[];
    }[];
  }[];
  readonly properties: Readonly<Record<string, unknown>>;
}
export interface SarifRule {
  readonly id: string;
  readonly name: string;
  readonly shortDescription: Message;
  readonly fullDescription: Message;
  readonly help: Message & { readonly markdown: string };
  readonly helpUri?: string;
  readonly defaultConfiguration: { readonly enabled: boolean; readonly level: string };
}
export interface Sarif {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string;
        readonly semanticVersion: string;
        readonly rules: readonly SarifRule[];
      };
    };
    readonly columnKind: string;
    readonly originalUriBaseIds: Readonly<Record<string, unknown>>;
    readonly results: readonly SarifResult[];
    readonly invocations: readonly { readonly executionSuccessful: boolean; readonly exitCode: number }[];
  }[];
}

const LEVELS = ['error', 'warning', 'note'];
/** RFC 3986, what a relative or absolute address may consist of. */
const URI = /^(?:[a-z][a-z0-9+.-]*:)?(?:[A-Za-z0-9\-._~/?#[\]@!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*$/;

export function assertSarif(sarif: Sarif): void {
  assert.deepEqual(Object.keys(sarif), ['$schema', 'version', 'runs']);
  assert.equal(sarif.version, '2.1.0');
  assert.equal(sarif.runs.length, 1);
  for (const { tool, columnKind, originalUriBaseIds, results, invocations, ...others } of sarif.runs) {
    assert.deepEqual(others, {});
    assert.equal(columnKind, 'utf16CodeUnits');
    assert.deepEqual(Object.keys(originalUriBaseIds), ['%SRCROOT%']);
    assert.match(tool.driver.semanticVersion, /^\d+\.\d+\.\d+/);
    assert.equal(invocations.length, 1);
    const { rules } = tool.driver;
    assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length);
    for (const rule of rules) assertRule(rule);
    for (const result of results) assertResult(result, rules);
  }
}

function assertRule({
  id,
  name,
  shortDescription,
  fullDescription,
  help,
  helpUri,
  defaultConfiguration,
}: SarifRule): void {
  assert.match(name, /^[A-Z][A-Za-z0-9]+$/);
  for (const text of [shortDescription.text, fullDescription.text, help.text, help.markdown])
    assert.ok(text !== '', id);
  if (helpUri !== undefined) assert.ok(URL.canParse(helpUri), helpUri);
  assert.ok(LEVELS.includes(defaultConfiguration.level));
}

function assertResult(result: SarifResult, rules: readonly SarifRule[]): void {
  assert.equal(rules[result.ruleIndex]?.id, result.ruleId);
  assert.ok(LEVELS.includes(result.level));
  assertMessage(result.message);
  assert.equal(result.locations.length, 1);
  for (const { physicalLocation } of [...result.locations, ...(result.relatedLocations ?? [])]) {
    assertLocation(physicalLocation);
  }
  const ids = (result.relatedLocations ?? []).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const fingerprint of Object.values(result.partialFingerprints)) assert.match(fingerprint, /^[0-9a-f]{16}$/);
  for (const { description, artifactChanges } of result.fixes ?? []) {
    assertMessage(description);
    assert.ok(artifactChanges.length > 0);
    for (const { artifactLocation, replacements } of artifactChanges) {
      assert.ok(replacements.length > 0);
      for (const { deletedRegion } of replacements) assertLocation({ artifactLocation, region: deletedRegion });
    }
  }
}

/** Braces are doubled where they name no argument, and there are no arguments. */
function assertMessage({ text }: Message): void {
  assert.ok(text !== '');
  assert.doesNotMatch(text.replaceAll('{{', '').replaceAll('}}', ''), /[{}]/);
  assert.doesNotMatch(text, /(?<!\\)\[[^\]]*\]\(/);
}

function assertLocation({ artifactLocation: { uri, uriBaseId }, region }: PhysicalLocation): void {
  assert.match(uri, URI);
  assert.equal(uriBaseId, /^[a-z][a-z0-9+.-]*:/.test(uri) ? undefined : '%SRCROOT%');
  for (const value of Object.values(region)) assert.ok(Number.isSafeInteger(value) && value >= 1);
  const { startLine, startColumn, endLine, endColumn } = region;
  assert.ok(endLine > startLine || (endLine === startLine && endColumn >= startColumn));
}

/** The text of a region: columns count UTF-16 units, the end column is the one behind it. */
export function offsetsOf(text: string, { startLine, startColumn, endLine, endColumn }: Region): [number, number] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return [starts[startLine - 1]! + startColumn - 1, starts[endLine - 1]! + endColumn - 1];
}
