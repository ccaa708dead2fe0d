/** How the records of a file are parted, so that others are written in the same way. */
import type { Kind } from './sound.ts';

export interface BulkLayout {
  readonly kind: Kind;
  /** Before the first record. */
  readonly open: string;
  readonly between: string;
  /** Behind the last record. */
  readonly close: string;
  /** As the whole of a file without records. */
  readonly empty: string;
}

export type LineEnd = '\n' | '\r\n';

/** One record on a line. `ended`: the file ends with a line end. */
export function plainLayout(kind: Kind, end: LineEnd, ended: boolean): BulkLayout {
  const last = ended ? end : '';
  if (kind === 'lines') return { kind, open: '', between: end, close: last, empty: '' };
  return { kind, open: `[${end}`, between: `,${end}`, close: `${end}]${last}`, empty: `[]${last}` };
}

/** The first line end of a text; undefined: it has none. */
export function lineEndIn(text: string): LineEnd | undefined {
  const at = text.indexOf('\n');
  return at < 0 ? undefined : text.charCodeAt(at - 1) === 13 ? '\r\n' : '\n';
}

/** Whether what stands behind the last record has a line end behind everything else. */
export function isEnded(rest: string): boolean {
  return /\n[ \t\r\n]*$/.test(rest);
}
