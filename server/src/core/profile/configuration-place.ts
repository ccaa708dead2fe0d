import { findNodeAtLocation, type Node } from 'jsonc-parser';
import type { Position, Span } from '../finding.ts';
import { parsePointer } from '../text/pointer.ts';
import type { ConfigurationCode } from '../rules/config.ts';

/** A fault of `auditable-qa.json` on its exact place. */
export interface ConfigurationFault {
  readonly code: ConfigurationCode;
  readonly message: string;
  readonly pointer: string;
  /** UTF-16 offsets in the configuration's text. */
  readonly span: Span;
  /** The same place, 0-based. */
  readonly start: Position;
  readonly end: Position;
  /** The value or key found, as text. */
  readonly found?: string;
  /** Pointer of the object to which the key at `pointer` can be moved. */
  readonly target?: string;
}

export type ReportFault = (fault: {
  readonly code: ConfigurationCode;
  readonly pointer: string;
  readonly message: string;
  /** The fault is on the key of `pointer` and not on its value. */
  readonly onKey?: boolean;
  readonly found?: string;
  readonly target?: string;
}) => void;

/** Offsets of the value at a pointer, or of its key. Where nothing stands there: of what encloses it, down to one character. */
export function spanOf(root: Node | undefined, pointer: string, onKey: boolean): Span {
  if (!root) return { start: 0, end: 0 };
  const path: (string | number)[] = [];
  let node = root;
  for (const key of parsePointer(pointer)) {
    path.push(node.type === 'array' ? Number(key) : key);
    const inner = findNodeAtLocation(root, path);
    if (!inner) return { start: node.offset, end: node.offset + 1 };
    node = inner;
  }
  const place = onKey ? (node.parent?.children?.[0] ?? node) : node;
  return { start: place.offset, end: place.offset + place.length };
}

/** Turns an offset into line and column; lines end at LF or CRLF. */
export function positionAt(text: string, offset: number): Position {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  let line = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) line++;
  return { line, column: offset - start };
}
