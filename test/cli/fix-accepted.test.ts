import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { docmath, layFolder, reportOf, runCli } from './run.ts';

describe('fix and accepted findings', () => {
  it('leaves what somebody accepted', async () => {
    const marked = `\uFEFF${docmath('a')}\n`;
    const { folder, remove } = await layFolder({ 'a.jsonl': marked });
    try {
      const [file] = reportOf(await runCli(['check', folder, '--format', 'json'])).files;
      const [finding] = file?.findings ?? [];
      assert.equal(finding?.code, 'file/byte-order-mark');
      const line = JSON.stringify({ fingerprint: finding.fingerprint, reason: 'The reader of this file wants it.' });
      await writeFile(path.join(folder, 'auditable-qa.accepted.jsonl'), `${line}\n`);
      assert.equal((await runCli(['fix', folder, '--write'])).code, 0);
      assert.equal(await readFile(path.join(folder, 'a.jsonl'), 'utf8'), marked);
    } finally {
      await remove();
    }
  });
});
