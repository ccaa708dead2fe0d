import type { SyntaxNode, Tree } from '@lezer/common';
import type { StaticFault } from './types.ts';

/** Allowed, as many solutions of the field use them, but absent in the sandbox. */
export const UNAVAILABLE: ReadonlySet<string> = new Set(['numpy', 'pandas', 'scipy', 'sympy']);

interface ImportedModule {
  /** Dotted, with leading dots where it is relative; undefined where it is computed. */
  readonly module: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** Faults of all imports wherever they stand, and whether the text has a syntax error; one walk for both. */
export function findImports(
  source: string,
  tree: Tree,
  given: readonly string[],
  hasPackages: boolean,
): { faults: StaticFault[]; broken: boolean } {
  const allowed = hasPackages ? [...given, ...UNAVAILABLE] : given;
  const faults: StaticFault[] = [];
  let broken = false;
  const cursor = tree.cursor();
  do {
    if (cursor.type.isError) broken = true;
    else if (cursor.name === 'ImportStatement') {
      for (const found of modulesOf(cursor.node, source)) report(found, allowed, faults);
    } else if (cursor.name === 'VariableName' || cursor.name === 'PropertyName') {
      const name = source.slice(cursor.from, cursor.to);
      if (name === '__import__' || name === 'import_module') {
        const found = dynamicImport(cursor.node, name, source);
        if (found) report(found, allowed, faults);
      }
    }
  } while (cursor.next());
  return { faults, broken };
}

/** `import a.b as c, d`, `from a.b import c`, `from . import c`. */
function modulesOf(statement: SyntaxNode, source: string): ImportedModule[] {
  const found: ImportedModule[] = [];
  let start = -1;
  let end = -1;
  const close = (): void => {
    if (start >= 0) found.push({ module: source.slice(start, end).replace(/\s+/g, ''), start, end });
    start = -1;
  };
  let alias = false;
  for (let child = statement.firstChild?.nextSibling; child; child = child.nextSibling) {
    if (child.name === 'import') {
      // Behind `from … import` stand names of that module.
      break;
    }
    if (child.name === 'as') {
      alias = true;
    } else if (child.name === ',') {
      close();
      alias = false;
    } else if (!alias && (child.name === 'VariableName' || child.name === '.' || child.name === 'Ellipsis')) {
      if (start < 0) start = child.from;
      end = child.to;
    }
  }
  close();
  return found;
}

/** `__import__('a')` and `import_module('a')`; any other use of `__import__` may import anything. */
function dynamicImport(node: SyntaxNode, name: string, source: string): ImportedModule | undefined {
  const callee = node.parent?.name === 'MemberExpression' ? node.parent : node;
  const call =
    callee.parent?.name === 'CallExpression' && callee.parent.firstChild?.from === callee.from
      ? callee.parent
      : undefined;
  const argument = call?.getChild('ArgList')?.firstChild?.nextSibling;
  const literal =
    argument?.name === 'String' ? /^['"]{1,3}([\w.]*)['"]{1,3}$/.exec(source.slice(argument.from, argument.to)) : null;
  if (literal) return { module: literal[1], start: argument!.from, end: argument!.to };
  // A function of that name may be the solution's own; the import of importlib is looked at where it stands.
  return name === '__import__' ? { module: undefined, start: node.from, end: node.to } : undefined;
}

function report({ module, start, end }: ImportedModule, allowed: readonly string[], faults: StaticFault[]): void {
  const top = module?.split('.', 1)[0] ?? '';
  if (UNAVAILABLE.has(top) && !allowed.includes(top)) {
    const message =
      `The solution imports ${module}, which the sandbox does not have, so it is not run and gets no verdict. ` +
      'Write the computation with the standard library (math, statistics) to have it checked.';
    faults.push({ kind: 'unavailable-import', message, start, end, found: module! });
    return;
  }
  if (module !== undefined && allowed.some((name) => module === name || module.startsWith(`${name}.`))) return;
  const what = module === undefined ? 'imports a module by a computed name (__import__)' : `imports ${module}`;
  const list = allowed.length === 0 ? 'none' : allowed.join(', ');
  const message =
    `The solution ${what}, which is not in the list of allowed imports (${list}); it is not run. ` +
    'Compute the value without it, or add the module to solutions.allowedImports.';
  faults.push({ kind: 'forbidden-import', message, start, end, found: module ?? '__import__' });
}
