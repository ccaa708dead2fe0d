import { createHashIndex } from '../hash-index.ts';
import type { HashIndex } from '../hash-index.ts';
import { hashNumber } from '../hash.ts';
import type { Field } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { keyOfField } from './messages.ts';
import type { Rule } from './types.ts';

/** What is kept of the records of the files so far: numbers and a short text each. */
interface Copies {
  readonly ids: HashIndex;
  readonly golds: number[];
  readonly solutions: number[];
  /** The gold as messages show it. */
  readonly shown: string[];
  /** Position among `golds` from which records are of the file; the last file is the one at hand. */
  readonly files: { readonly name: string; readonly first: number }[];
  readonly lines: number[];
}

const LINE = { question_id: 'demo-7', question: 'What was revenue in 2032? (in thousand)' };
/** Longer golds are cut in messages; they are compared whole. */
const SHOWN = 40;

export const conflictingCopyRule: Rule = {
  code: 'dataset/conflicting-copy',
  severity: 'error',
  needs: 'dataset',
  title: 'Two files hold the same record with different gold or solution',
  why: `The same id stands in two files of one \`datasets\` entry, and gold or solution differ. One file was corrected and its copy was not, or two versions were mixed: what a model is trained on and what it is scored against are then different things.

The finding stands in the file that is read later; its message names the other. Find out which one is right, and derive the copy from it again. Files that are not under one entry of auditable-qa.json are not compared, and neither are records without an id.`,
  fires: {
    profile: 'docmath-eval',
    lines: [{ ...LINE, ground_truth: 5.5 }],
    files: { 'earlier.jsonl': [{ ...LINE, ground_truth: 4.5 }] },
    note: 'Another file of the same entry, earlier.jsonl, has demo-7 with the ground_truth 4.5.',
  },
  quiet: {
    profile: 'docmath-eval',
    lines: [{ ...LINE, ground_truth: 4.5 }],
    files: { 'earlier.jsonl': [{ ...LINE, ground_truth: 4.5 }] },
    note: 'Another file of the same entry, earlier.jsonl, has demo-7 with the same ground_truth.',
  },
  collect(_settings, dataset) {
    const code = 'dataset/conflicting-copy';
    const repeats: {
      readonly index: number;
      readonly pointer: string;
      readonly message: string;
      readonly found: string;
    }[] = [];
    if (dataset === undefined) return NOTHING;
    const copies = (dataset.kept.get(code) as Copies | undefined) ?? createCopies();
    dataset.kept.set(code, copies);
    const start = copies.golds.length;
    copies.files.push({ name: dataset.file, first: start });
    return {
      add({ record }, { index, line }) {
        const { id } = record;
        if (id === undefined || id === '') return;
        const field: Field = record.profile.fields.gold === undefined ? 'answer' : 'gold';
        const gold = JSON.stringify(record[field as 'gold' | 'answer'] ?? null);
        const goldHash = hashNumber(gold);
        const solution = hashNumber(record.solution ?? '');
        const known = copies.ids.add(hashNumber(id), copies.golds.length);
        if (known === undefined) {
          copies.golds.push(goldHash);
          copies.solutions.push(solution);
          copies.shown.push(gold.length <= SHOWN ? gold : `${gold.slice(0, SHOWN - 1)}…`);
          copies.lines.push(line + 1);
          return;
        }
        // Repeats within a file are dataset/duplicate-id's.
        if (known >= start) return;
        const isGold = copies.golds[known] !== goldHash;
        if (!isGold && copies.solutions[known] === solution) return;
        const place = `${fileOf(copies, known)}, line ${copies.lines[known]}`;
        const differs = isGold
          ? `with the ${keyOfField(record, field)} ${copies.shown[known]}, here it is ${gold.slice(0, SHOWN)}`
          : 'with another solution';
        repeats.push({
          index,
          pointer: pointerOf(record, isGold ? field : 'solution'),
          message: `The record "${id}" stands in ${place} as well, ${differs}.`,
          found: isGold ? gold : 'solution',
        });
      },
      end(report) {
        for (const { index, ...finding } of repeats) report(index, finding);
      },
    };
  },
};

const NOTHING = {
  add(): void {
    // Without further files there is nothing to compare.
  },
  end(): void {
    // As above.
  },
};

function createCopies(): Copies {
  return { ids: createHashIndex(), golds: [], solutions: [], shown: [], files: [], lines: [] };
}

function fileOf({ files }: Copies, position: number): string {
  return files.findLast(({ first }) => first <= position)?.name ?? '';
}

/** The field, or the whole record where it has none. */
function pointerOf(record: CanonicalRecord, field: Field): string {
  const pointer = pointerTo(record, field);
  return record[field as 'gold'] === undefined ? '' : pointer;
}
