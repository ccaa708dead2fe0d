import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../server/src/core/finding.ts';
import type { DocumentFacts, DocumentReader, RunResult, SolutionRunner } from '../../server/src/core/ports.ts';
import { parseConfiguration } from '../../server/src/core/profile/configuration.ts';
import { settingsFor } from '../../server/src/core/profile/settings.ts';
import { fileSource } from '../../server/src/node/files/read.ts';
import { checkSource } from '../../server/src/node/session.ts';
import { createRandom, mutateRecord, mutateText } from './variants/mutate.ts';
import type { Random } from './variants/mutate.ts';
import { docmath, mmlongbench, sciegqa } from './variants/build.ts';

/**
 * Broken files of all kinds through the whole pipeline, with made-up facts: nothing throws, ranges lie inside the file,
 * messages are whole. SOAK=1 goes on for minutes; SEED repeats a run.
 */
const SEED = Number(process.env['SEED'] ?? 20_311);
const TIME_MS = process.env['SOAK'] === '1' ? 240_000 : 9_000;

const OWN = {
  q: 'Which?',
  meta: { id: 'o-1', doc: 'demo-doc' },
  areas: [
    { page: 1, boxes: [[0.1, 0.1, 0.5, 0.2]], kinds: ['text'] },
    { page: 3, boxes: [[0.5, 0.5, 0.2, 0.1]], kinds: ['table'] },
  ],
  code: 'def answer():\n    return 150',
  value: 150,
  blocks: ['In thousands.', '| a | b |\n| c | d |'],
  cited: '[0, 1]',
};
const CONFIGURATION = {
  datasets: [{ files: ['own.*'], profile: 'ours', pdf: '{doc}.pdf', pageImage: '{doc}/{page}.png' }],
  profiles: {
    ours: {
      fields: {
        id: '/meta/id',
        question: '/q',
        document: '/meta/doc',
        gold: '/value',
        solution: '/code',
        context: '/blocks',
        textEvidence: { at: '/cited', decoder: 'list-in-string' },
        regions: { pages: '/areas/*/page', boxes: '/areas/*/boxes', labels: '/areas/*/kinds' },
      },
      entryPoint: 'answer',
      coordinates: { space: 'unit', order: 'xywh', origin: 'bottom-left' },
    },
  },
};
const BASES: readonly { readonly profile: string; readonly line: string }[] = [
  { profile: 'docmath-eval', line: docmath() },
  { profile: 'sciegqa', line: sciegqa() },
  { profile: 'mmlongbench-doc', line: mmlongbench() },
  { profile: 'ours', line: JSON.stringify(OWN) },
];

describe('fuzz', () => {
  const folder = mkdtempSync(join(tmpdir(), 'auditable-qa-fuzz-'));
  const parsed = parseConfiguration(JSON.stringify(CONFIGURATION));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('never throws, and every finding lies in the file', async function () {
    this.timeout(TIME_MS + 30_000);
    const end = performance.now() + TIME_MS;
    let found = 0;
    let round = 0;
    for (; performance.now() < end; round++) {
      const random = createRandom(SEED + round);
      const { profile, line } = random.pick(BASES);
      const { name, bytes } = makeFile(line, random);
      const file = join(folder, profile === 'ours' ? name.replace('a.', 'own.') : name);
      writeFileSync(file, bytes);
      const overrides = profile === 'ours' || random.chance(0.1) ? {} : { profile };
      const findings: Finding[] = [];
      const label = `SEED=${SEED + round} (${profile}, ${name})`;
      try {
        await checkSource(
          fileSource(file),
          (samples) =>
            Promise.resolve(settingsFor({ filePath: file, samples, overrides, configuration: { folder, parsed } })),
          { runner: madeUpRunner(random), documents: madeUpDocuments(random) },
          { findings: (more) => findings.push(...more), outcome: () => undefined },
        );
      } catch (error) {
        throw new Error(`${label}: ${JSON.stringify(bytes.toString('utf8'))}`, { cause: error });
      }
      found += findings.length;
      const wrong = faultsIn(findings, bytes);
      assert.deepEqual(wrong, [], `${label}: ${JSON.stringify(bytes.toString('utf8'))}`);
    }
    assert.ok(round > 100 && found > round, `${round} rounds with ${found} findings`);
  });
});

/** One to four records, some of them changed, as JSONL, an array, or printed over several lines; then perhaps broken bytes. */
function makeFile(line: string, random: Random): { readonly name: string; readonly bytes: Buffer } {
  const records = Array.from({ length: 1 + random.below(4) }, () =>
    mutateRecord(JSON.parse(line), random, random.below(4)),
  );
  const indent = random.pick([0, 0, 2]);
  const texts = records.map((record) => JSON.stringify(record, null, indent));
  const isArray = random.chance(0.4);
  const end = random.pick(['\n', '\n', '\r\n']);
  let text = isArray ? `[${indent > 0 ? end : ''}${texts.join(`,${end}`)}]${end}` : texts.join(end) + end;
  for (let i = random.pick([0, 0, 1, 1, 2, 4]); i > 0; i--) text = mutateText(text, random);
  let bytes = Buffer.from(text, random.chance(0.03) ? 'utf16le' : 'utf8');
  if (random.chance(0.15) && bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
  if (random.chance(0.1)) bytes = bytes.subarray(0, random.below(bytes.length + 1));
  const isJson = random.chance(isArray ? 0.8 : 0.2);
  return { name: isJson ? 'a.json' : 'a.jsonl', bytes };
}

/** Each says that a value is not of the form it should have; one of them is enough at one place. */
const FORM = new Set([
  'schema/type',
  'schema/constraint',
  'schema/enum',
  'box/shape',
  'answer/number-as-text',
  'answer/missing',
  'file/non-finite-number',
]);

/** What is wrong with findings, in words. */
function faultsIn(findings: readonly Finding[], bytes: Buffer): string[] {
  // A byte order mark at the start is no part of the text.
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const lines = text.split('\n');
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const { code, start, end, message, pointer, fingerprint } of findings) {
    const told = `${code} ${pointer} ${start.line}:${start.column}-${end.line}:${end.column} «${message}»`;
    const inside = [start, end].every(
      ({ line, column }) => line >= 0 && column >= 0 && line < lines.length && column <= lines[line]!.length,
    );
    if (!inside && code !== 'file/encoding') wrong.push(`outside: ${told}`);
    if (start.line > end.line || (start.line === end.line && start.column > end.column))
      wrong.push(`reversed: ${told}`);
    if (message.trim() === '' || /\bundefined\b|\[object|\s$/.test(message)) wrong.push(`message: ${told}`);
    if (fingerprint === '' || (pointer !== '' && !pointer.startsWith('/'))) wrong.push(`identity: ${told}`);
    if (seen.has(told)) wrong.push(`twice: ${told}`);
    seen.add(told);
    if (!FORM.has(code)) continue;
    const place = `${pointer} ${start.line}:${start.column}`;
    if (seen.has(place)) wrong.push(`said already: ${told}`);
    seen.add(place);
  }
  return wrong;
}

const ERRORS = [
  { kind: 'syntax', type: 'SyntaxError', message: 'invalid syntax' },
  { kind: 'exception', type: 'NameError', message: "name 'x' is not defined" },
  { kind: 'exception', type: 'KeyError', message: '' },
  { kind: 'entryPoint', type: 'NameError', message: "there is no function named 'solution'" },
  { kind: 'badReturn', type: 'NoneType', message: 'None' },
  { kind: 'badReturn', type: 'generator', message: '<generator object solution at 0x7f00>' },
  { kind: 'notFinite', type: 'float', message: 'nan' },
  { kind: 'timeout', type: 'TimeoutError', message: '' },
  { kind: 'memory', type: 'MemoryError', message: '' },
  { kind: 'recursion', type: 'RecursionError', message: 'maximum recursion depth exceeded' },
  { kind: 'blocked', type: 'OSError', message: 'open' },
  { kind: 'crash', type: 'Crash', message: 'gone' },
] as const;
const VALUES = ['0', '-0.0', '150', '-150', '1e-320', '1.7e308', '150.00000001', '1' + '0'.repeat(400), '0.1', '15000'];

function madeUpRunner(random: Random): SolutionRunner {
  return {
    run(): Promise<RunResult> {
      const common = { engine: 'sandbox', pythonVersion: '3.13', stdoutTruncated: false, ms: 1 } as const;
      const stdout = random.pick(['', 'hello\n', '\u0000'.repeat(99)]);
      if (random.chance(0.5)) {
        const repr = random.pick(VALUES);
        return Promise.resolve({ ...common, stdout, value: { kind: /[.e]/.test(repr) ? 'float' : 'int', repr } });
      }
      // Lines and columns that the text may not have.
      const error = {
        ...random.pick(ERRORS),
        ...(random.chance(0.7) && { line: random.below(9), column: random.below(40) }),
      };
      return Promise.resolve({ ...common, stdout, error });
    },
    dispose: () => Promise.resolve(),
  };
}

function madeUpDocuments(random: Random): DocumentReader {
  const size = () => ({ width: random.pick([612, 595.28, 0.5, 5000]), height: random.pick([792, 841.89, 1, 3]) });
  const pdfs = [
    () => ({ state: 'ok', path: '/d/demo.pdf', pages: Array.from({ length: random.below(5) }, size) }) as const,
    () => ({ state: 'unreadable', path: '/d/demo.pdf', reason: 'encrypted' }) as const,
    () => ({ state: 'missing', looked: ['/d/demo.pdf'] }) as const,
    () => ({ state: 'refused', reason: 'it leads out' }) as const,
  ];
  const images = [
    () => ({ state: 'ok', path: '/d/1.png', width: 1 + random.below(3000), height: 1 + random.below(4000) }) as const,
    () => ({ state: 'missing', looked: random.pick([[], ['/d/1.png']]) }) as const,
    () => ({ state: 'unreadable', path: '/d/1.png', reason: 'no image' }) as const,
  ];
  return {
    read(request): Promise<DocumentFacts> {
      return Promise.resolve({
        name: request.name,
        ...(random.chance(0.8) && { pdf: random.pick(pdfs)() }),
        ...(random.chance(0.6) && {
          images: new Map([...request.images.keys()].map((page) => [page, random.pick(images)()])),
        }),
        ...(random.chance(0.5) && { imageNumbers: random.pick([[], [0, 1, 2], [1, 2], [7]]) }),
      });
    },
    dispose: () => Promise.resolve(),
  };
}
