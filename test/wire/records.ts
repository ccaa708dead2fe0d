/** Fault-free records to put faults into. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Readonly<Record<string, unknown>>;

const { bases } = JSON.parse(readFileSync(join(import.meta.dirname, '../cases/cases.json'), 'utf8')) as {
  bases: Readonly<Record<string, Json>>;
};

export const DOCUMENTS = join(import.meta.dirname, '../cases/documents');

/** Lines of DocMath-Eval records with ids of their own, each with a patch. */
export function docmath(...patches: readonly Json[]): string[] {
  return patches.map((patch, at) =>
    JSON.stringify({
      ...bases['docmath-eval'],
      question_id: `wire-${at}`,
      question: `What was the change in widget revenue from 2031 to 2032, in thousands (variant ${at})?`,
      ...patch,
    }),
  );
}

export function sciegqa(...patches: readonly Json[]): string[] {
  return patches.map((patch, at) =>
    JSON.stringify({ ...bases['sciegqa'], query: `Which row of the table has total number ${at}?`, ...patch }),
  );
}

export function fileOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

/** Puts the document of `sciegqa` records beside the record files. */
export function putDocument(server: { write(name: string, content: Uint8Array): unknown }): void {
  server.write('demo-doc.pdf', readFileSync(join(DOCUMENTS, 'demo-doc.pdf')));
}
