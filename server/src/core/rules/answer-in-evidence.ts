import { toFractions } from '../evidence/geometry.ts';
import { measureOf } from '../evidence/measure.ts';
import { termsOf } from '../page/terms.ts';
import type { Term } from '../page/terms.ts';
import { textIn } from '../page/region-text.ts';
import { pointerTo } from '../record/canonical.ts';
import { saysUnanswerable } from './answer-text.ts';
import { boxAt, boxExample, GOOD } from './boxes.ts';
import { listNames, show } from './messages.ts';
import type { PageInput, Report, Rule } from './types.ts';

function example(box: readonly number[]) {
  const whole = boxExample([[box]]);
  const { rel_bbox, ...record } = whole.lines[0] as Readonly<Record<string, unknown>>;
  void rel_bbox;
  return { ...whole, lines: [record] };
}

export const answerNotInEvidenceRule: Rule = {
  code: 'answer/not-in-evidence',
  severity: 'warning',
  needs: 'page',
  title: 'A name or number of the answer stands in the document, but not in the evidence',
  why: `The answer holds a name or a number that the text of the document contains, yet not inside the marked regions; where the record has no regions, not on the cited pages. Probably a page or a region is missing or wrong, or the region is too small.

Numbers are compared without thousands separators. Only names, and numbers of at least three digits (four where some are decimals), are looked for, and nothing is said where the evidence is a picture, whose text is not known. Records with a solution compute their answer and are left out. The rule needs the text of the PDF.

Cite the page, or draw the region, where the answer stands.`,
  fires: example([300, 600, 400, 640]),
  quiet: example(GOOD),
  checkPage(input, report) {
    const { record } = input;
    const { answer } = record;
    if (record.solution !== undefined || typeof answer !== 'string' || saysUnanswerable(answer)) return;
    const terms = termsOf(answer);
    if (terms.length === 0) return;
    const evidence = evidenceOf(input);
    if (evidence === undefined) return;
    const missing = terms.filter((term) => !term.isIn(evidence.text));
    if (missing.length > 0) checkElsewhere(input, missing, evidence, report);
  },
};

interface Evidence {
  readonly text: string;
  /** As messages call it. */
  readonly name: string;
}

/** Text of the regions, else of the cited pages; undefined where it is not known whole, or holds a picture. */
function evidenceOf(input: PageInput): Evidence | undefined {
  const { record, settings, document, pages } = input;
  const cited = record.pages ?? [];
  if (cited.length === 0) return undefined;
  const isRegions = (record.boxes ?? record.relativeBoxes ?? []).length > 0;
  const texts: string[] = [];
  for (const [i, number] of cited.entries()) {
    const facts = typeof number === 'number' ? pages.get(number) : undefined;
    // A page without text is a scan.
    if (facts?.text === undefined || facts.text.lines.length === 0) return undefined;
    if (!isRegions) {
      const read = textIn(facts.text, { left: 0, top: 0, width: 1, height: 1 });
      if (read.hasPicture) return undefined;
      texts.push(read.text);
      continue;
    }
    const field = record.boxes === undefined ? 'relativeBoxes' : 'boxes';
    const coordinates = field === 'boxes' ? settings.coordinates : settings.relativeCoordinates;
    const measure = measureOf(document, number, settings);
    const inPage = record[field]?.[i];
    if (coordinates === undefined || measure === undefined || !Array.isArray(inPage)) return undefined;
    for (let j = 0; j < inPage.length; j++) {
      const box = boxAt(record[field], i, j);
      const place = box && toFractions(box, coordinates, measure);
      if (place === undefined || input.faultyBoxes.has(pointerTo(record, field, i, j))) return undefined;
      const read = textIn(facts.text, place);
      if (read.hasPicture) return undefined;
      texts.push(read.text);
    }
  }
  return {
    text: texts.join('\n'),
    name: isRegions ? 'the marked regions' : `the cited ${cited.length === 1 ? 'page' : 'pages'}`,
  };
}

function checkElsewhere(input: PageInput, missing: readonly Term[], evidence: Evidence, report: Report): void {
  const { record, settings, documentText } = input;
  if (documentText === undefined) {
    input.wantText();
    return;
  }
  const found = missing.flatMap((term) => {
    if (!term.isDistinct(documentText)) return [];
    const pages = documentText.flatMap((text, index) => (term.isIn(text) ? [index + settings.pageBase] : []));
    return pages.length === 0 ? [] : [{ term, pages }];
  });
  const [first] = found;
  if (first === undefined) return;
  const where = found.map(
    ({ term, pages }) =>
      `${show(term.text, 40)} (on ${pages.length === 1 ? 'page' : 'pages'} ${listNames(pages.map(String), 4)})`,
  );
  report({
    pointer: pointerTo(record, 'answer'),
    inString: first.term.inString,
    message: `${listNames(where)} ${found.length === 1 ? 'stands' : 'stand'} in the document, but not in ${evidence.name}.`,
    found: found.map(({ term }) => term.text).join(' '),
    related: [
      {
        message: 'The evidence',
        pointer: pointerTo(
          record,
          (record.boxes ?? record.relativeBoxes) === undefined
            ? 'pages'
            : record.boxes === undefined
              ? 'relativeBoxes'
              : 'boxes',
        ),
      },
    ],
  });
}
