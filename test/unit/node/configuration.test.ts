import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { configurationFindings, createConfigurationFinder } from '../../../server/src/node/configuration.ts';

describe('nearest configuration', () => {
  let folder: string;
  const at = (...parts: string[]): string => path.join(folder, ...parts);
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'auditable-qa-configuration-'));
    await mkdir(at('a', 'b'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is the nearest one upward; a folder of that name is none', async () => {
    const { nearest } = createConfigurationFinder();
    assert.equal(await nearest(at('a', 'b', 'x.jsonl')), undefined);
    await writeFile(at('auditable-qa.json'), '{"datasets":[{"files":["**"],"profile":"sciegqa"}]}');
    await mkdir(at('a', 'b', 'auditable-qa.json'));
    const outer = await nearest(at('a', 'b', 'x.jsonl'));
    assert.equal(outer?.folder, folder);
    assert.equal(outer.parsed.entries[0]?.profile?.name, 'sciegqa');
    await writeFile(at('a', 'auditable-qa.json'), '{}');
    assert.equal((await nearest(at('a', 'b', 'x.jsonl')))?.folder, at('a'));
  });

  it('is read again when it changed, and only then', async () => {
    const { nearest } = createConfigurationFinder();
    await writeFile(at('auditable-qa.json'), '{}');
    const first = await nearest(at('x.jsonl'));
    assert.equal(await nearest(at('y.jsonl')), first);
    await writeFile(at('auditable-qa.json'), '{"datasets":[{"files":["*.jsonl"]}]}');
    assert.equal((await nearest(at('x.jsonl')))?.parsed.entries.length, 1);
  });

  it('has findings on their place, at the level that is asked for', async () => {
    const { load } = createConfigurationFinder();
    const line = '  {"files":["*.jsonl"],"profile":"sciegq"}]}';
    await writeFile(at('auditable-qa.json'), `{"datasets":[\n${line}`);
    const loaded = await load(at('auditable-qa.json'));
    const [finding, ...others] = configurationFindings(loaded, {});
    assert.deepEqual(others, []);
    assert.equal(finding?.code, 'config/unknown-profile');
    assert.equal(finding.severity, 'error');
    assert.deepEqual(finding.start, { line: 1, column: line.indexOf('"sciegq"') });
    assert.equal(configurationFindings(loaded, { 'config/unknown-profile': 'info' })[0]?.severity, 'info');
    assert.deepEqual(configurationFindings(loaded, { 'config/unknown-profile': 'off' }), []);
  });

  it('is asked for by name: a missing one rejects', async () => {
    await assert.rejects(createConfigurationFinder().load(at('gone.json')), { code: 'ENOENT' });
  });
});
