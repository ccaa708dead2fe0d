/** What the assignments of a solution hold after a run, told from its steps. */
import type { SyntaxNode } from '@lezer/common';
import { parsePython } from './tree.ts';
import type { Span } from '../finding.ts';
import type { RunStep, RunSteps } from '../../../../schemas/steps.ts';
import { lineStarts, locate } from '../text/lines.ts';

/** A statement that gives names values. Lines are 0-based. */
interface Statement {
  readonly names: readonly string[];
  readonly first: number;
  readonly last: number;
  /** Offsets in the solution's text, up to the end of what is assigned; of a loop, to what it goes over. */
  readonly span: Span;
  readonly kind: 'assignment' | 'update' | 'loop';
}

export interface ShownValue {
  readonly name: string;
  readonly value: string;
}

export interface StatementValues {
  /** Offsets in the solution's text; the values are shown behind it. */
  readonly span: Span;
  readonly kind: Statement['kind'] | 'result';
  /** Of a result without a name: ''. */
  readonly values: readonly ShownValue[];
  /** How often the statement ran (a loop: how many values it gave). */
  readonly times: number;
  /** Steps of the run are missing: the values may not be the last ones. */
  readonly isCut: boolean;
}

/** Solutions beyond this length, in UTF-16 units, are generated texts that nobody reads line by line. */
const LONGEST = 20_000;

/** In order of place; statements that did not run are left out. */
export function valuesOf(source: string, entryPoint: string, { frames, steps, full }: RunSteps): StatementValues[] {
  if (source.length > LONGEST) return [];
  const statements = statementsOf(source);
  const returns = returnsOf(source);
  const byLine = new Map<number, Statement[]>();
  for (const statement of statements) {
    for (let line = statement.first; line <= statement.last; line++) {
      const here = byLine.get(line);
      if (here === undefined) byLine.set(line, [statement]);
      else here.push(statement);
    }
  }
  const found = new Map<Statement, { values: ShownValue[]; times: number }>();
  const states = new Map<number, { readonly names: Map<string, string>; line: number }>();
  let result: { readonly line: number; readonly value: string } | undefined;
  for (const step of steps) {
    const line = step.line - 1;
    let state = states.get(step.frame);
    if (state === undefined) {
      state = { names: new Map(), line: -1 };
      states.set(step.frame, state);
    }
    const before = state.line;
    apply(step, state.names);
    // What ran since the frame's step before is the line that was about to run then.
    for (const statement of byLine.get(before) ?? []) {
      const values = statement.names.flatMap((name) => {
        const value = state.names.get(name);
        return value === undefined ? [] : [{ name, value }];
      });
      const known = found.get(statement) ?? { values, times: 0 };
      if (values.length > 0) known.values = values;
      // A statement of several lines runs once for all of them.
      const leaves = line < statement.first || line > statement.last || step.kind !== 'line';
      if (leaves || statement.first === statement.last) known.times++;
      found.set(statement, known);
    }
    state.line = step.kind === 'line' ? line : -1;
    if (step.kind === 'return' && step.value !== undefined && frames[step.frame] === entryPoint) {
      result = { line, value: step.value };
    }
  }
  const shown = statements.flatMap((statement): StatementValues[] => {
    const { values, times } = found.get(statement) ?? { values: [], times: 0 };
    if (values.length === 0) return [];
    const { span, kind } = statement;
    // A loop is asked once more than it gives values.
    return [{ span, kind, values, times: kind === 'loop' ? Math.max(1, times - 1) : times, isCut: full }];
  });
  const last = result && returns.find(({ first, last }) => first <= result.line && result.line <= last);
  if (result !== undefined && last !== undefined) {
    const values = [{ name: '', value: result.value }];
    shown.push({ span: last.span, kind: 'result', values, times: 1, isCut: full });
  }
  return shown.sort((one, other) => one.span.end - other.span.end);
}

function apply({ changes }: RunStep, names: Map<string, string>): void {
  for (const { name, value } of changes) {
    if (value === null) names.delete(name);
    else names.set(name, value);
  }
}

function statementsOf(source: string): Statement[] {
  const starts = lineStarts(source);
  const lineAt = (offset: number): number => locate(starts, offset).line;
  const found: Statement[] = [];
  parsePython(source).iterate({
    enter({ name, node }) {
      // Names in the body of a class are not the function's.
      if (name === 'ClassDefinition') return false;
      if (name === 'AssignStatement' || name === 'UpdateStatement') {
        const names = targetsOf(node, source);
        if (names.length > 0) {
          const span = { start: node.from, end: node.to };
          const kind = name === 'AssignStatement' ? 'assignment' : 'update';
          found.push({ names, first: lineAt(span.start), last: lineAt(span.end), span, kind });
        }
      } else if (name === 'ForStatement') {
        const body = node.getChild('Body');
        const head = body?.prevSibling ?? node.lastChild;
        const names = targetsOf(node, source);
        if (head !== null && names.length > 0) {
          const span = { start: node.from, end: body === null ? head.to : body.from + 1 };
          found.push({ names, first: lineAt(node.from), last: lineAt(head.to), span, kind: 'loop' });
        }
      }
      return undefined;
    },
  });
  return found;
}

/** Names that get a value: those in front of the last sign of assignment, or between `for` and `in`. */
function targetsOf(statement: SyntaxNode, source: string): string[] {
  const names = new Set<string>();
  let pending: SyntaxNode[] = [];
  for (let child = statement.firstChild; child; child = child.nextSibling) {
    const isEnd =
      child.name === 'AssignOp' || child.name === 'UpdateOp' || child.name === 'in' || child.name === 'TypeDef';
    if (isEnd) {
      for (const node of pending) addNames(node, source, names);
      pending = [];
      if (child.name === 'in') break;
    } else pending.push(child);
  }
  return [...names];
}

function addNames(node: SyntaxNode, source: string, names: Set<string>): void {
  if (node.name === 'VariableName') names.add(source.slice(node.from, node.to));
  else if (
    node.name === 'TupleExpression' ||
    node.name === 'ArrayExpression' ||
    node.name === 'ParenthesizedExpression'
  ) {
    for (let child = node.firstChild; child; child = child.nextSibling) addNames(child, source, names);
  } else if (node.name === 'MemberExpression') {
    // `totals['a'] = 1` changes what `totals` holds.
    const owner = node.firstChild;
    if (owner?.name === 'VariableName' && source.charAt(owner.to) === '[') addNames(owner, source, names);
  }
}

function returnsOf(source: string): readonly Pick<Statement, 'first' | 'last' | 'span'>[] {
  const starts = lineStarts(source);
  const found: Pick<Statement, 'first' | 'last' | 'span'>[] = [];
  parsePython(source).iterate({
    enter({ name, from, to }) {
      if (name !== 'ReturnStatement') return;
      const [first, last] = [locate(starts, from).line, locate(starts, to).line];
      found.push({ first, last, span: { start: from, end: to } });
    },
  });
  return found;
}
