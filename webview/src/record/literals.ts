/** Numbers and words where they are written: in the solution and in the answer. Choosing one shows where it stands. */
import type { EvidenceNumber } from '../../../schemas/protocol.ts';
import { html } from '../dom.ts';
import type { OnNumber } from './marks.ts';
import { describeNumber, toneOf } from './numbers.ts';
import { isPhrase } from './traced.ts';

/** A part of a text that looks otherwise: `comment`, `string`, `keyword`. */
export interface Shade {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/**
 * The text at `pointer` with its numbers as buttons, and shades around and between them. What overlaps an earlier number is left out.
 */
export function literalText(
  text: string,
  pointer: string,
  numbers: readonly EvidenceNumber[],
  onChoose: OnNumber,
  shades: readonly Shade[] = [],
): (HTMLElement | string)[] {
  const own = numbers
    .map((number, at) => ({ number, at, ...number.inString }))
    .filter((one) => one.number.pointer === pointer && one.end <= text.length && one.start < one.end)
    .sort((a, b) => a.start - b.start || Number(isPhrase(a.number)) - Number(isPhrase(b.number)));
  const figures = own.filter(({ number }) => !isPhrase(number));
  const free = own.filter(
    ({ number, start, end }) => !isPhrase(number) || !figures.some((one) => one.start < end && one.end > start),
  );
  const parts: (HTMLElement | string)[] = [];
  let at = 0;
  for (const { number, at: index, start, end } of free) {
    if (start < at) continue;
    parts.push(...shaded(text, at, start, shades));
    const words = describeNumber(number);
    const button = html(
      'button',
      {
        type: 'button',
        class: `number literal tone-${toneOf(number)}`,
        title: `${words}. Show where it stands`,
        'aria-label': words,
        'data-literal': index,
      },
      text.slice(start, end),
    );
    button.addEventListener('click', () => onChoose(number, index));
    parts.push(button);
    at = end;
  }
  return [...parts, ...shaded(text, at, text.length, shades)];
}

function shaded(text: string, from: number, to: number, shades: readonly Shade[]): (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = [];
  let at = from;
  for (const { start, end, kind } of shades) {
    const first = Math.max(start, at);
    const last = Math.min(end, to);
    if (last <= first) continue;
    parts.push(text.slice(at, first), html('span', { class: `code-${kind}` }, text.slice(first, last)));
    at = last;
  }
  parts.push(text.slice(at, to));
  return parts.filter((part) => part !== '');
}

const PYTHON =
  /(?<comment>#[^\n]*)|(?<string>"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<keyword>\b(?:def|return|if|elif|else|for|while|in|not|and|or|is|import|from|as|with|try|except|finally|raise|lambda|pass|break|continue|None|True|False|class|yield|global|assert)\b)/gu;

/** Comments, strings and keywords: enough to find one's way in a dozen lines. */
export function pythonShades(code: string): Shade[] {
  return [...code.matchAll(PYTHON)].map((match): Shade => {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] ?? 'string';
    return { start: match.index, end: match.index + match[0].length, kind };
  });
}
