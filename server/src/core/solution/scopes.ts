/** Names of a solution and what they refer to, by Python's rules of scope, without running anything. */
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common';
import { parsePython } from './tree.ts';
import type { Span } from '../finding.ts';

/** A name where it stands in a solution. */
export interface Mention {
  readonly name: string;
  readonly span: Span;
  /** It is given a value here: assigned, imported, defined, a parameter or the variable of a loop. */
  readonly isBinding: boolean;
  /** It is read here. Both hold for `x += 1`. */
  readonly isRead: boolean;
  /** From here on the value holds (bindings only): after the statement that assigns it. */
  readonly holdsFrom: number;
  /** The scope in which the name stands, and the one that it belongs to; -1: it is a built-in or not known. */
  readonly scope: number;
  readonly owner: number;
}

/** In UTF-16 units; longer texts are no solutions that anybody wrote. */
const LONGEST = 200_000;

interface Scope {
  readonly parent: number;
  /** Names of a class are not seen by its methods, those of a comprehension not by an assignment inside. */
  readonly kind: 'module' | 'function' | 'class' | 'comprehension';
  readonly bound: Set<string>;
  /** Names that `global` or `nonlocal` hands to an outer scope. */
  readonly handed: Set<string>;
}

type Unowned = Omit<Mention, 'owner'>;

/** All names in the order of the text. Never throws, whatever the text. */
export function mentionsOf(source: string): readonly Mention[] {
  if (source.length > LONGEST) return [];
  const scopes: Scope[] = [];
  const open: number[] = [];
  const found: Unowned[] = [];
  parsePython(source).iterate({
    enter(ref) {
      const kind = scopeKind(ref.name);
      if (kind !== undefined) {
        scopes.push({ parent: open.at(-1) ?? -1, kind, bound: new Set(), handed: new Set() });
        open.push(scopes.length - 1);
      } else if (ref.name === 'VariableName') add(ref);
    },
    leave(ref) {
      if (scopeKind(ref.name) !== undefined) open.pop();
    },
  });

  function add(ref: SyntaxNodeRef): void {
    const name = source.slice(ref.from, ref.to);
    const role = roleOf(ref.node);
    if (role === undefined) return;
    let scope = open.at(-1) ?? 0;
    // A function's own name, and what its parameters default to, belong to where the function stands.
    if (role.isOutside === true) scope = scopes[scope]?.parent ?? scope;
    if (role.isHanded === true) {
      scopes[scope]?.handed.add(name);
      return;
    }
    if (role.leavesComprehension === true) {
      while (scopes[scope]?.kind === 'comprehension') scope = scopes[scope]!.parent;
    }
    if (role.isBinding) scopes[scope]?.bound.add(name);
    const span = { start: ref.from, end: ref.to };
    found.push({ name, span, isBinding: role.isBinding, isRead: role.isRead, holdsFrom: role.holdsFrom, scope });
  }

  return found.map((mention) => ({ ...mention, owner: ownerOf(mention, scopes) }));
}

function scopeKind(name: string): Scope['kind'] | undefined {
  if (name === 'FunctionDefinition' || name === 'LambdaExpression') return 'function';
  if (name === 'ClassDefinition') return 'class';
  if (name === 'Script') return 'module';
  return name.endsWith('ComprehensionExpression') || name === 'ComprehensionExpression' ? 'comprehension' : undefined;
}

function ownerOf({ name, scope }: Unowned, scopes: readonly Scope[]): number {
  for (let at = scope; at >= 0; at = scopes[at]!.parent) {
    const { kind, bound, handed } = scopes[at]!;
    if (kind === 'class' && at !== scope) continue;
    if (bound.has(name) && !handed.has(name)) return at;
  }
  return -1;
}

interface Role {
  readonly isBinding: boolean;
  readonly isRead: boolean;
  readonly holdsFrom: number;
  readonly isOutside?: boolean;
  readonly isHanded?: boolean;
  readonly leavesComprehension?: boolean;
}

/** undefined: it names no variable (a keyword of a call, a part of a module's name). */
function roleOf(node: SyntaxNode): Role | undefined {
  const parent = node.parent;
  const read: Role = { isBinding: false, isRead: true, holdsFrom: node.to };
  const bound: Role = { isBinding: true, isRead: false, holdsFrom: node.to };
  switch (parent?.name) {
    case 'FunctionDefinition':
    case 'ClassDefinition':
      return { ...bound, isOutside: true };
    case 'ParamList':
      return node.prevSibling?.name === 'AssignOp' ? { ...read, isOutside: true } : bound;
    case 'ArgList':
      return node.nextSibling?.name === 'AssignOp' ? undefined : read;
    case 'ImportStatement':
      return importRole(node, parent, bound);
    case 'ScopeStatement':
      return { ...read, isHanded: true };
    case 'UpdateStatement':
      return node.prevSibling === null ? { isBinding: true, isRead: true, holdsFrom: parent.to } : read;
    case 'NamedExpression':
      return node.prevSibling === null ? { ...bound, holdsFrom: parent.to, leavesComprehension: true } : read;
    case 'WithStatement':
    case 'TryStatement':
      return node.prevSibling?.name === 'as' ? bound : read;
    default:
      return targetRole(node, bound) ?? read;
  }
}

/** `import a.b` and `from m import c` bind `a` and `c`; with `as` the name behind it. */
function importRole(node: SyntaxNode, statement: SyntaxNode, bound: Role): Role | undefined {
  if (node.prevSibling?.name === 'as') return bound;
  if (node.nextSibling?.name === 'as') return undefined;
  const isFrom = statement.firstChild?.name === 'from';
  if (!isFrom) return node.prevSibling?.name === '.' ? undefined : bound;
  for (let before = node.prevSibling; before; before = before.prevSibling) if (before.name === 'import') return bound;
  return undefined;
}

const LISTS: ReadonlySet<string> = new Set(['TupleExpression', 'ArrayExpression', 'ParenthesizedExpression']);

/** The role of a name that stands, alone or in a list, where an assignment or a loop puts its value. */
function targetRole(node: SyntaxNode, bound: Role): Role | undefined {
  let top = node;
  while (top.parent && LISTS.has(top.parent.name)) top = top.parent;
  const parent = top.parent;
  if (parent?.name === 'AssignStatement') {
    for (let after = top.nextSibling; after; after = after.nextSibling) {
      if (after.name === 'AssignOp') return { ...bound, holdsFrom: parent.to };
    }
    return undefined;
  }
  if (parent?.name !== 'ForStatement' && !parent?.name.endsWith('ComprehensionExpression')) return undefined;
  for (let before = top.prevSibling; before; before = before.prevSibling) {
    if (before.name === 'for') return bound;
    if (before.name === 'in' || before.name === 'if') return undefined;
  }
  return undefined;
}

/** The name at an offset of the solution; at a border the name that begins there wins. */
export function mentionAt(mentions: readonly Mention[], offset: number): Mention | undefined {
  return (
    mentions.find(({ span }) => span.start <= offset && offset < span.end) ??
    mentions.find(({ span }) => span.end === offset)
  );
}

/** All places where the same variable is named, in the order of the text. */
export function sameName(mentions: readonly Mention[], { name, owner }: Mention): readonly Mention[] {
  return owner < 0 ? [] : mentions.filter((other) => other.name === name && other.owner === owner);
}

/**
 * Where the name gets the value that it has at a mention: the last binding before it; all of them where the order of the text does not
 * tell (inside another function, or in a loop before the assignment). A binding is its own definition.
 */
export function definitionsOf(mentions: readonly Mention[], mention: Mention): readonly Mention[] {
  if (mention.isBinding && !mention.isRead) return [mention];
  const bindings = sameName(mentions, mention).filter(({ isBinding }) => isBinding);
  if ([mention, ...bindings].some(({ scope }) => scope !== mention.owner)) return bindings;
  const before = bindings.filter(({ holdsFrom }) => holdsFrom <= mention.span.start);
  const last = before.at(-1);
  return last === undefined ? bindings : [last];
}
