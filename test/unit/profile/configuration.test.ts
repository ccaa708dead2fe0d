import assert from 'node:assert/strict';
import { BUILTIN_PROFILES } from '../../../server/src/core/profile/builtin.ts';
import { parseConfiguration } from '../../../server/src/core/profile/configuration.ts';
import { configRules } from '../../../server/src/core/rules/config.ts';

const RULE_CODES = ['answer/mismatch', 'text/stray-blanks'];

/** Faults as `code text` with the marked text of the configuration. */
function faultsOf(text: string): string[] {
  const { faults } = parseConfiguration(text, RULE_CODES);
  return faults.map(({ code, span }) => `${code} ${text.slice(span.start, span.end)}`);
}

function inDataset(members: string): string {
  return `{"datasets":[{"files":["*.jsonl"],${members}}]}`;
}

describe('auditable-qa.json', () => {
  it('takes the documented example', () => {
    const text = `{ "datasets": [
        { "files": ["data/*.jsonl"], "profile": "ours",
          "pdf": "pdf/{doc_name}.pdf",
          "pageImage": "Images/{category}/{doc_name}/{doc_name}_{page}.png",
          "coordinates": { "space": "pixel", "dpi": 300, "order": "xyxy", "origin": "top-left" },
          "pageBase": 1, "imageBase": 1,
          "tolerance": { "relative": 0.0015, "decimals": 3 },
          "rules": { "answer/mismatch": "info", "text/stray-blanks": "off" },
          "solutions": { "runner": "sandbox", "timeoutMs": 3000, "memoryMb": 128, "allowedImports": ["math", "statistics"] } } ],
      "profiles": { "ours": { "extends": "sciegqa", "fields": { "question": "/q", "regions": { "boxes": "/boxes" } } } } }`;
    const { entries, profiles, faults } = parseConfiguration(text, RULE_CODES);
    assert.deepEqual(faults, []);
    assert.equal(entries[0]?.profile?.name, 'ours');
    assert.deepEqual(entries[0]?.profile?.fields.boxes, { at: '/boxes' });
    assert.deepEqual(entries[0]?.profile?.fields.document, { at: '/doc_name' });
    assert.equal(entries[0]?.matches('data/a.jsonl'), true);
    assert.equal(entries[0]?.matches('a.jsonl'), false);
    assert.deepEqual(
      profiles.map(({ name }) => name),
      ['ours', ...BUILTIN_PROFILES.map(({ name }) => name)],
    );
  });

  const places: readonly (readonly [string, string, readonly string[]])[] = [
    ['an empty file', '', ['config/syntax ']],
    ['a comma after the last element', '{"datasets":[{"files":["a"]},]}', ['config/syntax ]']],
    ['a comment', '{} // why', ['config/syntax // why']],
    ['an end that is missing', '{"datasets":[', ['config/syntax [']],
    ['another JSON value', '[1]', ['config/invalid [1]']],
    ['a misspelled key', '{"dataset":[]}', ['config/unknown-key "dataset"']],
    ['a misspelled inner key', inDataset('"pageimage":"a"'), ['config/unknown-key "pageimage"']],
    ['a key of an own profile', '{"profiles":{"x":{"extend":"sciegqa"}}}', ['config/unknown-key "extend"']],
    ['a repeated key', '{"datasets":[],"datasets":[]}', ['config/invalid "datasets"']],
    ['a group without files', '{"datasets":[{"profile":"sciegqa"}]}', ['config/invalid {"profile":"sciegqa"}']],
    ['a wrong type', inDataset('"pageBase":"1"'), ['config/invalid "1"']],
    ['a wrong value', inDataset('"coordinates":{"space":"pixels"}'), ['config/invalid "pixels"']],
    ['a fraction', inDataset('"tolerance":{"decimals":1.5}'), ['config/invalid 1.5']],
    ['a limit out of range', inDataset('"solutions":{"timeoutMs":0}'), ['config/invalid 0']],
    ['a module that is none', inDataset('"solutions":{"allowedImports":["math","a b"]}'), ['config/invalid "a b"']],
    ['an unknown level', inDataset('"rules":{"answer/mismatch":"warn"}'), ['config/invalid "warn"']],
    ['an unknown rule', inDataset('"rules":{"answer/mismach":"off"}'), ['config/unknown-rule "answer/mismach"']],
    ['an unknown profile', inDataset('"profile":"sciqega"'), ['config/unknown-profile "sciqega"']],
    ['an unknown base profile', '{"profiles":{"x":{"extends":"y"}}}', ['config/unknown-profile "y"']],
    ['a glob that is not closed', '{"datasets":[{"files":["[a.jsonl"]}]}', ['config/invalid "[a.jsonl"']],
    ['an absolute glob', '{"datasets":[{"files":["/etc/*.json"]}]}', ['config/unsafe-path "/etc/*.json"']],
    ['a glob upwards', '{"datasets":[{"files":["!../*.json"]}]}', ['config/unsafe-path "!../*.json"']],
    ['an absolute location', inDataset('"pdf":"/etc/{doc_name}.pdf"'), ['config/unsafe-path "/etc/{doc_name}.pdf"']],
    ['a location upwards', inDataset('"pdf":["a.pdf","a/../../b.pdf"]'), ['config/unsafe-path "a/../../b.pdf"']],
    ['a drive', inDataset('"pageImage":"C:/x_{page}.png"'), ['config/unsafe-path "C:/x_{page}.png"']],
    ['backslashes', inDataset('"pdf":"..\\\\x.pdf"'), ['config/unsafe-path "..\\\\x.pdf"']],
    ['an address', inDataset('"pdf":"https://x/y.pdf"'), ['config/unsafe-path "https://x/y.pdf"']],
    ['a brace that is not closed', inDataset('"pdf":"a/{doc_name.pdf"'), ['config/invalid "a/{doc_name.pdf"']],
    ['a page in a PDF', inDataset('"pdf":"a_{page}.pdf"'), ['config/invalid "a_{page}.pdf"']],
    ['the own Python', inDataset('"solutions":{"runner":"python"}'), ['config/untrusted-runner "python"']],
    ['a pointer without slash', '{"profiles":{"x":{"fields":{"question":"q"}}}}', ['config/invalid "q"']],
    ['an unknown field', '{"profiles":{"x":{"fields":{"quest":"/q"}}}}', ['config/unknown-key "quest"']],
    [
      'an unknown decoder',
      '{"profiles":{"x":{"fields":{"pages":{"at":"/p","decoder":"csv"}}}}}',
      ['config/invalid "csv"'],
    ],
    ['a layout upwards', '{"profiles":{"x":{"layouts":{"pdf":["../a.pdf"]}}}}', ['config/unsafe-path "../a.pdf"']],
  ];
  for (const [name, text, expected] of places) {
    it(`marks ${name}`, () => assert.deepEqual(faultsOf(text), expected));
  }

  it('gives line and column', () => {
    const [fault] = parseConfiguration('{\r\n  "datasets": [],\r\n  "x": 1\r\n}').faults;
    assert.deepEqual(
      [fault?.start, fault?.end],
      [
        { line: 2, column: 2 },
        { line: 2, column: 5 },
      ],
    );
  });

  it('says what is meant', () => {
    const { faults } = parseConfiguration(
      inDataset('"pageimage":"a","profile":"sciqega","coordinates":{"order":"xyyx"}'),
    );
    assert.match(faults[0]!.message, /Did you mean "pageImage"/);
    assert.match(faults[1]!.message, /Did you mean "sciegqa"/);
    assert.match(faults[2]!.message, /"xyxy", "xywh", "whxy"/);
  });

  it('keeps the rest of a configuration with faults', () => {
    const text = `{"datasets":[{"profile":"sciegqa"},
      {"files":["a.jsonl",7],"pageBase":9,"imageBase":0,"solutions":{"runner":"python","timeoutMs":500},"rules":{"answer/mismach":"off","answer/mismatch":"info"}}]}`;
    const { entries, faults } = parseConfiguration(text, RULE_CODES);
    assert.equal(faults.length, 5);
    assert.equal(entries.length, 1);
    const [{ index, entry, matches }] = entries as [(typeof entries)[number]];
    assert.equal(index, 1);
    assert.equal(matches('a.jsonl'), true);
    assert.equal(entry.pageBase, undefined);
    assert.equal(entry.imageBase, 0);
    assert.deepEqual(entry.solutions, { timeoutMs: 500 });
    assert.deepEqual(entry.rules, { 'answer/mismatch': 'info' });
  });

  it('drops a profile whose base is unknown, without a second finding where it is used', () => {
    const text = '{"datasets":[{"files":["*"],"profile":"x"}],"profiles":{"x":{"extends":"nothing-like-it"}}}';
    const { entries, faults } = parseConfiguration(text);
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['config/unknown-profile'],
    );
    assert.equal(entries[0]?.profile, undefined);
  });

  it('finds circles of profiles', () => {
    const circle = '{"profiles":{"a":{"extends":"b"},"b":{"extends":"a"}}}';
    assert.deepEqual(faultsOf(circle), ['config/invalid "a"']);
    assert.equal(parseConfiguration(circle).profiles.length, BUILTIN_PROFILES.length);
  });

  it('lets an own profile take the name of a built-in one', () => {
    const { profiles, faults } = parseConfiguration('{"profiles":{"sciegqa":{"extends":"sciegqa","pageBase":0}}}');
    assert.deepEqual(faults, []);
    assert.equal(profiles.filter(({ name }) => name === 'sciegqa').length, 1);
    assert.equal(profiles[0]?.pageBase, 0);
    assert.equal(profiles[0]?.fields.document?.at, '/doc_name');
  });

  it('never throws', () => {
    const deep = `{"datasets":${'['.repeat(50_000)}`;
    for (const text of [
      deep,
      '\uFEFF{}',
      'null',
      '"x"',
      '{"__proto__":{"a":1}}',
      '{"datasets":{"0":1}}',
      '\u0000',
      '{"a":"\u0001"}',
    ]) {
      assert.doesNotThrow(() => parseConfiguration(text), text.slice(0, 20));
    }
    assert.deepEqual(parseConfiguration('\uFEFF{}').faults, []);
    assert.equal(parseConfiguration(deep).faults[0]?.code, 'config/syntax');
  });

  for (const { code, fires, quiet } of configRules) {
    it(`${code}: its examples are true`, () => {
      const codes = (text: unknown): string[] =>
        parseConfiguration(String(text), RULE_CODES).faults.map((fault) => fault.code);
      assert.deepEqual(fires.lines.flatMap(codes), [code]);
      assert.deepEqual(quiet.lines.flatMap(codes), []);
    });
  }
});
