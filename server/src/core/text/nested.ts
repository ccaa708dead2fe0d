/**
 * Records that lie inside the elements of a file: the questions of a context. Each gets a slot of its own, so that its
 * place, its text and its edits are those of any other record; the element stays at hand for what its records share.
 */
import { positionIn, spansOfPattern } from './offsets.ts';
import { parseRecordText } from './parse.ts';
import { valueAt } from './pointer.ts';
import type { FileFault, RecordSlot, TextFault } from './types.ts';
import type { Span } from '../finding.ts';

/** Under this key a nested record reaches the element that it lies in; never a key of its own text. */
export const OUTER = '..';

export interface Nesting {
  /** The records of elements, which must come in the order of the file: records are numbered on. */
  expand(elements: readonly RecordSlot[]): readonly RecordSlot[];
  /** Faults of the elements' texts that lie outside of their records, so far. */
  readonly faults: readonly FileFault[];
}

/** `pointer`: where records lie in an element, with `*` for list elements; undefined: elements are the records. */
export function createNesting(pointer: string | undefined): Nesting {
  const faults: FileFault[] = [];
  if (pointer === undefined) return { expand: (elements) => elements, faults };
  const list = pointer.split('/*')[0] ?? '';
  let count = 0;

  function expandOne(element: RecordSlot): RecordSlot[] {
    const { value, faults: found } = parseRecordText(element.text);
    const spans = value === undefined ? [] : spansOfPattern(element.text, pointer!);
    if (spans.length === 0) {
      // An empty list has no records; an element that cannot be read, or has no list, is told of as if it were one.
      if (value !== undefined && Array.isArray(valueAt(value, list))) return [];
      return [{ ...element, index: count++ }];
    }
    const outer = { text: element.text, value: value! };
    for (const fault of found) {
      if (!spans.some(({ start, end }) => fault.span.start >= start && fault.span.end <= end)) {
        faults.push(placeInFile(fault, element));
      }
    }
    return spans.map((span) => nestedSlot(element, span, count++, outer));
  }

  return { expand: (elements) => elements.flatMap(expandOne), faults };
}

function nestedSlot(
  element: RecordSlot,
  span: Span,
  index: number,
  outer: NonNullable<RecordSlot['outer']>,
): RecordSlot {
  const text = element.text.slice(span.start, span.end);
  return { index, ...positionIn(element, span.start), offset: element.offset + span.start, text, outer };
}

function placeInFile({ code, message, span, found }: TextFault, element: RecordSlot): FileFault {
  const start = positionIn(element, span.start);
  const end = positionIn(element, span.end);
  return {
    code,
    message,
    line: start.line,
    startColumn: start.column,
    endColumn: end.line === start.line ? end.column : start.column + 1,
    ...(found !== undefined && { found }),
  };
}

/** The value of a nested record with its way to the element; written so that no walk over its keys meets it. */
export function withOuter(
  value: Readonly<Record<string, unknown>>,
  outer: RecordSlot['outer'],
): Readonly<Record<string, unknown>> {
  return outer === undefined ? value : Object.defineProperty(value, OUTER, { value: outer.value, enumerable: false });
}
