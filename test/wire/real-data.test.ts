import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startServer } from './server.ts';
import type { WireServer } from './server.ts';

const DATA = join(import.meta.dirname, '../../../shared/data');

describe('real data in the language server', () => {
  let server: WireServer | undefined;
  afterEach(() => server?.stop());

  async function open(path: string): Promise<{ server: WireServer; uri: string }> {
    const at = join(DATA, path);
    server = await startServer();
    const uri = pathToFileURL(at).href;
    await server.open(uri, readFileSync(at, 'utf8'), path.endsWith('.json') ? 'json' : 'jsonl');
    return { server, uri };
  }

  it('runs the 703 solutions of DocMath-Eval, all of which yield their gold', async function () {
    if (!existsSync(join(DATA, 'docmath-eval/testmini_703.jsonl'))) {
      console.log('      skipped: ../shared/data is not there');
      this.skip();
    }
    const { server: own, uri } = await open('docmath-eval/testmini_703.jsonl');
    const { records, counts, solutions } = await own.status(
      uri,
      ({ running, solutions: { done } }) => !running && done > 0,
    );
    assert.equal(records, 703);
    assert.equal(counts.error, 0);
    assert.deepEqual(solutions, { done: 703, total: 703, passed: 703 });
  });

  it('finds nothing above info in 22 SciEGQA records with their page images', async function () {
    if (!existsSync(join(DATA, 'sciegqa/2311.07631.jsonl'))) {
      console.log('      skipped: ../shared/data is not there');
      this.skip();
    }
    const { server: own, uri } = await open('sciegqa/2311.07631.jsonl');
    const { records, counts } = await own.status(uri, ({ running }) => !running);
    assert.equal(records, 22);
    assert.equal(counts.error + counts.warning, 0);
  });
});
