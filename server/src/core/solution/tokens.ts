/**
 * What each piece of a solution is, for colouring. It works on the parse alone, so it says at once what a text editor's grammar cannot:
 * which names are parameters, modules, functions. Broken text yields what can be told of it.
 */
import type { SyntaxNodeRef } from '@lezer/common';
import { SAFE_BUILTINS, UNSAFE_BUILTINS } from './plain.ts';
import { parsePython } from './tree.ts';

/** Names of the language server protocol. */
export const TOKEN_TYPES = [
  'keyword',
  'comment',
  'string',
  'number',
  'operator',
  'namespace',
  'class',
  'function',
  'method',
  'property',
  'parameter',
  'variable',
  'decorator',
] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

/**
 * Names of the protocol but `word`: an operator that is a word. `declaration`: where a name gets its value, and the keywords that define;
 * `readonly`: True, False, None, and names in capitals; `defaultLibrary`: what Python brings along.
 */
export const TOKEN_MODIFIERS = ['declaration', 'readonly', 'defaultLibrary', 'word'] as const;
export type TokenModifier = (typeof TOKEN_MODIFIERS)[number];

export interface SolutionToken {
  /** UTF-16 offsets in the solution's text. */
  readonly start: number;
  readonly end: number;
  readonly type: TokenType;
  readonly modifiers: readonly TokenModifier[];
}

/** A token whose name is understood once the whole text was seen. */
interface OpenToken {
  readonly start: number;
  readonly end: number;
  type: TokenType;
  modifiers: readonly TokenModifier[];
  /** How the name is used; undefined: the type stands. */
  use: 'read' | 'call' | 'attribute' | undefined;
}

const NONE: readonly TokenModifier[] = [];
const DECLARATION: readonly TokenModifier[] = ['declaration'];
const READONLY: readonly TokenModifier[] = ['readonly'];
const CONSTANT: readonly TokenModifier[] = ['declaration', 'readonly'];
const LIBRARY: readonly TokenModifier[] = ['defaultLibrary'];
const WORD: readonly TokenModifier[] = ['word'];

const OPERATORS: ReadonlySet<string> = new Set(['ArithOp', 'BitOp', 'CompareOp', 'AssignOp', 'UpdateOp', '*', '**']);
const OPERATOR_WORDS: ReadonlySet<string> = new Set(['and', 'in', 'is', 'not', 'or']);
const DEFINING: ReadonlySet<string> = new Set(['def', 'class', 'lambda', 'async']);
const TEXTS: ReadonlySet<string> = new Set(['String', 'FormatString']);
/** Brackets in which a target of an assignment may stand. */
const TARGET_PARENTS: ReadonlySet<string> = new Set([
  'AssignStatement',
  'TupleExpression',
  'ArrayExpression',
  'ParenthesizedExpression',
]);
const BUILTIN_TYPES: ReadonlySet<string> = new Set(
  'bool bytearray bytes classmethod complex dict float frozenset int list memoryview object property set slice staticmethod str super tuple type'.split(
    ' ',
  ),
);
const IN_CAPITALS = /^[A-Z][A-Z0-9_]+$/;
const KEYWORD = /^[a-z]+$/;

/** Tokens in order of place; none overlaps another or is empty. Never throws, whatever the text. */
export function solutionTokens(source: string): SolutionToken[] {
  const names = createNames();
  const tokens = collect(source, names);
  for (const [at, token] of tokens.entries())
    if (token.use !== undefined) understand(source, token, tokens[at - 1], names);
  return tokens.map(({ start, end, type, modifiers }) => ({ start, end, type, modifiers }));
}

/** What names stand for anywhere in the text. */
interface Names {
  readonly modules: Set<string>;
  readonly imported: Set<string>;
  readonly functions: Set<string>;
  readonly classes: Set<string>;
  readonly assigned: Set<string>;
  readonly called: Set<string>;
}

function createNames(): Names {
  return {
    modules: new Set(),
    imported: new Set(),
    functions: new Set(),
    classes: new Set(),
    assigned: new Set(),
    called: new Set(),
  };
}

/** A node that the walk is inside of. */
interface Level {
  readonly name: string;
  /** Name of the child before the one at hand; undefined at the first. */
  previous: string | undefined;
  /** Parameters that are known while inside. */
  readonly parameters: readonly string[];
}

/** One walk over the parse. An own stack of levels, because asking nodes for their parents and siblings costs an object each. */
function collect(source: string, names: Names): OpenToken[] {
  const tokens: OpenToken[] = [];
  const levels: Level[] = [{ name: '', previous: undefined, parameters: [] }];
  /** How many of the functions around have a parameter of the name. */
  const parameters = new Map<string, number>();
  /** Where the texts around go on behind their last escape or replacement. */
  const texts: number[] = [];
  /** Offset up to which an assignment's targets reach. */
  let targetsEnd = 0;
  let inForTargets = false;
  /** What names in an import statement are now. */
  let importing: 'module' | 'name' = 'module';

  const text = (node: SyntaxNodeRef): string => source.slice(node.from, node.to);

  function push(start: number, end: number, type: TokenType, modifiers = NONE, use?: OpenToken['use']): void {
    if (end > start) tokens.push({ start, end, type, modifiers, use });
  }

  function enter(node: SyntaxNodeRef): boolean {
    const { name } = node;
    const level = levels.at(-1)!;
    const isLeaf = leaf(node, name, level);
    level.previous = name;
    if (isLeaf) return false;
    open(node, name, level);
    return true;
  }

  /** Whether the node is done with; what lies in it is of no interest then. */
  function leaf(node: SyntaxNodeRef, name: string, level: Level): boolean {
    const { from, to } = node;
    if (name === 'VariableName') variable(node, level);
    else if (name === 'PropertyName') push(from, to, 'property', NONE, isCallee() ? 'attribute' : undefined);
    else if (name === 'Comment') push(from, to, 'comment');
    else if (name === 'Number') push(from, to, 'number');
    else if (name === 'Boolean' || name === 'None') push(from, to, 'keyword', READONLY);
    else if (name === 'At') push(from, to, 'decorator');
    else if (name === 'Escape') cutText(from, to);
    else if (OPERATORS.has(name)) {
      push(from, to, 'operator');
      // `key=` in a call: the name before the sign is one of the function's.
      const before = tokens.at(-2);
      if (name === 'AssignOp' && level.name === 'ArgList' && level.previous === 'VariableName' && before) {
        before.type = 'parameter';
        before.use = undefined;
      }
    } else if (KEYWORD.test(name)) keyword(node, name);
    else return false;
    return true;
  }

  function keyword({ from, to }: SyntaxNodeRef, name: string): void {
    if (name === 'for') inForTargets = true;
    else if (name === 'in') inForTargets = false;
    else if (name === 'import') importing = levels.at(-1)!.previous === undefined ? 'module' : 'name';
    else if (name === 'from') importing = 'module';
    if (name === 'print') push(from, to, 'function', LIBRARY);
    else if (OPERATOR_WORDS.has(name)) push(from, to, 'operator', WORD);
    else push(from, to, 'keyword', DEFINING.has(name) ? DECLARATION : NONE);
  }

  /** The text around goes on behind an escape or a replacement. */
  function cutText(from: number, to: number): void {
    const start = texts.pop();
    if (start === undefined) return;
    push(start, from, 'string');
    texts.push(to);
  }

  function open(node: SyntaxNodeRef, name: string, level: Level): void {
    if (TEXTS.has(name)) texts.push(node.from);
    else if (name === 'FormatReplacement' && level.name === 'FormatString') cutText(node.from, node.to);
    else if (name === 'AssignStatement') targetsEnd = endOfTargets(node);
    const known = name === 'FunctionDefinition' || name === 'LambdaExpression' ? parametersOf(node, text) : [];
    for (const one of known) parameters.set(one, (parameters.get(one) ?? 0) + 1);
    levels.push({ name, previous: undefined, parameters: known });
  }

  function leave(node: SyntaxNodeRef): void {
    const { name, parameters: known } = levels.pop()!;
    for (const one of known) parameters.set(one, parameters.get(one)! - 1);
    if (TEXTS.has(name)) push(texts.pop()!, node.to, 'string');
    // Where the word `in` is missing.
    else if (name === 'ForStatement') inForTargets = false;
  }

  /** A property is called where its expression stands in a call itself: arguments have a node of their own around them. */
  const isCallee = (): boolean =>
    levels.at(-1)!.name === 'MemberExpression' && levels.at(-2)?.name === 'CallExpression';

  function variable(node: SyntaxNodeRef, level: Level): void {
    const { from, to } = node;
    const name = text(node);
    const declare = (type: TokenType, into: Set<string>): void => {
      into.add(name);
      push(from, to, type, type === 'variable' && IN_CAPITALS.test(name) ? CONSTANT : DECLARATION);
    };
    const read = (use: 'read' | 'call'): void => {
      if ((parameters.get(name) ?? 0) > 0) push(from, to, 'parameter');
      else push(from, to, 'variable', NONE, use);
    };
    if (level.name === 'FunctionDefinition') {
      declare(
        levels.at(-2)?.name === 'Body' && levels.at(-3)?.name === 'ClassDefinition' ? 'method' : 'function',
        names.functions,
      );
    } else if (level.name === 'ClassDefinition') declare('class', names.classes);
    else if (level.name === 'ParamList' && level.previous !== 'AssignOp') push(from, to, 'parameter', DECLARATION);
    else if (level.name === 'Decorator') push(from, to, 'decorator');
    else if (level.name === 'TypeDef' || level.name === 'TypeDefinition') typeName(from, to, name);
    else if (level.name === 'ImportStatement') importedName(from, to, name);
    else if (level.name === 'ArgList' && levels.at(-2)?.name === 'ClassDefinition') typeName(from, to, name);
    else if (level.name === 'CallExpression' && level.previous === undefined) {
      names.called.add(name);
      read('call');
    } else if (isTarget(from, level)) {
      names.assigned.add(name);
      if ((parameters.get(name) ?? 0) > 0) push(from, to, 'parameter');
      else declare('variable', names.assigned);
    } else read('read');
  }

  function isTarget(from: number, level: Level): boolean {
    if (level.previous === 'as' || level.name === 'CapturePattern') return true;
    if (level.name === 'NamedExpression') return level.previous === undefined;
    return inForTargets || (from < targetsEnd && TARGET_PARENTS.has(level.name));
  }

  function typeName(from: number, to: number, name: string): void {
    push(from, to, 'class', BUILTIN_TYPES.has(name) ? LIBRARY : NONE);
  }

  function importedName(from: number, to: number, name: string): void {
    if (importing === 'module') {
      names.modules.add(name);
      push(from, to, 'namespace');
    } else {
      names.imported.add(name);
      push(from, to, 'variable', NONE, 'read');
    }
  }

  parsePython(source).iterate({ enter, leave });
  return tokens;
}

function endOfTargets({ node }: SyntaxNodeRef): number {
  let end = node.from;
  for (let child = node.firstChild; child; child = child.nextSibling) if (child.name === 'AssignOp') end = child.from;
  // A declared type without a value.
  return end === node.from ? (node.firstChild?.to ?? end) : end;
}

function parametersOf({ node }: SyntaxNodeRef, text: (node: SyntaxNodeRef) => string): string[] {
  const found: string[] = [];
  let isDefault = false;
  for (let child = node.getChild('ParamList')?.firstChild; child; child = child.nextSibling) {
    if (child.name === 'VariableName' && !isDefault) found.push(text(child));
    isDefault = child.name === 'AssignOp';
  }
  return found;
}

/** Says what a name is, from what the whole text does with it. */
function understand(source: string, token: OpenToken, before: OpenToken | undefined, names: Names): void {
  const name = source.slice(token.start, token.end);
  const isCall = token.use === 'call';
  const be = (type: TokenType, modifiers = NONE): void => {
    token.type = type;
    token.modifiers = modifiers;
  };
  if (token.use === 'attribute') {
    const ofModule = before?.type === 'namespace' && source.slice(before.end, token.start).trim() === '.';
    return be(ofModule ? 'function' : 'method');
  }
  if (names.modules.has(name)) return be('namespace');
  if (names.functions.has(name)) return be('function');
  if (names.classes.has(name)) return be('class');
  if (names.imported.has(name))
    return be(/^[A-Z][A-Za-z0-9]*[a-z]/.test(name) ? 'class' : names.called.has(name) ? 'function' : 'variable');
  if (!names.assigned.has(name) && (SAFE_BUILTINS.has(name) || UNSAFE_BUILTINS.has(name)) && name !== '_') {
    if (name === 'NotImplemented' || name === 'Ellipsis') return be('variable', ['readonly', 'defaultLibrary']);
    return be(BUILTIN_TYPES.has(name) || /^[A-Z]/.test(name) ? 'class' : 'function', LIBRARY);
  }
  if (isCall) return be(!names.assigned.has(name) && /^[A-Z]/.test(name) ? 'class' : 'function');
  be('variable', IN_CAPITALS.test(name) ? READONLY : NONE);
}
