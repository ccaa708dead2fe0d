import type { TextEdit } from '../edit/types.ts';
import { replaceBetween } from '../edit/difference.ts';
import { recordDocument } from './document.ts';
import { readRecordDocument } from './read.ts';

/** What formats a record document; nothing where it cannot be read. */
export function formatRecordDocument(documentText: string): readonly TextEdit[] {
  const { text, faults } = readRecordDocument(documentText);
  const formatted = faults.length > 0 ? undefined : recordDocument(text);
  if (formatted === undefined) return [];
  const ended = documentText.includes('\r\n') ? formatted.replaceAll('\n', '\r\n') : formatted;
  return replaceBetween(documentText, ended);
}
