/** What becomes of bulk work that is stopped: nothing, or, once the file is being written, all of it. */
import assert from 'node:assert/strict';
import { CancellationTokenSource, ResponseError } from 'vscode-languageserver/node';
import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import { BULK_APPLY } from '../../../schemas/bulk.ts';
import type { BulkApplied } from '../../../schemas/bulk.ts';
import type { BulkEditing, BulkWork } from '../../../server/src/lsp/bulk/bulk-edits.ts';
import { registerBulkRequests } from '../../../server/src/lsp/bulk/bulk-requests.ts';
import type { BulkServices } from '../../../server/src/lsp/bulk/bulk-requests.ts';

type Handler = (params: object, token: CancellationToken) => Promise<unknown>;

const WRITTEN: BulkApplied = { kind: 'written', title: 'Delete record 3' };

describe('bulk work that is stopped', () => {
  const logged: string[] = [];

  function applying(apply: (work: BulkWork) => Promise<BulkApplied>): (token: CancellationToken) => Promise<unknown> {
    const handlers = new Map<string, Handler>();
    const connection = {
      onRequest: (method: string, handler: Handler) => void handlers.set(method, handler),
    } as unknown as Connection;
    const editing = { apply: (_, work) => apply(work) } as Pick<BulkEditing, 'apply'> as BulkEditing;
    registerBulkRequests(connection, { log: (line: string) => logged.push(line), editing } as unknown as BulkServices);
    return (token) => handlers.get(BULK_APPLY)!({ work: 'w' }, token);
  }

  it('says that the file is written where that had begun', async () => {
    const source = new CancellationTokenSource();
    const apply = applying((work) => {
      work.begin();
      source.cancel();
      assert.equal(work.stop.aborted, false);
      return Promise.resolve(WRITTEN);
    });
    assert.deepEqual(await apply(source.token), WRITTEN);
    assert.deepEqual(logged, []);
  });

  it('begins to write nothing after it was stopped', async () => {
    const source = new CancellationTokenSource();
    let hasBegun = false;
    const apply = applying(async (work) => {
      source.cancel();
      await Promise.resolve();
      work.begin();
      hasBegun = true;
      return WRITTEN;
    });
    assert.ok((await apply(source.token)) instanceof ResponseError);
    assert.equal(hasBegun, false);
    assert.deepEqual(logged, []);
  });

  it('does not begin where it was stopped before its turn', async () => {
    const source = new CancellationTokenSource();
    source.cancel();
    const apply = applying(() => assert.fail('It was not wanted any more.'));
    assert.ok((await apply(source.token)) instanceof ResponseError);
  });
});
