import type { LocalFinding } from '../finding.ts';
import type { CheckedText, Checker } from '../pipeline.ts';
import type { Cancel, DocumentFacts, DocumentReader } from '../ports.ts';

/**
 * Reads the pages of a record that the rules want to see, and gives what they find; the pages themselves are let go.
 * undefined: the rules want none, or the reader reads no pages. Rejects only as the reader does.
 */
export async function readPageFindings(
  checker: Checker,
  checked: CheckedText,
  document: DocumentFacts,
  reader: DocumentReader,
  cancel?: Cancel,
): Promise<readonly LocalFinding[] | undefined> {
  if (reader.readPages === undefined) return undefined;
  const wanted = checker.pagesWanted(checked, document);
  if (wanted.length === 0) return undefined;
  const pages = await reader.readPages(document, wanted, cancel);
  const first = checker.checkPages(checked, document, { pages });
  if (!first.wantsText || reader.readText === undefined) return first.findings;
  const documentText = await reader.readText(document, cancel);
  if (documentText === undefined) return first.findings;
  return checker.checkPages(checked, document, { pages, documentText }).findings;
}
