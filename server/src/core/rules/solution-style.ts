import type { SyntaxNode } from '@lezer/common';
import type { Span } from '../finding.ts';
import { pointerTo } from '../record/canonical.ts';
import { isEqual, isRounding, judge } from '../solution/verdict.ts';
import { decimalsOf } from '../solution/numbers.ts';
import { evaluate } from '../trace/evaluate.ts';
import { programOf } from '../trace/program.ts';
import type { Expression } from '../trace/program.ts';
import { difference } from './messages.ts';
import type { RecordInput, Report, Rule, RunInput } from './types.ts';
import { parsePython } from '../solution/tree.ts';

/** Rules on how a solution is written. */

const QUESTION = 'What was the change in widget revenue from 2031 to 2032? (in thousand)';
const GOOD =
  'def solution():\n    # Widget revenue of both years\n    revenue_2031 = 1200\n    revenue_2032 = 1350\n\n    return revenue_2032 - revenue_2031';

function example(python_solution: string, ground_truth = 150.0) {
  const record = { question_id: 'demo-0', question: QUESTION, python_solution, ground_truth };
  return { profile: 'docmath-eval', lines: [record] };
}

const quiet = example(GOOD);

export const solutionStyleRules: readonly Rule[] = [
  {
    code: 'solution/floor-division',
    severity: 'warning',
    needs: 'run',
    title: 'A floor division or int() cuts off what the gold keeps',
    why: `The solution divides with // or cuts with int(), and its result misses the gold; with the exact division it would be the gold. // is the whole-number division of Python: 7 // 2 is 3, and -7 // 2 is -4.

Write / for a quotient, and leave int() out.`,
    fires: example('def solution():\n    return 1350 // 8', 168.75),
    quiet: example('def solution():\n    return 1350 // 8', 168.0),
    checkRun: checkFloorDivision,
  },
  {
    code: 'solution/power-operator',
    severity: 'warning',
    needs: 'solution',
    title: 'A caret stands between numbers',
    why: `In Python ^ is the exclusive or of bits, not a power: 5 ^ 2 is 7, and with floats it raises TypeError. Spreadsheets and formulas use the sign for powers, and from there it slips in.

Write ** for a power.`,
    fires: example('def solution():\n    base = 1350\n    return base ^ 2', 1822500.0),
    quiet: example('def solution():\n    base = 1350\n    return base ** 2', 1822500.0),
    checkRecord(input, report) {
      const { solution } = input;
      if (solution === undefined || !solution.source.includes('^')) return;
      parsePython(solution.source).iterate({
        enter({ name, node }) {
          if (name !== 'BitOp' && name !== 'UpdateOp') return;
          const sign = solution.source.slice(node.from, node.to);
          if ((sign !== '^' && sign !== '^=') || !isBetweenNumbers(node)) return;
          report({
            ...place(input, { start: node.from, end: node.to }),
            message: `${sign} is Python's exclusive or, not a power. Write ${sign.replace('^', '**')} for a power.`,
            found: sign,
          });
        },
      });
    },
  },
  {
    code: 'solution/top-level-code',
    severity: 'info',
    needs: 'solution',
    title: 'Statements stand beside the function',
    why: `A solution is one function; here further statements stand beside it, such as a call at the end. Harnesses that import or execute the text run them too: the work is done twice, printed text mixes with their output, and an error in them hides the function.

Leave the function alone in the text. Imports and other functions beside it are fine.`,
    fires: example(`${GOOD}\n\nprint(solution())\n`),
    quiet,
    checkRecord(input, report) {
      const { solution, settings } = input;
      if (solution === undefined || !solution.runnable || !/\n\S/.test(solution.source)) return;
      const stray = strayStatements(parsePython(solution.source).topNode, solution.source, settings.profile.entryPoint);
      const [first] = stray;
      if (first === undefined) return;
      const text = solution.source.slice(first.from, first.to).split('\n')[0]!;
      const more = stray.length === 1 ? '' : ` and ${stray.length - 1} more`;
      report({
        ...place(input, { start: first.from, end: first.from + text.trimEnd().length }),
        message: `Beside the function stands the statement ${text.length > 50 ? `${text.slice(0, 49)}…` : text}${more}.`,
        found: text,
      });
    },
  },
  {
    code: 'solution/values-first',
    severity: 'info',
    off: true,
    needs: 'solution',
    title: 'A value stands inside a computation instead of a named variable at the start',
    why: `DocMath-Eval's convention: a solution first assigns the values taken from the document, each under a meaningful name, and then computes with the names. A number inside a formula cannot be told from a constant, and nobody sees what it is. The rule is off unless it is switched on.

Assign the number to a variable that says what it is. Small whole numbers and powers of ten may stand in formulas.`,
    fires: example('def solution():\n    return 1350 - 1200'),
    quiet,
    checkRecord(input, report) {
      const { solution, settings } = input;
      if (solution === undefined || !solution.runnable) return;
      for (const literal of programOf(solution, settings.profile.entryPoint).literals) {
        if (literal.use === 'argument' || literal.use === 'index' || isConstant(literal.value)) continue;
        const hasName = literal.isWholeValue && literal.name !== undefined;
        if (hasName && /\p{L}{2}/u.test(literal.name!)) continue;
        report({
          ...place(input, literal.span),
          message: hasName
            ? `The name ${literal.name} does not say what the value ${literal.text} is.`
            : `The value ${literal.text} stands inside a computation; assign it to a named variable first.`,
          found: literal.text,
        });
        return;
      }
    },
  },
  {
    code: 'solution/uncommented',
    severity: 'info',
    off: true,
    needs: 'solution',
    title: 'A solution of more than two statements has no comment',
    why: `Comments say where values come from and what a step does; who checks the record reads them first. The rule is off unless it is switched on.

Add a line on the values and one on the computation.`,
    fires: example(
      'def solution():\n    revenue_2031 = 1200\n    revenue_2032 = 1350\n    return revenue_2032 - revenue_2031',
    ),
    quiet,
    checkRecord(input, report) {
      const { solution, settings } = input;
      if (solution === undefined || !solution.runnable || solution.source.includes('#')) return;
      const body = bodyOf(parsePython(solution.source).topNode, solution.source, settings.profile.entryPoint);
      if (body === undefined) return;
      const statements = childrenOf(body).filter(({ name }) => /Statement$|^FunctionDefinition$/.test(name));
      if (statements.length <= 2 || statements[0]?.firstChild?.name === 'String') return;
      report({
        ...place(input, undefined),
        message: `The solution has ${statements.length} statements and no comment.`,
        found: 'none',
      });
    },
  },
];

function place({ record }: RecordInput, span: Span | undefined) {
  const pointer = pointerTo(record, 'solution');
  return span === undefined ? { pointer } : { pointer, inString: span };
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

function bodyOf(script: SyntaxNode, source: string, name: string): SyntaxNode | undefined {
  const definition = childrenOf(script).find((node) => {
    const defined = node.name === 'FunctionDefinition' ? node.getChild('VariableName') : null;
    return defined !== null && source.slice(defined.from, defined.to) === name;
  });
  return definition?.getChild('Body') ?? undefined;
}

/** Module-level statements that are no definition, import, comment or text alone. */
function strayStatements(script: SyntaxNode, source: string, entryPoint: string): SyntaxNode[] {
  return childrenOf(script).filter((node) => {
    if (!/Statement$/.test(node.name) || node.name === 'ImportStatement' || node.name === 'DecoratedStatement')
      return false;
    if (node.name === 'ExpressionStatement' && /^(?:Continued)?String$/.test(node.firstChild?.name ?? '')) return false;
    const target = node.firstChild;
    const isEntry =
      node.name === 'AssignStatement' && target !== null && source.slice(target.from, target.to) === entryPoint;
    return !isEntry;
  });
}

/** Sets and truth values have an exclusive or of their own. */
function isBetweenNumbers(operator: SyntaxNode): boolean {
  const operands = [operator.prevSibling, operator.nextSibling];
  return operands.every(
    (node) => node !== null && !/^(?:Set|Dictionary|Boolean|String|SetComprehension)/.test(node.name),
  );
}

function isConstant(value: number): boolean {
  const size = Math.abs(value);
  return (Number.isInteger(size) && size <= 12) || size === 365 || Math.log10(size) % 1 === 0;
}

const CUTTING = /\/\/=?|\bint\s*\(|\bfloor\s*\(|\btrunc\s*\(/;

function checkFloorDivision(input: RunInput, report: Report): void {
  const { record, run, settings, solution } = input;
  const { gold } = record;
  if (solution === undefined || run.value === undefined || typeof gold !== 'number') return;
  const cutting = firstCut(solution.source);
  if (cutting === undefined || judge(run, gold, settings).verdict !== 'mismatch') return;
  const value = Number(run.value.repr);
  const exact = exactResult(input);
  const isExplained =
    exact === undefined
      ? // What takes more than arithmetic to follow shows it by its whole result.
        Number.isInteger(value) && !Number.isInteger(gold) && (value === Math.floor(gold) || value === Math.trunc(gold))
      : isEqual(exact, gold) || isRounding(exact, gold, Math.max(decimalsOf(gold), settings.tolerance.decimals));
  if (!isExplained) return;
  const sign = solution.source.slice(cutting.start, cutting.end).replace(/\s*\($/, '()');
  const meant = sign.startsWith('//') ? 'With / it' : `Without ${sign} it`;
  report({
    ...place(input, cutting),
    message: `${sign} cuts the result to ${run.value.repr}, ${difference(value, gold)} off. ${meant} would be the gold ${gold}.`,
    found: `${sign} ${run.value.repr}`,
  });
}

/** The first sign or call that cuts decimals off; none inside text and comments. */
function firstCut(source: string): Span | undefined {
  if (!CUTTING.test(source)) return undefined;
  const code = source.replace(/#[^\n]*|"[^"\n]*"|'[^'\n]*'/g, (part) => ' '.repeat(part.length));
  const found = CUTTING.exec(code);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

/** What the solution would return if every division were exact and nothing were cut; undefined where that cannot be told. */
function exactResult({ solution, settings }: RunInput): number | undefined {
  if (solution === undefined) return undefined;
  const { result, literals } = programOf(solution, settings.profile.entryPoint);
  return result === undefined ? undefined : evaluate(exactly(result, new Map(), 0), literals);
}

/** Deeper expressions are generated ones. */
const DEPTH = 200;

/** The expression with / for // and without int(), floor() and trunc(). */
function exactly(expression: Expression, known: Map<Expression, Expression>, depth: number): Expression {
  if (depth > DEPTH) return { kind: 'unknown' };
  const done = known.get(expression);
  if (done !== undefined) return done;
  const inner = (part: Expression): Expression => exactly(part, known, depth + 1);
  const made = rebuilt(expression, inner);
  known.set(expression, made);
  return made;
}

function rebuilt(expression: Expression, inner: (part: Expression) => Expression): Expression {
  switch (expression.kind) {
    case 'variable':
      return { ...expression, value: inner(expression.value) };
    case 'sign':
      return { ...expression, of: inner(expression.of) };
    case 'binary': {
      const operator = expression.operator === '//' ? '/' : expression.operator;
      return { ...expression, operator, left: inner(expression.left), right: inner(expression.right) };
    }
    case 'call': {
      const values = expression.arguments.map(inner);
      const [only] = values;
      return /^(?:int|floor|trunc)$/.test(expression.name) && only !== undefined && values.length === 1
        ? only
        : { ...expression, arguments: values };
    }
    case 'list':
      return { ...expression, items: expression.items.map(inner) };
    case 'literal':
    case 'unknown':
      return expression;
  }
}
