import type { Expression, Literal } from './program.ts';

/**
 * Value of an arithmetic expression as Python computes it in floats; undefined where it takes more than arithmetic, or
 * where Python would raise. `replaced` gives other values to some literals, by index.
 */
export function evaluate(
  expression: Expression,
  literals: readonly Literal[],
  replaced?: ReadonlyMap<number, number>,
): number | undefined {
  const value = valueOf(expression, { literals, replaced, known: new Map() }, 0);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Deeper trees are generated ones, which no person traces. */
const DEPTH = 200;

type Value = number | readonly number[] | undefined;

interface Evaluation {
  readonly literals: readonly Literal[];
  readonly replaced: ReadonlyMap<number, number> | undefined;
  /** Values of variables: `x = x + x` a hundred times would else take 2^100 steps. */
  readonly known: Map<Expression, Value>;
}

function valueOf(expression: Expression, at: Evaluation, depth: number): Value {
  if (depth > DEPTH) return undefined;
  const inner = (part: Expression): Value => valueOf(part, at, depth + 1);
  switch (expression.kind) {
    case 'literal':
      return at.replaced?.get(expression.literal) ?? at.literals[expression.literal]!.value;
    case 'variable': {
      if (at.known.has(expression.value)) return at.known.get(expression.value);
      const value = inner(expression.value);
      at.known.set(expression.value, value);
      return value;
    }
    case 'sign': {
      const value = inner(expression.of);
      return typeof value === 'number' ? -value : undefined;
    }
    case 'binary': {
      const left = inner(expression.left);
      const right = inner(expression.right);
      if (typeof left !== 'number' || typeof right !== 'number') return undefined;
      return compute(expression.operator, left, right);
    }
    case 'list':
      return numbers(expression.items.map(inner));
    case 'call':
      return call(expression.name, expression.arguments.map(inner));
    case 'unknown':
      return undefined;
  }
}

function numbers(values: readonly Value[]): readonly number[] | undefined {
  return values.every((value) => typeof value === 'number') ? values : undefined;
}

function compute(operator: string, left: number, right: number): number | undefined {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? undefined : left / right;
    case '//':
      return right === 0 ? undefined : Math.floor(left / right);
    case '%':
      return right === 0 ? undefined : left - right * Math.floor(left / right);
    case '**':
      return left < 0 && !Number.isInteger(right) ? undefined : left ** right;
    default:
      return undefined;
  }
}

const ONE_NUMBER: Readonly<Record<string, (value: number) => number>> = {
  abs: Math.abs,
  fabs: Math.abs,
  float: (value) => value,
  int: Math.trunc,
  trunc: Math.trunc,
  floor: Math.floor,
  ceil: Math.ceil,
  sqrt: Math.sqrt,
  exp: Math.exp,
  log10: Math.log10,
  log2: Math.log2,
};

function call(name: string, values: readonly Value[]): number | undefined {
  const [first, second] = values;
  const one = Object.hasOwn(ONE_NUMBER, name) ? ONE_NUMBER[name] : undefined;
  if (one !== undefined) return typeof first === 'number' && values.length === 1 ? one(first) : undefined;
  switch (name) {
    case 'round':
      return typeof first === 'number' ? roundHalfEven(first, typeof second === 'number' ? second : 0) : undefined;
    case 'pow':
      return typeof first === 'number' && typeof second === 'number' ? compute('**', first, second) : undefined;
    case 'log':
      if (typeof first !== 'number' || first <= 0) return undefined;
      return typeof second === 'number' ? Math.log(first) / Math.log(second) : Math.log(first);
    case 'sum':
    case 'fsum':
      return typeof first === 'object' ? first.reduce((sum, value) => sum + value, 0) : undefined;
    case 'mean':
    case 'fmean':
      return typeof first === 'object' && first.length > 0
        ? first.reduce((sum, value) => sum + value, 0) / first.length
        : undefined;
    case 'len':
      return typeof first === 'object' ? first.length : undefined;
    case 'max':
    case 'min': {
      const all = typeof first === 'object' ? first : numbers(values);
      if (all === undefined || all.length === 0) return undefined;
      return name === 'max' ? Math.max(...all) : Math.min(...all);
    }
    default:
      return undefined;
  }
}

function roundHalfEven(value: number, digits: number): number {
  if (digits !== 0) return digits > 0 && digits <= 100 ? Number(value.toFixed(digits)) : value;
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** The expression behind variables and brackets. */
export function behind(expression: Expression): Expression {
  let at = expression;
  while (at.kind === 'variable') at = at.value;
  return at;
}

/** Indices of the literals that an expression is made of, in order, each once. */
export function literalsIn(expression: Expression): number[] {
  const found = new Set<number>();
  const seen = new Set<Expression>();
  const visit = (at: Expression, depth: number): void => {
    if (depth > DEPTH || seen.has(at)) return;
    seen.add(at);
    switch (at.kind) {
      case 'literal':
        found.add(at.literal);
        return;
      case 'variable':
        return visit(at.value, depth + 1);
      case 'sign':
        return visit(at.of, depth + 1);
      case 'binary':
        visit(at.left, depth + 1);
        return visit(at.right, depth + 1);
      case 'list':
        return at.items.forEach((item) => visit(item, depth + 1));
      case 'call':
        return at.arguments.forEach((item) => visit(item, depth + 1));
      case 'unknown':
    }
  };
  visit(expression, 0);
  return [...found];
}

/** Whether nothing in the expression is unknown. */
export function isPlainArithmetic(expression: Expression, literals: readonly Literal[]): boolean {
  return evaluate(expression, literals) !== undefined;
}

/** Sums of more terms are generated ones. */
const TERMS = 400;

/** The terms of a sum with their signs; a single expression is a sum of one. */
export function termsOf(expression: Expression): { readonly term: Expression; readonly sign: 1 | -1 }[] {
  const terms: { term: Expression; sign: 1 | -1 }[] = [];
  const visit = (at: Expression, sign: 1 | -1, depth: number): void => {
    if (terms.length >= TERMS) return;
    const plain = behind(at);
    const flipped = sign === 1 ? -1 : 1;
    if (depth <= DEPTH && plain.kind === 'binary' && (plain.operator === '+' || plain.operator === '-')) {
      visit(plain.left, sign, depth + 1);
      visit(plain.right, plain.operator === '+' ? sign : flipped, depth + 1);
    } else if (depth <= DEPTH && plain.kind === 'sign') {
      visit(plain.of, flipped, depth + 1);
    } else if (depth <= DEPTH && plain.kind === 'call' && /^f?sum$/.test(plain.name) && plain.arguments.length === 1) {
      const list = behind(plain.arguments[0]!);
      if (list.kind === 'list') list.items.forEach((item) => visit(item, sign, depth + 1));
      else terms.push({ term: at, sign });
    } else {
      terms.push({ term: at, sign });
    }
  };
  visit(expression, 1, 0);
  return terms;
}
