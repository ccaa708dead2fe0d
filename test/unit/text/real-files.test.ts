import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { parseRecordText } from '../../../server/src/core/text/parse.ts';
import { createRecordReader } from '../../../server/src/core/text/reader.ts';
import { createByteDecoder } from '../../../server/src/node/files/decode.ts';

const ROOT = '../shared/data';
const RECORDS: Record<string, number> = {
  'docmath-eval/testmini_703.jsonl': 703,
  'docmath-eval/full_shape_119_reconstructed.jsonl': 119,
  'docmath-eval/full_shape_119_reconstructed.json': 119,
  'sciegqa/benchmark_v2.jsonl': 1623,
  'sciegqa/2311.07631.jsonl': 22,
  'findver/testmini.json': 700,
  'financemath/validation.json': 200,
  'finqa/dev_200.json': 200,
  'tat-qa/tatqa_dataset_dev.json': 278,
  'financebench/financebench_open_source.jsonl': 150,
  'mmlongbench-doc/samples.json': 1082,
};

describe('published files', function () {
  before(function () {
    if (!existsSync(ROOT)) {
      console.log('      no published files at ../shared/data');
      this.skip();
    }
  });

  it('are read whole and without a fault of the file', () => {
    const paths = globSync('**/*.{json,jsonl}', { cwd: ROOT });
    assert.ok(paths.length >= Object.keys(RECORDS).length);
    for (const path of paths) {
      const bytes = readFileSync(`${ROOT}/${path}`);
      const decoder = createByteDecoder();
      const reader = createRecordReader(path.endsWith('.jsonl') ? 'lines' : 'json');
      const slots = [];
      for (let at = 0; at < bytes.length; at += 65_536)
        slots.push(...reader.push(decoder.push(bytes.subarray(at, at + 65_536))));
      const { text, fault } = decoder.end();
      slots.push(...reader.push(text));
      const last = reader.end();
      slots.push(...last.slots);
      const parsed = slots.map((slot) => parseRecordText(slot.text));
      assert.deepEqual([fault, last.faults, parsed.flatMap(({ faults }) => faults)], [undefined, [], []], path);
      const whole: unknown = path.endsWith('.jsonl')
        ? bytes
            .toString()
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown)
        : JSON.parse(bytes.toString());
      assert.deepEqual(
        parsed.map(({ value }) => value),
        Array.isArray(whole) ? whole : [whole],
        path,
      );
      if (RECORDS[path] !== undefined) assert.equal(slots.length, RECORDS[path], path);
    }
  });
});
