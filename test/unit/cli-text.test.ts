import assert from 'node:assert/strict';
import { createPaint } from '../../server/src/cli/output.ts';
import { createTotals } from '../../server/src/cli/report.ts';
import type { ResultOfRun } from '../../server/src/cli/report.ts';
import { resultLine, summaryLine } from '../../server/src/cli/text-format.ts';

const paint = createPaint(false);

describe('the line of a solution in text', () => {
  const result: ResultOfRun = {
    record: { index: 2, line: 3, id: 'q-3' },
    value: '150',
    type: 'int',
    gold: 150,
    verdict: 'equal',
    error: null,
    stdout: '',
    ms: 1.26,
  };
  const line = (change: Partial<ResultOfRun>): string => resultLine('a.jsonl', { ...result, ...change }, paint);
  const failed = (error: NonNullable<ResultOfRun['error']>, change: Partial<ResultOfRun> = {}): string =>
    line({ value: null, type: null, verdict: 'error', error, ...change });

  it('reads well for every verdict', () => {
    const lines = [
      line({}),
      line({ value: '149.9', type: 'float', verdict: 'tolerance', ms: 0.004 }),
      line({ value: '150.0004', type: 'float', verdict: 'rounded' }),
      line({ value: '15', verdict: 'mismatch', ms: 0 }),
      line({ value: 'yes', type: 'text', gold: null }),
      line({ value: '-470', gold: null, verdict: 'skipped' }),
      line({ value: null, type: null, verdict: 'skipped', ms: 0 }),
      line({ value: null, type: null, gold: null, verdict: 'skipped', ms: 0 }),
      failed({ type: 'NameError', message: "name 'x' is not defined", line: 4 }),
      failed({ type: 'AssertionError', message: '', line: null }),
      failed({ type: 'NoneType', message: 'None', line: null, returned: true }),
      failed({ type: 'bool', message: 'True', line: null, returned: true }, { gold: 1 }),
      failed({ type: 'float', message: 'nan', line: null, returned: true }, { gold: null }),
    ];
    assert.equal(
      lines.join(''),
      `a.jsonl:3: equal: 150 (int), gold 150, 1.3 ms [record 3 “q-3”]
a.jsonl:3: within tolerance: 149.9 (float), gold 150, 0.1 ms [record 3 “q-3”]
a.jsonl:3: equal after rounding: 150.0004 (float), gold 150, 1.3 ms [record 3 “q-3”]
a.jsonl:3: mismatch: 15 (int), gold 150 [record 3 “q-3”]
a.jsonl:3: equal: yes (text), 1.3 ms [record 3 “q-3”]
a.jsonl:3: no verdict: -470 (int), no number to compare it with, 1.3 ms [record 3 “q-3”]
a.jsonl:3: not run, gold 150 [record 3 “q-3”]
a.jsonl:3: not run [record 3 “q-3”]
a.jsonl:3: error: NameError: name 'x' is not defined (line 4), gold 150, 1.3 ms [record 3 “q-3”]
a.jsonl:3: error: AssertionError, gold 150, 1.3 ms [record 3 “q-3”]
a.jsonl:3: error: returns None, which is no number, gold 150, 1.3 ms [record 3 “q-3”]
a.jsonl:3: error: returns True (bool), which is no number, gold 1, 1.3 ms [record 3 “q-3”]
a.jsonl:3: error: returns nan, which is no finite number, 1.3 ms [record 3 “q-3”]
`,
    );
  });
});

describe('the last line in text', () => {
  it('says how many lines are no record', () => {
    const totals = createTotals();
    Object.assign(totals.summary, { files: 2, records: 725, unreadable: 3, errors: 3 });
    assert.equal(
      summaryLine(totals, paint),
      '2 files, 725 records and 3 that cannot be read: 3 errors, 0 warnings, 0 infos.\n',
    );
  });
});
