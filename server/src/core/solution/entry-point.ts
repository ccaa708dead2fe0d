import type { SyntaxNode, Tree } from '@lezer/common';
import type { StaticFault } from './types.ts';

/** Names by which a module can get a function without writing a definition of it. */
const HIDDEN_BINDINGS: ReadonlySet<string> = new Set(['exec', 'globals', 'locals', 'vars', 'setattr']);

interface Definitions {
  /** Parameter lists of the module-level functions and lambdas of the name, in order. */
  readonly parameters: SyntaxNode[];
  /** The name is, or may be, bound in a way that only running tells: under a condition, by an import, by a decorator. */
  open: boolean;
  /** Other module-level functions. */
  readonly others: SyntaxNode[];
}

/**
 * The fault where surely no function of the name can be called without arguments. The tree must be free of errors.
 */
export function findEntryPoint(source: string, tree: Tree, name: string): StaticFault | undefined {
  const text = (node: SyntaxNode): string => source.slice(node.from, node.to);
  const definitions = findDefinitions(tree.topNode, name, text);
  if (definitions.open) return undefined;
  const last = definitions.parameters.at(-1);
  if (!last) return missing(definitions.others, source, name, text);
  const required = requiredParameters(last, text);
  if (required.length === 0) return undefined;
  const message =
    `The function ${name} takes ${required.length === 1 ? 'an argument' : `${required.length} arguments`} (${required.join(', ')}), ` +
    'but it is called without any. Assign the values inside the function, or give each a default.';
  const [start, end] = last.from < last.to ? [last.from, last.to] : [last.parent!.from, last.parent!.to];
  return { kind: 'entry-point', message, start, end, found: required.join(', ') };
}

function missing(
  others: readonly SyntaxNode[],
  source: string,
  name: string,
  text: (node: SyntaxNode) => string,
): StaticFault {
  const names = others.map(text);
  const defined = names.length === 0 ? 'the text defines no function' : `the text defines ${names.join(', ')}`;
  const message =
    `There is no function named ${name}: ${defined}. ` +
    `Put the computation into "def ${name}():", without arguments, and return its value.`;
  const other = others[0];
  const firstLine = /\S[^\n\r]*/.exec(source)!;
  const start = other?.from ?? firstLine.index;
  const end = other?.to ?? firstLine.index + firstLine[0].trimEnd().length;
  return { kind: 'entry-point', message, start, end, found: names.join(', ') };
}

function findDefinitions(script: SyntaxNode, name: string, text: (node: SyntaxNode) => string): Definitions {
  const found: Definitions = { parameters: [], open: false, others: [] };
  for (let statement = script.firstChild; statement; statement = statement.nextSibling) {
    const target = statement.firstChild;
    if (statement.name === 'FunctionDefinition') {
      const defined = statement.getChild('VariableName');
      if (!defined) continue;
      if (text(defined) === name) found.parameters.push(statement.getChild('ParamList')!);
      else found.others.push(defined);
    } else if (
      statement.name === 'AssignStatement' &&
      target?.name === 'VariableName' &&
      statement.lastChild?.name === 'LambdaExpression'
    ) {
      if (text(target) === name) found.parameters.push(statement.lastChild.getChild('ParamList')!);
      else found.others.push(target);
    }
  }
  found.open = isBoundOtherwise(script, name, text);
  return found;
}

/** Whether the name is mentioned where it may be bound, other than by the definitions above. */
function isBoundOtherwise(script: SyntaxNode, name: string, text: (node: SyntaxNode) => string): boolean {
  const cursor = script.cursor();
  do {
    if (cursor.name === '*' && cursor.node.parent?.name === 'ImportStatement') return true;
    if (cursor.name !== 'VariableName') continue;
    const node = cursor.node;
    const word = text(node);
    if (HIDDEN_BINDINGS.has(word)) return true;
    if (word === name && mayBind(node)) return true;
  } while (cursor.next());
  return false;
}

function mayBind(node: SyntaxNode): boolean {
  const parent = node.parent!;
  const atTop = parent.parent?.name === 'Script';
  switch (parent.name) {
    case 'FunctionDefinition':
      // A nested or decorated one, or one under a condition.
      return !atTop;
    case 'AssignStatement':
      return (
        node.prevSibling === null &&
        !(atTop && parent.lastChild?.name === 'LambdaExpression' && isOnlyTarget(node)) &&
        !insideFunction(parent)
      );
    case 'CallExpression':
    case 'ArgList':
    case 'ReturnStatement':
    case 'BinaryExpression':
    case 'ExpressionStatement':
    case 'FormatReplacement':
    case 'MemberExpression':
      return false;
    default:
      return true;
  }
}

/** `a = lambda: 1` and not `a = b = lambda: 1`. */
const isOnlyTarget = (target: SyntaxNode): boolean => target.nextSibling?.nextSibling?.name === 'LambdaExpression';

function insideFunction(node: SyntaxNode): boolean {
  for (let at = node.parent; at; at = at.parent) if (at.name === 'FunctionDefinition') return true;
  return false;
}

/** Names of the parameters without a default. */
function requiredParameters(list: SyntaxNode, text: (node: SyntaxNode) => string): string[] {
  const required: string[] = [];
  let starred = false;
  for (let child = list.firstChild; child; child = child.nextSibling) {
    if (child.name === ',') starred = false;
    else if (child.name === '*' || child.name === '**') starred = true;
    else if (child.name === 'VariableName' && !starred) {
      // A default is an expression and may be a name itself: it stands behind the sign.
      if (child.prevSibling?.name === 'AssignOp') continue;
      let next = child.nextSibling;
      if (next?.name === 'TypeDef') next = next.nextSibling;
      if (next?.name !== 'AssignOp') required.push(text(child));
    }
  }
  return required;
}
