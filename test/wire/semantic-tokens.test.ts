import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { ViewKind, ViewReadResult, ViewRefResult } from '../../schemas/views.ts';
import { VIEW_READ, VIEW_REF, VIEW_SCHEME } from '../../schemas/views.ts';
import { docmath, fileOf } from './records.ts';
import { columns, startServer } from './server.ts';
import type { WireServer } from './server.ts';

interface Legend {
  readonly tokenTypes: readonly string[];
  readonly tokenModifiers: readonly string[];
}

interface Seen {
  readonly line: number;
  readonly character: number;
  readonly text: string;
  readonly kind: string;
}

const CAPABILITIES = { workspace: { semanticTokens: { refreshSupport: true } } };
const SOLUTION =
  'def solution():\n    # the "new" year\n    revenue_2032 = 1_350\n    return revenue_2032 - round(1200.0)';

describe('semantic tokens over stdio', () => {
  let server: WireServer;
  let legend: Legend;
  afterEach(() => server.stop());

  async function start(): Promise<void> {
    server = await startServer({ capabilities: CAPABILITIES, settings: { solutions: { run: 'off' } } });
    ({ legend } = server.capabilities['semanticTokensProvider'] as { legend: Legend });
  }

  /** Opens a file and waits until the server asks to be asked for tokens. */
  async function opened(name: string, text: string): Promise<string> {
    await start();
    const asked = new Promise<void>((resolve) =>
      server.connection.onRequest('workspace/semanticTokens/refresh', () => {
        resolve();
        return null;
      }),
    );
    const uri = server.write(name, text);
    await server.open(uri, text, name.endsWith('.json') ? 'json' : 'jsonl');
    await asked;
    return uri;
  }

  async function tokens(uri: string, text: string, lines?: readonly [number, number]): Promise<Seen[] | null> {
    const textDocument = { uri };
    const answer = await server.connection.sendRequest<{ data: number[] } | null>(
      lines === undefined ? 'textDocument/semanticTokens/full' : 'textDocument/semanticTokens/range',
      lines === undefined
        ? { textDocument }
        : { textDocument, range: { start: { line: lines[0], character: 0 }, end: { line: lines[1], character: 0 } } },
    );
    if (answer === null) return null;
    const rows = text.split('\n');
    const found: Seen[] = [];
    let line = 0;
    let character = 0;
    for (let at = 0; at < answer.data.length; at += 5) {
      const [lineDelta, delta, length, type, bits] = answer.data.slice(at, at + 5) as [
        number,
        number,
        number,
        number,
        number,
      ];
      assert.ok(lineDelta > 0 || at === 0 || delta >= answer.data[at - 3]!, 'tokens do not overlap');
      line += lineDelta;
      character = lineDelta === 0 ? character + delta : delta;
      const modifiers = legend.tokenModifiers.filter((_, bit) => (bits & (1 << bit)) !== 0);
      const shown = rows[line]!.slice(character, character + length);
      assert.equal(shown.length, length, 'a token lies in its line');
      found.push({ line, character, text: shown, kind: [legend.tokenTypes[type], ...modifiers].join('.') });
    }
    return found;
  }

  const inShort = (found: readonly Seen[] | null): string[] | undefined =>
    found?.map(({ text, kind }) => `${text} ${kind}`);

  const EXPECTED = [
    'def keyword.declaration',
    'solution function.declaration',
    '# the  comment',
    'new comment',
    ' year comment',
    'revenue_2032 variable.declaration',
    '= operator',
    '1_350 number',
    'return keyword',
    'revenue_2032 variable',
    '- operator',
    'round function.defaultLibrary',
    '1200.0 number',
  ];

  it('are those of the Python, at its characters in the string, without the escapes', async () => {
    const text = fileOf(
      docmath({ python_solution: SOLUTION }, { python_solution: null }, { python_solution: 'x = 1' }),
    );
    const uri = await opened('data.jsonl', text);
    const found = await tokens(uri, text);
    assert.deepEqual(inShort(found), [...EXPECTED, 'x variable.declaration', '= operator', '1 number']);
    const [line] = text.split('\n');
    assert.equal(found![0]!.character, columns(line!, 'def solution').from);
    assert.deepEqual(
      found!.slice(-3).map(({ line: at }) => at),
      [2, 2, 2],
    );
  });

  it('come for the records of a range, in files of lines and of JSON over many lines', async () => {
    const records = docmath({ python_solution: 'a = 1' }, { python_solution: 'b = 2' }, { python_solution: 'c = 3' });
    const text = fileOf(records);
    const uri = await opened('data.jsonl', text);
    assert.deepEqual(
      (await tokens(uri, text, [1, 1]))?.map(({ line, text: word }) => [line, word]),
      [
        [1, 'b'],
        [1, '='],
        [1, '2'],
      ],
    );
    const formatted = JSON.stringify(
      records.map((record) => JSON.parse(record) as unknown),
      null,
      2,
    );
    const other = server.write('data.json', formatted);
    await server.open(other, formatted, 'json');
    await server.status(other, ({ profile }) => profile !== null);
    const last = formatted.slice(0, formatted.indexOf('c = 3')).split('\n').length - 1;
    assert.deepEqual(
      (await tokens(other, formatted, [last, last]))?.map(({ line, text: word }) => [line, word]),
      [
        [last, 'c'],
        [last, '='],
        [last, '3'],
      ],
    );
    assert.equal((await tokens(other, formatted))?.length, 9);
  });

  it('follow what is typed', async () => {
    const [line] = docmath({ python_solution: SOLUTION });
    const uri = await opened('data.jsonl', `${line}\n`);
    const { from, to } = columns(line!, 'revenue_2032 =');
    await server.edit(uri, 2, 0, from, to, 'x =');
    const edited = `${line!.slice(0, from)}x =${line!.slice(to)}\n`;
    const found = inShort(await tokens(uri, edited));
    assert.equal(found?.[5], 'x variable.declaration');
    assert.equal(found?.length, EXPECTED.length);
  });

  it('lie where a record document and a solution document show the solution, on its own lines', async () => {
    const text = fileOf(docmath({}, { python_solution: SOLUTION }));
    const file = await opened('data.jsonl', text);
    for (const kind of ['record', 'solution'] satisfies ViewKind[]) {
      const { ref } = await server.connection.sendRequest<ViewRefResult>(VIEW_REF, { file, index: 1, kind });
      const name = kind === 'record' ? 'a.record' : 'a.py';
      const uri = `${VIEW_SCHEME}:${fileURLToPath(file)}/${name}?${encodeURIComponent(JSON.stringify(ref))}`;
      const read = await server.connection.sendRequest<ViewReadResult>(VIEW_READ, { uri });
      const shown = (read as Extract<ViewReadResult, { kind: 'text' }>).text;
      await server.open(uri, shown, kind === 'record' ? 'auditable-qa-record' : 'python');
      await server.status(uri, ({ profile }) => profile !== null);
      const found = await tokens(uri, shown);
      assert.deepEqual(inShort(found), EXPECTED);
      const first = shown.slice(0, shown.indexOf('def solution')).split('\n').length - 1;
      const lines = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3].map((line) => first + line);
      assert.deepEqual(
        found?.map(({ line }) => line),
        lines,
      );
      assert.equal((await tokens(uri, shown, [first, first + 1]))?.length, EXPECTED.length);
    }
  });

  it('are found behind a megabyte of text, and in a solution of 10,000 lines, without a scan per token', async () => {
    const noise = 'A "paragraph"\n'.repeat(70_000);
    const many = `def solution():\n${'    a = "x\\ty" + 1\n'.repeat(10_000)}    return a`;
    const text = fileOf(docmath({ paragraphs: [noise], python_solution: SOLUTION }, { python_solution: many }));
    const uri = await opened('data.jsonl', text);
    const found = await tokens(uri, text, [0, 1]);
    assert.deepEqual(inShort(found!.slice(0, EXPECTED.length)), EXPECTED);
    assert.ok(found!.length > 60_000);
    assert.equal(found!.at(-1)!.text, 'a');
  });

  it('are told for a range only where a file has many records', async () => {
    const text = fileOf(docmath(...Array.from({ length: 1001 }, () => ({ python_solution: 'a = 1' }))));
    const uri = await opened('data.jsonl', text);
    assert.equal(await tokens(uri, text), null);
    assert.equal((await tokens(uri, text, [1000, 1000]))?.[0]?.line, 1000);
  });

  it('are none in files without a profile and in programs that are no Python', async () => {
    await start();
    const text = '{"python": "def f(): return 1"}\n';
    const uri = server.write('other.jsonl', text);
    await server.open(uri, text);
    await server.status(uri, ({ profile, running }) => profile === null && !running);
    assert.equal(await tokens(uri, text), null);
    const finqa = JSON.stringify({
      id: 'a',
      pre_text: ['x'],
      post_text: [],
      table: [['a', '1']],
      qa: {
        question: 'How much is a in all?',
        program: 'add(1, 2)',
        exe_ans: 3,
        answer: '3',
        gold_inds: { text_0: 'x' },
      },
    });
    const program = server.write('finqa.jsonl', `${finqa}\n`);
    await server.open(program, `${finqa}\n`);
    await server.status(program, ({ profile }) => profile?.name === 'finqa');
    assert.deepEqual(await tokens(program, finqa, [0, 0]), []);
  });
});
