import { parseRecordText } from '../../core/text/parse.ts';
import { fileSource } from './read.ts';

/** What is not known after so many bytes is not asked any further: it is a look at many files. */
const MOST_BYTES = 4 * 1024 * 1024;

/** What the first records of a file are, at most about so many; fewer where the file cannot be read or is no record file. */
export async function firstRecords(file: string, most: number): Promise<readonly unknown[]> {
  let bytes = 0;
  const source = fileSource(file, (count) => {
    bytes += count;
    if (bytes > MOST_BYTES) throw new Error('is large');
  });
  const values: unknown[] = [];
  for await (const batch of source.open()) {
    for (const { text } of batch) values.push(parseRecordText(text).value);
    if (values.length >= most) break;
  }
  return values.slice(0, most);
}
