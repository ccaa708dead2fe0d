import type { FileFault } from './types.ts';

/** A place in a file: absolute offset, 0-based line, and absolute offset of the line's start. */
export interface Mark {
  readonly offset: number;
  readonly line: number;
  readonly lineStart: number;
}

export interface FaultList {
  /** Reports a break of the grammar of the document; `kind` is one of a few words. */
  report(this: void, kind: string, place: Mark, size: number, message: string): void;
  add(fault: FileFault): void;
  end(): FileFault[];
}

/** Faults of one kind that are reported one by one; one more tells the number of the others. */
const MAX_ALIKE = 20;

export function createFaultList(): FaultList {
  const faults: FileFault[] = [];
  const alike = new Map<string, { count: number; last: FileFault }>();

  return {
    report(kind, place, size, message) {
      const startColumn = Math.max(0, place.offset - place.lineStart);
      const fault: FileFault = {
        code: 'file/invalid-json',
        message: `Not valid JSON at line ${place.line + 1}, column ${startColumn + 1}: ${message}`,
        line: place.line,
        startColumn,
        endColumn: startColumn + size,
        found: kind,
      };
      const count = (alike.get(kind)?.count ?? 0) + 1;
      alike.set(kind, { count, last: fault });
      if (count <= MAX_ALIKE) faults.push(fault);
    },
    add(fault) {
      faults.push(fault);
    },
    end() {
      for (const { count, last } of alike.values()) {
        if (count <= MAX_ALIKE) continue;
        const message = `${last.message} There are ${count - MAX_ALIKE - 1} more of this kind before it.`;
        faults.push({ ...last, message });
      }
      return faults;
    },
  };
}
