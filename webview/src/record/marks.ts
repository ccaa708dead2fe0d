/** Numbers, and words of an answer, highlighted where they stand in a text. */
import type { EvidenceNumber, NumberInBlock } from '../../../schemas/protocol.ts';
import { html } from '../dom.ts';
import { describeNumber, toneOf } from './numbers.ts';
import { isPhrase } from './traced.ts';

/** A stretch of a block's text and the numbers that come from it; the first of them gives its colour. */
export interface Mark {
  readonly shown: NonNullable<NumberInBlock['shown']>;
  /** Positions among the record's numbers. */
  readonly numbers: readonly number[];
  /** It is the best place of one of them. */
  readonly isBest: boolean;
}

/** The marks of a block, by place. What overlaps an earlier one is left out: two readings of the same digits. */
export function marksOf(numbers: readonly EvidenceNumber[], blockPointer: string): Mark[] {
  const marks = new Map<string, { shown: Mark['shown']; numbers: number[]; isBest: boolean }>();
  numbers.forEach(({ places }, at) => {
    let isBest = true;
    for (const place of places) {
      if (place.kind !== 'block' || place.shown === null) continue;
      if (place.blockPointer === blockPointer) {
        const { part, row = 0, column = 0, start, end } = place.shown;
        const key = [part, row, column, start, end].join(' ');
        const mark = marks.get(key) ?? { shown: place.shown, numbers: [], isBest: false };
        marks.set(key, mark);
        mark.isBest ||= isBest;
        if (isBest) mark.numbers.unshift(at);
        else mark.numbers.push(at);
      }
      isBest = false;
    }
  });
  const isWords = ({ numbers: own }: Mark): boolean =>
    own.every((at) => numbers[at] !== undefined && isPhrase(numbers[at]));
  const all = [...marks.values()];
  const figures = all.filter((mark) => !isWords(mark));
  const words = all.filter(isWords).flatMap((mark) => around(mark, figures));
  return [...figures, ...words].sort((a, b) => a.shown.start - b.shown.start || Number(b.isBest) - Number(a.isBest));
}

/** What is left of a mark beside others: numbers inside a phrase keep their own. */
function around(mark: Mark, others: readonly Mark[]): Mark[] {
  const { part, row, column } = mark.shown;
  const inside = others
    .map(({ shown }) => shown)
    .filter((shown) => shown.part === part && shown.row === row && shown.column === column)
    .sort((a, b) => a.start - b.start);
  const pieces: Mark[] = [];
  let { start } = mark.shown;
  for (const other of inside) {
    if (other.end <= start || other.start >= mark.shown.end) continue;
    if (other.start > start) pieces.push({ ...mark, shown: { ...mark.shown, start, end: other.start } });
    start = Math.max(start, other.end);
  }
  return start < mark.shown.end ? [...pieces, { ...mark, shown: { ...mark.shown, start } }] : pieces;
}

/** The marks in one part of a block, or in one cell of its table. */
export function marksIn(
  marks: readonly Mark[],
  part: Mark['shown']['part'],
  cell?: { readonly row: number; readonly column: number },
): readonly Mark[] {
  return marks.filter(
    ({ shown }) =>
      shown.part === part && (cell === undefined || (shown.row === cell.row && shown.column === cell.column)),
  );
}

/** What is chosen by a mark: a number, and its position among the record's numbers. */
export type OnNumber = (number: EvidenceNumber, at: number) => void;

/** The text with its marks as buttons. `numbers`: all of the record. */
export function markedText(
  text: string,
  marks: readonly Mark[],
  numbers: readonly EvidenceNumber[],
  onChoose: OnNumber,
): (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = [];
  let at = 0;
  for (const { shown, numbers: indices, isBest } of marks) {
    const own = indices.flatMap((index) => numbers[index] ?? []);
    const [first] = own;
    const [index] = indices;
    if (first === undefined || index === undefined || shown.start < at || shown.end > text.length) continue;
    parts.push(text.slice(at, shown.start));
    const stands = text.slice(shown.start, shown.end);
    if (stands.trim() === '') {
      parts.push(stands);
      at = shown.end;
      continue;
    }
    const words = own.map(describeNumber).join('; ');
    const kind = isPhrase(first) ? ' phrase' : '';
    const button = html(
      'button',
      {
        type: 'button',
        class: `number${kind} tone-${toneOf(first)}${isBest ? '' : ' also'}`,
        title: words,
        'aria-label': `${stands}: ${words}`,
        'data-numbers': indices.join(' '),
        'data-best': isBest,
      },
      stands,
    );
    button.addEventListener('click', () => onChoose(first, index));
    parts.push(button);
    at = shown.end;
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== '');
}

/** The place of a number under an element: its best one, else another one. */
export function placeIn(root: Element, number: number): Element | null {
  const own = `[data-numbers~="${number}"]`;
  return root.querySelector(`${own}[data-best]`) ?? root.querySelector(own);
}
