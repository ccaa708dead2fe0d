import type { SyntaxNode } from '@lezer/common';
import type { Span } from '../finding.ts';
import { parsePython } from '../solution/tree.ts';
import type { StaticSolution } from '../solution/types.ts';

/** A numeric literal of a solution, with the minus in front of it. */
export interface Literal {
  readonly value: number;
  /** As it is spelled: `-1_000`. */
  readonly text: string;
  /** Offsets in the solution's text. */
  readonly span: Span;
  /** The variable it is assigned to, also as a part of what is assigned. */
  readonly name?: string;
  /** Whether the variable is assigned this number and nothing else. */
  readonly isWholeValue: boolean;
  /** What it does in its expression: constants divide, multiply and raise; figures add up. */
  readonly use: 'figure' | 'divisor' | 'factor' | 'exponent' | 'argument' | 'index';
}

/** An expression as far as it is arithmetic; variables are followed to what they were assigned. */
export type Expression =
  | { readonly kind: 'literal'; readonly literal: number }
  | { readonly kind: 'variable'; readonly name: string; readonly value: Expression; readonly span: Span }
  | { readonly kind: 'sign'; readonly of: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
      readonly span: Span;
    }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Expression[] }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'unknown' };

/** An assignment to one name. */
export interface Assignment {
  readonly name: string;
  /** Offsets of the name. */
  readonly span: Span;
  readonly value: Expression;
  /** Whether the name's value is read anywhere after it, before the name is assigned again in the same straight run. */
  readonly isRead: boolean;
}

/** What a solution's text tells of its numbers. */
export interface Program {
  readonly literals: readonly Literal[];
  /** What the function returns; undefined where that takes more than straight-line code to tell. */
  readonly result: Expression | undefined;
  readonly assignments: readonly Assignment[];
  /** Names and attributes that the solution mentions, for the words in them. */
  readonly names: readonly string[];
}

const programs = new WeakMap<StaticSolution, Program>();

/** Memoised by the static solution. */
export function programOf(solution: StaticSolution, entryPoint: string): Program {
  let program = programs.get(solution);
  if (program === undefined) {
    program = readProgram(solution.source, entryPoint);
    programs.set(solution, program);
  }
  return program;
}

/** In UTF-16 units; the longest real solution has 1,391. */
const LONGEST = 20_000;
/** Levels of an expression that are followed. */
const DEPTH = 200;

const UNKNOWN: Expression = { kind: 'unknown' };
/** Names through which a value can be read without being mentioned. */
const HIDDEN_READERS: ReadonlySet<string> = new Set(['locals', 'globals', 'vars', 'eval', 'exec', 'dir']);

/**
 * @param entryPoint name of the function that gives the result; undefined: the text is an expression. Never throws, whatever
 * the text.
 */
export function readProgram(source: string, entryPoint: string | undefined): Program {
  if (source.length > LONGEST) return { literals: [], result: undefined, assignments: [], names: [] };
  const tree = parsePython(source);
  const literals: Literal[] = [];
  const byStart = new Map<number, number>();
  const names = new Set<string>();
  tree.iterate({
    enter(ref) {
      if (ref.name === 'Number') {
        const literal = readLiteral(ref.node, source);
        if (literal === undefined) return;
        byStart.set(ref.from, literals.length);
        literals.push(literal);
      } else if (ref.name === 'VariableName' || ref.name === 'PropertyName') {
        names.add(source.slice(ref.from, ref.to));
      }
    },
  });
  const reader = createReader(source, byStart);
  const result = reader.run(tree.topNode, entryPoint);
  const isHidden = [...HIDDEN_READERS].some((name) => names.has(name));
  return { literals, result, assignments: isHidden ? [] : reader.assignments(), names: [...names] };
}

const PYTHON_NUMBER = /^(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?[\d_]+)?$|^0[xob][\da-f_]+$/i;

function readLiteral(node: SyntaxNode, source: string): Literal | undefined {
  const digits = source.slice(node.from, node.to);
  // Complex numbers are none that evidence could hold.
  if (!PYTHON_NUMBER.test(digits)) return undefined;
  const magnitude = Number(digits.replaceAll('_', ''));
  if (!Number.isFinite(magnitude)) return undefined;
  const sign = node.parent?.name === 'UnaryExpression' ? source.slice(node.parent.from, node.parent.from + 1) : '';
  const isNegative = sign === '-';
  const whole = isNegative ? node.parent! : node;
  const outer = unwrapped(whole);
  const assigned = assignedName(node, source);
  const parent = outer.parent;
  const isWholeValue = parent?.name === 'AssignStatement';
  return {
    value: isNegative ? -magnitude : magnitude,
    text: source.slice(whole.from, whole.to),
    span: { start: whole.from, end: whole.to },
    ...(assigned !== undefined && { name: assigned }),
    isWholeValue,
    use: useOf(outer, source),
  };
}

/** The node with the brackets around it. */
function unwrapped(node: SyntaxNode): SyntaxNode {
  let at = node;
  while (at.parent?.name === 'ParenthesizedExpression') at = at.parent;
  return at;
}

function useOf(node: SyntaxNode, source: string): Literal['use'] {
  const parent = node.parent;
  if (parent?.name === 'BinaryExpression') {
    const operator = parent.getChild('ArithOp');
    const sign = operator === null ? '' : source.slice(operator.from, operator.to);
    const isRight = operator !== null && node.from > operator.from;
    if (sign === '**') return isRight ? 'exponent' : 'figure';
    if (sign === '/' || sign === '//' || sign === '%') return isRight ? 'divisor' : 'figure';
    if (sign === '*') return 'factor';
    return 'figure';
  }
  if (parent?.name === 'ArgList') return 'argument';
  if (parent?.name === 'MemberExpression') return 'index';
  return 'figure';
}

/** The variable of the assignment that the node stands in. */
function assignedName(node: SyntaxNode, source: string): string | undefined {
  let levels = 0;
  for (let at: SyntaxNode | null = node.parent; at && levels < DEPTH; at = at.parent, levels++) {
    if (at.name === 'DictionaryExpression') {
      const key = keyBefore(node, at);
      if (key !== undefined) return source.slice(key.from, key.to).replace(/^['"]+|['"]+$/g, '');
    }
    if (at.name === 'Body' || at.name === 'Script') return undefined;
    if (at.name !== 'AssignStatement') continue;
    return targetFor(node, at, source);
  }
  return undefined;
}

/** The text key in front of a value of a dictionary. */
function keyBefore(node: SyntaxNode, dictionary: SyntaxNode): SyntaxNode | undefined {
  let key: SyntaxNode | undefined;
  for (let child = dictionary.firstChild; child && child.from <= node.from; child = child.nextSibling) {
    if (child.name === 'String' && child.to <= node.from) key = child;
  }
  return key;
}

/** In `a, b = 1, 2` the name at the value's own position; else the first name. */
function targetFor(node: SyntaxNode, statement: SyntaxNode, source: string): string | undefined {
  const targets: SyntaxNode[] = [];
  const values: SyntaxNode[] = [];
  let isValue = false;
  for (let child = statement.firstChild; child; child = child.nextSibling) {
    if (child.name === 'AssignOp') isValue = true;
    else if (child.name !== ',' && child.name !== 'TypeDef') (isValue ? values : targets).push(child);
  }
  const position = values.findIndex(({ from, to }) => from <= node.from && node.to <= to);
  const target = targets.length === values.length ? targets[position] : targets[0];
  return target?.name === 'VariableName' ? source.slice(target.from, target.to) : undefined;
}

interface Written {
  readonly name: string;
  readonly span: Span;
  readonly value: Expression;
  /** Position in straight-line order, or undefined where control flow makes the order uncertain. */
  readonly body: SyntaxNode | null;
  readonly end: number;
}

/** Follows straight-line code. Anything else makes the names it assigns unknown. */
function createReader(source: string, byStart: ReadonlyMap<number, number>) {
  const text = (node: SyntaxNode): string => source.slice(node.from, node.to);
  const values = new Map<string, Expression>();
  const written: Written[] = [];
  const reads: { readonly name: string; readonly at: number }[] = [];

  function run(script: SyntaxNode, entryPoint: string | undefined): Expression | undefined {
    collectReads(script);
    if (entryPoint === undefined) {
      const only = script.firstChild;
      return only?.name === 'ExpressionStatement' && only.firstChild !== null && only.nextSibling === null
        ? expression(only.firstChild)
        : undefined;
    }
    let result: Expression | undefined;
    for (let node = script.firstChild; node; node = node.nextSibling) {
      if (node.name === 'FunctionDefinition' && text(node.getChild('VariableName') ?? node) === entryPoint) {
        const body = node.getChild('Body');
        result = body === null ? undefined : block(body);
      } else if (node.name === 'AssignStatement' && text(node.firstChild!) === entryPoint) {
        const lambda = node.getChild('LambdaExpression');
        const body = lambda?.lastChild;
        result = body ? expression(body) : undefined;
      } else {
        statement(node);
      }
    }
    return result;
  }

  /** The value that a function's body returns, where every way through it is one straight line. */
  function block(body: SyntaxNode): Expression | undefined {
    for (let node = body.firstChild; node; node = node.nextSibling) {
      if (node.name === 'ReturnStatement') {
        const value = node.firstChild?.nextSibling;
        return value && value.nextSibling === null ? expression(value) : undefined;
      }
      if (node.name === 'StatementGroup') {
        const inner = node.getChild('ReturnStatement');
        for (let child = node.firstChild; child; child = child.nextSibling) statement(child);
        if (inner) {
          const value = inner.firstChild?.nextSibling;
          return value ? expression(value) : undefined;
        }
        continue;
      }
      if (!statement(node) && containsReturn(node)) return undefined;
    }
    return undefined;
  }

  /** Whether the statement was followed. */
  function statement(node: SyntaxNode): boolean {
    switch (node.name) {
      case 'AssignStatement':
        assign(node);
        return true;
      case 'UpdateStatement':
        update(node);
        return true;
      case 'ExpressionStatement':
      case 'ImportStatement':
      case 'PassStatement':
      case 'Comment':
        return true;
      default:
        if (/^[A-Z]/.test(node.name)) forget(node);
        return false;
    }
  }

  function assign(node: SyntaxNode): void {
    // `a = b = 1` has several targets in front of several signs; only names are followed.
    const groups: SyntaxNode[][] = [[]];
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.name === 'AssignOp') groups.push([]);
      else if (child.name !== ',' && child.name !== 'TypeDef' && child.name !== 'Comment') groups.at(-1)!.push(child);
    }
    const right = groups.pop();
    if (right === undefined || groups.length === 0) return;
    for (const targets of groups) {
      const isPaired = targets.length === right.length;
      const computed = targets.map((_, i) => (isPaired ? expression(right[i]!) : UNKNOWN));
      for (const [i, target] of targets.entries()) {
        if (target.name !== 'VariableName') {
          forget(target);
          continue;
        }
        const name = text(target);
        values.set(name, computed[i]!);
        // Code beside the function is another matter.
        if (isPaired && node.parent?.name !== 'Script') {
          const span = { start: target.from, end: target.to };
          written.push({ name, span, value: computed[i]!, body: node.parent, end: node.to });
        }
      }
    }
  }

  function update(node: SyntaxNode): void {
    const target = node.firstChild;
    const operator = node.getChild('UpdateOp');
    const value = node.lastChild;
    if (target?.name !== 'VariableName' || operator === null || value === null) return forget(node);
    const name = text(target);
    const before = values.get(name) ?? UNKNOWN;
    values.set(name, binary(text(operator).slice(0, -1), before, expression(value), node));
  }

  /** Names that are bound inside a node are no longer known. */
  function forget(node: SyntaxNode): void {
    const cursor = node.cursor();
    do {
      if (cursor.name === 'VariableName') values.set(source.slice(cursor.from, cursor.to), UNKNOWN);
    } while (cursor.next() && cursor.from < node.to);
  }

  let depth = 0;

  function expression(node: SyntaxNode): Expression {
    if (depth >= DEPTH) return UNKNOWN;
    depth += 1;
    const read = readExpression(node);
    depth -= 1;
    return read;
  }

  function readExpression(node: SyntaxNode): Expression {
    switch (node.name) {
      case 'Number': {
        const literal = byStart.get(node.from);
        return literal === undefined ? UNKNOWN : { kind: 'literal', literal };
      }
      case 'VariableName': {
        const name = text(node);
        const value = values.get(name);
        return value === undefined
          ? UNKNOWN
          : { kind: 'variable', name, value, span: { start: node.from, end: node.to } };
      }
      case 'ParenthesizedExpression': {
        const inner = node.firstChild?.nextSibling;
        return inner && inner.nextSibling?.name === ')' ? expression(inner) : UNKNOWN;
      }
      case 'UnaryExpression': {
        const operand = node.lastChild!;
        const sign = text(node.firstChild!);
        // The literal holds its own minus.
        if (operand.name === 'Number' && sign === '-') return expression(operand);
        if (sign === '-') return { kind: 'sign', of: expression(operand) };
        return sign === '+' ? expression(operand) : UNKNOWN;
      }
      case 'BinaryExpression': {
        const operator = node.getChild('ArithOp');
        if (operator === null) return UNKNOWN;
        return binary(text(operator), expression(node.firstChild!), expression(node.lastChild!), node);
      }
      case 'CallExpression':
        return call(node);
      case 'ArrayExpression':
      case 'TupleExpression':
        return { kind: 'list', items: elements(node) };
      default:
        return UNKNOWN;
    }
  }

  function call(node: SyntaxNode): Expression {
    const callee = node.firstChild!;
    const list = node.getChild('ArgList');
    if (list === null || list.getChild('AssignOp') !== null) return UNKNOWN;
    const name = callee.name === 'MemberExpression' ? callee.lastChild! : callee;
    return { kind: 'call', name: text(name), arguments: elements(list) };
  }

  function elements(node: SyntaxNode): Expression[] {
    const found: Expression[] = [];
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (/^[A-Z]/.test(child.name) && child.name !== 'Comment') found.push(expression(child));
    }
    return found;
  }

  function collectReads(script: SyntaxNode): void {
    const cursor = script.cursor();
    do {
      if (cursor.name === 'VariableName' && !isTarget(cursor.node)) {
        reads.push({ name: source.slice(cursor.from, cursor.to), at: cursor.from });
      }
    } while (cursor.next());
  }

  function assignments(): Assignment[] {
    return written.map(({ name, span, value, body, end }) => {
      // Inside a loop or under a condition a read may come earlier in the text.
      const isStraight = body !== null && isStraightBody(body);
      const next = isStraight
        ? written.find((other) => other.name === name && other.body === body && other.span.start > span.start)
        : undefined;
      const until = next?.end ?? Infinity;
      const from = isStraight ? end : -1;
      const isRead = reads.some((read) => read.name === name && read.at >= from && read.at < until);
      return { name, span, value, isRead };
    });
  }

  return { run, assignments };
}

function isStraightBody(body: SyntaxNode): boolean {
  const group = body.name === 'StatementGroup' ? body.parent : body;
  return group?.name === 'Body' && group.parent?.name === 'FunctionDefinition';
}

function isTarget(node: SyntaxNode): boolean {
  const parent = node.parent;
  if (parent?.name !== 'AssignStatement') return parent?.name === 'FunctionDefinition' || parent?.name === 'ParamList';
  // Behind the last sign stands what is read.
  for (let next = node.nextSibling; next; next = next.nextSibling) if (next.name === 'AssignOp') return true;
  return false;
}

function containsReturn(node: SyntaxNode): boolean {
  const cursor = node.cursor();
  do {
    if (cursor.name === 'ReturnStatement') return true;
  } while (cursor.next() && cursor.from < node.to);
  return false;
}

function binary(operator: string, left: Expression, right: Expression, node: SyntaxNode): Expression {
  return { kind: 'binary', operator, left, right, span: { start: node.from, end: node.to } };
}
