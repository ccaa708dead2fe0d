import type { FileFault } from './types.ts';

export interface LineEndWatch {
  push(chunk: string): void;
  /** One fault where both LF and CRLF end lines, at the first line that ends otherwise than the first one. */
  end(): FileFault | undefined;
}

/** Watches for mixed line ends while a file streams by, and counts them: the rarer kind is the one to be changed. */
export function createLineEndWatch(): LineEndWatch {
  let first: 'LF' | 'CRLF' | undefined;
  let line = 0;
  let column = 0;
  let endsWithReturn = false;
  let fault: FileFault | undefined;
  const counts = { LF: 0, CRLF: 0 };

  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1)) {
        const isReturn = at === 0 ? endsWithReturn : chunk.charCodeAt(at - 1) === 13;
        const kind = isReturn ? 'CRLF' : 'LF';
        first ??= kind;
        counts[kind]++;
        if (kind !== first) fault ??= mixed(first, kind, line, Math.max(0, column + at - start - (isReturn ? 1 : 0)));
        line++;
        column = 0;
        start = at + 1;
      }
      column += chunk.length - start;
      if (chunk.length > 0) endsWithReturn = chunk.charCodeAt(chunk.length - 1) === 13;
    },
    end: () => fault && { ...fault, repair: { kind: 'lineEnds', end: counts.CRLF > counts.LF ? '\r\n' : '\n' } },
  };
}

function mixed(first: string, other: string, line: number, length: number): FileFault {
  return {
    code: 'file/mixed-line-endings',
    message:
      `Found both ${first} and ${other} as line ends, expected one kind: line 1 ends in ${first}, line ${line + 1} in ${other}. ` +
      'Readers accept it, but the next program that saves the file changes lines that nobody edited.',
    line,
    startColumn: Math.max(0, length - 1),
    endColumn: length,
    found: `${first} ${other}`,
  };
}
