import assert from 'node:assert/strict';
import type { EvidenceView } from '../../schemas/protocol.ts';
import { EVIDENCE } from '../../schemas/protocol.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';

const question = (uid: string, answer: number): string =>
  `    {"uid": "${uid}", "order": 1, "question": "What is the difference of widgets (${uid})?", "answer": ${answer}, "derivation": "1,350-1,200", "answer_type": "arithmetic", "answer_from": "table", "rel_paragraphs": [], "req_comparison": false, "scale": ""}`;
const TEXT = `[
  {"table": {"uid": "t", "table": [["", "2032", "2031"], ["Widgets", "1,350", "1,200"]]},
   "paragraphs": [{"uid": "p", "order": 1, "text": "Widgets sell."}],
   "questions": [
${question('a', 150)},
${question('b', 15)}
  ]}
]
`;

describe('nested records over stdio', () => {
  let server: WireServer;
  afterEach(() => server.stop());

  it('have their findings on their own lines, and lose them when the file is corrected', async () => {
    server = await startServer({ trusted: false });
    const uri = server.write('tatqa_dev.json', TEXT);
    await server.open(uri, TEXT, 'json');
    const { diagnostics } = await server.diagnostics(uri, (found) => found.length > 0);
    assert.deepEqual(
      diagnostics.map(({ code, range }) => [code, range.start.line]),
      [['answer/mismatch', 5]],
    );
    const view = await server.connection.sendRequest<EvidenceView>(EVIDENCE, { uri, index: 1 });
    assert.equal(view.records, 2);
    assert.equal(view.solution?.verdict, 'mismatch');
    assert.deepEqual(
      view.blocks.map(({ name, kind }) => [name, kind]),
      [['table', 'table']],
    );
    const at = TEXT.split('\n')[5]!.indexOf('15,');
    await server.edit(uri, 2, 5, at, at + 2, '150');
    await server.diagnostics(uri, (found, version) => version === 2 && found.length === 0);
  });
});
