import type { Fractions } from '../evidence/geometry.ts';
import { withFixes } from '../edit/fixes.ts';
import { crossingsOf, hasMarks, pixelsOf } from '../page/ink.ts';
import type { Side } from '../page/ink.ts';
import { furnitureIn } from '../page/furniture.ts';
import { cutsOf, REACH } from '../page/cuts.ts';
import type { PageFacts } from '../ports.ts';
import { pointerTo } from '../record/canonical.ts';
import { answerNotInEvidenceRule } from './answer-in-evidence.ts';
import { growthFix } from './box-growth.ts';
import { GOOD, boxExample } from './boxes.ts';
import { eachPlace } from './boxes-on-page.ts';
import { count, listNames, show } from './messages.ts';
import type { PageInput, Rule } from './types.ts';

/** Rules on what stands on the page in and around a box: text of the PDF, else ink of the page image. */

const quiet = boxExample([[GOOD]]);

function alone(box: readonly number[]) {
  const example = boxExample([[box]]);
  const { rel_bbox, ...record } = example.lines[0] as Readonly<Record<string, unknown>>;
  void rel_bbox;
  return { ...example, lines: [record] };
}

function furniture(box: readonly number[]) {
  const example = alone(box);
  return {
    ...example,
    lines: example.lines.map((line) => ({ ...line, doc_name: 'demo-labels', evidence_page: [4] })),
    note: 'Page 4 of demo-labels.pdf has its number at the bottom.',
  };
}

export const pageContentRules: readonly Rule[] = [
  {
    code: 'box/cuts-text',
    severity: 'warning',
    needs: 'page',
    title: 'An edge of a box runs through text or drawing',
    why: `A region holds whole blocks: a paragraph, a table, a figure. Here an edge runs through content. With the text of the PDF: more than a tenth of a line's height, or more than a glyph's width, lies outside while the rest lies inside. With a page image: a connected piece of ink crosses the edge and reaches more than 5 pixels (at 300 dpi) to both sides.

Who sees only the crop reads half a line, or a table without its last row. Move the edge into the space beside the block; the fix grows the box until nothing is cut. Boxes that touch their text, and edges that lie on the rule of a table, are not reported.`,
    fires: alone([300, 600, 2100, 955]),
    quiet,
    checkPage(input, report) {
      eachBox(input, (place, facts, box, pointer, page, _number, at) => {
        const cuts =
          facts.text !== undefined && facts.text.lines.length > 0
            ? textCuts(place, facts)
            : inkCuts(place, facts, page);
        if (cuts.length === 0) return;
        report({
          pointer,
          message: `${cuts.length === 1 ? 'An edge' : 'Edges'} of the box ${show(box)} ${cuts.length === 1 ? 'runs' : 'run'} through content: ${cuts.join('; ')}.`,
          found: box.join(','),
          ...withFixes(growthFix(input, facts, page, place, box, at)),
        });
      });
    },
  },
  {
    code: 'box/no-content',
    severity: 'warning',
    needs: 'page',
    title: 'There is nothing in a box',
    why: `The page is blank where the box lies: no text, no drawing, no ink, nothing that is not background. The box was measured in other coordinates, belongs to another page, or was left from an older rendering.

Open the page, and see where the evidence really is.`,
    fires: alone([300, 2300, 2100, 3000]),
    quiet,
    checkPage(input, report) {
      eachBox(input, (place, facts, box, pointer, _page, number) => {
        if (!isBlank(place, facts)) return;
        report({
          pointer,
          message: `Nothing stands in the box ${show(box)} on page ${number}: the page is blank there.`,
          found: box.join(','),
        });
      });
    },
  },
  {
    code: 'box/page-furniture',
    severity: 'info',
    off: true,
    needs: 'page',
    title: 'A region holds a running header, a footer or a page number',
    why: `SciEGQA's convention: regions leave out what stands on every page, such as running headers, footers and page numbers. It is no evidence, and models learn to look at the margin. The rule is off unless it is switched on, and it needs the text of the PDF.

Draw the box around the block alone.`,
    fires: furniture([300, 300, 2250, 3200]),
    quiet: furniture([300, 300, 2250, 2000]),
    checkPage(input, report) {
      eachBox(input, (place, facts, box, pointer, _page, number) => {
        if (facts.text === undefined) return;
        const found = furnitureIn(facts.text, place, number);
        if (found.length === 0) return;
        report({
          pointer,
          message: `The box ${show(box)} holds what stands in the margin of the page: ${listNames(found.map((text) => show(text, 40)))}.`,
          found: box.join(','),
        });
      });
    },
  },
  answerNotInEvidenceRule,
];

/** Boxes of pages that could be read, without those that have an error of their own. */
function eachBox(
  input: PageInput,
  call: (
    place: Fractions,
    facts: PageFacts,
    box: readonly number[],
    pointer: string,
    page: { readonly width: number; readonly height: number },
    number: number,
    at: readonly [number, number],
  ) => void,
): void {
  eachPlace(input, (place, box, field, i, j, page) => {
    const number = input.record.pages?.[i];
    const facts = typeof number === 'number' ? input.pages.get(number) : undefined;
    const pointer = pointerTo(input.record, field, i, j);
    if (facts === undefined || input.faultyBoxes.has(pointer)) return;
    call(place, facts, box, pointer, page, number as number, [i, j]);
  });
}

function textCuts(place: Fractions, { text }: PageFacts): string[] {
  return cutsOf(text!, place).map(({ side, lines }) => {
    const shown = listNames(
      lines.map((line) => show(line, 30)),
      2,
    );
    return `the ${side} edge through ${shown}`;
  });
}

function inkCuts(place: Fractions, { ink }: PageFacts, page: { readonly width: number }): string[] {
  if (ink === undefined) return [];
  const scale = ink.width / page.width;
  return crossingsOf(ink, pixelsOf(place, ink), REACH * scale).map(
    ({ side, pieces, at }) =>
      `the ${side} edge through ${count(pieces, 'piece')} of ink, first at ${axisOf(side)} ${at}`,
  );
}

function axisOf(side: Side): string {
  return side === 'left' || side === 'right' ? 'y' : 'x';
}

/** Whether it is sure that nothing stands there: an image decides, else text and drawings of the PDF. */
function isBlank(place: Fractions, { text, ink }: PageFacts): boolean {
  if (ink !== undefined) return !hasMarks(ink, pixelsOf(place, ink));
  if (text === undefined) return false;
  const touches = (other: Fractions): boolean =>
    other.left < place.left + place.width &&
    other.left + other.width > place.left &&
    other.top < place.top + place.height &&
    other.top + other.height > place.top;
  // A page without any text may be a scan of which nothing is known.
  return text.lines.length > 0 && !text.lines.some(touches) && !text.graphics.some(touches);
}
