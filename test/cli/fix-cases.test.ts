/** Every fix of every case, one by one: it repairs its finding and brings no other one about. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Finding, PlacedFix } from '../../server/src/core/finding.ts';
import { locateEdits } from '../../server/src/node/files/locate.ts';
import { fileSource, formOfName } from '../../server/src/node/files/read.ts';
import { editedBytes } from '../../server/src/node/files/write.ts';
import { createRuntime } from '../../server/src/node/runtime.ts';
import type { Runtime } from '../../server/src/node/runtime.ts';
import { checkSource } from '../../server/src/node/session.ts';
import { layOut, readCases } from '../cases/format.ts';
import { PROJECT, runCli } from './run.ts';

/** What a fault hid, and what therefore shows once it is repaired; it was not brought about by the fix. */
const REVEALS: Readonly<Record<string, RegExp>> = {
  // A solution that could not run, a gold that could not be read, now is compared.
  'answer/number-as-text': /^answer\/(?:mismatch|rounded|inexact)$/,
  // Boxes of one page under two entries were not compared.
  'page/duplicate': /^box\/nested$/,
  // The gold was computed from the mistyped number.
  'evidence/value-not-found': /^answer\/mismatch$/,
  'solution/(?:code-fence|double-escaped|not-a-number)': /^(?:answer|solution|evidence)\//,
};

describe('fixes of the cases', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'auditable-qa-fixes-'));
  let runtime: Runtime;
  let files: readonly string[];

  before(() => {
    const cases = readCases();
    const folders = [...cases.cases, ...cases.fileCases].flatMap((one) => layOut(cases, one, root));
    files = folders.flatMap((folder) => recordFiles(path.join(root, folder)));
    runtime = createRuntime({
      distFolder: path.join(PROJECT, 'dist'),
      pdfWorker: new URL('../../server/src/node/pages/pdf-worker.ts', import.meta.url),
      trustMs: Infinity,
    });
  });
  after(async () => {
    await runtime.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  async function check(file: string): Promise<readonly Finding[]> {
    const found: Finding[] = [];
    const { runner, documents } = runtime;
    await checkSource(
      fileSource(file),
      (samples) => runtime.settingsOf(file, samples, {}),
      { runner, documents },
      { findings: (findings) => found.push(...findings) },
    );
    return found;
  }

  it('repair what they are for, and introduce nothing', async function () {
    this.timeout(300_000);
    const wrong: string[] = [];
    let tried = 0;
    for (const file of files) {
      const before = await check(file);
      for (const finding of before) {
        for (const fix of finding.fixes) {
          const repaired = await fixed(file, finding, fix, ++tried);
          const after = await check(repaired);
          rmSync(repaired);
          const name = `${path.relative(root, file)} ${finding.code} ${finding.pointer} «${fix.title}»`;
          if (countOf(after, finding.code) >= countOf(before, finding.code)) wrong.push(`${name} does not repair it`);
          for (const code of new Set(after.map((one) => one.code))) {
            if (countOf(after, code) <= countOf(before, code) || isRevealed(finding.code, code)) continue;
            const told = after.filter((one) => one.code === code).map(({ message }) => message);
            wrong.push(`${name} introduces ${code}: ${told.join(' ')}`);
          }
        }
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(tried > 40, `${tried} fixes were tried`);
  });

  it('that are safe change nothing when they are applied a second time', async function () {
    this.timeout(300_000);
    const once = await runCli(['fix', '.', '--write'], { cwd: root });
    assert.match(once.stderr, /\d+ fixes written in \d+ files/);
    const contents = files.map((file) => readFileSync(file));
    const twice = await runCli(['fix', '.', '--write'], { cwd: root });
    assert.match(twice.stderr, /Nothing to fix/);
    assert.equal(twice.stdout, '');
    for (const [i, file] of files.entries()) assert.ok(readFileSync(file).equals(contents[i]!), file);
  });

  function isRevealed(repaired: string, code: string): boolean {
    return Object.entries(REVEALS).some(([of, shown]) => new RegExp(`^${of}$`).test(repaired) && shown.test(code));
  }
});

function recordFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name) && entry.name !== 'auditable-qa.json')
    .map((entry) => path.join(folder, entry.name));
}

/** The file with one fix made, beside it: in the same place for configuration and documents. */
async function fixed(file: string, { record }: Finding, fix: PlacedFix, number: number): Promise<string> {
  const { edits } = await locateEdits(
    file,
    { form: formOfName(file) ?? 'lines', records: undefined },
    ({ index }) => (index === record?.index ? fix.edits : []),
    fix.file === undefined ? [] : [fix.file],
  );
  const pieces: Uint8Array[] = [];
  for await (const piece of editedBytes(file, edits)) pieces.push(Uint8Array.from(piece));
  const name = path.join(path.dirname(file), `fixed-${number}${path.extname(file)}`);
  writeFileSync(name, Buffer.concat(pieces));
  return name;
}

function countOf(findings: readonly Finding[], code: string): number {
  return findings.filter((finding) => finding.code === code).length;
}
