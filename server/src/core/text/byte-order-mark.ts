import type { FileFault } from './types.ts';

/** A byte order mark inside the file, at a 0-based line and column. */
export function markFault(line: number, column: number): FileFault {
  const where = line === 0 && column === 0 ? 'at the start of the file' : `in line ${line + 1}`;
  return {
    code: 'file/byte-order-mark',
    message:
      `Found a byte order mark (U+FEFF) ${where}, expected none. Windows programs write it${line === 0 ? '' : ', and joined files keep it'}; ` +
      'some readers fail there or lose the first record. Save as UTF-8 without it.',
    line,
    startColumn: column,
    endColumn: line === 0 && column === 0 ? 0 : column + 1,
    found: 'U+FEFF',
    repair: { kind: 'byteOrderMark', line, column },
  };
}
