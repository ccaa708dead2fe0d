import { distance } from 'fastest-levenshtein';
import { fixByChoice, renameKey, withFixes } from '../edit/fixes.ts';
import { createIndexRuns } from '../index-runs.ts';
import type { IndexRuns } from '../index-runs.ts';
import type { Profile } from '../profile/types.ts';
import { compileProfile } from '../record/fields.ts';
import { schemaFaults } from '../schema/check.ts';
import { nearestName } from '../schema/nearest.ts';
import { joinPointer } from '../text/pointer.ts';
import type { RecordInput, Reducer, Report, Rule } from './types.ts';

function hasFaults(input: RecordInput): boolean {
  return schemaFaults(input).length > 0;
}

/** The faults come from one check of the record; each rule reports those of its code. */
function reportFaults(code: string): (input: RecordInput, report: Report) => void {
  return (input, report) => {
    for (const { code: own, ...finding } of schemaFaults(input)) if (own === code) report(finding);
  };
}

const docmath = { question_id: 'demo-1', question: 'How many rows has the hall?', ground_truth: 40.5 };
const sciegqa = {
  query: 'Which row has the largest total?',
  answer: 'North',
  doc_name: 'demo-doc',
  evidence_page: [2],
  bbox: [[[300, 600, 2100, 1500]]],
  subimg_type: [['table']],
  category: 'cs',
};

/** A key is a near miss when at most two letters differ, and not more than half of it. */
const NEAR = 2;
/** Files shorter than this cannot show that a key belongs to the dataset. */
const ENOUGH_RECORDS = 3;

export const schemaRules: readonly Rule[] = [
  {
    code: 'schema/required',
    severity: 'error',
    needs: 'record',
    title: 'A field that the dataset requires is missing',
    why: 'Programs that read the dataset look for this field in every record and stop, or skip the record, where it is missing.\n\nOften the key is there under another name: the message names the key that is most likely meant. What a dataset requires stands in its profile; an own profile can say otherwise. Where nearly all records of a file lack it (95 % of at least 20), it is said once for the file: the profile is then probably not the one of the file.',
    fires: { profile: 'sciegqa', lines: [{ ...sciegqa, doc_name: undefined, docname: 'demo-doc' }] },
    quiet: { profile: 'sciegqa', lines: [sciegqa] },
    asks: hasFaults,
    checkRecord: reportFaults('schema/required'),
  },
  {
    code: 'schema/type',
    severity: 'error',
    needs: 'record',
    title: 'A value has the wrong JSON type',
    why: 'A page that is a text, a box that is no list, or an index with a fraction is read by one program and refused by the next.\n\nPages and indices are whole numbers and are written so: 3.0 is another type in most languages and cannot be an index there.',
    fires: { profile: 'sciegqa', lines: [{ ...sciegqa, evidence_page: ['2'] }] },
    quiet: { profile: 'sciegqa', lines: [sciegqa] },
    asks: hasFaults,
    checkRecord: reportFaults('schema/type'),
  },
  {
    code: 'schema/enum',
    severity: 'error',
    needs: 'record',
    title: 'A value is none of those that the dataset uses',
    why: 'Labels and categories come from a closed list. A misspelled one makes a group of its own in every count, and paths that contain the category lead nowhere.\n\nA dataset with labels of its own says so in the "enums" of an own profile.',
    fires: { profile: 'sciegqa', lines: [{ ...sciegqa, subimg_type: [['tabel']] }] },
    quiet: { profile: 'sciegqa', lines: [sciegqa] },
    asks: hasFaults,
    checkRecord: reportFaults('schema/enum'),
  },
  {
    code: 'schema/unknown-key',
    severity: 'info',
    needs: 'file',
    title: 'A record has a key that the profile does not know',
    why: 'A misspelled key is not read by anyone: the value that it was meant for seems to be missing.\n\nA key that more than half of the records of a file have belongs to the dataset and is not reported, unless it is nearly the name of a known one. An own profile can list further keys under "knownKeys".',
    fires: { profile: 'docmath-eval', lines: [{ ...docmath, paragraph_evidance: [] }] },
    quiet: {
      profile: 'docmath-eval',
      lines: ['a', 'b', 'c'].map((id) => ({ ...docmath, question_id: `demo-${id}`, reviewer: 'R. Demo' })),
    },
    // 0: none. Every record counts.
    digest: ({ record }) => record.strangers ?? 0,
    reduce: ({ profile }) => reduceUnknownKeys(profile),
  },
  {
    code: 'schema/constraint',
    severity: 'error',
    needs: 'record',
    title: 'A value has the right type but not the right form',
    why: 'A box has exactly four numbers. With three or five of them it cannot be told which corner is meant, and readers fail or draw another region. A question or a document name that is blank says nothing.',
    fires: { profile: 'sciegqa', lines: [{ ...sciegqa, bbox: [[[300, 600, 2100]]] }] },
    quiet: { profile: 'sciegqa', lines: [sciegqa] },
    asks: hasFaults,
    checkRecord: reportFaults('schema/constraint'),
  },
];

interface UnknownKey {
  /** Records that have it. */
  readonly records: IndexRuns;
  readonly isNear: boolean;
  readonly meant: string | undefined;
}

/** Keeps per unknown key the indices of its records. */
function reduceUnknownKeys(profile: Profile): Reducer<0 | readonly string[]> {
  const unknown = new Map<string, UnknownKey>();
  let total = 0;
  return {
    add(keys, { index }) {
      total++;
      if (keys === 0) return;
      for (const key of keys) {
        let entry = unknown.get(key);
        if (!entry) {
          entry = { records: createIndexRuns(), ...meaningOf(key, compileProfile(profile).knownKeys) };
          unknown.set(key, entry);
        }
        entry.records.push(index);
      }
    },
    end(report) {
      for (const [key, { records, isNear, meant }] of unknown) {
        const belongs = total >= ENOUGH_RECORDS && records.length * 2 > total;
        if (belongs && !isNear) continue;
        const message = `${key} is no key of ${profile.title}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
        const pointer = joinPointer('', key);
        const rename = meant === undefined ? undefined : fixByChoice(`Rename to ${meant}`, renameKey(pointer, meant));
        for (const index of records) report(index, { pointer, onKey: true, message, found: key, ...withFixes(rename) });
      }
    },
  };
}

function meaningOf(
  key: string,
  known: ReadonlySet<string>,
): { readonly isNear: boolean; readonly meant: string | undefined } {
  let nearest: string | undefined;
  let least = NEAR + 1;
  for (const name of known) {
    const away = distance(key, name);
    if (away >= least || away * 2 > Math.min(key.length, name.length)) continue;
    nearest = name;
    least = away;
  }
  return { isNear: nearest !== undefined, meant: nearest ?? nearestName(key, known) };
}
