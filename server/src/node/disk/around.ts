import { open } from 'node:fs/promises';

/** Bytes on each side that are read: what parts a record from its neighbours is short. */
const AROUND = 4096;

/**
 * What stands before and after a stretch of a UTF-8 file, a little of each; characters that are cut come as U+FFFD. Rejects with a file
 * system error where the file cannot be read.
 * @param start of the stretch, in bytes; so is `length`
 */
export async function textAround(
  file: string,
  start: number,
  length: number,
): Promise<{ readonly before: string; readonly after: string }> {
  const handle = await open(file, 'r');
  try {
    const read = async (from: number, most: number): Promise<string> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(most), 0, most, from);
      return buffer.subarray(0, bytesRead).toString('utf8');
    };
    const from = Math.max(0, start - AROUND);
    const before = start === from ? '' : await read(from, start - from);
    return { before: from === 0 ? before.replace(/^\ufeff/, '') : before, after: await read(start + length, AROUND) };
  } finally {
    await handle.close();
  }
}
