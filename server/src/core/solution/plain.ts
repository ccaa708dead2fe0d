/**
 * Which solutions leave the interpreter as they found it, so that the next one may use it as it is. This is about
 * results not depending on each other, never about safety: the sandbox holds whatever is said here. When in doubt, no.
 */
import type { SyntaxNode, TreeCursor } from '@lezer/common';
import { parsePython } from './tree.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Statements and expressions that change nothing but a solution's own names and objects. */
const NODES = words(`
  Script Comment Body Escape StatementGroup
  AssignStatement UpdateStatement ExpressionStatement PassStatement BreakStatement ContinueStatement ReturnStatement
  RaiseStatement AssertStatement DeleteStatement ImportStatement IfStatement WhileStatement ForStatement TryStatement
  FunctionDefinition ParamList TypeDef ArgList
  BinaryExpression UnaryExpression ConditionalExpression LambdaExpression NamedExpression ParenthesizedExpression
  TupleExpression ComprehensionExpression ArrayExpression ArrayComprehensionExpression DictionaryExpression
  DictionaryComprehensionExpression SetExpression SetComprehensionExpression CallExpression MemberExpression
  VariableName PropertyName Number String ContinuedString FormatString FormatReplacement FormatSelfDoc
  FormatConversion FormatSpec Ellipsis None Boolean AssignOp UpdateOp ArithOp BitOp CompareOp
`);
/** Names of nodes that are keywords and signs; the words among them that are not harmless. */
const KEYWORDS_OUT = words('async await yield global nonlocal class with match case type print At @');

/** Every built-in that cannot reach shared state. Together with `UNSAFE_BUILTINS` this is all of them; a test compares. */
export const SAFE_BUILTINS = words(`
  abs aiter all any ascii bin bool bytearray bytes callable chr complex dict divmod enumerate filter float format
  frozenset hex int isinstance issubclass iter len list map max min next oct ord pow print range repr reversed
  round set slice sorted str sum tuple zip Ellipsis False None NotImplemented True
  ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError
  BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError
  DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError
  FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError
  InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError
  NotADirectoryError NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError
  ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning
  StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError
  UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning
  ValueError Warning ZeroDivisionError _IncompleteInputError
`);
/** They run text, look names up, make types, or show what differs between interpreters. */
export const UNSAFE_BUILTINS = words(`
  anext breakpoint classmethod compile copyright credits delattr dir eval exec exit getattr globals hasattr hash help id
  input license locals memoryview object open property quit setattr staticmethod super type vars _
`);

/** What may be called behind a dot: methods of numbers, texts and containers, and functions of the two modules. */
const METHODS = words(`
  add append bit_count bit_length capitalize casefold center clear copy count difference difference_update discard
  endswith extend find get index insert intersection intersection_update is_integer isalnum isalpha isdecimal isdigit
  isdisjoint islower isnumeric isspace issubset issuperset istitle isupper items join keys ljust lower lstrip partition
  pop popitem remove removeprefix removesuffix replace reverse rfind rindex rjust rpartition rsplit rstrip setdefault
  sort split splitlines startswith strip swapcase symmetric_difference title translate union update upper values zfill
`);
const MODULES: Readonly<Record<string, ReadonlySet<string>>> = {
  math: words(`
    acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist erf erfc exp exp2 expm1 fabs
    factorial floor fma fmod frexp fsum gamma gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10
    log1p log2 modf nextafter perm pow prod radians remainder sin sinh sqrt sumprod tan tanh trunc ulp pi e tau inf nan
  `),
  statistics: words(`
    correlation covariance fmean geometric_mean harmonic_mean linear_regression mean median median_grouped median_high
    median_low mode multimode pstdev pvariance quantiles stdev variance
  `),
};
const CONSTANTS = words('pi e tau inf nan');
/** Where a module's constant is read and cannot be assigned to. */
const READING_PARENTS = words(
  'BinaryExpression UnaryExpression ConditionalExpression ReturnStatement ArgList FormatReplacement',
);

/** Whether every name that an import statement binds comes from the short list. */
function importsPlainly(node: SyntaxNode, text: (node: SyntaxNode) => string): boolean {
  const from = node.firstChild?.name === 'from';
  let names: ReadonlySet<string> | undefined;
  let imported = !from;
  for (let child = node.firstChild?.nextSibling; child; child = child.nextSibling) {
    switch (child.name) {
      case 'VariableName': {
        if (child.prevSibling?.name === 'as') break;
        const name = text(child);
        if (imported && names) {
          if (!names.has(name)) return false;
        } else {
          names = Object.hasOwn(MODULES, name) ? MODULES[name] : undefined;
          if (!names) return false;
          if (!from) names = undefined;
        }
        break;
      }
      case 'import':
        imported = true;
        break;
      case 'as':
      case ',':
      case '(':
      case ')':
        break;
      default:
        // A dotted or relative module, or a star.
        return false;
    }
  }
  return true;
}

function readsProperty(node: SyntaxNode, name: string): boolean {
  const member = node.parent;
  const parent = member?.parent;
  if (!member || member.name !== 'MemberExpression' || !parent) return false;
  if (
    parent.name === 'CallExpression' &&
    parent.firstChild?.from === member.from &&
    parent.firstChild.to === member.to
  ) {
    return METHODS.has(name) || Object.values(MODULES).some((names) => names.has(name));
  }
  if (!CONSTANTS.has(name)) return false;
  if (READING_PARENTS.has(parent.name)) return true;
  return parent.name === 'AssignStatement' && member.prevSibling?.name === 'AssignOp' && member.nextSibling === null;
}

function isPlainNode(cursor: TreeCursor, source: string): boolean {
  const { name, type } = cursor;
  if (type.isError) return false;
  if (!NODES.has(name)) return !/^[A-Za-z@]/.test(name) || (/^[a-z]/.test(name) && !KEYWORDS_OUT.has(name));
  if (name === 'VariableName') {
    const variable = source.slice(cursor.from, cursor.to);
    return !variable.startsWith('__') && !UNSAFE_BUILTINS.has(variable);
  }
  if (name === 'PropertyName') return readsProperty(cursor.node, source.slice(cursor.from, cursor.to));
  if (name === 'ImportStatement') return importsPlainly(cursor.node, (node) => source.slice(node.from, node.to));
  return true;
}

/** @param source the solution's text */
export function isPlain(source: string): boolean {
  const cursor = parsePython(source).cursor();
  do {
    if (!isPlainNode(cursor, source)) return false;
  } while (cursor.next());
  return true;
}
