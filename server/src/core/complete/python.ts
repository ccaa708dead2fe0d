/** Where in a solution somebody writes, and which names may stand there. */
import { mentionsOf } from '../solution/scopes.ts';
import { parsePython } from '../solution/tree.ts';

export type PythonPlace =
  /** The name of a module behind `import` or `from`. */
  | { readonly kind: 'module'; readonly start: number; readonly prefix: string }
  | {
      readonly kind: 'expression';
      /** Offset in the solution's text at which the word or number begins that is being written. */
      readonly start: number;
      readonly prefix: string;
      readonly isNumber: boolean;
      /** A statement begins here: a name that is to be assigned, or a keyword. */
      readonly isStart: boolean;
      /** What the expression is assigned to. */
      readonly target: string | undefined;
    };

/** undefined: inside of a comment or text, behind a point, or where a new name is made up. */
export function pythonPlace(source: string, at: number): PythonPlace | undefined {
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  const before = source.slice(lineStart, at);
  if (isOutOfCode(source, at, before)) return undefined;
  const module = /^\s*(?:from|import)\s+([\w.]*)$/.exec(before);
  if (module !== null) return { kind: 'module', start: at - module[1]!.length, prefix: module[1]! };
  if (/^\s*(?:from|import|def|class|for)\s[^=:(]*$/.test(before) && !/\bin\b/.test(before)) return undefined;
  const target = /^\s*([A-Za-z_]\w*)\s*(?::[^=]*)?(?:[-+*/%]|\*\*|\/\/)?=(?!=)/.exec(before)?.[1];
  const number = /(?<![\w.])\d[\d_]*(?:,\d+)*\.?\d*$/.exec(before);
  if (number !== null) {
    const [prefix] = number;
    return { kind: 'expression', start: at - prefix.length, prefix, isNumber: true, isStart: false, target };
  }
  if (/\.\s*\w*$/.test(before)) return undefined;
  const prefix = /[A-Za-z_]\w*$/.exec(before)?.[0] ?? '';
  const isStart = before.slice(0, before.length - prefix.length).trim() === '';
  return { kind: 'expression', start: at - prefix.length, prefix, isNumber: false, isStart, target };
}

function isOutOfCode(source: string, at: number, before: string): boolean {
  const node = parsePython(source).resolveInner(at, -1);
  if (node.name === 'Comment') return true;
  const isText = node.name === 'String' || node.name === 'FormatString' || node.name === 'Escape';
  // Right behind the closing mark code goes on.
  if (isText && (at < node.to || !/['"]$/.test(before))) return true;
  return /^[^'"]*#/.test(before);
}

export interface KnownName {
  readonly name: string;
  /** What it is assigned last before the place, as it is written, on one line. */
  readonly written: string | undefined;
}

/** Names that have a value at an offset, those of the function first, the latest first. */
export function namesBefore(source: string, at: number): readonly KnownName[] {
  const mentions = mentionsOf(source);
  // The scope that the place is in is that of the nearest name before it.
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  const scope = mentions.findLast(({ span }) => span.end < at)?.scope ?? 0;
  const found = new Map<string, KnownName & { readonly isOwn: boolean }>();
  for (const mention of mentions) {
    const { name, span, isBinding, holdsFrom } = mention;
    if (!isBinding || holdsFrom > at || (span.start <= at && at <= span.end)) continue;
    // What is being assigned here has no value yet, whatever else the broken text looks like.
    if (span.start >= lineStart && /^\s*(?::[^=]*)?=(?!=)/.test(source.slice(span.end, at))) continue;
    const isOwn = mention.owner === scope;
    if (!isOwn && mention.owner > scope) continue;
    found.delete(name);
    found.set(name, { name, isOwn, written: writtenValue(source, span.end) });
  }
  return [...found.values()].reverse().sort((one, other) => Number(other.isOwn) - Number(one.isOwn));
}

function writtenValue(source: string, end: number): string | undefined {
  const found = source.indexOf('\n', end);
  const rest = source.slice(end, found < 0 ? source.length : found);
  return /^\s*=(?!=)\s*(.*?)\s*$/.exec(rest)?.[1];
}

/** Few on purpose: what solutions are made of. */
export const STATEMENT_WORDS = ['return', 'for', 'if', 'elif', 'else', 'while', 'import', 'from', 'def'] as const;
export const EXPRESSION_WORDS = ['and', 'or', 'not', 'in', 'if', 'else', 'None', 'True', 'False'] as const;
export const FUNCTIONS = [
  'abs',
  'enumerate',
  'float',
  'int',
  'len',
  'max',
  'min',
  'range',
  'round',
  'sorted',
  'sum',
  'zip',
] as const;
