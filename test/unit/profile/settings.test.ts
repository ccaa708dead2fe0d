import assert from 'node:assert/strict';
import { parseConfiguration } from '../../../server/src/core/profile/configuration.ts';
import { settingsFor, type SettingsArgs } from '../../../server/src/core/profile/settings.ts';
import type { FileSettings } from '../../../server/src/core/profile/types.ts';
import { DOCMATH, SCIEGQA } from './records.ts';

const UNIT = { ...SCIEGQA, rel_bbox: [[[0.117647, 0.181818, 0.823529, 0.454545]]] };

function resolve(args: Partial<SettingsArgs> & { readonly json?: unknown }): FileSettings {
  const { json, ...rest } = args;
  const result = settingsFor({
    filePath: '/sets/data/a.jsonl',
    samples: [SCIEGQA],
    ...(json !== undefined && { configuration: { folder: '/sets', parsed: parseConfiguration(JSON.stringify(json)) } }),
    ...rest,
  });
  assert.ok('profile' in result, 'message' in result ? result.message : '');
  return result;
}

describe('settings of a file', () => {
  it('without configuration: recognised, beside the file, the defaults', () => {
    const settings = resolve({});
    assert.equal(settings.profile.name, 'sciegqa');
    assert.equal(settings.base, '/sets/data');
    assert.equal(settings.locationsConfigured, false);
    assert.ok(settings.pdf.includes('pdf/{doc_name}.pdf'));
    assert.deepEqual(settings.tolerance, { relative: 0.0015, decimals: 3 });
    assert.deepEqual(
      [settings.solutions.runner, settings.solutions.timeoutMs, settings.solutions.memoryMb],
      ['sandbox', 3000, 128],
    );
    assert.equal(settings.entry, undefined);
  });

  it('with an entry: what it says, relative to the configuration', () => {
    const settings = resolve({
      json: {
        datasets: [
          { files: ['other/*'] },
          {
            files: ['data/*.jsonl'],
            profile: 'docmath-eval',
            pdf: 'pdf/{doc_name}.pdf',
            pageBase: 0,
            imageBase: 0,
            tolerance: { decimals: 2 },
            solutions: { runner: 'off', memoryMb: 64, allowedImports: ['math'] },
            rules: { 'answer/mismatch': 'info' },
          },
        ],
      },
    });
    assert.equal(settings.entry, 1);
    assert.equal(settings.profile.name, 'docmath-eval');
    assert.equal(settings.reason, 'set in auditable-qa.json');
    assert.equal(settings.base, '/sets');
    assert.deepEqual(
      [settings.pdf, settings.pageImage, settings.locationsConfigured],
      [['pdf/{doc_name}.pdf'], [], true],
    );
    assert.deepEqual([settings.pageBase, settings.imageBase], [0, 0]);
    assert.deepEqual(settings.tolerance, { relative: 0.0015, decimals: 2 });
    assert.deepEqual(settings.solutions, { runner: 'off', timeoutMs: 3000, memoryMb: 64, allowedImports: ['math'] });
    assert.deepEqual(settings.rules, { 'answer/mismatch': 'info' });
  });

  it('a file outside the globs gets the defaults', () => {
    assert.equal(
      resolve({ json: { datasets: [{ files: ['*.jsonl'], profile: 'docmath-eval' }] } }).profile.name,
      'sciegqa',
    );
  });

  it('the command line wins', () => {
    const json = { datasets: [{ files: ['**'], profile: 'sciegqa', rules: { 'a/b': 'off', 'c/d': 'info' } }] };
    const overrides = { profile: 'docmath-eval', rules: { 'a/b': 'error' }, solutions: 'python' } as const;
    const settings = resolve({ json, overrides });
    assert.equal(settings.profile.name, 'docmath-eval');
    assert.deepEqual(settings.rules, { 'a/b': 'error', 'c/d': 'info' });
    assert.equal(settings.solutions.runner, 'python');
  });

  it('the configuration cannot choose the own Python', () => {
    assert.equal(
      resolve({ json: { datasets: [{ files: ['**'], solutions: { runner: 'python' } }] } }).solutions.runner,
      'sandbox',
    );
  });

  it('coordinates: what is left out is the profile’s, a resolution belongs to pixels', () => {
    const of = (coordinates: unknown): unknown =>
      resolve({ json: { datasets: [{ files: ['**'], coordinates }] } }).coordinates;
    assert.deepEqual(of({ order: 'xywh' }), { space: 'pixel', dpi: 300, order: 'xywh', origin: 'top-left' });
    assert.deepEqual(of({ space: 'unit' }), { space: 'unit', order: 'xyxy', origin: 'top-left' });
    assert.deepEqual(of({ dpi: 144 }), { space: 'pixel', dpi: 144, order: 'xyxy', origin: 'top-left' });
  });

  it('relative boxes: the file decides, unless coordinates are configured', () => {
    const spaceOf = (entry?: object): string | undefined =>
      resolve({ samples: [UNIT], ...(entry && { json: { datasets: [{ files: ['**'], ...entry }] } }) })
        .relativeCoordinates?.space;
    assert.equal(spaceOf(), 'unit');
    assert.equal(spaceOf({ rules: {} }), 'unit');
    assert.equal(spaceOf({ profile: 'sciegqa', coordinates: { space: 'pixel', dpi: 300 } }), 'permille');
    assert.equal(spaceOf({ relativeCoordinates: { space: 'percent' } }), 'percent');
  });

  it('names what is missing where no profile fits', () => {
    const result = settingsFor({
      filePath: '/w/a.jsonl',
      samples: [{ query: 'Q', doc_name: 'd', evidence_page: [1] }],
    });
    assert.ok('message' in result);
    assert.match(result.message, /nearest is sciegqa.* bbox is missing/);
    const unknown = settingsFor({ filePath: '/w/a.jsonl', samples: [DOCMATH], overrides: { profile: 'docmath' } });
    assert.ok('message' in unknown);
    assert.match(unknown.message, /no profile docmath\. .*docmath-eval/);
  });

  it('the configuration itself is never a record file', () => {
    const parsed = parseConfiguration('{"datasets":[{"files":["**"],"profile":"sciegqa"}]}');
    const args = { samples: [SCIEGQA], configuration: { folder: '/w', parsed } };
    assert.ok(!('profile' in settingsFor({ ...args, filePath: '/w/auditable-qa.json' })));
    assert.ok('profile' in settingsFor({ ...args, filePath: '/w/b.json' }));
  });

  it('reads Windows paths', () => {
    const entry = '{"files":["data/*.jsonl"],"profile":"sciegqa","pdf":"pdf/{doc_name}.pdf"}';
    const parsed = parseConfiguration(`{"datasets":[${entry}]}`);
    const settings = settingsFor({
      filePath: 'c:\\work\\data\\a.jsonl',
      configuration: { folder: 'C:\\work', parsed },
      samples: [],
    });
    assert.ok('profile' in settings);
    assert.equal(settings.base, 'C:/work');
  });

  it('looks for recognised layouts beside the record file, wherever its configuration lies', () => {
    const parsed = parseConfiguration('{"datasets":[{"files":["data/*.jsonl"],"profile":"sciegqa"}]}');
    const settings = settingsFor({ filePath: '/w/data/a.jsonl', configuration: { folder: '/w', parsed }, samples: [] });
    assert.ok('profile' in settings);
    assert.deepEqual([settings.base, settings.configurationFolder], ['/w/data', '/w']);
  });
});
