/** Boxes in other coordinates than declared: what the editor is offered, and what is written. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FIX_ON_DISK } from '../../schemas/protocol.ts';
import { fileOf, putDocument, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { Diagnostic, WireServer } from './server.ts';

interface Edit {
  readonly range: Diagnostic['range'];
  readonly newText: string;
}
interface Action {
  readonly title: string;
  readonly kind: string;
  readonly disabled?: { readonly reason: string };
  readonly edit?: { readonly documentChanges: readonly { readonly edits: readonly Edit[] }[] };
  readonly command?: { readonly command: string; readonly arguments: readonly unknown[] };
}

const CAPABILITIES = {
  workspace: { configuration: true, workspaceEdit: { documentChanges: true } },
  textDocument: { codeAction: { disabledSupport: true, resolveSupport: { properties: ['edit'] } } },
};

/** In 0-1000: the regions of the whole page's width, in its upper and its lower half. */
const UPPER = [118, 182, 824, 455];
const LOWER = [118, 500, 824, 900];
const RELATIVE = [
  [118, 182, 824, 455],
  [118, 500, 824, 900],
];

describe('conversions in the editor', function () {
  this.timeout(120_000);
  let server: WireServer;
  before(async () => {
    server = await startServer({ capabilities: CAPABILITIES });
    putDocument(server);
  });
  after(() => server.stop());

  async function opened(name: string, text: string, onDisk = text): Promise<string> {
    const uri = server.write(name, onDisk);
    await server.open(uri, text);
    return uri;
  }

  /** Two boxes per record, without relative ones. */
  const plain = (count: number, more: object = {}): string[] =>
    sciegqa(
      ...Array.from({ length: count }, () => ({
        bbox: [[UPPER, LOWER]],
        subimg_type: [['table', 'text']],
        rel_bbox: undefined,
        ...more,
      })),
    );

  async function actionsFor(
    uri: string,
    code: string,
    fits: (own: readonly Diagnostic[]) => boolean,
  ): Promise<readonly Action[]> {
    const { diagnostics } = await server.diagnostics(uri, (all) => fits(all.filter((one) => one.code === code)));
    const own = diagnostics.filter((one) => one.code === code);
    return ask(uri, own[0]!.range.start, own.slice(0, 1));
  }

  const ask = (
    uri: string,
    start: Edit['range']['start'],
    diagnostics: readonly Diagnostic[],
  ): Promise<readonly Action[]> =>
    server.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range: { start, end: start },
      context: { diagnostics },
    });

  async function made(action: Action | undefined, text: string): Promise<string> {
    const { edit } =
      action?.edit === undefined ? await server.connection.sendRequest<Action>('codeAction/resolve', action) : action;
    return applied(text, edit!.documentChanges[0]!.edits);
  }

  const titles = (actions: readonly Action[]): string[] =>
    actions.map(({ title }) => title).filter((title) => title.startsWith('Convert'));

  it('are of a record and of the file, where all boxes fit another space', async () => {
    const text = fileOf(plain(3));
    const uri = await opened('whole.jsonl', text);
    // The size of the page makes a conversion possible; it comes a moment later.
    await server.status(uri, ({ running }) => !running);
    const actions = await actionsFor(uri, 'box/coordinate-space', (own) => own.length === 1);
    assert.deepEqual(titles(actions), [
      'Convert the 2 boxes of this record from 0-1000 to pixels at 300 dpi',
      'Convert all 6 boxes of the file from 0-1000 to pixels at 300 dpi',
    ]);
    const [line, ...others] = plain(3);
    const inPixels = line!.replace(JSON.stringify([UPPER, LOWER]), '[[301,601,2101,1502],[301,1650,2101,2970]]');
    const [record, file] = actions.filter(({ title }) => title.startsWith('Convert'));
    assert.equal(await made(record, text), fileOf([inPixels, ...others]));
    const all = text.replaceAll(JSON.stringify([UPPER, LOWER]), '[[301,601,2101,1502],[301,1650,2101,2970]]');
    assert.equal(await made(file, text), all);
    // At its boxes any other record, and one box of it, can be converted too.
    const character = others[0]!.indexOf(JSON.stringify(LOWER)) + 3;
    const elsewhere = await ask(uri, { line: 1, character }, []);
    assert.deepEqual(titles(elsewhere), [
      'Convert this box from 0-1000 to pixels at 300 dpi',
      'Convert the 2 boxes of this record from 0-1000 to pixels at 300 dpi',
      'Convert all 6 boxes of the file from 0-1000 to pixels at 300 dpi',
    ]);
    assert.ok(elsewhere.every(({ title, kind }) => !title.startsWith('Convert') || kind === 'refactor.rewrite'));
    const one = others[0]!.replace(JSON.stringify(LOWER), '[301,1650,2101,2970]');
    assert.equal(
      await made(
        elsewhere.find(({ title }) => title.includes('this box')),
        text,
      ),
      fileOf([line!, one, others[1]!]),
    );
    assert.deepEqual(titles(await ask(uri, { line: 1, character: 3 }, [])), []);
    // Once it is written nothing more is said, nor offered.
    await server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: all }],
    });
    await server.diagnostics(uri, (diagnostics, version) => version === 2 && diagnostics.length === 0);
    assert.deepEqual(titles(await ask(uri, { line: 1, character }, [])), []);
  });

  it('are not made of a file of which a page is not known, and say why', async () => {
    const uri = await opened('unknown.jsonl', fileOf([...plain(2), ...plain(1, { doc_name: 'nowhere' })]));
    await server.status(uri, ({ running }) => !running);
    const actions = await actionsFor(uri, 'box/coordinate-space', (own) => own.length === 1);
    const file = actions.find(({ title }) => title.startsWith('Convert all'));
    assert.match(file?.disabled?.reason ?? '', /sizes of the pages of 1 record are not known/);
    assert.equal(file?.edit, undefined);
  });

  it('are of a record and of the file, where boxes contradict their relative twins, with the votes', async () => {
    const half = [
      [150, 300, 1050, 751],
      [150, 825, 1050, 1485],
    ];
    const good = sciegqa({}, {});
    const wrong = (boxes: readonly (readonly number[])[]): Readonly<Record<string, unknown>> => ({
      bbox: [boxes],
      rel_bbox: [RELATIVE],
      subimg_type: [['table', 'text']],
    });
    const mixed = wrong([half[0]!, [197, 1083, 1379, 1949]]);
    const lines = [...sciegqa(wrong(half), wrong(half), mixed), ...good];
    const text = fileOf(lines);
    const uri = await opened('twins.jsonl', text);
    const actions = await actionsFor(uri, 'box/mismatch', (own) => own.length === 6);
    assert.deepEqual(titles(actions), [
      'Convert to pixels at 300 dpi: [300, 600, 2100, 1502]',
      'Convert the 2 boxes of this record from pixels at 150 dpi to pixels at 300 dpi',
      'Convert all 4 boxes of the file from pixels at 150 dpi to pixels at 300 dpi (2 of 5 records fit pixels at 150 dpi, 2 fit pixels at 300 dpi)',
    ]);
    assert.ok(!actions.some(({ title }) => title.startsWith('Fix all')));
    const after = (
      await made(
        actions.find(({ title }) => title.startsWith('Convert all')),
        text,
      )
    ).split('\n');
    for (const line of after.slice(0, 2)) {
      assert.deepEqual((JSON.parse(line) as { bbox: unknown }).bbox, [
        [
          [300, 600, 2100, 1502],
          [300, 1650, 2100, 2970],
        ],
      ]);
    }
    assert.deepEqual(after.slice(2, 5), lines.slice(2));
  });

  it('are written to the disk where saving would change more', async () => {
    const [one = '', two = '', three = ''] = plain(3);
    const onDisk = `${one}\r\n${two}\n${three}\n`;
    const uri = await opened('mixed-ends.jsonl', fileOf([one, two, three]), onDisk);
    await server.status(uri, ({ running }) => !running);
    const actions = await actionsFor(uri, 'box/coordinate-space', (own) => own.length === 1);
    const file = actions.find(({ title }) => title.startsWith('Convert all'));
    assert.equal(file?.command?.command, FIX_ON_DISK);
    const { command, arguments: given } = file.command;
    await server.connection.sendRequest('workspace/executeCommand', { command, arguments: given });
    const written = readFileSync(fileURLToPath(uri), 'utf8');
    assert.equal(
      written,
      onDisk.replaceAll(JSON.stringify([UPPER, LOWER]), '[[301,601,2101,1502],[301,1650,2101,2970]]'),
    );
  });
});

function applied(text: string, edits: readonly Edit[]): string {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = ({ line, character }: Edit['range']['start']): number => (starts[line] ?? text.length) + character;
  return [...edits]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (now, { range, newText }) => now.slice(0, offset(range.start)) + newText + now.slice(offset(range.end)),
      text,
    );
}
