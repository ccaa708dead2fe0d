import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { Ajv } from 'ajv';
import { generate } from '../../../scripts/generate.mjs';
import type { Report } from '../../../schemas/report.ts';

const root = new URL('../../../', import.meta.url);
const json = (path: string): object => JSON.parse(readFileSync(new URL(path, root), 'utf8')) as object;

describe('generated schema checks', () => {
  it('are up to date after one call, and not written again', () => {
    generate();
    const path = new URL('server/src/core/schema/record.generated.js', root);
    const before = statSync(path).mtimeMs;
    assert.deepEqual(generate(), []);
    assert.equal(statSync(path).mtimeMs, before);
  });

  for (const name of ['record', 'configuration']) {
    it(`${name}: imports nothing`, () => {
      const code = readFileSync(new URL(`server/src/core/schema/${name}.generated.js`, root), 'utf8');
      assert.doesNotMatch(code, /\brequire\(|^\s*import\b|\bimport\(/m);
    });
  }
});

describe('report.schema.json', () => {
  const check = new Ajv({ strict: true, allowUnionTypes: true }).compile(json('schemas/report.schema.json'));
  const record = { index: 0, line: 1, id: null };
  const report: Report = {
    version: 1,
    files: [
      {
        path: 'a.jsonl',
        profile: 'sciegqa',
        records: 1,
        findings: [
          {
            code: 'box/out-of-page',
            severity: 'error',
            message: 'm',
            record,
            pointer: '/bbox/0/0',
            range: { start: { line: 1, column: 37 }, end: { line: 1, column: 60 } },
            fingerprint: 'f',
            fixes: [{ title: 'Clip', safe: true }],
          },
        ],
        truncated: false,
        results: [{ record, value: '150', type: 'int', gold: 150, verdict: 'equal', error: null, stdout: '', ms: 1.2 }],
      },
    ],
    solutions: { run: 1, passed: 1, failed: 0, skipped: 0 },
    summary: { files: 1, records: 1, errors: 1, warnings: 0, infos: 0 },
  };

  it('takes a report', () => assert.equal(check(report), true, JSON.stringify(check.errors)));

  it('refuses what is no report', () => {
    assert.equal(check({ ...report, version: 2 }), false);
    assert.equal(check({ ...report, files: [{ ...report.files[0], extra: 1 }] }), false);
    assert.equal(check({ ...report, summary: undefined }), false);
  });
});

describe('auditable-qa.schema.json', () => {
  it('is a valid draft-07 schema in which everything is described', () => {
    const schema = json('schemas/auditable-qa.schema.json') as {
      definitions: Record<string, { properties?: Record<string, object> }>;
    };
    assert.equal(new Ajv({ strict: true, allowUnionTypes: true }).validateSchema(schema), true);
    for (const { properties = {} } of Object.values(schema.definitions)) {
      for (const [key, member] of Object.entries(properties)) assert.ok('description' in member, key);
    }
  });
});
