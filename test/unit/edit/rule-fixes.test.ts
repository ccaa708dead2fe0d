import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits, invertEdits, placeEdits } from '../../../server/src/core/edit/edits.ts';
import type { Edit, Fix } from '../../../server/src/core/edit/types.ts';
import { splitPointer } from '../../../server/src/core/edit/structure.ts';
import { createChecker } from '../../../server/src/core/checker.ts';
import { DOCMATH, settingsOf } from '../rules/support.ts';
import type { JsonRecord } from '../rules/support.ts';
import { FAULTY, findingsOf } from './faulty.ts';
import type { Faulty } from './faulty.ts';
import { respell, tokensOf } from './odd-json.ts';
import type { Json } from './odd-json.ts';

const RUNS = process.env['SOAK'] === undefined ? 1000 : 10_000;

function fixesOf(faulty: Faulty, text: string): readonly Fix[] {
  return findingsOf(faulty, text).flatMap(({ code, fixes }) => (code === faulty.code ? (fixes ?? []) : []));
}

/** As JSON has it: without what is undefined. */
function plain(record: JsonRecord): JsonRecord {
  return JSON.parse(JSON.stringify(record)) as JsonRecord;
}

describe('repairs that rules offer', () => {
  for (const faulty of FAULTY) {
    it(`${faulty.code}: ${faulty.name}`, () => {
      const text = JSON.stringify(faulty.record);
      const fix = fixesOf(faulty, text).find(({ title }) => faulty.title.test(title));
      assert.ok(
        fix,
        `offered are: ${fixesOf(faulty, text)
          .map(({ title }) => title)
          .join(' | ')}`,
      );
      const edits = placeEdits(fix.edits, text);
      assert.ok(edits, 'cannot be placed');
      const repaired = applyEdits(text, edits);
      assert.deepEqual(JSON.parse(repaired), plain({ ...faulty.record, ...originalOf(faulty), ...faulty.repaired }));
      assert.equal(fix.safe, faulty.safe);
    });
  }

  it('change the bytes of what they repair and nothing else, and can be undone', function () {
    this.timeout(600_000);
    const tried = new Set<string>();
    fc.assert(
      fc.property(fc.constantFrom(...FAULTY), fc.nat(), (faulty, seed) => {
        const text = respell(plain(faulty.record) as Json, seed);
        for (const fix of fixesOf(faulty, text)) {
          const edits = placeEdits(fix.edits, text);
          assert.ok(edits, `${fix.title} cannot be placed in ${text}`);
          const edited = applyEdits(text, edits);
          assert.doesNotThrow(() => JSON.parse(edited) as unknown, `${fix.title}: ${edited}`);
          const touched = fix.edits.map(rootOf);
          const isTouched = (pointer: string): boolean =>
            touched.some((root) => pointer === root || pointer.startsWith(`${root}/`) || pointer === `${root}#`);
          const [before, after] = [tokensOf(text), tokensOf(edited)];
          for (const [pointer, token] of before) {
            if (!isTouched(pointer)) assert.equal(after.get(pointer), token, `${fix.title} touched ${pointer}`);
          }
          assert.equal(applyEdits(edited, invertEdits(text, edits)), text);
          tried.add(faulty.name);
        }
      }),
      { numRuns: RUNS, seed: 11 },
    );
    assert.deepEqual([...tried].sort(), FAULTY.map(({ name }) => name).sort());
  });
});

describe('repairs that the text of a record shows', () => {
  const checker = createChecker(settingsOf('docmath-eval'));
  const line = JSON.stringify(DOCMATH);

  function repaired(text: string, code: string): string {
    const { findings } = checker.checkText(text);
    const [fix, ...others] = findings.filter((finding) => finding.code === code).flatMap(({ fixes }) => fixes ?? []);
    assert.ok(fix?.safe);
    assert.equal(others.length, 0);
    return applyEdits(text, placeEdits(fix.edits, text)!);
  }

  it('line separators become escapes, all of a kind in one string', () => {
    const text = line.replace('Widget revenue grew', 'Widget\u2028 revenue\u2028 grew');
    assert.equal(repaired(text, 'file/line-separator'), text.replaceAll('\u2028', '\\u2028'));
  });

  it('so do those of keys', () => {
    const text = line.replace('"question"', '"que\u2029stion"');
    assert.equal(repaired(text, 'file/line-separator'), text.replace('\u2029', '\\u2029'));
  });

  it('an index that is written 1.0 becomes 1', () => {
    for (const written of ['1.0', '1e0', '0.1E1']) {
      const text = line.replace('"table_evidence":[1]', `"table_evidence": [ ${written} ]`);
      assert.equal(repaired(text, 'schema/type'), line.replace('"table_evidence":[1]', '"table_evidence": [ 1 ]'));
    }
  });
});

/** The swapped solution is repaired to the one of the good record. */
function originalOf({ name, record }: Faulty): JsonRecord {
  if (name !== 'swapped difference') return {};
  return { python_solution: String(record['python_solution']).replace('r2031 - r2032', 'r2032 - r2031') };
}

/** What an edit may touch: the value, or the list in which others move up. */
function rootOf(edit: Edit): string {
  if (edit.kind === 'text') throw new Error('rules say their repairs by pointer');
  if (edit.kind === 'replace' || edit.kind === 'lexeme' || edit.kind === 'string') return edit.pointer;
  // A renamed key takes its value along.
  return edit.kind === 'renameKey' ? edit.pointer : splitPointer(edit.pointer)!.parent;
}
