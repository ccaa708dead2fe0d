import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type {
  ViewChangedParams,
  ViewKind,
  ViewReadResult,
  ViewRefResult,
  ViewSaveResult,
} from '../../schemas/views.ts';
import { VIEW_CHANGED, VIEW_READ, VIEW_RECORD, VIEW_REF, VIEW_SAVE, VIEW_SCHEME } from '../../schemas/views.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';

const record = (id: string, more: string): string =>
  `{"question_id": "${id}",  "question": "How many? \\u20ac", "python_solution": "def solution():\\n    a = 1.50\\n    return a\\n", "ground_truth": 1.5, "paragraphs": ["A total of 1.50.", "More"], "table_evidence": [], "paragraph_evidence": [0]${more}}`;
const LINES = [record('a', ''), record('b', ', "note": 1e3'), record('c', '')];
const TEXT = `${LINES.join('\n')}\n`;

interface Opened {
  readonly uri: string;
  readonly text: string;
  readonly record: string;
}

describe('documents of records over stdio', () => {
  let server: WireServer;
  let changed: string[];
  beforeEach(async () => {
    server = await startServer({ trusted: false });
    changed = [];
    server.connection.onNotification(VIEW_CHANGED, ({ uri }: ViewChangedParams) => void changed.push(uri));
  });
  afterEach(() => server.stop());

  async function open(file: string, index: number, kind: ViewKind): Promise<Opened> {
    const found = await server.connection.sendRequest<ViewRefResult>(VIEW_REF, { file, index, kind });
    assert.equal(found.problem, null);
    const name = `${found.title}.${kind === 'record' ? 'record' : 'py'}`;
    const path = fileURLToPath(file);
    const uri = `${VIEW_SCHEME}:${path}/${encodeURIComponent(name)}?${encodeURIComponent(JSON.stringify(found.ref))}`;
    return { uri, ...(await read(uri)) };
  }

  async function read(uri: string): Promise<{ readonly text: string; readonly record: string }> {
    const result = await server.connection.sendRequest<ViewReadResult>(VIEW_READ, { uri });
    assert.equal(result.kind, 'text', JSON.stringify(result));
    return result as Extract<ViewReadResult, { kind: 'text' }>;
  }

  const save = (uri: string, text: string, base: string | null, more = {}): Promise<ViewSaveResult> =>
    server.connection.sendRequest<ViewSaveResult>(VIEW_SAVE, {
      uri,
      text,
      base,
      dirty: false,
      ...more,
    });

  it('show a record formatted, with its code over many lines', async () => {
    const file = server.write('set.jsonl', TEXT);
    await server.open(file, TEXT);
    const { text, record } = await open(file, 1, 'record');
    assert.equal(record, LINES[1]);
    assert.match(text, /^ {2}"question": "How many\? €",$/m);
    assert.match(text, /^ {2}"python_solution": """\n {4}def solution\(\):\n {8}a = 1\.50\n/m);
    assert.match(text, /^ {2}"note": 1e3$/m);
  });

  it('save the changed values and nothing else, of a file that is not open', async () => {
    const file = server.write('set.jsonl', TEXT);
    const { uri, text, record } = await open(file, 1, 'record');
    const result = await save(uri, text.replace('"How many? €"', '"How much? €"'), record);
    assert.equal(result.kind, 'written');
    const expected = LINES[1]!.replace('How many', 'How much');
    assert.equal(readFileSync(fileURLToPath(file), 'utf8'), [LINES[0], expected, LINES[2], ''].join('\n'));
    assert.equal((await read(uri)).record, expected);
  });

  it('save a solution escaped as it was, as an edit of the open file', async () => {
    const file = server.write('set.jsonl', TEXT);
    await server.open(file, TEXT);
    const { uri, text, record } = await open(file, 2, 'solution');
    assert.equal(text, 'def solution():\n    a = 1.50\n    return a\n');
    const result = await save(uri, text.replace('return a', 'return a  # "all"'), record);
    assert.equal(result.kind, 'edits');
    assert.deepEqual((result as Extract<ViewSaveResult, { kind: 'edits' }>).edits, [
      {
        range: { start: { line: 2, character: at('return a') }, end: { line: 2, character: at('return a') } },
        newText: '  # \\"all\\"',
      },
    ]);
    function at(part: string): number {
      return LINES[2]!.indexOf(part) + part.length;
    }
  });

  it('let both changes stand where they are of different values, and tell where they are not', async () => {
    const file = server.write('set.jsonl', TEXT);
    await server.open(file, TEXT);
    const { uri, text, record } = await open(file, 0, 'record');
    const column = LINES[0]!.indexOf('How many');
    await server.edit(file, 2, 0, column, column + 8, 'How few');
    await server.until('the change', () => changed.find((one) => one === uri));
    const mine = await save(uri, text.replace('"ground_truth": 1.5', '"ground_truth": 2.5'), record);
    assert.equal(mine.kind, 'edits');
    const { edits, version } = mine as Extract<ViewSaveResult, { kind: 'edits' }>;
    assert.equal(version, 2);
    assert.deepEqual(
      edits.map(({ newText }) => newText),
      ['2.5'],
    );
    const theirs = await save(uri, text.replace('How many', 'How often'), record);
    assert.deepEqual(theirs, { kind: 'conflict', names: ['question'] });
    const seen = (await read(uri)).record;
    const chosen = await save(uri, text.replace('How many', 'How often'), seen);
    assert.equal(chosen.kind, 'edits');
  });

  it('follow their record when others come before it and its id changes', async () => {
    const file = server.write('set.jsonl', TEXT);
    await server.open(file, TEXT);
    const { uri } = await open(file, 1, 'record');
    await server.edit(file, 2, 0, 0, 0, `${record('new', '')}\n`);
    assert.deepEqual(await server.connection.sendRequest(VIEW_RECORD, { uri }), { uri: file, index: 2 });
    const column = LINES[1]!.indexOf('"b"') + 1;
    await server.edit(file, 3, 2, column, column + 1, 'bb');
    assert.deepEqual(await server.connection.sendRequest(VIEW_RECORD, { uri }), { uri: file, index: 2 });
    assert.match((await read(uri)).text, /"question_id": "bb"/);
  });

  it('say what cannot be saved, with line and column, and when the record is gone', async () => {
    const file = server.write('set.jsonl', TEXT);
    await server.open(file, TEXT);
    const { uri, text, record } = await open(file, 1, 'record');
    const broken = await save(uri, text.replace('"note": 1e3', '"note": '), record);
    assert.equal(broken.kind, 'problem');
    assert.match((broken as { message: string }).message, /line \d+, column \d+/);
    const length = LINES[1]!.length;
    await server.edit(file, 2, 1, 0, length, '');
    const gone = await save(uri, text, record);
    assert.equal(gone.kind, 'problem');
    const reading = await server.connection.sendRequest<ViewReadResult>(VIEW_READ, { uri });
    assert.equal(reading.kind, 'problem');
  });

  it('say what is wrong with a text block, where it stands and once', async () => {
    const file = server.write('set.jsonl', TEXT);
    const { uri, text } = await open(file, 1, 'record');
    const broken = text.replace('        a = 1.50', '   a = 1.50');
    await server.open(uri, broken, 'auditable-qa-record');
    const { diagnostics } = await server.diagnostics(uri, (found) => found.length > 0);
    const told = diagnostics.filter(({ code }) => code === 'file/invalid-json');
    assert.equal(told.length, 1, JSON.stringify(told));
    const line = broken.split('\n').indexOf('   a = 1.50');
    assert.deepEqual(told[0]!.range, { start: { line, character: 3 }, end: { line, character: 4 } });
    assert.match(
      told[0]!.message,
      new RegExp(`^Not valid JSON at line ${line + 1}, column 4: found a line of a text block`),
    );
  });

  it('have their findings on their own lines', async () => {
    const faulty = record('d', ', "note": [1, 2')
      .replace(/\}$/, ']}')
      .replace('"ground_truth": 1.5', '"ground_truth": "1.5"');
    const file = server.write('set.jsonl', `${LINES[0]}\n${faulty}\n`);
    const { uri, text } = await open(file, 1, 'record');
    await server.open(uri, text, 'auditable-qa-record');
    const { diagnostics } = await server.diagnostics(uri, (found) => found.length > 0);
    const lines = text.split('\n');
    for (const { range, code } of diagnostics) {
      const shown = lines[range.start.line]!.slice(range.start.character, range.end.character);
      if (range.start.line === range.end.line) assert.notEqual(shown, '', code);
    }
    const gold = diagnostics.find(({ range }) => lines[range.start.line]!.includes('ground_truth'));
    assert.ok(gold, JSON.stringify(diagnostics));
  });
});
