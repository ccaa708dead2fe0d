/** Bulk work as a client asks for it: planned, shown, applied in open documents and on disk, taken back. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { BulkApplied, BulkMade, BulkMake, BulkOperation, BulkPlan, BulkPreview } from '../../schemas/bulk.ts';
import { BULK_APPLY, BULK_MAKE, BULK_PLAN, BULK_PREVIEW, BULK_PROGRESS } from '../../schemas/bulk.ts';
import type { DiskUndoResult } from '../../schemas/disk.ts';
import { UNDO_ON_DISK } from '../../schemas/disk.ts';
import type { RecordList } from '../../schemas/records.ts';
import { FILE_ORDER, NO_FILTER, RECORD_LIST } from '../../schemas/records.ts';
import { docmath, fileOf, sciegqa } from './records.ts';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';

describe('bulk work over stdio', () => {
  let server: WireServer;
  before(async () => {
    server = await startServer({ settings: { solutions: { run: 'manual' } }, largeFileBytes: 100_000 });
  });
  after(() => server.stop());

  const ask = <R>(method: string, uri: string, operation: BulkOperation, more: object = {}): Promise<R> =>
    server.connection.sendRequest<R>(method, { uri, operation, work: 'w', ...more });
  const plan = (uri: string, operation: BulkOperation): Promise<BulkPlan> => ask(BULK_PLAN, uri, operation);
  const preview = (uri: string, operation: BulkOperation): Promise<BulkPreview> => ask(BULK_PREVIEW, uri, operation);
  const apply = (uri: string, operation: BulkOperation, dirty = false): Promise<BulkApplied> =>
    ask(BULK_APPLY, uri, operation, { dirty });
  const make = (given: BulkMake): Promise<BulkMade> =>
    server.connection.sendRequest(BULK_MAKE, { make: given, work: 'w' });
  const onDisk = (uri: string): string => readFileSync(fileURLToPath(uri), 'utf8');

  async function keysOf(uri: string, limit = 100): Promise<number[]> {
    const params = { uri, filter: NO_FILTER, order: FILE_ORDER, offset: 0, limit };
    const list = await server.connection.sendRequest<RecordList>(RECORD_LIST, params);
    return list.rows.map(({ key }) => key);
  }

  /** What the open document reads like after the edits that an answer asks for. */
  function edited(text: string, applied: BulkApplied): string {
    assert.equal(applied.kind, 'edits', JSON.stringify(applied));
    const { edits } = applied as Extract<BulkApplied, { kind: 'edits' }>;
    const starts = [0];
    for (const { index } of text.matchAll(/\n/g)) starts.push(index + 1);
    const at = ({ line, character }: { line: number; character: number }): number => starts[line]! + character;
    let written = '';
    let from = 0;
    for (const { range, newText } of edits) {
      written += text.slice(from, at(range.start)) + newText;
      from = at(range.end);
    }
    return written + text.slice(from);
  }

  it('changes an open document by edits, which read like the preview', async () => {
    const lines = docmath({}, {}, {});
    const text = fileOf(lines);
    const uri = server.write('open.jsonl', text);
    await server.open(uri, text);
    const [first, second, third] = await keysOf(uri);
    const operations: readonly (readonly [BulkOperation, string])[] = [
      [{ kind: 'delete', keys: [first!, third!] }, fileOf([lines[1]!])],
      [{ kind: 'move', keys: [third!], to: 'up' }, fileOf([lines[0]!, lines[2]!, lines[1]!])],
      [{ kind: 'move', keys: [first!], to: 2 }, fileOf([lines[1]!, lines[2]!, lines[0]!])],
      [
        { kind: 'duplicate', keys: [second!] },
        fileOf([...lines.slice(0, 2), lines[1]!.replace('wire-1', 'wire-3'), lines[2]!]),
      ],
      [
        { kind: 'renumber', keys: null, pattern: 'w-{n:3}', first: 7 },
        fileOf(lines.map((line, at) => line.replace(`wire-${at}`, `w-00${at + 7}`))),
      ],
    ];
    for (const [operation, expected] of operations) {
      const planned = await plan(uri, operation);
      assert.ok(planned.kind === 'plan' && !planned.onDisk && !planned.large, JSON.stringify(planned));
      assert.deepEqual(await preview(uri, operation), { kind: 'text', text: expected });
      assert.equal(edited(text, await apply(uri, operation)), expected);
    }
    assert.equal(onDisk(uri), text);
  });

  it('adds a record with the keys of the one before it, and nothing said', async () => {
    const lines = sciegqa({}, { category: 'physics' });
    const uri = server.write('add.jsonl', fileOf(lines));
    const [first] = await keysOf(uri);
    const shown = await preview(uri, { kind: 'add', after: first! });
    assert.equal(shown.kind, 'text');
    const written = (shown as { text: string }).text.split('\n');
    const added = JSON.parse(written[1]!) as Record<string, unknown>;
    const before = JSON.parse(lines[0]!) as Record<string, unknown>;
    assert.deepEqual(Object.keys(added), Object.keys(before));
    assert.deepEqual(
      [added['query'], added['doc_name'], added['category'], added['evidence_page']],
      ['', before['doc_name'], before['category'], []],
    );
    assert.deepEqual([written[0], written[2]], lines);
  });

  it('changes a file that no editor has open on the disk, byte for byte, and takes it back', async () => {
    const lines = docmath(
      { ground_truth: 1e21 },
      {},
      { question: 'Wie hoch war die Miete für „Haus 3“, in € (variant 2)?' },
    );
    const text = `\ufeff${lines.join('\r\n')}`;
    const uri = server.write('closed.jsonl', text);
    const keys = await keysOf(uri);
    const planned = await plan(uri, { kind: 'delete', keys: [keys[2]!] });
    assert.ok(
      planned.kind === 'plan' && planned.onDisk && planned.title === 'Delete record 3',
      JSON.stringify(planned),
    );
    assert.deepEqual(await apply(uri, { kind: 'move', keys: [keys[2]!], to: 0 }), {
      kind: 'written',
      title: 'Move record 3 to place 1',
    });
    assert.equal(onDisk(uri), `\ufeff${[lines[2]!, lines[0]!, lines[1]!].join('\r\n')}`);
    assert.equal((await apply(uri, { kind: 'duplicate', keys: [keys[0]!, keys[1]!] })).kind, 'written');
    const copies = [lines[0]!.replace('wire-0', 'wire-3'), lines[1]!.replace('wire-1', 'wire-4')];
    assert.equal(onDisk(uri), `\ufeff${[lines[2]!, lines[0]!, copies[0]!, lines[1]!, copies[1]!].join('\r\n')}`);
    for (const title of ['Duplicate 2 records', 'Move record 3 to place 1']) {
      const undone = await server.connection.sendRequest<DiskUndoResult>(UNDO_ON_DISK, { uri });
      assert.ok(undone.kind === 'done' && undone.title === title, JSON.stringify(undone));
    }
    assert.equal(onDisk(uri), text);
  });

  it('makes one fix in all records that have it', async () => {
    const lines = sciegqa({ answer: ' North' }, {}, { answer: 'West ' }, { answer: ' both ' });
    const uri = server.write('fix.jsonl', fileOf(lines));
    await keysOf(uri);
    const operation: BulkOperation = { kind: 'fix', code: 'text/stray-blanks' };
    const planned = await plan(uri, operation);
    assert.ok(planned.kind === 'plan' && planned.records === 3, JSON.stringify(planned));
    const expected = fileOf(lines)
      .replace('" North"', '"North"')
      .replace('"West "', '"West"')
      .replace('" both "', '"both"');
    assert.deepEqual(await preview(uri, operation), { kind: 'text', text: expected });
    assert.equal((await apply(uri, operation)).kind, 'written');
    assert.equal(onDisk(uri), expected);
    assert.match(
      ((await plan(uri, operation)) as { message: string }).message,
      /^No record has a finding of this rule/,
    );
  });

  it('makes nothing else than what was looked at', async () => {
    const [first, second] = sciegqa({ answer: ' North' }, { answer: 'West' });
    const text = fileOf([first!, second!]);
    const uri = server.write('agreed.jsonl', text);
    await server.open(uri, text);
    await keysOf(uri);
    const operation: BulkOperation = { kind: 'fix', code: 'text/stray-blanks' };
    const planned = await plan(uri, operation);
    assert.ok(planned.kind === 'plan', JSON.stringify(planned));
    // The other record gets the same fault while the first one's change is looked at.
    const at = text.indexOf('"West"', first!.length) - first!.length;
    const place = { line: 1, character: at };
    await server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range: { start: place, end: place }, text: ' ' }],
    });
    const changed = text.replace('"West"', '" West"');
    const agreed = (mark: string): Promise<BulkApplied> =>
      ask(BULK_APPLY, uri, operation, { dirty: false, expected: mark });
    const refused = await agreed(planned.mark);
    assert.match((refused as { message: string }).message, /something else would be changed than was shown/);
    const again = await plan(uri, operation);
    assert.ok(again.kind === 'plan' && again.records === 2, JSON.stringify(again));
    assert.equal(
      edited(changed, await agreed(again.mark)),
      changed.replace('" North"', '"North"').replace('" West"', '"West"'),
    );
  });

  it('shows and makes what a fix of the file itself changes', async () => {
    const [first, second, third] = sciegqa({}, {}, {});
    const text = `${first}\n\n\n${second}\n\n${third}\n`;
    const uri = server.write('gaps.jsonl', text);
    await server.open(uri, text);
    await keysOf(uri);
    const operation: BulkOperation = { kind: 'fix', code: 'file/blank-line' };
    const planned = await plan(uri, operation);
    assert.ok(planned.kind === 'plan' && planned.title === 'Fix file/blank-line in the file', JSON.stringify(planned));
    const expected = fileOf([first!, second!, third!]);
    assert.deepEqual(await preview(uri, operation), { kind: 'text', text: expected });
    assert.equal(edited(text, await apply(uri, operation)), expected);
  });

  it('works on files that no editor takes, and shows a diff of them', async () => {
    const lines = Array.from(
      { length: 250 },
      (_, at) => docmath({ question_id: `big-${at}`, question: `Was it ${at} halls? ` })[0]!,
    );
    const uri = server.write('large.jsonl', fileOf(lines));
    const keys = await keysOf(uri, 250);
    const operation: BulkOperation = { kind: 'delete', keys: [keys[4]!, keys[5]!] };
    const planned = await plan(uri, operation);
    assert.ok(planned.kind === 'plan' && planned.large && planned.onDisk, JSON.stringify(planned));
    const shown = await preview(uri, operation);
    assert.ok(shown.kind === 'diff');
    assert.match(shown.text, /^--- a\/large\.jsonl\n\+\+\+ b\/large\.jsonl\n@@ at record 5 @@\n-\{.*big-4/);
    assert.equal((await apply(uri, operation)).kind, 'written');
    assert.equal(onDisk(uri), fileOf(lines.toSpliced(4, 2)));
    const fixed = await apply(uri, { kind: 'fix', code: 'text/stray-blanks' });
    assert.equal(fixed.kind, 'written', JSON.stringify(fixed));
    assert.ok(!onDisk(uri).includes('halls? "'));
  });

  it('refuses with a sentence, and changes nothing', async () => {
    const text = fileOf(docmath({}, {}, {}));
    const uri = server.write('refused.jsonl', text);
    const keys = await keysOf(uri);
    for (const [operation, why] of [
      [{ kind: 'move', keys: [keys[0]!], to: 'up' }, /first record cannot move up/],
      [{ kind: 'move', keys: [keys[1]!], to: 1 }, /stands there already/],
      [{ kind: 'renumber', keys: [keys[0]!], pattern: 'wire-{n}', first: 1 }, /Record 2 has the id wire-1 already/],
      [{ kind: 'renumber', keys: null, pattern: 'x', first: 1 }, /has no \{n\}/],
      [{ kind: 'delete', keys: [123_456] }, /not in the file any more/],
    ] as const satisfies readonly (readonly [BulkOperation, RegExp])[]) {
      const planned = await plan(uri, operation);
      assert.ok(planned.kind === 'problem', JSON.stringify(planned));
      assert.match(planned.message, why);
      assert.equal((await apply(uri, operation)).kind, 'problem');
    }
    assert.equal(onDisk(uri), text);
  });

  it('can be cancelled: nothing is written', async () => {
    const text = fileOf(docmath(...Array.from({ length: 400 }, () => ({ question: ' Was it? ' }))));
    const uri = server.write('cancelled.jsonl', text);
    await keysOf(uri);
    const source = new CancellationTokenSource();
    const params = { uri, operation: { kind: 'fix', code: 'text/stray-blanks' }, work: 'w', dirty: false };
    const asked = server.connection.sendRequest(BULK_APPLY, params, source.token);
    source.cancel();
    await assert.rejects(asked, /cancelled/i);
    assert.equal(onDisk(uri), text);
  });

  it('makes no edits of a text that was typed in while it was looked through', async () => {
    const lines = docmath(...Array.from({ length: 400 }, () => ({ question: ' Was it? ' })));
    const text = fileOf(lines);
    const uri = server.write('typed.jsonl', text);
    await server.open(uri, text);
    await keysOf(uri);
    const fresh = lines[0]!.replace(' Was it? ', 'Was it');
    const all = { start: { line: 0, character: 0 }, end: { line: 0, character: lines[0]!.length } };
    let typed: Promise<void> | undefined;
    const listener = server.connection.onNotification(BULK_PROGRESS, () => {
      typed ??= server.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version: 2 },
        contentChanges: [{ range: all, text: fresh }],
      });
    });
    const applied = await apply(uri, { kind: 'fix', code: 'text/stray-blanks' });
    listener.dispose();
    await typed;
    assert.ok(typed !== undefined);
    if (applied.kind === 'edits') {
      assert.equal(applied.version, 2);
      const expected = [fresh, ...lines.slice(1).map((line) => line.replace(' Was it? ', 'Was it?'))];
      assert.equal(edited(fileOf([fresh, ...lines.slice(1)]), applied), fileOf(expected));
    } else {
      assert.deepEqual(applied, {
        kind: 'problem',
        message: 'The file was changed at the same time: nothing was done.',
      });
    }
  });

  it('converts, splits and merges, and shows conflicts', async () => {
    const lines = docmath({}, {}, {});
    const uri = server.write('data.jsonl', fileOf(lines));
    const beside = (name: string): string => pathToFileURL(path.join(server.folder, name)).href;
    const made = await make({ kind: 'convert', uri, to: 'json', target: beside('data.json') });
    assert.deepEqual(made, { kind: 'made', files: [{ uri: beside('data.json'), records: 3 }], notes: [] });
    assert.equal(onDisk(beside('data.json')), `[\n${lines.join(',\n')}\n]\n`);
    const again = await make({ kind: 'convert', uri, to: 'json', target: beside('data.json') });
    assert.ok(again.kind === 'problem' && /exists already/.test(again.message));

    const split = await make({
      kind: 'split',
      uri,
      by: { kind: 'ids', ids: ['wire-1', 'none'] },
      folder: beside('parts'),
    });
    assert.ok(split.kind === 'made', JSON.stringify(split));
    assert.deepEqual(
      split.files.map(({ uri: at, records }) => [path.basename(at), records]),
      [
        ['data.others.jsonl', 2],
        ['data.listed.jsonl', 1],
      ],
    );
    assert.deepEqual(split.notes, ['1 of the ids are not in the file: none.']);

    const other = server.write('other.jsonl', fileOf([lines[0]!, lines[1]!.replace('variant 1', 'variant one')]));
    const merge = { kind: 'merge', uris: [uri, other], target: beside('all.jsonl'), onConflict: 'stop' } as const;
    const conflicts = await make(merge);
    assert.ok(conflicts.kind === 'conflicts' && conflicts.total === 1, JSON.stringify(conflicts));
    const [first] = conflicts.first;
    assert.deepEqual(
      [first?.id, first?.ours, first?.theirs.line, first?.differences[0]?.pointer],
      ['wire-1', { uri, line: 1 }, 1, '/question'],
    );
    assert.ok(!existsSync(fileURLToPath(beside('all.jsonl'))));
    const settled = await make({ ...merge, onConflict: 'keep-both' });
    assert.ok(settled.kind === 'made' && settled.files[0]?.records === 4, JSON.stringify(settled));

    const broken = server.write('broken.jsonl', `${lines[0]!}\n{"question_id":\n${lines[1]!}\n`);
    const refused = await make({ kind: 'convert', uri: broken, to: 'json', target: beside('broken.json') });
    assert.ok(refused.kind === 'problem' && refused.at?.line === 1, JSON.stringify(refused));
    assert.match(refused.message, /^broken\.jsonl, line 2: .* Nothing was written\.$/);
    assert.deepEqual(server.shown, []);
  });
});
