/**
 * Files that are edited, and documents of their records that are edited and saved, in random order: every edit is in the file once, and
 * every other byte is as it was. SOAK=1 makes more runs; SEED repeats one.
 */
import assert from 'node:assert/strict';
import { recordFiles } from '../../support/record-files.ts';
import type { RecordFiles, ShownRecord } from '../../support/record-files.ts';

const RUNS = process.env['SOAK'] === undefined ? 25 : 5000;
const STEPS = 14;

/** A record as it has to stand in the file. Each of its values is changed from one side only. */
interface Expected {
  readonly id: string;
  /** Several records may have one id. */
  readonly topic: string;
  values: Readonly<Record<Side, string>>;
}
/** Who changes a value. */
type Side = 'file' | 'record' | 'solution';

interface Form {
  readonly name: string;
  readonly file: string;
  /** Documents of solutions are shown, too. */
  readonly solutions: boolean;
  /** Records come, go and move. */
  readonly moves: boolean;
  write(records: readonly Expected[]): string;
}

const line = ({ id, topic, values }: Expected): string =>
  `{"question_id":  "${id}", "file": "${values.file}", "question": "How deep is the ${topic}? \u20ac \\u20ac", "python_solution": "def solution():\\n    depth = 41.0  # \\u00e9 ${values.solution}\\n    return depth\\n", "note" : "${values.record}", "ground_truth": 41.0, "paragraphs": ["The ${topic} is 41 m deep,\\nthey say of ${topic}.", "${'deep '.repeat(20)}"], "table_evidence": [], "paragraph_evidence": [0], "more": {"__proto__": 1e0, "file": "${values.file}", "file": 1}}`;
const pretty = (record: Expected, indent: string): string =>
  line(record)
    .replace(/^\{/, `{\n${indent}  `)
    .replace(/, (?="(?:note|ground_truth|more)")/g, `,\n${indent}  `)
    .replace(/\}$/, `\n${indent}}`);
const question = ({ id, topic, values }: Expected): string =>
  `      {"uid": "${id}", "order": 1,\n       "question": "What is the difference of ${topic}?", "answer": 150, "derivation": "1,350-1,200", "file": "${values.file}", "answer_type": "arithmetic", "answer_from": "table", "rel_paragraphs": [], "req_comparison": false, "scale": "", "note": "${values.record}"}`;
const element = (records: readonly Expected[]): string =>
  `  {"table": {"uid": "t", "table": [["", "2032", "2031"], ["Widgets", "1,350", "1,200"]]},\n   "paragraphs": [{"uid": "p", "order": 1, "text": "Of ${records.map(({ values }) => values.file).join(' and ')}."}],\n   "questions": [\n${records.map(question).join(',\n')}\n  ]}`;
const elements = (records: readonly Expected[]): string[] =>
  records.flatMap((_, at) => (at % 2 === 0 ? [element(records.slice(at, at + 2))] : []));

const FORMS: readonly Form[] = [
  {
    name: 'lines',
    file: 'set.jsonl',
    solutions: true,
    moves: true,
    write: (records) => records.map((one) => `${line(one)}\n`).join(''),
  },
  {
    name: 'lines after a byte order mark, ended by CRLF, the last one not ended',
    file: 'set.jsonl',
    solutions: true,
    moves: true,
    write: (records) => `\ufeff${records.map(line).join('\r\n')}`,
  },
  {
    name: 'lines with mixed ends',
    file: 'set.jsonl',
    solutions: true,
    moves: true,
    write: (records) => records.map((one, at) => `${line(one)}${at % 3 === 1 ? '\r\n' : '\n'}`).join(''),
  },
  {
    name: 'a list over many lines, ended by CRLF',
    file: 'set.json',
    solutions: true,
    moves: true,
    write: (records) =>
      `[\r\n${records.map((one) => `  ${pretty(one, '  ')}`.replaceAll('\n', '\r\n')).join(',\r\n')}\r\n]\r\n`,
  },
  {
    name: 'records nested in what they share',
    file: 'tatqa_dev.json',
    solutions: false,
    moves: false,
    write: (records) => `[\n${elements(records).join(',\n')}\n]\n`,
  },
];

/** A shown record, and what its document has that is not saved. */
interface Open {
  readonly of: Expected;
  readonly side: Exclude<Side, 'file'>;
  shown: ShownRecord;
  value: string;
}

describe('edits of files and of documents of their records', () => {
  for (const form of FORMS) {
    it(`are all there once, and nothing else: ${form.name}`, async function () {
      this.timeout(3_600_000);
      const first = Number(process.env['SEED'] ?? 1);
      const runs = process.env['SEED'] === undefined ? RUNS : 1;
      for (let seed = first; seed < first + runs; seed++) {
        const steps: string[] = [];
        try {
          await play(form, random(seed), steps);
        } catch (error) {
          throw new Error(`SEED=${seed}: ${steps.join('; ')}`, { cause: error });
        }
      }
    });
  }
});

async function play(form: Form, below: (limit: number) => number, steps: string[]): Promise<void> {
  const all = recordFiles();
  try {
    const game = createGame(all, form, below, steps);
    for (let step = 0; step < STEPS; step++) await game.step();
    await game.end();
  } finally {
    all.stop();
  }
}

function createGame(all: RecordFiles, form: Form, below: (limit: number) => number, steps: string[]) {
  let count = 0;
  const fresh = (side: string): string => `${side} ${++count}.`;
  const twice = below(3) === 0;
  const isMixed =
    form.write([recordOf(), recordOf()].concat(recordOf())).replaceAll('\r\n', '').includes('\n') &&
    form.name.includes('mixed');
  let records: Expected[] = Array.from({ length: 4 }, recordOf);
  let docs: Open[] = [];
  const uri = all.write(form.file, form.write(records));

  function recordOf(): Expected {
    const id = twice ? `same ${below(2)}` : `id ${++count}`;
    return {
      id,
      topic: `${['lake', 'harbour', 'canal', 'fjord'][below(4)]!} ${++count}`.repeat(1 + below(4)),
      values: { file: fresh('file'), record: fresh('record'), solution: fresh('solution') },
    };
  }

  const plain = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');

  function check(): void {
    const expected = form.write(records);
    if (all.isOpen(uri)) assert.equal(all.textOf(uri), plain(expected));
    if (!all.isDirty(uri)) assert.equal(all.onDisk(uri), expected);
  }

  /** Another text of the file: typed, or come from elsewhere. */
  async function fileBecomes(): Promise<void> {
    const text = form.write(records);
    if (all.isOpen(uri) && !isMixed) return all.type(uri, plain(text));
    all.write(form.file, text);
    if (all.isOpen(uri)) {
      all.type(uri, plain(text));
      all.keep(uri, text);
    } else if (below(2) === 0) await all.files.changed(uri);
  }

  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;

  function change(record: Expected, side: Side, value: string): void {
    record.values = { ...record.values, [side]: value };
  }

  async function show(): Promise<void> {
    const at = below(records.length);
    const of = records[at]!;
    const side = form.solutions && below(2) === 0 ? 'solution' : 'record';
    if (docs.some((doc) => doc.of === of && doc.side === side) || all.isDirty(uri)) return;
    // What is on disk is what is shown, whoever was told of it.
    await all.files.changed(uri);
    const shown = await all.show(uri, at, side);
    steps.push(`show ${side} of ${of.id}/${of.topic}`);
    docs.push({ of, side, shown, value: of.values[side] });
  }

  function edit(): void {
    if (docs.length === 0) return;
    const doc = pick(docs);
    const value = fresh(doc.side);
    assert.ok(doc.shown.text.includes(doc.value));
    doc.shown.text = doc.shown.text.replace(doc.value, value);
    doc.value = value;
    steps.push(`edit ${doc.side} of ${doc.of.topic}: ${value}`);
  }

  const isChanged = (doc: Open): boolean => doc.of.values[doc.side] !== doc.value;

  async function reload(doc: Open): Promise<void> {
    const read = await all.read(doc.shown);
    if (!records.includes(doc.of)) return;
    assert.ok(read.kind === 'text', JSON.stringify(read));
    if (isChanged(doc)) return;
    if (twice && !read.text.includes(doc.value)) {
      // Where it cannot be told from others with its id, the nearest one is shown.
      docs = docs.filter((one) => one !== doc);
      return;
    }
    doc.shown = { ...doc.shown, text: read.text, base: read.record };
    assert.ok(read.text.includes(doc.value), read.text);
  }

  async function save(doc: Open): Promise<void> {
    const isThere = records.includes(doc.of);
    const wasDirty = all.isDirty(uri);
    steps.push(`save ${doc.side} of ${doc.of.topic}${isThere ? '' : ' (gone)'}`);
    const meanwhile = (): void => {
      if (below(3) > 0 || !all.isOpen(uri)) return;
      change(pick(records), 'file', fresh('file'));
      steps.push('typed meanwhile');
      all.type(uri, plain(form.write(records)));
    };
    const result = await all.save(doc.shown, meanwhile);
    if (!isThere) {
      assert.ok(result.kind === 'problem' || result.kind === 'conflict' || !isChanged(doc), JSON.stringify(result));
      docs = docs.filter((one) => one !== doc);
      return check();
    }
    assert.notEqual(result.kind, 'problem', JSON.stringify(result));
    if (result.kind === 'conflict') {
      // Where it cannot be told from others with its id, the user is asked: which record is meant, or where the nearest one differs.
      const own = doc.side === 'record' ? 'note' : 'python_solution';
      assert.ok(twice && ['the record', own].includes(result.names.join()), JSON.stringify([twice, result]));
      docs = docs.filter((one) => one !== doc);
      return check();
    }
    change(doc.of, doc.side, doc.value);
    const { record: base } = result as { record: string };
    doc.shown = { ...doc.shown, base };
    if (result.kind === 'written' && all.isOpen(uri)) {
      all.type(uri, plain(all.onDisk(uri)));
      all.keep(uri, all.onDisk(uri));
    } else if (result.kind === 'edits' && !wasDirty) all.keep(uri, form.write(records));
    check();
    if (below(3) > 0) await reload(doc);
  }

  async function move(): Promise<void> {
    if (!form.moves) return;
    const at = below(records.length);
    const kind = below(4);
    if (kind === 0) records.splice(at, 0, recordOf());
    else if (kind === 1 && records.length > 2) records.splice(at, 1);
    else if (kind === 2) records.unshift(...records.splice(at, 1));
    else records = [...records].reverse();
    steps.push(`${['insert', 'delete', 'to the start', 'reverse'][kind]} ${at}`);
    if (below(2) === 0) change(pick(records), 'file', fresh('file'));
    await fileBecomes();
  }

  async function step(): Promise<void> {
    switch (below(10)) {
      case 0:
      case 1:
        return show();
      case 2:
      case 3:
        return edit();
      case 4: {
        change(pick(records), 'file', fresh('file'));
        steps.push('the file is edited');
        return fileBecomes();
      }
      case 5:
        return move();
      case 6:
        if (docs.length > 0) await save(pick(docs));
        return;
      case 7:
        if (docs.length > 0) await reload(pick(docs));
        return;
      case 8:
        steps.push(all.isOpen(uri) ? 'close' : 'open');
        if (!all.isOpen(uri)) return all.open(uri);
        if (all.isDirty(uri)) all.keep(uri, form.write(records));
        return all.close(uri);
      default:
        if (below(3) > 0) return;
        steps.push('restart');
        return all.restart();
    }
  }

  return {
    step,
    async end() {
      for (const doc of [...docs]) await save(doc);
      check();
    },
  };
}

/** Numbers below a limit; the same ones for the same seed. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
