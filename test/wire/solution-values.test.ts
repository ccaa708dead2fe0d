import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { ProtocolRange } from '../../schemas/protocol.ts';
import type { StepsResult } from '../../schemas/steps.ts';
import { STEPS } from '../../schemas/steps.ts';
import type { ViewKind, ViewReadResult, ViewRefResult } from '../../schemas/views.ts';
import { VIEW_READ, VIEW_REF, VIEW_SCHEME } from '../../schemas/views.ts';
import { startServer } from './server.ts';
import type { StartOptions, WireServer } from './server.ts';

interface Part {
  readonly value: string;
  readonly tooltip?: string;
  readonly location?: { readonly uri: string; readonly range: ProtocolRange };
}

interface Hint {
  readonly position: ProtocolRange['start'];
  readonly label: readonly Part[];
}

const SOLUTION = `def solution():
    revenue_2032 = 1350
    revenue_2031 = 1200.5
    share = 12.5
    total = 0
    for i in range(3):
        total += i
    change = revenue_2032 - revenue_2031
    return change
`;
const RECORD = {
  question_id: 'v1',
  question: 'What was the change in widget revenue from 2031 to 2032, in thousands?',
  python_solution: SOLUTION,
  ground_truth: 149.5,
  paragraphs: [
    'Nothing of interest.',
    'Segment results (in thousands)\n| | 2032 | 2031 |\n| Widget revenue | 1,350 | 1,200.5 |\n| Cost | 4 | 5 |',
    'Our share grew by 12.5% last year.',
  ],
  table_evidence: [1],
  paragraph_evidence: [2],
};

describe('values of solutions over stdio', () => {
  let server: WireServer;
  afterEach(() => server.stop());

  async function open(
    kind: ViewKind,
    record: Readonly<Record<string, unknown>> = RECORD,
    options: StartOptions = {},
  ): Promise<{ readonly uri: string; readonly file: string; readonly lines: readonly string[] }> {
    server = await startServer(options);
    const content = `${JSON.stringify({ ...RECORD, question_id: 'v0' })}\n${JSON.stringify(record)}\n`;
    const file = server.write('set.jsonl', content);
    await server.open(file, content);
    const found = await server.connection.sendRequest<ViewRefResult>(VIEW_REF, { file, index: 1, kind });
    const name = kind === 'record' ? 'v1.record' : 'v1.py';
    const query = encodeURIComponent(JSON.stringify(found.ref));
    const uri = `${VIEW_SCHEME}:${fileURLToPath(file)}/${name}?${query}`;
    const read = await server.connection.sendRequest<ViewReadResult>(VIEW_READ, { uri });
    assert.ok(read.kind === 'text', JSON.stringify(read));
    await server.open(uri, read.text, kind === 'record' ? 'auditable-qa-record' : 'python');
    await server.status(uri, ({ profile, running }) => profile !== null && !running);
    return { uri, file, lines: read.text.split('\n') };
  }

  const hints = async (uri: string, first = 0, last = 1000): Promise<Hint[]> =>
    (await server.connection.sendRequest<Hint[] | null>('textDocument/inlayHint', {
      textDocument: { uri },
      range: { start: { line: first, character: 0 }, end: { line: last, character: 0 } },
    })) ?? [];

  const steps = (uri: string): Promise<StepsResult> => server.connection.sendRequest<StepsResult>(STEPS, { uri });

  /** The line with the hint behind it. */
  const shown = (lines: readonly string[], { position, label }: Hint): string =>
    `${lines[position.line]!.slice(0, position.character).trim()} ${label.map(({ value }) => value).join('')}`;

  for (const kind of ['solution', 'record'] as const) {
    it(`stand beside each assignment of a ${kind} document, with scale and source`, async () => {
      const { uri, file, lines } = await open(kind);
      const found = await hints(uri);
      assert.deepEqual(
        found.map((hint) => shown(lines, hint)),
        [
          'revenue_2032 = 1350 = 1350 thousand ↗ paragraphs[1]',
          'revenue_2031 = 1200.5 = 1200.5 thousand ↗ paragraphs[1]',
          'share = 12.5 = 12.5 % ↗ paragraphs[2]',
          'total = 0 = 0',
          'for i in range(3): = 2 ×3',
          'total += i = 3 ×3',
          'change = revenue_2032 - revenue_2031 = 149.5',
          'return change = 149.5',
        ],
      );
      const { location, tooltip } = found[0]!.label.at(-1)!;
      assert.match(tooltip ?? '', /row "Widget revenue", column "2032"/);
      if (kind === 'record') {
        const { start, end } = location!.range;
        assert.equal(location!.uri, uri);
        assert.equal(lines[start.line]!.slice(start.character, end.character), '1,350');
      } else assert.equal(location!.uri, file);
      const [first] = found;
      assert.deepEqual(await hints(uri, first!.position.line, first!.position.line), [first]);
    });
  }

  it('follow what is typed', async () => {
    const { uri, lines } = await open('solution');
    const line = lines.findIndex((text) => text.includes('1350'));
    const from = lines[line]!.indexOf('1350');
    await server.edit(uri, 2, line, from, from + 4, '1400');
    const found = await hints(uri);
    assert.ok(
      found.some(({ label }) => label[0]!.value === '= 199.5'),
      JSON.stringify(found),
    );
    await server.edit(uri, 3, line, from, from + 4, '(');
    assert.deepEqual(await hints(uri), []);
  });

  it('are not shown on the lines of a file', async () => {
    const { file } = await open('solution');
    assert.deepEqual(await hints(file), []);
  });

  it('wait for a run where solutions are run by hand', async () => {
    const { uri } = await open('solution', RECORD, { settings: { solutions: { run: 'manual' } } });
    assert.deepEqual(await hints(uri), []);
    assert.equal((await steps(uri)).kind, 'steps');
    assert.equal((await hints(uri)).length, 8);
  });

  it('are none in an untrusted workspace', async () => {
    const { uri } = await open('solution', RECORD, { trusted: false });
    assert.deepEqual(await hints(uri), []);
    const found = await steps(uri);
    assert.ok(found.kind === 'problem' && /trusted/.test(found.message));
  });

  for (const kind of ['solution', 'record'] as const) {
    it(`come as steps with the lines of a ${kind} document`, async () => {
      const { uri, lines } = await open(kind);
      const found = await steps(uri);
      assert.ok(found.kind === 'steps', JSON.stringify(found));
      const textOf = (line: number): string => {
        const { start, end } = found.lines[line - 1]!;
        return lines[start.line]!.slice(start.character, end.character);
      };
      assert.equal(found.version, 1);
      assert.equal(found.outcome.value, '149.5');
      assert.deepEqual(
        found.steps.slice(0, 3).map(({ line }) => textOf(line)),
        ['revenue_2032 = 1350', 'revenue_2031 = 1200.5', 'share = 12.5'],
      );
      const last = found.steps.at(-1)!;
      assert.deepEqual([last.kind, textOf(last.line), last.value], ['return', 'return change', '149.5']);
    });
  }

  it('end where a solution without end is stopped', async () => {
    const python_solution = 'def solution():\n    n = 0\n    while True:\n        n += 1\n';
    const { uri } = await open('solution', { ...RECORD, python_solution });
    const found = await steps(uri);
    assert.ok(found.kind === 'steps' && found.full && found.outcome.error?.type === 'Timeout');
  });

  it('say why there are none', async () => {
    const { uri } = await open('record', { ...RECORD, python_solution: null });
    const found = await steps(uri);
    assert.ok(found.kind === 'problem' && /no Python solution/.test(found.message), JSON.stringify(found));
  });
});
