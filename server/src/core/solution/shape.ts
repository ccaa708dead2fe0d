/** The outward shape of a solution: what it defines, what can be folded, what encloses a place. */
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common';
import { parsePython } from './tree.ts';
import type { Span } from '../finding.ts';

/** A function, class or variable of a solution. */
export interface SolutionSymbol {
  readonly name: string;
  readonly kind: 'function' | 'class' | 'variable';
  /** The whole statement. */
  readonly span: Span;
  readonly nameSpan: Span;
  /** What a variable is assigned, as it is written. */
  readonly value?: string;
  readonly children: SolutionSymbol[];
}

/** A part that can be folded away. */
export interface SolutionFold {
  readonly span: Span;
  readonly kind?: 'comment' | 'imports';
  /** The last line stays in sight: it closes what the first one opens. */
  readonly closes: boolean;
}

/** In UTF-16 units; longer texts are no solutions that anybody wrote. */
const LONGEST = 200_000;
/** An assigned value is shown up to so many UTF-16 units. */
const VALUE = 80;
/** Spans around one place. */
const ENCLOSING = 200;

/** Functions and classes with what they define; of a variable its first assignment in each of them. Never throws. */
export function solutionSymbols(source: string): readonly SolutionSymbol[] {
  const all: SolutionSymbol[] = [];
  if (source.length > LONGEST) return all;
  const open: { readonly children: SolutionSymbol[]; readonly seen: Set<string> }[] = [
    { children: all, seen: new Set() },
  ];
  parsePython(source).iterate({
    enter(ref) {
      const { children, seen } = open.at(-1)!;
      if (isDefinition(ref)) {
        const symbol = definitionSymbol(ref.node, source);
        if (symbol !== undefined) children.push(symbol);
        open.push({ children: symbol?.children ?? [], seen: new Set() });
        return;
      }
      if (ref.name !== 'AssignStatement') return;
      for (const symbol of assignedSymbols(ref.node, source)) {
        if (seen.has(symbol.name)) continue;
        seen.add(symbol.name);
        children.push(symbol);
      }
    },
    leave(ref) {
      if (isDefinition(ref)) open.pop();
    },
  });
  return all;
}

function isDefinition({ name }: SyntaxNodeRef): boolean {
  return name === 'FunctionDefinition' || name === 'ClassDefinition';
}

function definitionSymbol(node: SyntaxNode, source: string): SolutionSymbol | undefined {
  const name = node.getChild('VariableName');
  if (name === null) return undefined;
  return {
    name: source.slice(name.from, name.to),
    kind: node.name === 'ClassDefinition' ? 'class' : 'function',
    span: trimmed(source, node),
    nameSpan: { start: name.from, end: name.to },
    children: [],
  };
}

function assignedSymbols(statement: SyntaxNode, source: string): SolutionSymbol[] {
  const targets: SyntaxNode[] = [];
  let waiting: SyntaxNode[] = [];
  let value: SyntaxNode | null = null;
  for (let child = statement.firstChild; child; child = child.nextSibling) {
    if (child.name !== 'AssignOp') {
      if (child.name === 'VariableName') waiting.push(child);
      else if (child.name === 'TupleExpression') waiting.push(...child.getChildren('VariableName'));
      continue;
    }
    targets.push(...waiting);
    waiting = [];
    value = child.nextSibling;
  }
  const assigned = value === null ? '' : source.slice(value.from, statement.to).trim();
  return targets.map((target) => ({
    name: source.slice(target.from, target.to),
    kind: 'variable',
    span: trimmed(source, statement),
    nameSpan: { start: target.from, end: target.to },
    value: assigned.length > VALUE ? `${assigned.slice(0, VALUE - 1)}…` : assigned,
    children: [],
  }));
}

const BRACKETED: ReadonlySet<string> = new Set([
  'ArgList',
  'ParamList',
  'ParenthesizedExpression',
  'TupleExpression',
  'ArrayExpression',
  'ArrayComprehensionExpression',
  'DictionaryExpression',
  'DictionaryComprehensionExpression',
  'SetExpression',
  'SetComprehensionExpression',
  'ImportStatement',
]);

/** Blocks, brackets and texts over several lines, runs of comment lines and of imports. Never throws. */
export function solutionFolds(source: string): readonly SolutionFold[] {
  if (source.length > LONGEST) return [];
  const folds: SolutionFold[] = [];
  const add = (span: Span, closes: boolean, kind?: SolutionFold['kind']): void => {
    if (source.slice(span.start, span.end).includes('\n')) folds.push({ span, closes, ...(kind && { kind }) });
  };
  /** Comments or imports on lines that follow each other. */
  let run: { readonly kind: 'comment' | 'imports'; readonly start: number; end: number } | undefined;
  const endRun = (): void => {
    if (run !== undefined) add({ start: run.start, end: run.end }, false, run.kind);
    run = undefined;
  };
  const extendRun = (kind: 'comment' | 'imports', { from, to }: SyntaxNodeRef): void => {
    if (run?.kind === kind && source.slice(run.end, from).trim() === '') run.end = to;
    else {
      endRun();
      run = { kind, start: from, end: to };
    }
  };
  parsePython(source).iterate({
    enter(ref) {
      const span = trimmed(source, ref);
      if (ref.name === 'Comment') {
        if (startsLine(source, ref.from)) extendRun('comment', ref);
      } else if (ref.name === 'ImportStatement') extendRun('imports', ref);
      if (ref.name === 'Body') add(span, false);
      else if (BRACKETED.has(ref.name)) add(span, true);
      else if (ref.name === 'String' || ref.name === 'FormatString') add(span, false);
    },
  });
  endRun();
  return folds;
}

function startsLine(source: string, at: number): boolean {
  return source.slice(source.lastIndexOf('\n', at - 1) + 1, at).trim() === '';
}

/** What encloses an offset, from the word or sign at it to the whole solution; each span holds the one before. */
export function enclosingInSolution(source: string, offset: number): readonly Span[] {
  if (source.length > LONGEST) return [];
  const tree = parsePython(source);
  const behind = tree.resolveInner(offset, 1);
  const inner = behind.from === offset || behind.from < offset ? behind : tree.resolveInner(offset, -1);
  // Between a word and a blank the word is meant.
  const before = tree.resolveInner(offset, -1);
  const first = inner.to - inner.from > before.to - before.from ? before : inner;
  const spans: Span[] = [];
  for (let node: SyntaxNode | null = first; node && spans.length < ENCLOSING; node = node.parent) {
    const span = trimmed(source, node);
    const last = spans.at(-1);
    if (node.type.isError || node.name === 'Body' || span.start > offset || span.end < offset) continue;
    if (last === undefined || span.end - span.start > last.end - last.start) spans.push(span);
  }
  return spans;
}

/** Statements that end with a block end with the line end behind it. */
function trimmed(source: string, { from, to }: { readonly from: number; readonly to: number }): Span {
  let end = to;
  while (end > from && /\s/.test(source.charAt(end - 1))) end--;
  return { start: from, end };
}
