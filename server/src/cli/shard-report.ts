/** The report of a shard: findings with all that any format needs, and what the rules across records read. */
import type { Report, ReportFinding, ReportItems, ReportShard, ReportShardFile } from '../../../schemas/report.ts';
import type { Finding, Position } from '../core/finding.ts';
import type { RecordItems } from '../core/pipeline.ts';
import type { RecordPlace } from '../core/rules/types.ts';
import { createSpool } from '../node/files/spool.ts';
import type { FilePart, ReadRecord } from '../node/jobs/join.ts';
import type { Output } from './output.ts';
import { inPieces } from './printer.ts';
import type { Printer } from './printer.ts';
import { toReportFinding } from './report.ts';
import type { CheckedFile, LaidFinding, LaidFix } from './report.ts';

/** What rules across records read in one file, on its way into the report; kept on the disk where it is much. */
export interface ItemList {
  add(place: RecordPlace, ordinal: number, items: RecordItems): void;
  /** JSON, an element of the list a line. */
  read(): Generator<Uint8Array>;
}

export function createItemList(): ItemList {
  const spool = createSpool();
  let separator = '\n';
  return {
    add({ index, line, column }, ordinal, items) {
      const isPlain = line === index && column === 0 && ordinal === 0;
      const entry: ReportItems = isPlain ? [index, items] : [index, items, line, column, ordinal];
      spool.keep(Buffer.from(separator + JSON.stringify(entry)));
      separator = ',\n';
    },
    read: () => spool.read(),
  };
}

/** What a shard knows of a file beside what was found. */
export interface ShardFile extends Omit<ReportShardFile, 'items'> {
  readonly items: ItemList;
}

export function createShardPrinter(out: Output, shard: () => ReportShard): Printer {
  let files = 0;
  const head = `{"version":${1 satisfies Report['version']},\n"files":[`;
  return {
    async file({ path, profile, records, unreadable, findings, shard: own }: CheckedFile) {
      if (own === undefined) return;
      const write = inPieces(out);
      await write(`${files === 0 ? head : ','}\n`);
      files += 1;
      const { items, ...others } = own;
      const lost = unreadable > 0 ? `"unreadable":${unreadable},` : '';
      await write(`{"path":${JSON.stringify(path)},"profile":${JSON.stringify(profile)},"records":${records},${lost}`);
      await write('"findings":[');
      for (const [i, finding] of findings.entries()) {
        await write((i === 0 ? '\n' : ',\n') + JSON.stringify(toShardFinding(finding)));
      }
      await write(`],"truncated":false,\n"shard":${JSON.stringify(others).slice(0, -1)},"items":[`);
      const decoder = new TextDecoder();
      for (const chunk of items.read()) await write(decoder.decode(chunk, { stream: true }));
      await write(`${decoder.decode()}]}}`, true);
    },
    async end({ solutions, summary }) {
      if (files === 0) await out.write(head);
      await out.write(`],\n"solutions":${JSON.stringify(solutions)},\n"summary":${JSON.stringify(summary)},\n`);
      await out.write(`"shard":${JSON.stringify(shard())}}\n`);
    },
  };
}

function toShardFinding(finding: LaidFinding): ReportFinding {
  const { recordKey, related, laidFixes } = finding;
  const report = toReportFinding(finding);
  const laid = new Map(laidFixes?.map((fix) => [fix.title, fix]));
  return {
    ...report,
    fixes: report.fixes.map((fix) => {
      const replacements = laid.get(fix.title)?.replacements;
      return {
        ...fix,
        ...(replacements && {
          replacements: replacements.map(({ text, ...at }) => ({ range: toRange(at), text })),
        }),
      };
    }),
    ...(recordKey !== undefined && { recordKey }),
    ...(related.length > 0 && {
      related: related.map(({ message, pointer, file, ...at }) => ({
        message,
        pointer,
        ...(file && { file: file.name }),
        range: toRange(at),
      })),
    }),
  };
}

/** Turns the finding of a shard's report back into one of the pipeline; what only editors need of it is gone. */
export function fromShardFinding(finding: ReportFinding): LaidFinding {
  const { code, severity, message, record, recordKey, pointer, range, fingerprint, fixes, related = [] } = finding;
  const laidFixes = fixes.flatMap(({ title, replacements }): LaidFix[] =>
    replacements === undefined
      ? []
      : [{ title, replacements: replacements.map(({ range: at, text }) => ({ ...fromRange(at), text })) }],
  );
  return {
    code,
    severity,
    message,
    record,
    ...(recordKey !== undefined && { recordKey }),
    pointer,
    ...fromRange(range),
    fingerprint,
    fixes: fixes.map(({ title, safe }) => ({ title, safe, edits: [] })),
    related: related.map(({ file, range: at, ...others }) => ({
      ...others,
      ...fromRange(at),
      ...(file !== undefined && { file: { name: file, start: fromRange(at).start } }),
    })),
    ...(laidFixes.length > 0 && { laidFixes }),
  };
}

type Range = ReportFinding['range'];

function toRange({ start, end }: { readonly start: Position; readonly end: Position }): Range {
  return {
    start: { line: start.line + 1, column: start.column + 1 },
    end: { line: end.line + 1, column: end.column + 1 },
  };
}

function fromRange({ start, end }: Range): Pick<Finding, 'start' | 'end'> {
  return {
    start: { line: start.line - 1, column: start.column - 1 },
    end: { line: end.line - 1, column: end.column - 1 },
  };
}

/** `report`: the name of the report that the file is of. */
export function partOf(report: string, file: Report['files'][number], shard: ReportShardFile): FilePart {
  const { records, unreadable = 0, findings } = file;
  const { codes, items, settings, unavailable } = shard;
  return {
    report,
    records,
    unreadable,
    findings: findings.map(fromShardFinding),
    codes,
    read: items.map(toRead),
    settings,
    ...(unavailable !== undefined && { unavailable }),
  };
}

function toRead([index, items, line = index, column = 0, ordinal = 0]: ReportItems): ReadRecord {
  return { place: { index, line, column }, ordinal, items };
}
