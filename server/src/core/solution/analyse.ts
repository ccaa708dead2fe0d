/** What is wrong with a solution that can be seen without running it. */
import type { SyntaxNode, Tree } from '@lezer/common';
import { findEntryPoint } from './entry-point.ts';
import { findImports } from './imports.ts';
import { parsePython } from './tree.ts';
import type { StaticFault, StaticSolution } from './types.ts';

export interface SolutionExpectations {
  /** Name of the function that is called without arguments. */
  readonly entryPoint: string;
  /** Modules, with all that lies below them, that a solution may import. */
  readonly allowedImports: readonly string[];
  /** Whether the engine may have numpy and its like; the built-in one has not. */
  readonly hasPackages?: boolean;
}

/**
 * Never throws, whatever the text. Where the text is not Python, what depends on its structure is left to CPython's own
 * message. Blank text has no fault and is not runnable.
 */
export function analyseSolution(source: string, expected: SolutionExpectations): StaticSolution {
  if (source.trim() === '') return { source, faults: [], runnable: false };
  const tree = parsePython(source);
  const wrapping = findFence(source, tree) ?? findDoubleEscapes(source, tree);
  // Inside a fence, or on a single line, nothing else can be told.
  if (wrapping) return { source, faults: [wrapping], runnable: false };
  const { faults, broken } = findImports(source, tree, expected.allowedImports, expected.hasPackages === true);
  const entry = broken ? undefined : findEntryPoint(source, tree, expected.entryPoint);
  if (entry) faults.push(entry);
  return { source, faults, runnable: faults.length === 0 };
}

const inText = (node: SyntaxNode): boolean => {
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === 'String' || at.name === 'FormatString' || at.name === 'ContinuedString') return true;
  }
  return false;
};

/** Backticks start no Python line; tildes could, but not as the first line and alone or with the language's name. */
const FENCE = /^[ \t]*```[^\n\r]*|^\s*~~~[ \t]*(?:python\d?|py)?[ \t]*(?=\r|\n)/gim;

function findFence(source: string, tree: Tree): StaticFault | undefined {
  if (!source.includes('```') && !source.includes('~~~')) return undefined;
  for (const match of source.matchAll(FENCE)) {
    const found = match[0].trim();
    const start = match.index + match[0].indexOf(found);
    if (found.startsWith('~') && source.slice(0, match.index).trim() !== '') continue;
    if (inText(tree.resolveInner(start, 1))) continue;
    const message =
      `A Markdown fence (${found.slice(0, 20)}) stands around or inside the code; a solution is bare Python. ` +
      'Remove the fence lines and whatever text stands outside them.';
    return { kind: 'code-fence', message, start, end: start + found.length, found: found.slice(0, 20) };
  }
  return undefined;
}

/** In code of several lines: outside of texts, comments and what an unclosed quotation mark may make of the rest. */
function breaksCode(source: string, tree: Tree, at: number): boolean {
  const node = tree.resolveInner(at, 1);
  if (inText(node) || node.name === 'Comment') return false;
  const before = source.slice(Math.max(source.lastIndexOf('\n', at), source.lastIndexOf('\r', at)) + 1, at);
  return !before.includes('#') && !/^[^'"]*(['"])(?:(?!\1).)*$/.test(before);
}

function findDoubleEscapes(source: string, tree: Tree): StaticFault | undefined {
  if (!source.includes('\\n')) return undefined;
  const isOneLine = !/[\n\r]/.test(source.trim());
  let first: number | undefined;
  let count = 0;
  for (let at = source.indexOf('\\n'); at >= 0; at = source.indexOf('\\n', at + 2)) {
    const isCode = isOneLine ? !inText(tree.resolveInner(at, 1)) : breaksCode(source, tree, at);
    if (isOneLine || isCode) count++;
    if (isCode) first ??= at;
  }
  if (first === undefined) return undefined;
  const message =
    `The code ${isOneLine ? 'is one line that' : 'has lines of its own, yet'} holds "\\n" as two characters (a backslash and an n), ${count === 1 ? 'once' : `${count} times`}, ` +
    'where line breaks belong: it was escaped twice. Write a real line break for each; in JSON that is \\n, not \\\\n.';
  return { kind: 'double-escaped', message, start: first, end: first + 2, found: '\\n' };
}
