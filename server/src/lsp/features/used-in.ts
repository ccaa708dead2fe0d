/** What the records of each file use, counted a few at a time: nobody waits for a whole file. */
import { createUsedValues } from '../../core/complete/used.ts';
import type { UsedValues } from '../../core/complete/used.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

export interface UsedIn {
  /** Whether all records of the file are counted; where not, it goes on by itself. */
  update(file: Session): boolean;
  of(file: Session): UsedValues<Row>;
}

/** Counting is done in slices of so many ms, so that requests get their turn. */
const SLICE_MS = 10;

const OF_LARGE = 500;

export function createUsedIn(): UsedIn {
  const known = new WeakMap<Session, UsedValues<Row>>();
  const running = new WeakSet<Session>();

  function of(file: Session): UsedValues<Row> {
    let used = known.get(file);
    if (used === undefined) known.set(file, (used = createUsedValues()));
    return used;
  }

  function update(file: Session): boolean {
    const end = performance.now() + SLICE_MS;
    let isLate = false;
    // What was not checked yet counts once it is; there is no use in waiting for that here.
    const whole = of(file).update(
      // Of a large file the first records tell: each is read from the disk.
      file.large === undefined ? file.rows() : file.rows().slice(0, OF_LARGE),
      ({ checked }) => (checked === undefined ? undefined : (checked.parsed.value ?? null)),
      () => (isLate = performance.now() > end),
    );
    if (isLate && !running.has(file)) {
      running.add(file);
      setImmediate(() => {
        running.delete(file);
        update(file);
      });
    }
    return whole;
  }

  return { update, of };
}
