/** What all boxes of a file tell of their coordinates, counted in the background and kept until the file changes. */
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { createFileBoxes } from '../../core/evidence/coordinates.ts';
import type { FileBoxFacts } from '../../core/evidence/coordinates.ts';
import type { Checker } from '../../core/pipeline.ts';
import { hasBoxes } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

interface Count {
  readonly checker: Checker;
  readonly version: number;
  /** Records whose documents were looked at. */
  readonly documents: number;
  /** undefined: the file has changed meanwhile. */
  readonly counting: Promise<FileBoxFacts | undefined>;
  /** What was found when the file was last counted to the end: one change later it says nearly the same. */
  last: FileBoxFacts | undefined;
}

const counts = new WeakMap<Session, Count>();

/** Others get their turn after so many ms. */
const SLICE_MS = 15;
/** Nobody waits longer for the vote of a large file, in ms: it is there when it is asked for again. */
const PATIENCE_MS = 150;
/** The same where an older vote is at hand: whoever types waits for nothing. */
const LITTLE_PATIENCE_MS = 20;

/**
 * undefined: they are not counted yet, or no profile fits the file. Records that were not checked yet are left out. Of a large file that
 * has just changed, what it told before.
 */
export function fileBoxFacts(session: Session): Promise<FileBoxFacts | undefined> {
  const { checker, version } = session;
  if (checker === undefined) return Promise.resolve(undefined);
  const documents = session.rows().reduce((count, { document }) => count + Number(document !== undefined), 0);
  const known = counts.get(session);
  const isOfSettings = known?.checker === checker;
  // While documents come in they are not counted anew each time; what is shown is asked for again when all are there.
  if (isOfSettings && known.version === version && (known.documents === documents || session.busy)) {
    return inTime(known);
  }
  const last = isOfSettings ? known.last : undefined;
  const counting = countBoxes(session, checker, version);
  const count: Count = { checker, version, documents, counting, last };
  counts.set(session, count);
  void counting.then(
    (facts) => (count.last = facts ?? last),
    () => undefined, // Whoever waits for it is told.
  );
  return inTime(count);
}

async function inTime({ counting, last }: Count): Promise<FileBoxFacts | undefined> {
  const patience = last === undefined ? PATIENCE_MS : LITTLE_PATIENCE_MS;
  return (await Promise.race([counting, pause(patience, undefined, { ref: false })])) ?? last;
}

/** Of a large file a thousand records from all over it vote: each is read from the disk. */
const VOTERS = 1000;

function voters(session: Session): readonly Row[] {
  const rows = session.rows();
  if (session.large === undefined) return rows;
  const own = rows.filter(hasBoxes);
  const step = Math.max(1, own.length / VOTERS);
  return Array.from({ length: Math.min(own.length, VOTERS) }, (_, at) => own[Math.floor(at * step)]!);
}

async function countBoxes(session: Session, checker: Checker, version: number): Promise<FileBoxFacts | undefined> {
  const boxes = createFileBoxes();
  let end = performance.now() + SLICE_MS;
  for (const row of voters(session)) {
    const { large } = session;
    const record = large === undefined ? row.checked?.record : large.passing(() => row.checked?.record);
    if (record !== undefined) boxes.add(record, checker.settings, row.document);
    if (performance.now() < end) continue;
    await turn();
    if (session.version !== version || session.checker !== checker) return undefined;
    end = performance.now() + SLICE_MS;
  }
  return boxes.facts();
}
