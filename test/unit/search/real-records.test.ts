import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinProfile } from '../../../server/src/core/profile/builtin.ts';
import { toCanonical } from '../../../server/src/core/record/canonical.ts';
import type { CanonicalRecord } from '../../../server/src/core/record/types.ts';
import { createSearchIndex } from '../../../server/src/core/search/index.ts';
import { citedBlocks } from '../../../server/src/core/trace/cited.ts';

const DATA = join(import.meta.dirname, '../../../../shared/data');

type Json = Readonly<Record<string, unknown>>;

interface Set {
  readonly profile: string;
  readonly file: string;
  /** Part of the records of which a cited block is among the first five; a little below what was measured. */
  readonly least: number;
  records(text: string): readonly Json[];
}

const SETS: readonly Set[] = [
  {
    profile: 'docmath-eval',
    file: 'docmath-eval/full_shape_119_reconstructed.jsonl',
    least: 0.98,
    records: (text) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Json),
  },
  { profile: 'finqa', file: 'finqa/dev_200.json', least: 0.92, records: (text) => JSON.parse(text) as Json[] },
  {
    profile: 'tat-qa',
    file: 'tat-qa/tatqa_dataset_dev.json',
    least: 0.97,
    records: (text) =>
      (JSON.parse(text) as { questions: Json[] }[])
        .slice(0, 60)
        .flatMap((outer) => outer.questions.map((question) => ({ ...question, '..': outer }))),
  },
];

/** Whether a cited block is among the first five that the words of the question find. */
function findsCited(record: CanonicalRecord): boolean {
  const texts = record.context!.map((block) => (typeof block === 'string' ? block : ''));
  const index = createSearchIndex(texts);
  while (!index.grow(100_000));
  const cited = citedBlocks(record);
  return index.search(record.question!, 5).some(({ text }) => cited.includes(text));
}

describe('search with the question on real records', () => {
  for (const { profile, file, least, records } of SETS) {
    it(`finds cited evidence of ${profile} among the first five`, function () {
      const path = join(DATA, file);
      if (!existsSync(path)) return this.skip();
      const all = records(readFileSync(path, 'utf8')).map((record) => toCanonical(record, builtinProfile(profile)!));
      const asked = all.filter(
        (record) => record.question !== undefined && record.context !== undefined && citedBlocks(record).length > 0,
      );
      const found = asked.filter(findsCited).length;
      assert.ok(asked.length >= 100, `${asked.length} records`);
      assert.ok(found >= least * asked.length, `${found} of ${asked.length}`);
      return undefined;
    });
  }
});
