import { createHashIndex } from '../hash-index.ts';
import type { HashIndex } from '../hash-index.ts';
import { hashNumber } from '../hash.ts';
import type { Field } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import type { LocalFinding } from '../finding.ts';
import { keyOfField } from './messages.ts';
import type { DatasetMemory, RecordPlace, Rule } from './types.ts';

/** What is kept of the first record of each id in one file: numbers and a short text each, at the same place of each list. */
interface FileCopies {
  readonly name: string;
  readonly path: string | undefined;
  /** How many records the files before it hold. */
  readonly first: number;
  readonly ids: number[];
  readonly golds: number[];
  readonly solutions: number[];
  /** The gold as messages show it. */
  readonly shown: string[];
  /** 0-based. */
  readonly lines: number[];
  readonly columns: number[];
}

/** Hashes of id, gold and solution, and the gold as messages show it. */
type CopyItem = [id: number, gold: number, solution: number, shown: string];

/** The files so far. */
interface Copies {
  /** By id: `first` of the file with its first record, plus the place in the lists of that file. */
  readonly places: HashIndex;
  readonly files: FileCopies[];
}

const LINE = { question_id: 'demo-7', question: 'What was revenue in 2032? (in thousand)' };
/** Longer golds are cut in messages; they are compared whole. */
const SHOWN = 40;
const CODE = 'dataset/conflicting-copy';

export const conflictingCopyRule: Rule = {
  code: CODE,
  severity: 'error',
  needs: 'dataset',
  title: 'Two files hold the same record with different gold or solution',
  why: `The same id stands in two files of one \`datasets\` entry, and gold or solution differ. One file was corrected and its copy was not, or two versions were mixed: what a model is trained on and what it is scored against are then different things.

The finding stands in the file that is read later (files are read in the order of their names); its message names the other. In the editor open files count as they are in the editor, the others of the entry as they are on disk. Find out which one is right, and derive the copy from it again. Files that are not under one entry of auditable-qa.json are not compared, and neither are records without an id.`,
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
  digest({ record }) {
    const { id } = record;
    if (id === undefined || id === '') return undefined;
    const gold = goldOf(record);
    return [hashNumber(id), hashNumber(gold), hashNumber(record.solution ?? ''), cut(gold)] satisfies CopyItem;
  },
  reduce(_settings, dataset) {
    if (dataset === undefined) return NOTHING;
    const copies = (dataset.kept.get(CODE) as Copies | undefined) ?? createCopies();
    const own = dataset.readOnly === true ? undefined : startFile(copies, dataset);
    if (own !== undefined) dataset.kept.set(CODE, copies);
    const conflicts: { readonly index: number; readonly conflict: Conflict }[] = [];
    return {
      add(item: CopyItem, place) {
        const known = own === undefined ? copies.places.get(item[0]) : keep(copies, own, item, place);
        // Repeats within a file are dataset/duplicate-id's.
        if (known === undefined || (own !== undefined && known >= own.first)) return;
        const conflict = conflictOf(item, copies, known);
        if (conflict !== undefined) conflicts.push({ index: place.index, conflict });
      },
      end(report) {
        for (const { index, conflict } of conflicts) {
          report(index, { say: ({ record }) => conflictFinding(record, conflict) });
        }
      },
    };
  },
  *join(parts) {
    const joined = createCopies();
    for (const part of parts as readonly Copies[]) {
      for (const file of part.files) {
        const first = countOf(joined);
        joined.files.push({ ...file, first });
        for (const [at, id] of file.ids.entries()) {
          joined.places.add(id, first + at);
          if (at % STEP === STEP - 1) yield;
        }
      }
    }
    return joined;
  },
};

/** Records that are joined at a time. */
const STEP = 5000;

const NOTHING = {
  add(): void {
    // Without further files there is nothing to compare.
  },
  end(): void {
    // As above.
  },
};

function createCopies(): Copies {
  return { places: createHashIndex(), files: [] };
}

function countOf({ files }: Copies): number {
  const last = files.at(-1);
  return last === undefined ? 0 : last.first + last.ids.length;
}

function startFile(copies: Copies, { file: name, path }: DatasetMemory): FileCopies {
  const lists = { ids: [], golds: [], solutions: [], shown: [], lines: [], columns: [] };
  const file: FileCopies = { name, path, first: countOf(copies), ...lists };
  copies.files.push(file);
  return file;
}

/** Remembers a record unless its id has come before; gives where it has. */
function keep(
  copies: Copies,
  file: FileCopies,
  [id, gold, solution, shown]: CopyItem,
  { line, column }: RecordPlace,
): number | undefined {
  const known = copies.places.add(id, file.first + file.ids.length);
  if (known !== undefined) return known;
  file.ids.push(id);
  file.golds.push(gold);
  file.solutions.push(solution);
  file.shown.push(shown);
  file.lines.push(line);
  file.columns.push(column);
  return undefined;
}

/** What is told of the other record. */
interface Conflict {
  readonly isGold: boolean;
  readonly shown: string;
  readonly name: string;
  readonly path: string | undefined;
  readonly line: number;
  readonly column: number;
}

function conflictOf([, gold, solution]: CopyItem, copies: Copies, known: number): Conflict | undefined {
  const file = copies.files.findLast(({ first }) => first <= known);
  if (file === undefined) return undefined;
  const at = known - file.first;
  const isGold = file.golds[at] !== gold;
  if (!isGold && file.solutions[at] === solution) return undefined;
  const { name, path } = file;
  return { isGold, shown: file.shown[at]!, name, path, line: file.lines[at]!, column: file.columns[at]! };
}

function conflictFinding(
  record: CanonicalRecord,
  { isGold, shown, name, path, line, column }: Conflict,
): Omit<LocalFinding, 'code'> {
  const gold = goldOf(record);
  const field = goldField(record);
  const { id = '' } = record;
  const differs = isGold
    ? `with the ${keyOfField(record, field)} ${shown}, here it is ${cut(gold)}`
    : 'with another solution';
  return {
    pointer: pointerOf(record, isGold ? field : 'solution'),
    message: `The record "${id}" stands in ${name}, line ${line + 1} as well, ${differs}.`,
    found: isGold ? gold : 'solution',
    related: [
      {
        message: `The record "${id}" in ${name}`,
        pointer: '',
        file: { name, ...(path !== undefined && { path }), start: { line, column } },
      },
    ],
  };
}

function goldField(record: CanonicalRecord): 'gold' | 'answer' {
  return record.profile.fields.gold === undefined ? 'answer' : 'gold';
}

function goldOf(record: CanonicalRecord): string {
  return JSON.stringify(record[goldField(record)] ?? null);
}

function cut(gold: string): string {
  return gold.length <= SHOWN ? gold : `${gold.slice(0, SHOWN - 1)}…`;
}

/** The field, or the whole record where it has none. */
function pointerOf(record: CanonicalRecord, field: Field): string {
  const pointer = pointerTo(record, field);
  return record[field as 'gold'] === undefined ? '' : pointer;
}
