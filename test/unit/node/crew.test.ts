import assert from 'node:assert/strict';
import type { DocumentReader, SolutionRunner } from '../../../server/src/core/ports.ts';
import { settingsFor } from '../../../server/src/core/profile/settings.ts';
import { createCrew, MemberLost } from '../../../server/src/node/jobs/crew.ts';
import { DOCMATH } from '../profile/records.ts';
import type { Crew } from '../../../server/src/node/jobs/crew.ts';

const RUNNER: SolutionRunner = {
  run: () => Promise.reject(new Error('nothing is run here')),
  dispose: () => Promise.resolve(),
};

const DOCUMENTS: DocumentReader = {
  read: () => Promise.reject(new Error('nothing is read here')),
  dispose: () => Promise.resolve(),
};

function crewOf(script: string): Crew {
  const entry = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  return createCrew({
    entry,
    pdfWorker: new URL('data:text/javascript,'),
    jobs: 2,
    runner: RUNNER,
    documents: DOCUMENTS,
  });
}

async function checkOn(crew: Crew): Promise<unknown> {
  const settings = settingsFor({ filePath: '/data/a.jsonl', samples: [DOCMATH] });
  assert.ok('profile' in settings);
  const file = crew.open({ settings, runs: false, looks: false, probe: false, inDataset: false });
  try {
    return await file.check([{ index: 0, line: 0, column: 0, offset: 0, text: '{}' }], true);
  } finally {
    await crew.dispose();
  }
}

describe('threads that check records', () => {
  it('are missed where they end, with what they were given', async () => {
    await assert.rejects(checkOn(crewOf('process.exit(3)')), (error) => {
      assert.ok(error instanceof MemberLost);
      assert.match(error.message, /code 3/);
      return true;
    });
  });

  it('are missed where they fail, with the reason', async () => {
    await assert.rejects(checkOn(crewOf('throw new Error("no room")')), /no room/);
  });
});
