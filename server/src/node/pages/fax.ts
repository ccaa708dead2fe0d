/**
 * Bilevel images as fax machines code them: Modified Huffman, Group 3 (ITU-T T.4) and Group 4 (T.6), in TIFF.
 * A row is the list of the places where its colour changes, white to black first.
 */
import { ImageFault } from './image-size.ts';

export type FaxCoding = 'huffman' | 'group3' | 'group3-2d' | 'group4';

/** Rows of whole bytes, highest bit first, 1 for black; fewer than `height` where the data end with the mark for it. */
export function decodeFax(bytes: Uint8Array, coding: FaxCoding, width: number, height: number): Uint8Array {
  const reader = createReader(bytes);
  const rowBytes = Math.ceil(width / 8);
  const data = new Uint8Array(rowBytes * height);
  let before: readonly number[] = [width, width, width];
  for (let y = 0; y < height; y++) {
    const kind = startRow(reader, coding);
    if (kind === 'end') return data.subarray(0, y * rowBytes);
    const changes = kind === '2d' ? readAgainst(reader, before, width) : readRuns(reader, width);
    paint(data, y * rowBytes * 8, changes, width);
    changes.push(width, width, width);
    before = changes;
    if (coding === 'huffman') reader.align();
  }
  return data;
}

interface Reader {
  /** The next bits, up to 13, without taking them; zeros past the end. */
  peek(bits: number): number;
  take(bits: number): void;
  align(): void;
}

function createReader(bytes: Uint8Array): Reader {
  let at = 0;
  return {
    peek(bits) {
      const byte = at >> 3;
      const held = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0);
      return (held >> (24 - (at & 7) - bits)) & ((1 << bits) - 1);
    },
    take(bits) {
      at += bits;
      if (at > bytes.length * 8) throw new ImageFault('is damaged: the image data end early');
    },
    align() {
      at = (at + 7) & ~7;
    },
  };
}

/** Passes the mark between rows, with the zeros that fill up before it. */
function startRow(reader: Reader, coding: FaxCoding): '1d' | '2d' | 'end' {
  if (coding === 'huffman') return '1d';
  if (coding === 'group4') return reader.peek(12) === 1 ? 'end' : '2d';
  let marks = 0;
  let isPlain = true;
  while (reader.peek(11) === 0) {
    while (reader.peek(1) === 0) reader.take(1);
    reader.take(1);
    marks += 1;
    if (coding === 'group3-2d') {
      isPlain = reader.peek(1) === 1;
      reader.take(1);
    }
    // Six marks end a page; two already are no row.
    if (marks > 1) return 'end';
  }
  return isPlain ? '1d' : '2d';
}

function readRuns(reader: Reader, width: number): number[] {
  const changes: number[] = [];
  let at = 0;
  for (let colour = 0; at < width; colour ^= 1) {
    at += readRun(reader, colour);
    if (at > width) throw nonsense();
    changes.push(at);
  }
  return changes;
}

/** Against the row before: what changes near a change of it is said by the distance. */
function readAgainst(reader: Reader, before: readonly number[], width: number): number[] {
  const changes: number[] = [];
  let at = -1;
  let colour = 0;
  let i = 0;
  while (at < width) {
    // The first change to the right, away from the colour at hand.
    while (i > 0 && before[i - 1]! > at) i -= 1;
    while (before[i]! <= at || (i & 1) !== colour) i += 1;
    const mode = MODES[reader.peek(7)]!;
    if (mode === 0) throw nonsense();
    reader.take(mode & 15);
    const what = (mode >> 4) - 8;
    if (what === PASS) at = before[i + 1]!;
    else if (what === HORIZONTAL) {
      const first = Math.max(at, 0) + readRun(reader, colour);
      at = first + readRun(reader, colour ^ 1);
      changes.push(first, at);
    } else {
      const change = before[i]! + what;
      if (change < at || change < 0) throw nonsense();
      at = change;
      changes.push(at);
      colour ^= 1;
    }
    if (at > width) throw nonsense();
  }
  return changes;
}

function readRun(reader: Reader, colour: number): number {
  let run = 0;
  for (;;) {
    const code = RUNS[colour]![reader.peek(13)]!;
    if (code === 0) throw nonsense();
    reader.take(code & 15);
    const length = code >> 4;
    run += length;
    if (length < 64) return run;
  }
}

function paint(data: Uint8Array, start: number, changes: readonly number[], width: number): void {
  for (let i = 0; i < changes.length; i += 2) {
    let bit = start + changes[i]!;
    const end = start + (changes[i + 1] ?? width);
    while (bit < end) {
      if ((bit & 7) === 0 && end - bit >= 8) {
        data[bit >> 3] = 0xff;
        bit += 8;
      } else {
        data[bit >> 3]! |= 0x80 >> (bit & 7);
        bit += 1;
      }
    }
  }
}

function nonsense(): ImageFault {
  return new ImageFault('is damaged: its fax codes make no sense');
}

const PASS = 4;
const HORIZONTAL = 5;

/** By the next 7 bits: what is meant (8 added) and, in the lowest four bits, the length of the code. */
const MODES = tableOf(7, [
  ...['0000010', '000010', '010', '1', '011', '000011', '0000011'].map((code, i) => [code, i - 3 + 8] as const),
  ['0001', PASS + 8],
  ['001', HORIZONTAL + 8],
]);

const WHITE =
  '00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 101010 101011 0100111 ' +
  '0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010 00000011 00011010 00011011 ' +
  '00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 00101101 00000100 ' +
  '00000101 00001010 00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 01011001 01011010 01011011 ' +
  '01001010 01001011 00110010 00110011 00110100';
const BLACK =
  '0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 000011000 0000010111 ' +
  '0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111 00000011000 000011001010 ' +
  '000011001011 000011001100 000011001101 000001101000 000001101001 000001101010 000001101011 000011010010 000011010011 ' +
  '000011010100 000011010101 000011010110 000011010111 000001101100 000001101101 000011011010 000011011011 000001010100 ' +
  '000001010101 000001010110 000001010111 000001100100 000001100101 000001010010 000001010011 000000100100 000000110111 ' +
  '000000111000 000000100111 000000101000 000001011000 000001011001 000000101011 000000101100 000001011010 000001100110 ' +
  '000001100111';
/** Runs of 64, 128, … 1728. */
const LONG_WHITE =
  '11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101 011010010 011010011 ' +
  '011010100 011010101 011010110 011010111 011011000 011011001 011011010 011011011 010011000 010011001 010011010 011000 ' +
  '010011011';
const LONG_BLACK =
  '0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 0000001101101 ' +
  '0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 0000001110100 0000001110101 ' +
  '0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 0000001010101 0000001011010 0000001011011 ' +
  '0000001100100 0000001100101';
/** Runs of 1792, 1856, … 2560 of either colour. */
const LONGEST =
  '00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 000000010111 ' +
  '000000011100 000000011101 000000011110 000000011111';

/** By the next 13 bits: the run and, in the lowest four bits, the length of the code. */
const RUNS = [runTable(WHITE, LONG_WHITE), runTable(BLACK, LONG_BLACK)];

function runTable(short: string, long: string): Uint16Array {
  return tableOf(13, [
    ...short.split(' ').map((code, i) => [code, i] as const),
    ...[...long.split(' '), ...LONGEST.split(' ')].map((code, i) => [code, 64 * (i + 1)] as const),
  ]);
}

/** 0 where no code begins so. */
function tableOf(bits: number, codes: readonly (readonly [code: string, value: number])[]): Uint16Array {
  const table = new Uint16Array(1 << bits);
  for (const [code, value] of codes) {
    const first = Number.parseInt(code, 2) << (bits - code.length);
    table.fill((value << 4) | code.length, first, first + (1 << (bits - code.length)));
  }
  return table;
}
