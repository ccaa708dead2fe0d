/** Boxes that are written in other coordinates: one, those of a record, or those of the whole file. */
import type { FixTarget } from '../../../../schemas/protocol.ts';
import { conversionFix, conversionTitle, conversionsOf, MISMATCH, WHOLE_FILE } from '../../core/edit/conversions.ts';
import { placeFix } from '../../core/edit/edits.ts';
import { convertBoxes } from '../../core/evidence/conversion.ts';
import type { Conversion } from '../../core/evidence/conversion.ts';
import { nameOf } from '../../core/evidence/coordinates.ts';
import type { Finding, PlacedFix } from '../../core/finding.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { placeAt } from '../place.ts';
import { hasBoxes } from '../session/rows.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';

type ConversionTarget = Extract<FixTarget, { kind: 'conversion' }>;

/** A conversion to be offered. */
export interface Offer {
  readonly title: string;
  readonly target: ConversionTarget;
  /** Why it cannot be made. */
  readonly disabled?: string;
}

/** A fix with the row that it is of. */
export interface RowFix extends PlacedFix {
  readonly row: Row;
}

/** What a finding on coordinates lets be converted beside what it stands on: its record, and the file. */
export function offersOf(session: Session, finding: Finding): readonly Offer[] {
  const conversion = conversionFix(finding)?.conversion;
  const row = finding.record === null ? undefined : session.row(finding.record.index);
  if (conversion === undefined || row === undefined || row.lens !== undefined) return [];
  if (finding.code === WHOLE_FILE) return [...wholeFile(session, finding, conversion)];
  if (finding.code !== MISMATCH) return [];
  const target = { uri: session.uri, kind: 'conversion', fingerprint: finding.fingerprint } as const;
  const settings = session.checker!.settings;
  const own = conversionsOf(session.findingsOf(row), conversion).length;
  const offers: Offer[] = [];
  if (own > 1) {
    offers.push({
      title: conversionTitle(conversion, settings, own, 'record'),
      target: { ...target, scope: 'record' },
    });
  }
  const votes = votesOf(session, conversion);
  if (votes.boxes > own && own > 0) {
    const title = `${conversionTitle(conversion, settings, votes.boxes, 'file')} (${votes.text})`;
    offers.push({ title, target: { ...target, scope: 'file' } });
  }
  return offers;
}

/** What a place in a list of boxes lets be converted where the whole file is of other coordinates than declared. */
export function offersAt(
  session: Session,
  position: { readonly line: number; readonly character: number },
): readonly Offer[] {
  const row = session.rowAt(position);
  const record = row?.lens === undefined ? row?.checked?.record : undefined;
  const pointer = row && placeAt(row, position)?.pointer;
  if (row === undefined || record?.boxes === undefined || pointer === undefined) return [];
  const list = pointerTo(record, 'boxes');
  if (pointer !== list && !pointer.startsWith(`${list}/`)) return [];
  const finding = findingOfFile(session);
  const conversion = finding && conversionFix(finding)?.conversion;
  if (finding === undefined || conversion === undefined) return [];
  const converted = convertBoxes(record, session.checker!.settings, row.document, conversion);
  if (converted.state !== 'converted') return [];
  const { settings } = session.checker!;
  const target = {
    uri: session.uri,
    kind: 'conversion',
    fingerprint: finding.fingerprint,
    index: row.index,
  } as const;
  const offers: Offer[] = [];
  const box = boxAround(list, pointer);
  if (box !== undefined && converted.boxes > 1) {
    const title = conversionTitle(conversion, settings, 1, 'record').replace('the box of this record', 'this box');
    offers.push({ title, target: { ...target, scope: 'box', pointer: box } });
  }
  offers.push({
    title: conversionTitle(conversion, settings, converted.boxes, 'record'),
    target: { ...target, scope: 'record' },
  });
  return [...offers, ...wholeFile(session, finding, conversion)];
}

/** The fixes that a target stands for; none where the finding is gone. */
export function conversionFixes(session: Session, target: ConversionTarget): readonly RowFix[] {
  const whole = findingOfFile(session);
  if (whole?.fingerprint === target.fingerprint) {
    const conversion = conversionFix(whole)?.conversion;
    if (conversion === undefined) return [];
    if (target.scope === 'file') {
      const { fixes, unknown } = convertRows(session, conversion);
      return unknown > 0 ? [] : fixes;
    }
    const row = target.index === undefined ? undefined : session.row(target.index);
    return row === undefined ? [] : fixesOf(session, row, conversion, target.pointer).fixes;
  }
  for (const row of session.rowsFinding(({ fingerprint }) => fingerprint === target.fingerprint)) {
    const findings = session.findingsOf(row);
    const finding = findings.find(({ fingerprint }) => fingerprint === target.fingerprint);
    const conversion = finding && conversionFix(finding)?.conversion;
    if (finding === undefined || conversion === undefined) continue;
    const rows = target.scope === 'file' ? [...session.rowsFinding(({ code }) => code === finding.code)] : [row];
    return rows.flatMap((one) =>
      conversionsOf(session.findingsOf(one), conversion).map((fix) => ({ ...fix, row: one })),
    );
  }
  return [];
}

/** It stands on the first record that has boxes. */
function findingOfFile(session: Session): Finding | undefined {
  const first = session.rows().find(hasBoxes);
  return first && session.findingsOf(first).find(({ code }) => code === WHOLE_FILE);
}

function wholeFile(session: Session, finding: Finding, conversion: Conversion): readonly Offer[] {
  const { fixes, boxes, unknown } = convertRows(session, conversion);
  if (fixes.length < 2) return [];
  const title = conversionTitle(conversion, session.checker!.settings, boxes, 'file');
  const target = {
    uri: session.uri,
    kind: 'conversion',
    fingerprint: finding.fingerprint,
    scope: 'file',
  } as const;
  if (unknown === 0) return [{ title, target }];
  const records = unknown === 1 ? '1 record are' : `${unknown.toLocaleString('en')} records are`;
  const disabled = `The sizes of the pages of ${records} not known (yet): the file would be half converted.`;
  return [{ title, target, disabled }];
}

interface Converted {
  readonly fixes: readonly RowFix[];
  readonly boxes: number;
  /** Records whose pages are not known. */
  readonly unknown: number;
}

function convertRows(session: Session, conversion: Conversion): Converted {
  const fixes: RowFix[] = [];
  let boxes = 0;
  let unknown = 0;
  for (const row of session.rows()) {
    const own = fixesOf(session, row, conversion);
    fixes.push(...own.fixes);
    boxes += own.boxes;
    unknown += own.unknown;
  }
  return { fixes, boxes, unknown };
}

const NOTHING: Converted = { fixes: [], boxes: 0, unknown: 0 };

/** `pointer`: of one box only. */
function fixesOf(session: Session, row: Row, conversion: Conversion, pointer?: string): Converted {
  const record = row.brief?.boxes === 0 ? undefined : row.checked?.record;
  if (record === undefined) return NOTHING;
  const converted = convertBoxes(record, session.checker!.settings, row.document, conversion);
  if (converted.state === 'unknown') return { ...NOTHING, unknown: 1 };
  if (converted.state === 'left') return NOTHING;
  const edits = converted.edits.filter(
    (edit) => pointer === undefined || ('pointer' in edit && edit.pointer === pointer),
  );
  const placed = placeFix({ title: '', safe: false, edits }, row.text);
  return placed === undefined ? NOTHING : { fixes: [{ ...placed, row }], boxes: edits.length, unknown: 0 };
}

/** `/bbox/0/1` for `/bbox/0/1/2`. */
function boxAround(list: string, pointer: string): string | undefined {
  const [, page, box] = pointer.slice(list.length).split('/');
  return page === undefined || box === undefined ? undefined : `${list}/${page}/${box}`;
}

/** How many boxes a conversion is of, and what the records with relative boxes agree on. */
function votesOf(session: Session, conversion: Conversion): { readonly boxes: number; readonly text: string } {
  let [boxes, records, converted, declared] = [0, 0, 0, 0];
  for (const row of session.rows()) {
    if (row.brief?.boxes === 0) continue;
    const { boxes: own, relativeBoxes } = row.checked?.record ?? {};
    if (own === undefined || relativeBoxes === undefined) continue;
    records += 1;
    const findings = session.findingsOf(row);
    const count = conversionsOf(findings, conversion).length;
    boxes += count;
    if (count > 0) converted += 1;
    else if (row.document !== undefined && !findings.some(({ code }) => code === MISMATCH)) declared += 1;
  }
  const { settings } = session.checker!;
  const to = settings[conversion.field === 'boxes' ? 'coordinates' : 'relativeCoordinates'];
  const number = (count: number): string => count.toLocaleString('en');
  const others = declared === 0 || to === undefined ? '' : `, ${number(declared)} fit ${nameOf(to)}`;
  return {
    boxes,
    text: `${number(converted)} of ${number(records)} records fit ${nameOf(conversion.from)}${others}`,
  };
}
