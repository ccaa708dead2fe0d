import { createConverter } from '../../core/bulk/convert.ts';
import type { Kind } from '../../core/bulk/sound.ts';
import { NotWritten } from '../files/write.ts';
import { BrokenFile } from './source.ts';
import type { BulkSource } from './source.ts';

export interface Converted {
  readonly records: number;
  readonly from: Kind;
}

/** Text is collected to pieces of this size, in UTF-16 units: a write for each record would be slow. */
const PIECE = 256 * 1024;

/**
 * A file as the other kind, in pieces. Throws BrokenFile at the end where something of it would be lost, NotWritten where it is of that
 * kind already: then the pieces are worth nothing. `done` is called when all of them have been given out.
 */
export async function* convertedBytes(
  source: BulkSource,
  to: Kind,
  done: (converted: Converted) => void,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const converter = createConverter(source.form, to);
  let waiting = '';
  for await (const text of source.text()) {
    waiting += converter.push(text);
    if (waiting.length < PIECE) continue;
    yield encoder.encode(waiting);
    waiting = '';
  }
  const { text, records, from, problems } = converter.end();
  if (problems.length > 0) throw new BrokenFile(problems);
  if (from === 'array' && to === 'array') throw new NotWritten('is one JSON array already');
  yield encoder.encode(waiting + text);
  done({ records, from });
}
