import type { Field } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { schemaFaults } from '../schema/check.ts';
import { count, keyOfField } from './messages.ts';
import type { Report, Rule } from './types.ts';

/** Lists that run parallel to the cited pages: [page][box] of boxes (four numbers) or of labels. */
type Parallel = Extract<Field, 'boxes' | 'relativeBoxes' | 'labels'>;
const LISTS: readonly Parallel[] = ['boxes', 'relativeBoxes', 'labels'];
const NOUNS = { boxes: 'box', relativeBoxes: 'box', labels: 'label' } as const;
const PLURALS = { boxes: 'boxes', relativeBoxes: 'boxes', labels: 'labels' } as const;
/** Levels of lists above the numbers or labels. */
const DEPTHS = { boxes: 3, relativeBoxes: 3, labels: 2 } as const;
const FORMS = {
  boxes: 'a list per page of boxes of four numbers',
  relativeBoxes: 'a list per page of boxes of four numbers',
  labels: 'a list per page of labels',
} as const;

function example(bbox: unknown, subimg_type: unknown) {
  const record = {
    query: 'Which row of the table has the largest total?',
    answer: 'North',
    doc_name: 'demo-doc',
    evidence_page: [2, 3],
    bbox,
    subimg_type,
    category: 'cs',
  };
  return { profile: 'sciegqa', lines: [record] };
}

export const boxShapeRule: Rule = {
  code: 'box/shape',
  severity: 'error',
  needs: 'record',
  title: 'The lists of pages, boxes and labels do not line up',
  why: `Pages, boxes and labels are parallel lists: for each cited page there is one list of boxes and one list of labels, and for each box one label. Here their counts or their nesting differ, so that a reader cannot tell which box lies on which page.

Usually a page was added or removed without its boxes, or one pair of brackets is missing: a page with one box is written [[[x1, y1, x2, y2]]].`,
  fires: example([[[300, 600, 2100, 1500]]], [['table']]),
  quiet: example([[[300, 600, 2100, 1500]], [[300, 300, 900, 900]]], [['table'], ['text']]),
  checkRecord(input, report) {
    const { record } = input;
    let isNested = true;
    // The schema's check has looked at every element; only where it found something is a level missing or doubled.
    if (schemaFaults(input).length > 0) {
      for (const field of LISTS) {
        const list = record[field];
        if (list !== undefined && !checkNesting(record, field, list, report)) isNested = false;
      }
    }
    if (isNested) checkCounts(record, report);
  },
};

/** Reports lists that stand too deep or too flat; whether all is well. */
function checkNesting(record: CanonicalRecord, field: Parallel, list: readonly unknown[], report: Report): boolean {
  const depth = DEPTHS[field];
  let flawed = 0;
  const leaf = field === 'labels' ? 'string' : 'number';
  for (const page of list) if (isFlawed(page, depth - 1, leaf)) flawed += 1;
  if (flawed === 0) return true;
  // All pages alike: a bracket is missing or doubled around the whole.
  const at = flawed === list.length ? [] : [list.findIndex((page) => isFlawed(page, depth - 1, leaf))];
  const found = depthOf(flawed === list.length ? list : list[at[0]!]);
  const expected = flawed === list.length ? depth : depth - 1;
  const cause = found < expected ? 'a level of brackets is missing' : 'there is a level of brackets too many';
  report({
    pointer: pointerTo(record, field, ...at),
    message: `${keyOfField(record, field)}${at.length === 0 ? '' : `[${at[0]}]`} is not nested as it should be: ${cause}. Expected is ${FORMS[field]}.`,
    found: String(found),
  });
  return false;
}

/** Whether lists and what they hold stand at another level than they should; values of a wrong type are the schema's. */
function isFlawed(value: unknown, depth: number, leaf: 'number' | 'string'): boolean {
  if (depth === 0) return Array.isArray(value);
  // Where a list belongs, a number (or label) means that a level is missing; anything else is of the wrong type.
  if (!Array.isArray(value)) return typeof value === leaf;
  for (const element of value) if (isFlawed(element, depth - 1, leaf)) return true;
  return false;
}

function depthOf(value: unknown): number {
  let depth = 0;
  for (let inner = value; Array.isArray(inner); inner = inner[0]) depth += 1;
  return depth;
}

function checkCounts(record: CanonicalRecord, report: Report): void {
  const { pages, boxes, relativeBoxes, labels } = record;
  if (pages !== undefined && boxes !== undefined && boxes.length !== pages.length) {
    const key = keyOfField(record, 'boxes');
    report({
      pointer: pointerTo(record, 'boxes'),
      message: `${keyOfField(record, 'pages')} cites ${count(pages.length, 'page')}, but ${key} has boxes for ${boxes.length}.`,
      found: `${pages.length} ${boxes.length}`,
    });
  }
  // The others are measured against the boxes, so that one page too many is told once.
  if (relativeBoxes !== undefined) checkParallel(record, 'relativeBoxes', relativeBoxes, report);
  if (labels !== undefined) checkParallel(record, 'labels', labels, report);
}

function checkParallel(record: CanonicalRecord, field: Parallel, list: readonly unknown[], report: Report): void {
  const leading = record.boxes ?? record.pages;
  if (leading === undefined) return;
  if (list.length !== leading.length) {
    const other = record.boxes === undefined ? 'pages' : 'boxes';
    report({
      pointer: pointerTo(record, field),
      message: `${keyOfField(record, other)} covers ${count(leading.length, 'page')}, but ${keyOfField(record, field)} has ${PLURALS[field]} for ${list.length}.`,
      found: `${leading.length} ${list.length}`,
    });
    return;
  }
  if (record.boxes === undefined) return;
  for (let i = 0; i < list.length; i++) {
    const boxes = record.boxes[i];
    const own = list[i];
    if (!Array.isArray(boxes) || !Array.isArray(own) || boxes.length === own.length) continue;
    report({
      pointer: pointerTo(record, field, i),
      message: `${keyOfField(record, 'boxes')}[${i}] has ${count(boxes.length, 'box', 'boxes')}, but ${keyOfField(record, field)}[${i}] has ${count(own.length, NOUNS[field], PLURALS[field])}.`,
      found: `${boxes.length} ${own.length}`,
    });
  }
}
