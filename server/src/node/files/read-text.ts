import { stat } from 'node:fs/promises';
import { BOM } from '../../core/text/chars.ts';
import { describeError } from './errors.ts';
import { NotWritten, textOf } from './write.ts';

/** Texts beyond this are not kept in memory: editors do not take them either. */
const LIMIT_BYTES = 50 * 1024 * 1024;

/** The whole text of a UTF-8 file without a byte order mark; or what kept it from being read, to stand after the file's name. */
export async function readText(file: string): Promise<{ readonly text: string } | { readonly problem: string }> {
  try {
    const { size } = await stat(file);
    if (size > LIMIT_BYTES) {
      return { problem: `has ${Math.ceil(size / 1024 / 1024)} MB: files of more than 50 MB are not taken into memory` };
    }
    const pieces: string[] = [];
    for await (const piece of textOf(file)) pieces.push(piece);
    const text = pieces.join('');
    return { text: text.charCodeAt(0) === BOM ? text.slice(1) : text };
  } catch (error) {
    return { problem: error instanceof NotWritten ? error.message : describeError(error) };
  }
}
