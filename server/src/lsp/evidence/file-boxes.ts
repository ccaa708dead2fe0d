/** What all boxes of a file tell of their coordinates, counted in the background and kept until the file changes. */
import { setImmediate as turn } from 'node:timers/promises';
import { createFileBoxes } from '../../core/evidence/coordinates.ts';
import type { FileBoxFacts } from '../../core/evidence/coordinates.ts';
import type { Checker } from '../../core/pipeline.ts';
import type { Cancel } from '../../core/ports.ts';
import type { Session } from '../session/session.ts';

interface Known {
  readonly checker: Checker;
  readonly version: number;
  /** Records whose documents were looked at. */
  readonly documents: number;
  readonly facts: FileBoxFacts;
}

const known = new WeakMap<Session, Known>();

/** Others get their turn after so many ms. */
const SLICE_MS = 15;

/** undefined: not wanted any more, or no profile fits the file. Records that were not checked yet are left out. */
export async function fileBoxFacts(session: Session, cancel: Cancel): Promise<FileBoxFacts | undefined> {
  const { checker, version } = session;
  if (checker === undefined) return undefined;
  const rows = session.rows();
  const documents = rows.reduce((count, { document }) => count + Number(document !== undefined), 0);
  const found = known.get(session);
  const isOfText = found?.checker === checker && found.version === version;
  // While documents come in they are not counted anew each time; what is shown is asked for again when all are there.
  if (isOfText && (found.documents === documents || session.busy)) return found.facts;
  const boxes = createFileBoxes();
  let end = performance.now() + SLICE_MS;
  for (const { checked, document } of rows) {
    if (checked?.record !== undefined) boxes.add(checked.record, checker.settings, document);
    if (performance.now() < end) continue;
    await turn();
    if (cancel.aborted || session.version !== version || session.checker !== checker) return undefined;
    end = performance.now() + SLICE_MS;
  }
  const facts = boxes.facts();
  known.set(session, { checker, version, documents, facts });
  return facts;
}
