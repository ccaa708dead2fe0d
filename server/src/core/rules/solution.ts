import { distance } from 'fastest-levenshtein';
import { withFixes } from '../edit/fixes.ts';
import type { LocalFinding, Span } from '../finding.ts';
import type { RunError, RunResult } from '../ports.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { UNAVAILABLE } from '../solution/imports.ts';
import { spanOfColumn, spanOfFunction, spanOfLine, spanOfReturn } from '../solution/lines.ts';
import type { StaticFault } from '../solution/types.ts';
import { keyOfField, show } from './messages.ts';
import { numberOfTruth, returnInstead, truthAsNumber, unwrapped } from './solution-fixes.ts';
import type { RecordInput, Report, Rule, RunInput } from './types.ts';

const QUESTION = 'What was the change in widget revenue from 2031 to 2032? (in thousand)';
const GOOD = 'def solution():\n    r2031 = 1200\n    r2032 = 1350\n    return r2032 - r2031';

function example(python_solution: string, ground_truth = 150.5) {
  const record = { question_id: 'demo-0', question: QUESTION, python_solution, ground_truth };
  return { profile: 'docmath-eval', lines: [record] };
}

const quiet = example(GOOD, 150.5);

/** Errors of an interpreter that a solution's own size brings about: what a 64-bit CPython would try to allocate. */
const TOO_LARGE =
  /cannot fit 'int' into an index-sized integer|too large to convert to C s?size_t|(?:string|bytes|result|sequence) (?:is|are) too (?:long|large)|too many (?:digits in integer|items)/i;

export const solutionRules: readonly Rule[] = [
  {
    code: 'solution/syntax',
    severity: 'error',
    needs: 'run',
    title: 'The solution is not valid Python',
    why: `Python could not compile the solution; message, line and column are CPython's own. Nothing of it was run, so there is no verdict.

Frequent causes are tabs mixed with blanks, an unclosed bracket, a missing colon, and typographic quotes or dashes that came along from a page or a chat.`,
    fires: example('def solution():\n    a = 1350\n\treturn a - 1200'),
    quiet,
    checkRun({ record, run, solution }, report) {
      const error = run.error;
      if (error?.kind !== 'syntax') return;
      const span =
        error.line === undefined ? undefined : spanOfColumn(solution?.source ?? '', error.line, error.column);
      const column = error.column === undefined ? '' : `, column ${error.column}`;
      const line = error.line === undefined ? '' : ` in line ${error.line}${column}`;
      report({
        ...place(record, span),
        message: sentence(`The solution is not valid Python: ${error.type}${line}: ${error.message}`),
        found: `${error.type}: ${error.message}`,
      });
    },
  },
  staticRule({
    code: 'solution/code-fence',
    severity: 'error',
    title: 'A Markdown fence stands around the solution',
    why: `The solution was pasted with the fence of a Markdown code block (three backticks). Python cannot read it. Harnesses strip the fence from model outputs, but gold solutions get no such repair.

Remove the lines with the backticks.`,
    fires: example('```python\n' + GOOD + '\n```'),
    quiet,
  }),
  staticRule({
    code: 'solution/double-escaped',
    severity: 'error',
    title: 'The solution holds \\n as two characters instead of line breaks',
    why: `The text was escaped twice: where the lines of the program should break, it holds a backslash and the letter n. In the JSON file that shows as \\\\n. Python sees one long line and stops.

It happens when text that is JSON already is written as JSON again. Decode it once more before writing.`,
    fires: example('def solution():\\n    return 150.5'),
    quiet: example('def solution():\n    print("a\\nb")\n    return 150.5'),
  }),
  whenRun(
    staticRule({
      code: 'solution/entry-point',
      severity: 'error',
      title: 'There is no function that can be called',
      why: `A solution is run by calling one function without arguments (\`solution\` in DocMath-Eval; the profile names it). Here no such function is defined at the top level, or it needs arguments.

Name the function as the profile says, give it no parameters (or defaults for all of them), and let it return the number.`,
      fires: example('def solve(x):\n    return x'),
      quiet: example('solution = lambda: 1350 - 1199.5'),
    }),
    ({ record, run, solution, settings }, report) => {
      const error = run.error;
      if (error?.kind !== 'entryPoint') return;
      const name = settings.profile.entryPoint;
      report({
        ...place(record, spanOfFunction(solution?.source ?? '', name)),
        message: uncallableMessage(name, error.message, solution?.source ?? ''),
        found: error.message,
      });
    },
  ),
  {
    code: 'solution/raises',
    severity: 'error',
    needs: 'run',
    title: 'The solution stops with an exception',
    why: `The solution was run and raised an exception; type, message and line are Python's own. It has no value, so nothing can be compared with the gold.

A name that is not defined is usually misspelled: the message names the closest one. A blocked call means that the solution reached for files, the network, processes or the clock of the machine, which solutions do not get. Endless recursion stops with RecursionError.`,
    fires: example('def solution():\n    total = 1350\n    return totl - 1200'),
    quiet,
    checkRun(input, report) {
      const error = input.run.error;
      if (error === undefined || isMemory(error)) return;
      if (!['exception', 'recursion', 'blocked', 'crash'].includes(error.kind)) return;
      if (absentPackage(input.run) !== undefined) return;
      const source = input.solution?.source ?? '';
      const span = error.line === undefined ? undefined : spanOfLine(source, error.line);
      if (input.record.program !== undefined) {
        report({
          pointer: pointerTo(input.record, 'solution'),
          message: `The program cannot be computed: ${error.message}.`,
          found: error.message,
        });
        return;
      }
      report({
        ...place(input.record, span ?? spanOfFunction(source, input.settings.profile.entryPoint)),
        message: raisesMessage(error, source),
        found: `${error.type}: ${withoutAddress(error.message)}`,
      });
    },
  },
  {
    code: 'solution/timeout',
    severity: 'error',
    needs: 'run',
    title: 'The solution does not end within the time limit',
    why: `The solution was stopped at the limit (3 seconds unless \`solutions.timeoutMs\` says otherwise). Real solutions of such datasets take a few milliseconds.

Look for a loop whose condition never becomes false, such as a float that is compared with == after repeated addition, or for a range of astronomical length.`,
    fires: example('def solution():\n    x = 0\n    while x != 1:\n        x += 0.3\n    return 150.5'),
    quiet,
    checkRun({ record, run, solution, settings }, report) {
      if (run.error?.kind !== 'timeout') return;
      const { timeoutMs } = settings.solutions;
      const span = run.error.line === undefined ? undefined : spanOfLine(solution?.source ?? '', run.error.line);
      report({
        ...place(record, span ?? spanOfFunction(solution?.source ?? '', settings.profile.entryPoint)),
        message: `The solution did not end within the limit of ${seconds(timeoutMs)} and was stopped.`,
        found: String(timeoutMs),
      });
    },
  },
  {
    code: 'solution/memory',
    severity: 'error',
    needs: 'run',
    title: 'The solution needs more memory than the limit',
    why: `The solution was stopped because it asked for more memory than the limit (128 MB unless \`solutions.memoryMb\` says otherwise), or for a size beyond what the engine can index. A solution over a handful of numbers needs next to none.

Look for a repeated string or list, a range that is turned into a list, or a power tower.`,
    fires: example("def solution():\n    return len('x' * 10 ** 9)"),
    quiet,
    checkRun({ record, run, solution, settings }, report) {
      const error = run.error;
      if (error === undefined || !isMemory(error)) return;
      const source = solution?.source ?? '';
      const span = error.line === undefined ? undefined : spanOfLine(source, error.line);
      const said = error.message === '' ? error.type : `${error.type}: ${error.message}`;
      report({
        ...place(record, span ?? spanOfFunction(source, settings.profile.entryPoint)),
        message: `The solution needs more memory than the limit of ${settings.solutions.memoryMb} MB (${said}${inLine(error)}).`,
        found: said,
      });
    },
  },
  {
    code: 'solution/not-a-number',
    severity: 'error',
    needs: 'run',
    title: 'The solution returns something that is not a number',
    why: `A solution returns an int or a finite float. Here it returns something else: nothing at all (the function prints its result or ends without \`return\`), text, several values, True or False, a Decimal, nan or infinity. Scorers count such a result as wrong or, worse, as right: True passes for 1, and nan compares with nothing.

Return the number itself. Where the message says what was printed, that is probably the number that was meant.`,
    fires: example('def solution():\n    print(1350 - 1199.5)'),
    quiet,
    checkRun(input, report) {
      const { record, run, solution, settings } = input;
      const error = run.error;
      if (error?.kind !== 'badReturn' && error?.kind !== 'notFinite') return;
      report({
        ...withFixes(returnInstead(input), numberOfTruth(input)),
        ...place(record, spanOfReturn(solution?.source ?? '', settings.profile.entryPoint)),
        message: notANumberMessage(error, run.stdout) + causeOfTruth(record, error),
        found: `${error.type} ${withoutAddress(error.message)}`,
      });
    },
  },
  staticRule({
    code: 'solution/forbidden-import',
    severity: 'error',
    title: 'The solution imports a module that is not allowed',
    why: `A solution computes a number from literals; for that it may import a short list of modules (\`solutions.allowedImports\`: math, statistics, decimal, datetime and their like). Modules that reach for files, processes, the network, the clock or chance make the result depend on the machine.

The solution was not run and gets no verdict. Compute the value without the module, or add the module to the list if it is harmless.`,
    fires: example(
      "def solution():\n    import subprocess\n    return float(subprocess.check_output(['echo', '150']))",
    ),
    quiet: example('def solution():\n    import math\n    return math.sqrt(22650.25)'),
  }),
  whenRun(
    staticRule({
      code: 'solution/unavailable-import',
      severity: 'info',
      title: 'The solution imports a package that the engine does not have',
      why: `The solution needs a package such as numpy, pandas, scipy or sympy, which the built-in engine does not carry. It was not run, and the record gets no verdict. Nothing need be wrong with it.

Where plain Python will do, use it: other harnesses may lack the package as well. Or run solutions with your own Python (\`--solutions python\`), which can use the packages you have installed.`,
      fires: example('def solution():\n    import numpy as np\n    return np.float64(150.5)'),
      quiet: example('def solution():\n    from statistics import mean\n    return mean([150, 151])'),
    }),
    ({ record, run, solution }, report) => {
      const name = absentPackage(run);
      if (name === undefined) return;
      const line = run.error?.line;
      report({
        ...place(record, line === undefined ? undefined : spanOfLine(solution?.source ?? '', line)),
        message: `The solution imports ${name}, which your Python (${run.pythonVersion}) does not have, so it gets no verdict. Install it there, or compute the value with the standard library.`,
        found: name,
      });
    },
  ),
];

/** The package that the user's own Python lacks, where solutions may use it: nothing need be wrong with the solution. */
function absentPackage({ engine, error }: RunResult): string | undefined {
  if (engine !== 'python' || error?.type !== 'ModuleNotFoundError') return undefined;
  const name = /'([^']+)'/.exec(error.message)?.[1]?.split('.')[0];
  return name !== undefined && UNAVAILABLE.has(name) ? name : undefined;
}

type StaticRule = Pick<Rule, 'code' | 'severity' | 'title' | 'why' | 'fires' | 'quiet'>;

/** A rule for faults that the static analysis finds; code and kind bear the same name. */
function staticRule(rule: StaticRule): Rule {
  const kind = rule.code.slice('solution/'.length);
  return {
    ...rule,
    needs: 'solution',
    checkRecord({ record, solution }, report) {
      if (solution === undefined || solution.faults.length === 0) return;
      for (const fault of solution.faults) {
        if (fault.kind !== kind) continue;
        const found = foundOf(fault, solution.source);
        report({ ...place(record, fault), message: fault.message, found, ...unwrapped(record, fault) });
      }
    },
  };
}

/** The same fault can show only when the solution runs: then the rule has a second check. */
function whenRun(rule: Rule, checkRun: (input: RunInput, report: Report) => void): Rule {
  const both = { ...rule, checkRun };
  return both;
}

function foundOf(fault: StaticFault, source: string): string {
  return fault.found ?? source.slice(fault.start, Math.min(fault.end, fault.start + 80));
}

function place(record: RecordInput['record'], span: Span | undefined): Pick<LocalFinding, 'pointer' | 'inString'> {
  const pointer = pointerTo(record, 'solution');
  return span === undefined ? { pointer } : { pointer, inString: { start: span.start, end: span.end } };
}

function isMemory(error: RunError): boolean {
  if (error.kind === 'memory') return true;
  if (error.kind !== 'exception') return false;
  return error.type === 'MemoryError' || (error.type === 'OverflowError' && TOO_LARGE.test(error.message));
}

function inLine(error: RunError): string {
  return error.line === undefined ? '' : ` in line ${error.line}`;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

function raisesMessage(error: RunError, source: string): string {
  const said = error.message === '' ? error.type : `${error.type}${inLine(error)}: ${withoutAddress(error.message)}`;
  if (error.kind === 'crash') {
    return `The interpreter broke down while it ran the solution (${said}); other solutions are not affected.`;
  }
  if (error.kind === 'blocked')
    return `The solution reached for something outside the sandbox and was stopped: ${said}.`;
  const meant = suggestion(error, source);
  return sentence(`The solution raises ${error.message === '' ? error.type + inLine(error) : said}`) + meant;
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** " Did you mean 'total'?" for a name that is not defined, where Python does not say it itself. */
function suggestion(error: RunError, source: string): string {
  if (error.type !== 'NameError' && error.type !== 'UnboundLocalError') return '';
  const name = /'([^']+)'/.exec(error.message)?.[1];
  if (name === undefined || error.message.includes('Did you mean')) return '';
  const limit = Math.max(1, Math.floor(name.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of namesIn(source)) {
    const steps = candidate === name ? Infinity : distance(candidate, name);
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best === undefined ? '' : ` Did you mean '${best}'?`;
}

/** Names that the solution assigns, imports, defines or takes as parameters. */
function namesIn(source: string): Set<string> {
  const code = source.replace(/#[^\n]*|'[^'\n]*'|"[^"\n]*"/g, ' ');
  const names = new Set<string>();
  for (const [, name] of code.matchAll(/\b([A-Za-z_]\w*)\s*(?:[-+*/%&|^@]|\*\*|\/\/|<<|>>)?=(?!=)/g)) names.add(name!);
  for (const [, list] of code.matchAll(
    /\b(?:import|for|as|def|global|nonlocal)\s+([\w, ]+?)(?=\s+(?:in|as|import)\b|[\n(:;]|$)/g,
  )) {
    for (const name of list!.split(',')) names.add(name.trim());
  }
  return names;
}

function uncallableMessage(name: string, said: string, source: string): string {
  if (!said.startsWith('there is no function'))
    return `The function ${name} cannot be called without arguments: ${said}.`;
  const nested = new RegExp(`^[ \\t]+(?:async[ \\t]+)?def[ \\t]+${name.replace(/\W/g, '')}\\b`, 'm').test(source);
  return nested
    ? `There is no function named ${name} at the top level: it is defined inside another function, a class or a block that was not reached. Define it without indentation.`
    : `There is no function named ${name} after the text was run. Put the computation into "def ${name}():", without arguments, and return its value.`;
}

/** Where an object lies in memory differs from run to run. */
function withoutAddress(text: string): string {
  return text.replace(/ at 0x[0-9a-f]+(?=>)/gi, '');
}

const UNFINISHED: Readonly<Record<string, string>> = {
  generator: ' It has "yield" in it; use "return".',
  coroutine: ' It is declared with "async"; leave that out.',
  function: ' It returns the function and not what it yields: call it.',
};

/** True and False count as 1 and 0: where that is the gold, the question is answered by a comparison. */
function causeOfTruth(record: CanonicalRecord, error: RunError): string {
  const value = truthAsNumber(error);
  if (value === undefined || record.gold !== value) return '';
  return ` A comparison gives it; as a number it is ${value}, which is ${keyOfField(record, 'gold')}: write int(…) around it.`;
}

function notANumberMessage({ kind, type, message }: RunError, stdout: string): string {
  if (kind === 'notFinite') return `The solution returns ${message}, which is no finite number.`;
  if (type !== 'NoneType')
    return `The solution returns ${withoutAddress(message)} of type ${type}, where an int or a finite float is expected.${UNFINISHED[type] ?? ''}`;
  const printed = stdout.trim();
  const said = printed === '' ? '' : ` It printed ${show(printed, 60)}: return it instead.`;
  return `The solution returns None: it ends without a return value.${said}`;
}
