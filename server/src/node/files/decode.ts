/**
 * Bytes to text. Record files are UTF-8; whatever else arrives is named and not read, since text made from the wrong
 * encoding would only yield findings that are not true. A few invalid bytes in good UTF-8 are read as U+FFFD.
 */
import { isUtf8 } from 'node:buffer';
import type { FileFault } from '../../core/text/types.ts';

export interface ByteDecoder {
  /** The text of these bytes as far as it is certain; '' throughout for files that are not UTF-8. */
  push(bytes: Uint8Array): string;
  end(): DecodedEnd;
}

export interface DecodedEnd {
  /** Text that had not been given out before. */
  readonly text: string;
  /** False: no text was made, and `fault` is all there is to say about the file. */
  readonly readable: boolean;
  readonly fault: FileFault | undefined;
}

/** Enough to tell encodings apart. */
const SAMPLE_BYTES = 4096;
/** More invalid or control bytes than this part of the sample: not UTF-8 text at all. */
const MOST_BAD = 0.1;

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['%PDF-', 'a PDF document'],
  ['PK\x03\x04', 'a ZIP archive (or a file made of one, such as .xlsx or .docx)'],
  ['\x1f\x8b', 'gzip data: unpack it first'],
  ['\x28\xb5\x2f\xfd', 'Zstandard data: unpack it first'],
  ['BZh', 'bzip2 data: unpack it first'],
  ['\xfd7zXZ', 'xz data: unpack it first'],
  ['7z\xbc\xaf', 'a 7z archive'],
  ['PAR1', 'a Parquet file'],
  ['ARROW1', 'an Arrow file'],
  ['SQLite format 3', 'a SQLite database'],
  ['\x7fELF', 'a program'],
  ['\x93NUMPY', 'a NumPy array'],
];

export interface DecodedText {
  /** With the byte order mark, where the file has one; '' where it is not readable. */
  readonly text: string;
  readonly readable: boolean;
  readonly fault: FileFault | undefined;
}

/** Decodes a whole file. */
export function decodeBytes(bytes: Uint8Array): DecodedText {
  const decoder = createByteDecoder();
  const text = decoder.push(bytes);
  const end = decoder.end();
  return { text: text + end.text, readable: end.readable, fault: end.fault };
}

/** Decodes a file in pieces of any size. The text keeps a byte order mark at its start: the record reader reports it. */
export function createByteDecoder(): ByteDecoder {
  let head: Uint8Array[] | undefined = [];
  let headLength = 0;
  let foreign: string | undefined;
  const utf8 = createUtf8Decoder();

  const decide = (): string => {
    const bytes = Buffer.concat(head ?? []);
    head = undefined;
    foreign = foreignEncoding(bytes.subarray(0, SAMPLE_BYTES));
    return foreign === undefined ? utf8.push(bytes) : '';
  };

  return {
    push(bytes) {
      if (foreign !== undefined) return '';
      if (head === undefined) return utf8.push(bytes);
      // Copied, since callers reuse their buffers.
      head.push(Uint8Array.from(bytes));
      headLength += bytes.length;
      return headLength >= SAMPLE_BYTES ? decide() : '';
    },
    end() {
      const text = head === undefined ? '' : decide();
      if (foreign !== undefined) return { text: '', readable: false, fault: foreignFault(foreign) };
      const last = utf8.end();
      return { text: text + last.text, readable: true, fault: last.fault };
    },
  };
}

/** What the bytes are, where they are not UTF-8 text; undefined for UTF-8. */
function foreignEncoding(sample: Buffer): string | undefined {
  const marked = byMark(sample);
  if (marked !== 'none') return marked;
  const start = sample.toString('latin1', 0, 16);
  const signature = SIGNATURES.find(([bytes]) => start.startsWith(bytes));
  if (signature !== undefined) return signature[1];
  return byZeros(sample) ?? byBadBytes(sample);
}

function byMark(sample: Buffer): string | 'none' | undefined {
  const [a, b, c, d] = sample;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'UTF-32 (little-endian)' : 'UTF-16 (little-endian)';
  if (a === 0xfe && b === 0xff) return 'UTF-16 (big-endian)';
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'UTF-32 (big-endian)';
  return a === 0xef && b === 0xbb && c === 0xbf && !sample.includes(0) ? undefined : 'none';
}

/** UTF-16 and UTF-32 without a mark: the zero bytes of ASCII characters stand at regular places. */
function byZeros(sample: Buffer): string | undefined {
  const zeros = [0, 0, 0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 4] = (zeros[at % 4] ?? 0) + 1;
  const quarter = Math.max(1, Math.floor(sample.length / 4));
  const [z0, z1, z2, z3] = zeros.map((count) => count / quarter) as [number, number, number, number];
  if (z1 > 0.9 && z2 > 0.9 && z3 > 0.9 && z0 < 0.1) return 'UTF-32 (little-endian)';
  if (z0 > 0.9 && z1 > 0.9 && z2 > 0.9 && z3 < 0.1) return 'UTF-32 (big-endian)';
  if (z1 + z3 > 0.6 && z0 + z2 < 0.1) return 'UTF-16 (little-endian)';
  if (z0 + z2 > 0.6 && z1 + z3 < 0.1) return 'UTF-16 (big-endian)';
  return undefined;
}

function byBadBytes(sample: Buffer): string | undefined {
  let controls = 0;
  for (const byte of sample) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) controls++;
  const invalid = invalidSequences(sample, false).count;
  if (sample.length === 0 || controls + invalid <= Math.max(1, sample.length * MOST_BAD)) return undefined;
  return controls > sample.length / 50
    ? 'binary data'
    : 'text in another encoding than UTF-8 (a Windows or Latin code page, or an East Asian one)';
}

function foreignFault(what: string): FileFault {
  return {
    code: 'file/encoding',
    message: `Found ${what}, expected UTF-8 text. The file is not read: wrong decoding would shift or break every value. Save it as UTF-8.`,
    line: 0,
    startColumn: 0,
    endColumn: 0,
    found: what,
  };
}

interface Utf8Decoder {
  push(bytes: Uint8Array): string;
  end(): { readonly text: string; readonly fault: FileFault | undefined };
}

function createUtf8Decoder(): Utf8Decoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest: Uint8Array = new Uint8Array();
  let offset = 0;
  let line = 0;
  /** UTF-16 units since the line's start, a byte order mark at the file's start not counted. */
  let column = 0;
  let first: { offset: number; line: number; column: number; byte: number } | undefined;
  let count = 0;

  const decode = (bytes: Uint8Array): string => {
    const text = decoder.decode(bytes);
    if (!isUtf8(bytes)) {
      const invalid = invalidSequences(bytes, true);
      if (first === undefined && invalid.first !== undefined) {
        const before = decoder.decode(bytes.subarray(0, invalid.first));
        const at = advance(before, line, column, offset === 0);
        first = { offset: offset + invalid.first, ...at, byte: bytes[invalid.first] ?? 0 };
      }
      count += invalid.count;
    }
    ({ line, column } = advance(text, line, column, offset === 0));
    offset += bytes.length;
    return text;
  };

  return {
    push(bytes) {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const whole = all.length - unfinished(all);
      rest = Uint8Array.from(all.subarray(whole));
      return whole === 0 ? '' : decode(all.subarray(0, whole));
    },
    end() {
      const text = rest.length === 0 ? '' : decode(rest);
      return { text, fault: first === undefined ? undefined : invalidFault(first, count) };
    },
  };
}

function advance(text: string, line: number, column: number, atStart: boolean): { line: number; column: number } {
  const last = text.lastIndexOf('\n');
  if (last < 0) return { line, column: column + text.length - (atStart && text.charCodeAt(0) === 0xfeff ? 1 : 0) };
  let lines = line + 1;
  for (let at = text.indexOf('\n'); at < last; at = text.indexOf('\n', at + 1)) lines++;
  return { line: lines, column: text.length - last - 1 };
}

/** How many bytes at the end may begin a character that goes on in the next piece. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return size > back ? back : 0;
  }
  return 0;
}

/**
 * Invalid sequences, counted as the Encoding Standard replaces them: one for the longest part that begins a character.
 * With `complete`, an unfinished character at the end is one too.
 */
function invalidSequences(bytes: Uint8Array, complete: boolean): { count: number; first: number | undefined } {
  let count = 0;
  let first: number | undefined;
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const size =
      lead < 0x80
        ? 1
        : lead >= 0xc2 && lead < 0xe0
          ? 2
          : lead >= 0xe0 && lead < 0xf0
            ? 3
            : lead >= 0xf0 && lead < 0xf5
              ? 4
              : 0;
    let read = 1;
    while (read < size && continues(lead, read, bytes[at + read])) read++;
    if (size === 0 || read < size) {
      if (!complete && size > 0 && at + read >= bytes.length) break;
      count++;
      first ??= at;
    }
    at += read;
  }
  return { count, first };
}

/**
 * How many bytes are the character at an offset as it is decoded: a whole one, or what is read as one U+FFFD. Only four
 * bytes are two UTF-16 units.
 */
export function characterSize(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const size = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 1;
  let read = 1;
  while (read < size && continues(lead, read, bytes[at + read])) read++;
  return read;
}

/** Whether a byte may stand at this place after the lead byte (Unicode Standard, table 3-7). */
function continues(lead: number, place: number, byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const low = place > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = place > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return byte >= low && byte <= high;
}

function invalidFault(first: { offset: number; line: number; column: number; byte: number }, count: number): FileFault {
  const byte = '0x' + first.byte.toString(16).toUpperCase().padStart(2, '0');
  return {
    code: 'file/encoding',
    message:
      `Found ${count} ${count === 1 ? 'place' : 'places'} that ${count === 1 ? 'is' : 'are'} not UTF-8, expected none: the first is the byte ${byte} ` +
      `at offset ${first.offset}, in line ${first.line + 1}. ${count === 1 ? 'It is' : 'They are'} read as U+FFFD; a part of the file may have been ` +
      'written as Windows-1252 or Latin-1, or a character was cut in two.',
    line: first.line,
    startColumn: first.column,
    endColumn: first.column + 1,
    found: `${byte} ${count}`,
  };
}
