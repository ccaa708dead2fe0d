/** From a JSON array to JSONL and back as streams: every value keeps its spelling, every record its keys and their order. */
import type { FileForm } from '../text/types.ts';
import { isEnded, lineEndIn, plainLayout } from './layout.ts';
import type { LineEnd } from './layout.ts';
import { onOneLine } from './one-line.ts';
import { createSoundReader } from './sound.ts';
import type { Kind, SoundRecord, Unsound } from './sound.ts';

export interface Converter {
  /** Text to be written. */
  push(text: string): string;
  end(): ConvertEnd;
}

export interface ConvertEnd {
  readonly text: string;
  readonly records: number;
  /** Of what was read. */
  readonly from: Kind;
  /** Any: what was given out is not the file and must be thrown away. */
  readonly problems: readonly Unsound[];
}

/**
 * One record to a line either way. The line ends are those of the file (its first one), a line end at the file's end stays or stays
 * away. A byte order mark goes, and so do blank lines.
 */
export function createConverter(form: FileForm, to: Kind): Converter {
  const reader = createSoundReader(form);
  let records = 0;
  /** Held back: what follows it tells the line end. */
  let first: SoundRecord | undefined;
  let end: LineEnd = '\n';
  const textOf = to === 'lines' ? onOneLine : (text: string) => text;

  function write(found: readonly SoundRecord[]): string {
    let written = '';
    for (const record of found) {
      records++;
      if (records === 1) {
        first = record;
        continue;
      }
      if (first !== undefined) {
        end = lineEndIn(first.gap + first.slot.text + record.gap) ?? '\n';
        written += plainLayout(to, end, false).open + textOf(first.text);
        first = undefined;
      }
      written += plainLayout(to, end, false).between + textOf(record.text);
    }
    return written;
  }

  return {
    push: (text) => write(reader.push(text)),
    end() {
      const last = reader.end();
      let text = write(last.records);
      if (first !== undefined) {
        end = lineEndIn(first.gap + first.slot.text + last.rest) ?? '\n';
        text += plainLayout(to, end, false).open + textOf(first.text);
      }
      if (records === 0) end = lineEndIn(last.rest) ?? '\n';
      const { close, empty } = plainLayout(to, end, isEnded(last.rest));
      return { text: text + (records === 0 ? empty : close), records, from: last.kind, problems: last.problems };
    },
  };
}
