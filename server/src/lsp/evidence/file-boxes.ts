/** What all boxes of a file tell of their coordinates, counted in the background and kept until the file changes. */
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { createFileBoxes } from '../../core/evidence/coordinates.ts';
import type { FileBoxFacts } from '../../core/evidence/coordinates.ts';
import type { Checker } from '../../core/pipeline.ts';
import type { Session } from '../session/session.ts';

interface Count {
  readonly checker: Checker;
  readonly version: number;
  /** Records whose documents were looked at. */
  readonly documents: number;
  /** undefined: the file has changed meanwhile. */
  readonly counting: Promise<FileBoxFacts | undefined>;
}

const counts = new WeakMap<Session, Count>();

/** Others get their turn after so many ms. */
const SLICE_MS = 15;
/** Nobody waits longer for the vote of a large file, in ms: it is there when it is asked for again. */
const PATIENCE_MS = 150;

/** undefined: they are not counted yet, or no profile fits the file. Records that were not checked yet are left out. */
export function fileBoxFacts(session: Session): Promise<FileBoxFacts | undefined> {
  const { checker, version } = session;
  if (checker === undefined) return Promise.resolve(undefined);
  const documents = session.rows().reduce((count, { document }) => count + Number(document !== undefined), 0);
  const known = counts.get(session);
  const isOfText = known?.checker === checker && known.version === version;
  // While documents come in they are not counted anew each time; what is shown is asked for again when all are there.
  if (isOfText && (known.documents === documents || session.busy)) return inTime(known.counting);
  const counting = countBoxes(session, checker, version);
  counts.set(session, { checker, version, documents, counting });
  return inTime(counting);
}

function inTime<T>(work: Promise<T | undefined>): Promise<T | undefined> {
  return Promise.race([work, pause(PATIENCE_MS, undefined, { ref: false })]);
}

async function countBoxes(session: Session, checker: Checker, version: number): Promise<FileBoxFacts | undefined> {
  const boxes = createFileBoxes();
  let end = performance.now() + SLICE_MS;
  for (const { checked, document } of session.rows()) {
    if (checked?.record !== undefined) boxes.add(checked.record, checker.settings, document);
    if (performance.now() < end) continue;
    await turn();
    if (session.version !== version || session.checker !== checker) return undefined;
    end = performance.now() + SLICE_MS;
  }
  return boxes.facts();
}
