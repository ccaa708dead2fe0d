import assert from 'node:assert/strict';
import { applyEdits } from 'jsonc-parser';
import { moveKey } from '../../../server/src/core/profile/configuration-misplaced.ts';
import { parseConfiguration } from '../../../server/src/core/profile/configuration.ts';

const ENTRY = { files: ['*.jsonl'] };

describe('a key of the configuration at the wrong depth', () => {
  const rows: readonly [name: string, configuration: object, words: string, target: string | undefined][] = [
    ['at the top', { tolerance: {}, datasets: [ENTRY] }, 'in an entry of "datasets"', '/datasets/0'],
    ['at the top, with two entries', { rules: {}, datasets: [ENTRY, ENTRY] }, 'in an entry of "datasets"', undefined],
    ['at the top, without entries', { pageBase: 0 }, 'in an entry of "datasets"', undefined],
    [
      'inside coordinates',
      { datasets: [{ ...ENTRY, coordinates: { rules: {} } }] },
      'in an entry of "datasets"',
      '/datasets/0',
    ],
    [
      'beside coordinates',
      { datasets: [{ ...ENTRY, dpi: 300 }] },
      'in "coordinates" of an entry of "datasets"',
      '/datasets/0/coordinates',
    ],
    [
      'beside solutions',
      { datasets: [ENTRY, { ...ENTRY, timeoutMs: 10 }] },
      'in "solutions" of an entry of "datasets"',
      '/datasets/1/solutions',
    ],
    ['datasets in a profile', { profiles: { own: { datasets: [] } } }, 'at the top of the file', ''],
    [
      'of a profile in an entry',
      { datasets: [{ ...ENTRY, fields: {} }], profiles: { own: {} } },
      'in a profile under "profiles"',
      '/profiles/own',
    ],
    [
      'fields in a profile itself',
      { profiles: { own: { question: '/q' } } },
      'in "fields" of a profile under "profiles"',
      '/profiles/own/fields',
    ],
    [
      'a rule in an entry',
      { datasets: [{ ...ENTRY, 'answer/mismatch': 'off' }] },
      'in "rules" of an entry of "datasets"',
      '/datasets/0/rules',
    ],
  ];
  for (const [name, configuration, words, target] of rows) {
    it(name, () => {
      const faults = parseConfiguration(JSON.stringify(configuration)).faults;
      assert.deepEqual(
        faults.map((fault) => [
          fault.code,
          fault.message.replace(/^"[^"]+" has no meaning here: it belongs /, ''),
          fault.target,
        ]),
        [['config/unknown-key', `${words}.`, target]],
      );
    });
  }

  it('that is known nowhere, or nearly one of here, is told as before', () => {
    const [fault] = parseConfiguration('{"datasets":[{"files":["*"],"pageimage":"x"}]}').faults;
    assert.match(fault!.message, /has no meaning here\. Did you mean "pageImage"\?/);
  });

  it('is moved with its value', () => {
    const text = `{
  "tolerance": { "relative": 1e-3 },
  "datasets": [
    { "files": ["*.jsonl"] }
  ]
}
`;
    const edits = moveKey(text, '/tolerance', '/datasets/0')!;
    const moved = applyEdits(
      text,
      edits.map(({ span, text: content }) => ({ offset: span.start, length: span.end - span.start, content })),
    );
    assert.deepEqual(JSON.parse(moved), { datasets: [{ files: ['*.jsonl'], tolerance: { relative: 0.001 } }] });
    assert.equal(parseConfiguration(moved).faults.length, 0);
    assert.equal(moveKey('{"rules":{},"datasets":[{"rules":{}}]}', '/rules', '/datasets/0'), undefined);
    const made = moveKey('{"datasets":[{"dpi":300}]}', '/datasets/0/dpi', '/datasets/0/coordinates');
    assert.ok(made === undefined || made.length === 2);
  });
});
