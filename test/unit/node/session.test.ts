import assert from 'node:assert/strict';
import type { Finding } from '../../../server/src/core/finding.ts';
import type { DocumentReader, RunRequest, RunResult, SolutionRunner } from '../../../server/src/core/ports.ts';
import { settingsFor } from '../../../server/src/core/profile/settings.ts';
import { streamSource } from '../../../server/src/node/files/read.ts';
import { cancelOf, checkSource, isAbort, textSettings } from '../../../server/src/node/session.ts';
import type { SessionServices, SessionSink } from '../../../server/src/node/session.ts';

function record(id: string, change: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    question_id: id,
    question: `What is ${id}?`,
    python_solution: `def solution():\n    return 150 # ${id}`,
    ground_truth: 150,
    paragraphs: ['150 dollars'],
    table_evidence: [],
    paragraph_evidence: [0],
    ...change,
  });
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const RESULT: RunResult = {
  engine: 'sandbox',
  pythonVersion: '3.13.2',
  value: { kind: 'int', repr: '151' },
  stdout: '',
  stdoutTruncated: false,
  ms: 1,
};

function runnerOf(run: (request: RunRequest) => Promise<RunResult>): SolutionRunner {
  return { run, dispose: () => Promise.resolve() };
}

async function session(
  lines: readonly string[],
  services: SessionServices,
  signal?: AbortSignal,
): Promise<{ findings: Finding[]; outcomes: string[]; unavailable: number; records: number; unfit: boolean }> {
  const findings: Finding[] = [];
  const outcomes: string[] = [];
  let unavailable = 0;
  const sink: SessionSink = {
    findings: (found) => void findings.push(...found),
    outcome: (ref, { verdict }) => void outcomes.push(`${ref.id} ${verdict}`),
    unavailable: () => (unavailable += 1),
  };
  const { records, unfit } = await checkSource(
    streamSource(bytesOf(lines.join('\n'))),
    (samples) => Promise.resolve(settingsFor({ filePath: '/data/a.jsonl', samples })),
    services,
    sink,
    signal && cancelOf(signal),
  );
  return { findings, outcomes, unavailable, records, unfit: unfit !== undefined };
}

describe('session over one file', () => {
  it('keeps the order of the file however slow solutions are, and lets a few hundred wait at most', async () => {
    const count = 1500;
    let running = 0;
    let most = 0;
    const pending: (() => void)[] = [];
    const runner = runnerOf(async () => {
      most = Math.max(most, (running += 1));
      // The later ones of a group come first.
      await new Promise<void>((done) => {
        pending.push(done);
        if (pending.length === 1)
          setImmediate(() =>
            pending
              .splice(0)
              .reverse()
              .forEach((next) => next()),
          );
      });
      running -= 1;
      return RESULT;
    });
    const lines = Array.from({ length: count }, (_, i) => record(`r${i}`));
    const { findings, outcomes, records } = await session(lines, { runner });
    assert.equal(records, count);
    assert.deepEqual(
      outcomes,
      lines.map((_, i) => `r${i} mismatch`),
    );
    assert.deepEqual(
      findings.map(({ code, record: ref }) => `${code} ${ref?.index}`),
      lines.map((_, i) => `answer/mismatch ${i}`),
    );
    assert.ok(most > 50 && most < 300, `${most} at the same time`);
  });

  it('tells repeated keys apart in fingerprints, also those of rules across the file', async () => {
    const wrong = record('same', { ground_truth: '150' });
    const { findings } = await session([wrong, record('other'), wrong, record('same', { ground_truth: 1 })], {});
    const prints = findings.map(({ fingerprint }) => fingerprint);
    assert.ok(findings.some(({ code }) => code === 'dataset/duplicate-id'));
    assert.equal(new Set(prints).size, prints.length);
  });

  it('counts records that can be read, and checks around those that cannot', async () => {
    const { findings, records } = await session([record('a'), '{"question": ', record('b'), '[]'], {});
    assert.equal(records, 2);
    assert.deepEqual(
      findings.map(({ code, start }) => `${code} ${start.line}`),
      ['file/invalid-json 1', 'file/invalid-json 3'],
    );
  });

  it('takes solutions as not run where there is no engine', async () => {
    const error = { kind: 'unavailable', type: 'Unavailable', message: 'no engine' } as const;
    const runner = runnerOf(() => Promise.resolve({ ...RESULT, value: undefined, error } as unknown as RunResult));
    const { findings, outcomes, unavailable } = await session([record('a')], { runner });
    assert.deepEqual(findings, []);
    assert.deepEqual(outcomes, ['a skipped']);
    assert.equal(unavailable, 1);
  });

  it('checks nothing where no profile fits', async () => {
    const { findings, unfit, records } = await session(['{"a": 1}', '{"a": 2}'], {});
    assert.deepEqual(findings, []);
    assert.equal(unfit, true);
    assert.equal(records, 2);
  });

  it('ends when it is cancelled', async () => {
    const stop = new AbortController();
    const runner = runnerOf(() => {
      stop.abort();
      return Promise.resolve(RESULT);
    });
    await assert.rejects(session([record('a')], { runner }, stop.signal), isAbort);
  });

  it('passes on that a reader fails, and leaves no rejection unhandled', async () => {
    const documents: DocumentReader = {
      read: () => Promise.reject(new Error('no thread')),
      dispose: () => Promise.resolve(),
    };
    const line = JSON.stringify({
      query: 'What?',
      answer: 'This.',
      doc_name: 'd',
      evidence_page: [1],
      bbox: [[[1, 2, 3, 4]]],
      subimg_tpye: [['text']],
      category: 'cs',
    });
    await assert.rejects(session([line, line], { documents }), /no thread/);
  });

  it('judges bytes and lexemes alone where nothing is known of a file', async () => {
    const findings: Finding[] = [];
    await checkSource(
      streamSource(bytesOf('not a record\n{"a": NaN}\n')),
      () => Promise.resolve(textSettings('/data/a.jsonl', {})),
      {},
      { findings: (found) => void findings.push(...found) },
    );
    assert.deepEqual(
      findings.map(({ code }) => code),
      ['file/invalid-json', 'file/non-finite-number'],
    );
  });
});
