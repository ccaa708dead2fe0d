/**
 * Globs of the configuration. They come from a file of the repository, so matching takes time linear in pattern × path,
 * whatever the pattern: no regular expression that could be made to hang.
 */

/** What `**` stands for: any number of folders. */
const ANY_FOLDERS = '**';
/** Alternatives that one pattern may expand to. */
const MAX_ALTERNATIVES = 256;

type Token =
  | { readonly kind: 'text'; readonly char: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] };
type Segment = typeof ANY_FOLDERS | readonly Token[];

/** Whether a path fits: relative to the configuration's folder, with `/`. */
export type PathTest = (path: string) => boolean;

/** `undefined` with a reason where the pattern cannot be read. `*`, `**`, `?`, `[a-z]`, `[!a-z]` and `{a,b}`, with case. */
export function compileGlob(pattern: string): { readonly test: PathTest } | { readonly problem: string } {
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) return { problem: 'its braces are not closed, or stand for too many alternatives' };
  const compiled: Segment[][] = [];
  for (const alternative of alternatives) {
    const segments = toSegments(alternative);
    if (!segments) return { problem: 'its bracket is not closed' };
    compiled.push(segments);
  }
  return {
    test: (path) => {
      const parts = path.split('/');
      return compiled.some((segments) => matchSegments(segments, parts));
    },
  };
}

/** Expands the first group of braces, then those of the results; undefined where one is not closed. */
function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    if (open.length + done.length > MAX_ALTERNATIVES) return undefined;
    const next = open.pop()!;
    const start = next.indexOf('{');
    if (start < 0) {
      done.push(next);
      continue;
    }
    const group = readGroup(next, start);
    if (!group) return undefined;
    for (const choice of group.choices) open.push(next.slice(0, start) + choice + next.slice(group.end));
  }
  return done;
}

function readGroup(pattern: string, start: number): { readonly choices: string[]; readonly end: number } | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let i = start; i < pattern.length; i++) {
    const char = pattern[i];
    if (char === '{') depth++;
    if (char === '}') depth--;
    if (depth === 0 || (depth === 1 && char === ',')) {
      choices.push(pattern.slice(from, i));
      from = i + 1;
    }
    if (depth === 0) return { choices, end: i + 1 };
  }
  return undefined;
}

function toSegments(pattern: string): Segment[] | undefined {
  const segments: Segment[] = [];
  for (const part of pattern.replace(/^(\.\/)+/, '').split('/')) {
    const segment = part === ANY_FOLDERS ? ANY_FOLDERS : toTokens(part);
    if (!segment) return undefined;
    if (segment !== ANY_FOLDERS || segments.at(-1) !== ANY_FOLDERS) segments.push(segment);
  }
  return segments;
}

function toTokens(part: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (let i = 0; i < part.length; i++) {
    const char = part[i]!;
    if (char === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (char === '?') tokens.push({ kind: 'any' });
    else if (char === '[') {
      const end = part.indexOf(']', i + 2);
      if (end < 0) return undefined;
      tokens.push(toClass(part.slice(i + 1, end)));
      i = end;
    } else tokens.push({ kind: 'text', char });
  }
  return tokens;
}

function toClass(inner: string): Token {
  const negated = inner.startsWith('!') || inner.startsWith('^');
  const ranges: [string, string][] = [];
  for (let i = negated ? 1 : 0; i < inner.length; i++) {
    const from = inner[i]!;
    const to = inner[i + 1] === '-' ? inner[i + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) i += 2;
  }
  return { kind: 'class', negated, ranges };
}

function matchSegments(segments: readonly Segment[], parts: readonly string[]): boolean {
  return matchWithStars(
    segments.length,
    parts.length,
    (i) => segments[i] === ANY_FOLDERS,
    (i, j) => matchTokens(segments[i] as readonly Token[], parts[j]!),
  );
}

function matchTokens(tokens: readonly Token[], text: string): boolean {
  return matchWithStars(
    tokens.length,
    text.length,
    (i) => tokens[i]!.kind === 'star',
    (i, j) => matchChar(tokens[i]!, text[j]!),
  );
}

/** Pattern against text, both as lengths; going back to the last star alone is enough. */
function matchWithStars(
  patternLength: number,
  textLength: number,
  isStar: (i: number) => boolean,
  matches: (i: number, j: number) => boolean,
): boolean {
  let i = 0;
  let j = 0;
  let star = -1;
  let starText = 0;
  while (j < textLength) {
    if (i < patternLength && isStar(i)) {
      star = i++;
      starText = j;
    } else if (i < patternLength && matches(i, j)) {
      i++;
      j++;
    } else if (star >= 0) {
      i = star + 1;
      j = ++starText;
    } else return false;
  }
  while (i < patternLength && isStar(i)) i++;
  return i === patternLength;
}

function matchChar(token: Token, char: string): boolean {
  if (token.kind === 'text') return token.char === char;
  if (token.kind === 'class') {
    return token.negated !== token.ranges.some(([from, to]) => char >= from && char <= to);
  }
  return token.kind === 'any';
}
