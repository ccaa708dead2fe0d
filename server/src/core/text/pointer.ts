/** JSON pointers (RFC 6901). '' is the whole value; `~0` stands for `~`, `~1` for `/`. */

export function escapeSegment(segment: string | number): string {
  const text = String(segment);
  return text.includes('~') || text.includes('/') ? text.replaceAll('~', '~0').replaceAll('/', '~1') : text;
}

export function joinPointer(base: string, ...segments: readonly (string | number)[]): string {
  return base + pointerOf(segments);
}

/** The same for a list, which may be longer than a call takes arguments. */
export function pointerOf(segments: readonly (string | number)[]): string {
  let pointer = '';
  for (const segment of segments) pointer += '/' + escapeSegment(segment);
  return pointer;
}

/** The segments of a pointer, unescaped. A pointer that does not begin with `/` is read as if it did. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  const body = pointer.startsWith('/') ? pointer.slice(1) : pointer;
  return body.split('/').map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a pointer; undefined where there is none. Own properties only, so that `__proto__` is a key like any other. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const segment of parsePointer(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

/** A pointer as messages show it: `paragraphs[2]`, `table.rows[0]`; the record itself for ''. */
export function describePointer(pointer: string): string {
  let shown = '';
  for (const segment of parsePointer(pointer)) {
    shown += /^\d+$/.test(segment) ? `[${segment}]` : shown === '' ? segment : `.${segment}`;
  }
  return shown === '' ? 'the record' : shown;
}
