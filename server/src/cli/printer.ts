import type { Report } from '../../../schemas/report.ts';
import { createPaint } from './output.ts';
import type { Output } from './output.ts';
import type { CheckedFile, Totals } from './report.ts';
import { toReportFinding, toReportResult } from './report.ts';
import { findingLine, resultLine, summaryLine, truncatedLine } from './text-format.ts';

/** Prints results file by file, so that a report of many files is never held whole. */
export interface Printer {
  file(file: CheckedFile): Promise<void>;
  /** `failed`: something could not be done. */
  end(totals: Totals, failed: boolean): Promise<void>;
}

/** Pieces are joined up to this many UTF-16 units before they are written. */
const PIECE = 65_536;

export function createTextPrinter(out: Output, limit: number): Printer {
  const paint = createPaint(out.colors);
  return {
    async file({ path, findings, truncated, results }) {
      const write = inPieces(out);
      for (const result of results ?? []) await write(resultLine(path, result, paint));
      for (const finding of findings) await write(findingLine(path, toReportFinding(finding), paint));
      if (truncated) await write(truncatedLine(path, limit, paint));
      await write('', true);
    },
    end: (totals) => out.write(summaryLine(totals, paint)),
  };
}

/** Writes the report of schemas/report.ts, one finding or result a line. */
export function createJsonPrinter(out: Output): Printer {
  let files = 0;
  const head = `{"version":${1 satisfies Report['version']},\n"files":[`;
  return {
    async file({ path, profile, records, unreadable, findings, truncated, results }) {
      const write = inPieces(out);
      await write(`${files === 0 ? head : ','}\n`);
      files += 1;
      await write(
        `{"path":${JSON.stringify(path)},"profile":${JSON.stringify(profile)},"records":${records},${unreadable > 0 ? `"unreadable":${unreadable},` : ''}"findings":[`,
      );
      let separator = '\n';
      for (const finding of findings) {
        await write(separator + JSON.stringify(toReportFinding(finding)));
        separator = ',\n';
      }
      await write(`],"truncated":${truncated}`);
      if (results !== undefined) {
        await write(',"results":[');
        separator = '\n';
        for (const result of results) {
          await write(separator + JSON.stringify(toReportResult(result)));
          separator = ',\n';
        }
        await write(']');
      }
      await write('}', true);
    },
    async end({ solutions, summary }) {
      if (files === 0) await out.write(head);
      await out.write(`],\n"solutions":${JSON.stringify(solutions)},\n"summary":${JSON.stringify(summary)}}\n`);
    },
  };
}

/** Joins pieces of text; `last` writes what is left. */
export function inPieces(out: Output): (text: string, last?: boolean) => Promise<void> {
  let piece = '';
  return async (text, last = false) => {
    piece += text;
    if (piece.length < PIECE && !last) return;
    const full = piece;
    piece = '';
    await out.write(full);
  };
}
