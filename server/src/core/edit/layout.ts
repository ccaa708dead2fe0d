/** How objects and lists are laid out: blanks, lines and the spelling of numbers, read off a value that is written alike. */
import type { Span } from '../finding.ts';
import { escapeText, firstNumber, numberLike, writeValue } from './spelling.ts';
import type { Spelling } from './spelling.ts';
import { containerIn, keyOf } from './structure.ts';
import type { Child, Container } from './structure.ts';

/** A value in the layout of the one whose span in `text` is given; where that has none to show, on one line. */
export function writeLike(value: unknown, text: string, like: Span, spelling: Spelling): string {
  return write(value, text, like, spelling, firstNumber(text.slice(like.start, like.end)));
}

function write(value: unknown, text: string, like: Span, spelling: Spelling, number: string | undefined): string {
  const token = text.slice(like.start, like.end);
  if (typeof value === 'number') return numberLike(value, /^-?\d/.test(token) ? token : number);
  const container = typeof value === 'object' && value !== null ? containerIn(text, like) : undefined;
  const first = container?.children[0];
  if (container === undefined || first === undefined || (container.kind === 'list') !== Array.isArray(value)) {
    return writeValue(value, spelling, number);
  }
  const written = Array.isArray(value)
    ? elements(value, text, container, spelling, number)
    : members(value as Readonly<Record<string, unknown>>, text, container, spelling, number);
  const { span, children } = container;
  const [open, close] = [text.charAt(span.start), text.charAt(span.end - 1)];
  if (written.length === 0) return `${open}${close}`;
  const before = text.slice(span.start + 1, first.start);
  const after = text.slice(children.at(-1)!.end, span.end - 1);
  return `${open}${before}${written.join(`,${gapOf(text, container, spelling)}`)}${after}${close}`;
}

function elements(
  list: readonly unknown[],
  text: string,
  { children }: Container,
  spelling: Spelling,
  number: string | undefined,
): string[] {
  const fallback = fullest(children)!;
  return list.map((element, at) => {
    const own = children[at];
    const like = own !== undefined && own.end - own.valueStart > 2 ? own : fallback;
    return write(element, text, { start: like.valueStart, end: like.end }, spelling, number);
  });
}

function members(
  object: Readonly<Record<string, unknown>>,
  text: string,
  { children }: Container,
  spelling: Spelling,
  number: string | undefined,
): string[] {
  const known = new Map(children.map((child) => [keyOf(text, child), child]));
  return Object.entries(object).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const child = known.get(key);
    if (child?.key === undefined) {
      return `"${escapeText(key, spelling)}"${colonOf(text, children[0], spelling)}${writeValue(value, spelling, number)}`;
    }
    const written = write(value, text, { start: child.valueStart, end: child.end }, spelling, undefined);
    return text.slice(child.start, child.valueStart) + written;
  });
}

/** The first element that has something in it, else the first. */
export function fullest(children: readonly Child[]): Child | undefined {
  return children.find(({ valueStart, end }) => end - valueStart > 2) ?? children[0];
}

/** The colon with its blanks, as the first member of an object has it. */
export function colonOf(text: string, first: Child | undefined, spelling: Spelling): string {
  if (first?.key === undefined) return `:${spelling.afterColon}`;
  return text.slice(first.key.end, first.valueStart).replace(/\s*\n\s*/g, ' ');
}

/** The blanks between a comma and what follows it here. */
export function gapOf(text: string, { children, span }: Omit<Container, 'kind'>, spelling: Spelling): string {
  const [first, second] = children;
  if (first === undefined) return spelling.afterComma;
  if (second !== undefined) return text.slice(first.end, second.start).replace(/^\s*,/, '');
  const before = text.slice(span.start + 1, first.start);
  return before.includes('\n') ? before : spelling.afterComma;
}
