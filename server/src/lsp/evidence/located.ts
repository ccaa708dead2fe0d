/** Where what the preview names stands in a record's text. */
import { childIndex, containerIn, splitPointer } from '../../core/edit/structure.ts';
import type { Container } from '../../core/edit/structure.ts';
import { spanInList } from '../../core/edit/text-lists.ts';
import type { Span } from '../../core/finding.ts';
import { decodeString, spanInString, spanOfPointer } from '../../core/text/offsets.ts';
import { joinPointer, parsePointer } from '../../core/text/pointer.ts';

/** The value at a pointer; also one that lies in a list which is stored as text, where the pointer goes on into the list. */
export function spanOf(text: string, pointer: string): Span | undefined {
  const own = spanOfPointer(text, pointer);
  if (own !== undefined) return own;
  const keys = parsePointer(pointer);
  const path: number[] = [];
  while (keys.length > 0 && /^\d+$/.test(keys.at(-1)!)) {
    path.unshift(Number(keys.pop()));
    const token = spanOfPointer(text, joinPointer('', ...keys));
    if (token === undefined) continue;
    if (text.charAt(token.start) !== '"') return undefined;
    const inList = spanInList(decodeString(text.slice(token.start, token.end)), path);
    return inList && spanInString(text, token, inList);
  }
  return undefined;
}

/** The same for many values of one text: each object and list on the way to them is gone through once. */
export function spanFinder(text: string): (pointer: string) => Span | undefined {
  const containers = new Map<string, Container | undefined>();

  function containerOf(pointer: string): Container | undefined {
    if (!containers.has(pointer)) {
      const span = within(pointer);
      containers.set(pointer, span && containerIn(text, span));
    }
    return containers.get(pointer);
  }

  function within(pointer: string): Span | undefined {
    const place = splitPointer(pointer);
    if (place === undefined) return spanOfPointer(text, '');
    const container = containerOf(place.parent);
    const child = container?.children[childIndex(text, container, place.name)];
    return child && { start: child.valueStart, end: child.end };
  }

  return (pointer) => within(pointer) ?? spanOf(text, pointer);
}
