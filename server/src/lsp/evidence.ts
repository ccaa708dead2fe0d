import path from 'node:path';
import type {
  EvidenceBlock,
  EvidencePage,
  EvidenceRegion,
  EvidenceView,
  PageSource,
} from '../../../schemas/protocol.ts';
import { parseBlock } from '../core/evidence/blocks.ts';
import { isBox, toFractions } from '../core/evidence/geometry.ts';
import type { Fractions, PageMeasure } from '../core/evidence/geometry.ts';
import type { Finding } from '../core/finding.ts';
import type { CheckedText } from '../core/pipeline.ts';
import type { DocumentFacts, PageImageFacts, PdfFacts } from '../core/ports.ts';
import type { FileSettings } from '../core/profile/types.ts';
import { pointerTo } from '../core/record/canonical.ts';
import { withContext } from '../core/record/external.ts';
import type { CanonicalRecord } from '../core/record/types.ts';
import { blockName } from '../core/rules/messages.ts';
import { spanOfPointer } from '../core/text/offsets.ts';
import type { Row } from './rows.ts';
import type { Session } from './session.ts';

/** Everything the preview shows of one record; what could not be found is said in place of it. */
export function evidenceOf(session: Session, row: Row, cursor: string | null): EvidenceView | null {
  const { checker } = session;
  const { checked } = row;
  if (checker === undefined || checked === undefined) return null;
  const { record } = checked;
  const findings = session.findingsOf(row);
  const { settings } = checker;
  return {
    uri: session.uri,
    version: session.version,
    index: row.index,
    records: session.rows().length,
    id: record?.id ?? null,
    profile: settings.profile.title,
    question: record?.question ?? null,
    answer: record === undefined ? null : answerOf(record),
    solution: checker.outcome(checked, row.run) ?? null,
    document: record?.document ?? null,
    pages: record === undefined ? [] : pagesOf(record, checked, row.document, settings, findings),
    blocks: record === undefined ? [] : blocksOf(withContext(record, row.document)),
    problems: findings.map(({ severity, code, message, pointer }) => ({ severity, code, message, pointer })),
    cursor,
  };
}

/** The answer as text, else the gold. */
export function answerOf(record: CanonicalRecord): string | null {
  const value = record.answer ?? record.gold;
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function pagesOf(
  record: CanonicalRecord,
  checked: CheckedText,
  document: DocumentFacts | undefined,
  settings: FileSettings,
  findings: readonly Finding[],
): EvidencePage[] {
  const count = Math.max(record.pages?.length ?? 0, record.boxes?.length ?? 0);
  return Array.from({ length: count }, (_, at) => {
    const written = record.pages?.[at];
    const number = typeof written === 'number' ? written : Number.parseInt(String(written), 10);
    const known = Number.isSafeInteger(number);
    const measure = known ? measureOf(number, document, settings) : {};
    return {
      number: known ? number : 0,
      pointer: pointerTo(record, 'pages', at),
      source: known ? sourceOf(number, document, settings) : noNumber(record, at, written),
      aspect: aspectOf(measure),
      regions: regionsOf(record, checked, at, measure, settings, findings),
    };
  });
}

function noNumber(record: CanonicalRecord, at: number, written: unknown): PageSource {
  const what = written === undefined ? 'There are boxes' : `${JSON.stringify(written)} is no page number`;
  return {
    kind: 'missing',
    message: written === undefined ? `${what} but no page at ${pointerTo(record, 'pages', at)}.` : `${what}.`,
  };
}

function measureOf(number: number, document: DocumentFacts | undefined, settings: FileSettings): PageMeasure {
  const points = document?.pdf?.state === 'ok' ? document.pdf.pages[number - settings.pageBase] : undefined;
  const image = document?.images?.get(number);
  return {
    ...(points && { points }),
    ...(image?.state === 'ok' && { pixels: { width: image.width, height: image.height } }),
  };
}

function aspectOf({ points, pixels }: PageMeasure): number | null {
  const size = points ?? pixels;
  return size === undefined || size.height === 0 ? null : size.width / size.height;
}

/** The PDF's page where it is there, else the page's image, else why there is neither. */
function sourceOf(number: number, document: DocumentFacts | undefined, settings: FileSettings): PageSource {
  if (document === undefined) {
    return { kind: 'missing', message: 'It is not known where the documents are; `auditable-qa.json` can say it.' };
  }
  const { pdf } = document;
  const image = document.images?.get(number);
  const pageIndex = number - settings.pageBase;
  if (pdf?.state === 'ok' && pdf.pages[pageIndex] !== undefined) return { kind: 'pdf', path: pdf.path, pageIndex };
  if (image?.state === 'ok') return { kind: 'image', path: image.path };
  const reasons = [pdf && pdfReason(pdf, number, settings), image && imageReason(image, settings)].filter(
    (reason) => reason !== undefined,
  );
  return { kind: 'missing', message: reasons.join(' ') || `No place is known for page ${number}.` };
}

function pdfReason(pdf: PdfFacts, number: number, settings: FileSettings): string {
  if (pdf.state === 'ok') {
    const last = pdf.pages.length - 1 + settings.pageBase;
    return `Page ${number} is not in ${shown(pdf.path, settings)}, whose pages are ${settings.pageBase} to ${last}.`;
  }
  return absence('PDF', pdf, settings);
}

function imageReason(image: PageImageFacts, settings: FileSettings): string | undefined {
  return image.state === 'ok' ? undefined : absence('Page image', image, settings);
}

function absence(
  what: string,
  facts: Exclude<PdfFacts | PageImageFacts, { state: 'ok' }>,
  settings: FileSettings,
): string {
  if (facts.state === 'refused') return `${what} refused: ${facts.reason}.`;
  if (facts.state === 'unreadable') return `${what} ${shown(facts.path, settings)} cannot be read: ${facts.reason}.`;
  const [first, ...others] = facts.looked.map((looked) => shown(looked, settings));
  if (first === undefined) return `${what}: no place is known.`;
  const also = others.length === 0 ? '' : `, nor ${others.join(', ')}`;
  return `${what} ${first} is not there${also}; looked in ${settings.base}.`;
}

/** A path as people know it: from the folder that locations are relative to. */
function shown(file: string, settings: FileSettings): string {
  const relative = path.relative(settings.base, file);
  return relative.startsWith('..') ? file : relative.split(path.sep).join('/');
}

function regionsOf(
  record: CanonicalRecord,
  checked: CheckedText,
  page: number,
  measure: PageMeasure,
  settings: FileSettings,
  findings: readonly Finding[],
): EvidenceRegion[] {
  const boxes = listAt(record.boxes, page);
  const relative = listAt(record.relativeBoxes, page);
  const labels = listAt(record.labels, page);
  return boxes.flatMap((box, at) => {
    const place =
      fractionsOf(box, settings.coordinates, measure) ??
      fractionsOf(relative[at], settings.relativeCoordinates, measure);
    if (place === undefined) return [];
    const pointer = pointerTo(record, 'boxes', page, at);
    const label = labels[at];
    const span = spanOfPointer(checked.text, pointer);
    return [
      {
        pointer,
        label: typeof label === 'string' ? label : null,
        ...place,
        text: span === undefined ? JSON.stringify(box) : checked.text.slice(span.start, span.end),
        problems: findings
          .filter((finding) => finding.pointer === pointer || finding.pointer.startsWith(`${pointer}/`))
          .map(({ severity, code, message }) => ({ severity, code, message })),
      },
    ];
  });
}

function fractionsOf(
  box: unknown,
  coordinates: FileSettings['coordinates'],
  measure: PageMeasure,
): Fractions | undefined {
  return coordinates !== undefined && isBox(box) ? toFractions(box, coordinates, measure) : undefined;
}

function listAt(lists: readonly unknown[] | undefined, at: number): readonly unknown[] {
  const list = lists?.[at];
  return Array.isArray(list) ? list : [];
}

function blocksOf(record: CanonicalRecord): EvidenceBlock[] {
  const context = record.context ?? [];
  return (['tableEvidence', 'textEvidence'] as const).flatMap((field) =>
    (record[field] ?? []).map((index, at): EvidenceBlock => {
      const place = typeof index === 'number' ? index : String(index);
      const blockPointer = pointerTo(record, 'context', place);
      const common = {
        pointer: pointerTo(record, field, at),
        blockPointer,
        name: typeof place === 'number' ? blockName(record, place) : nameOf(blockPointer),
      };
      const block = typeof index === 'number' ? context[index] : undefined;
      if (block === undefined) {
        const text = `There is no ${common.name}: the record has ${context.length} blocks.`;
        return { ...common, kind: 'missing', text };
      }
      const text = typeof block === 'string' ? block : JSON.stringify(block, null, 2);
      const { kind, before, rows, after } = parseBlock(text);
      return { ...common, kind, text, ...(kind === 'table' && { table: { before, rows, after } }) };
    }),
  );
}

/** `/paragraphs/3` as messages name it: `paragraphs[3]`. */
function nameOf(pointer: string): string {
  const parts = pointer.slice(1).split('/');
  const last = parts.pop();
  return `${parts.join('.')}[${last}]`;
}
