/** Changes to the text of a solution: what it returns, and what is wrapped around it. Spans are offsets in the solution. */
import type { SyntaxNode } from '@lezer/common';
import type { Span } from '../finding.ts';
import { parsePython } from '../solution/tree.ts';

export interface SourceEdit {
  readonly span: Span;
  readonly text: string;
}

/** Expressions that keep their meaning wherever they are put. */
const ATOMS: ReadonlySet<string> = new Set([
  'VariableName',
  'Number',
  'CallExpression',
  'MemberExpression',
  'ParenthesizedExpression',
]);

/** What the solution's only `return` gives back. */
export interface Returned {
  readonly text: string;
  /** Whether it is a number as it stands, or a name for one: then nothing is computed. */
  readonly isLiteral: boolean;
  /** `expression` in another form: `(a - b)` stands for an expression that is no atom. */
  replaced(write: (atom: string) => string): SourceEdit;
  /** The two operands of a difference or quotient exchanged, also where it was assigned to the returned name. */
  swapped(operator: '-' | '/'): (SourceEdit & { readonly shown: string }) | undefined;
}

/** undefined: the function has no or several returns, or returns no single expression. */
export function returnedBy(source: string, entryPoint: string): Returned | undefined {
  const body = functionBody(source, entryPoint);
  if (body === undefined) return undefined;
  const returns = within(body, 'ReturnStatement');
  const [statement] = returns;
  const expression = statement?.firstChild?.nextSibling;
  if (returns.length !== 1 || !expression || expression.nextSibling !== null) return undefined;
  const text = source.slice(expression.from, expression.to);
  const value = expression.name === 'VariableName' ? assigned(body, source, text) : expression;
  return {
    text,
    isLiteral: value !== undefined && /^[-+(]*[\d.][\d._eE]*\)*$/.test(source.slice(value.from, value.to)),
    replaced: (write) => ({
      span: spanOf(expression),
      text: write(ATOMS.has(expression.name) ? text : `(${text})`),
    }),
    swapped(operator) {
      return value && exchange(value, source, operator);
    },
  };
}

/** `return …` in the place of `print(…)`, where that is the last thing the function does and it prints one value. */
export function returnForPrint(
  source: string,
  entryPoint: string,
): (SourceEdit & { readonly shown: string }) | undefined {
  const body = functionBody(source, entryPoint);
  const last = body?.lastChild;
  if (!body || last?.name !== 'ExpressionStatement' || within(body, 'ReturnStatement').length > 0) return undefined;
  const call = last.firstChild;
  const callee = call?.firstChild;
  if (call?.name !== 'CallExpression' || !callee || source.slice(callee.from, callee.to) !== 'print') return undefined;
  const list = call.getChild('ArgList');
  const argument = list?.firstChild?.nextSibling;
  if (!list || !argument || argument.nextSibling?.name !== ')') return undefined;
  if (['String', 'FormatString', 'ContinuedString', '*', '**'].includes(argument.name)) return undefined;
  const shown = `return ${source.slice(argument.from, argument.to)}`;
  return { span: spanOf(call), text: shown, shown };
}

/** What lies outside of the code in a Markdown fence; `whole`: nothing but the fence and blanks. undefined: not one block. */
export function fenceParts(
  source: string,
): { readonly before: Span; readonly after: Span; readonly whole: boolean } | undefined {
  const found = /^([^]*?)(^[ \t]*(?:```|~~~)[^\n]*\n)([^]*?)(\n?^[ \t]*(?:```|~~~)[ \t]*$)([^]*)$/m.exec(source);
  if (found === null) return undefined;
  const [, prose = '', open = '', code = '', close = '', rest = ''] = found;
  if (code.trim() === '' || /^[ \t]*(?:```|~~~)/m.test(rest)) return undefined;
  const start = prose.length + open.length;
  const end = start + code.length;
  return {
    before: { start: 0, end: start },
    after: { start: end, end: end + close.length + rest.length },
    whole: prose.trim() === '' && rest.trim() === '',
  };
}

/** A solution that was escaped twice, escaped once; undefined where that gives no Python. */
export function unescapedOnce(source: string): string | undefined {
  const candidates = [unescapeAll(source), source.replaceAll('\\n', '\n').replaceAll('\\t', '\t')];
  return candidates.find((text) => text !== undefined && text !== source && isPython(text));
}

function unescapeAll(source: string): string | undefined {
  const quoted = source
    .replace(/\\[^]|"/g, (part) => (part === '"' ? '\\"' : part))
    .replace(/[\n\r\t]/g, (blank) => JSON.stringify(blank).slice(1, -1));
  try {
    return String(JSON.parse(`"${quoted}"`));
  } catch {
    return undefined;
  }
}

function isPython(source: string): boolean {
  const cursor = parsePython(source).cursor();
  do if (cursor.type.isError) return false;
  while (cursor.next());
  return true;
}

function functionBody(source: string, name: string): SyntaxNode | undefined {
  const tree = parsePython(source);
  const definitions = tree.topNode.getChildren('FunctionDefinition').filter((node) => {
    const defined = node.getChild('VariableName');
    return defined !== null && source.slice(defined.from, defined.to) === name;
  });
  return definitions.length === 1 ? (definitions[0]!.getChild('Body') ?? undefined) : undefined;
}

/** All nodes of a kind in a function, those of functions inside it left out. */
function within(body: SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const look = (node: SyntaxNode): void => {
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.name === name) found.push(child);
      if (child.name !== 'FunctionDefinition' && child.name !== 'LambdaExpression') look(child);
    }
  };
  look(body);
  return found;
}

/** The expression of the only assignment to a name. */
function assigned(body: SyntaxNode, source: string, name: string): SyntaxNode | undefined {
  const assignments = within(body, 'AssignStatement').filter((node) =>
    node
      .getChildren('VariableName')
      .some((target) => source.slice(target.from, target.to) === name && target.to <= equalsOf(node)),
  );
  const updates = within(body, 'UpdateStatement').filter((node) => source.slice(node.from, node.to).startsWith(name));
  if (assignments.length !== 1 || updates.length > 0) return undefined;
  const expression = assignments[0]!.lastChild;
  return assignments[0]!.getChildren('AssignOp').length === 1 && expression !== null ? expression : undefined;
}

function equalsOf(node: SyntaxNode): number {
  return node.getChild('AssignOp')?.from ?? node.from;
}

function exchange(
  node: SyntaxNode,
  source: string,
  operator: '-' | '/',
): (SourceEdit & { readonly shown: string }) | undefined {
  if (node.name === 'ParenthesizedExpression') {
    const inner = node.firstChild?.nextSibling;
    return inner ? exchange(inner, source, operator) : undefined;
  }
  const sign = node.getChild('ArithOp');
  const [left, right] = [node.firstChild, node.lastChild];
  if (node.name !== 'BinaryExpression' || !sign || !left || !right) return undefined;
  if (source.slice(sign.from, sign.to) !== operator) return undefined;
  const leftText = source.slice(left.from, left.to);
  // What stood on the left may hold a weaker or equal operator.
  const moved = ATOMS.has(left.name) ? leftText : `(${leftText})`;
  const between = [source.slice(left.to, sign.from), source.slice(sign.to, right.from)] as const;
  const text = `${source.slice(right.from, right.to)}${between[0]}${operator}${between[1]}${moved}`;
  return { span: spanOf(node), text, shown: text };
}

function spanOf({ from, to }: SyntaxNode): Span {
  return { start: from, end: to };
}
