import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createByteDecoder, decodeBytes } from '../../../server/src/node/files/decode.ts';
import type { DecodedText } from '../../../server/src/node/files/decode.ts';

function inPieces(bytes: Uint8Array, size: number): DecodedText {
  const decoder = createByteDecoder();
  const reused = Buffer.alloc(size);
  let text = '';
  for (let at = 0; at < bytes.length; at += size) {
    // As readers of files do: the same buffer each time.
    const piece = bytes.subarray(at, at + size);
    reused.set(piece);
    text += decoder.push(reused.subarray(0, piece.length));
  }
  const last = decoder.end();
  return { text: text + last.text, readable: last.readable, fault: last.fault };
}

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const utf32 = (text: string, little: boolean): Buffer => {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(points.length * 4);
  points.forEach((point, at) => (little ? bytes.writeUInt32LE(point, at * 4) : bytes.writeUInt32BE(point, at * 4)));
  return bytes;
};
const RECORD = '{"question_id":"a","question":"Wie groß?","ground_truth":1.0}\n';

describe('bytes to text', () => {
  for (const [name, bytes, expected] of [
    ['UTF-16 LE with a mark', Buffer.from('\ufeff' + RECORD, 'utf16le'), 'UTF-16 (little-endian)'],
    ['UTF-16 BE with a mark', utf16be('\ufeff' + RECORD), 'UTF-16 (big-endian)'],
    ['UTF-16 LE', Buffer.from(RECORD, 'utf16le'), 'UTF-16 (little-endian)'],
    ['UTF-16 BE', utf16be(RECORD), 'UTF-16 (big-endian)'],
    ['UTF-32 LE with a mark', utf32('\ufeff' + RECORD, true), 'UTF-32 (little-endian)'],
    ['UTF-32 BE with a mark', utf32('\ufeff' + RECORD, false), 'UTF-32 (big-endian)'],
    ['UTF-32 LE', utf32(RECORD, true), 'UTF-32 (little-endian)'],
    ['UTF-32 BE', utf32(RECORD, false), 'UTF-32 (big-endian)'],
    ['an image', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'a PNG image'],
    ['a PDF', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'.padEnd(9000, 'x'), 'latin1'), 'a PDF document'],
    ['a gzip file', Buffer.from('\x1f\x8b\x08\0\0\0', 'latin1'), 'gzip data'],
    ['noise', Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * at * 31 + at * 7) % 256)), 'binary data'],
    [
      'a Cyrillic code page',
      Buffer.from([...Buffer.from('{"q":"'), ...Array<number>(40).fill(0xe4), 0x22, 0x7d]),
      'another encoding than UTF-8',
    ],
  ] as const) {
    it(`names ${name} and reads nothing`, () => {
      for (const { text, readable, fault } of [decodeBytes(bytes), inPieces(bytes, 1), inPieces(bytes, 4000)]) {
        assert.deepEqual([text, readable, fault?.code], ['', false, 'file/encoding']);
        assert.ok(fault?.message.includes(expected), fault?.message);
      }
    });
  }

  it('reads UTF-8 in pieces of any size, a mark included', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.nat(400),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        (own, times, mark, size) => {
          const text = (mark ? '\ufeff' : '') + (own + '\n').repeat(times);
          if (text.includes('\0')) return;
          const bytes = Buffer.from(text);
          for (const decoded of [decodeBytes(bytes), inPieces(bytes, size)]) {
            assert.equal(decoded.text, text);
            assert.deepEqual([decoded.readable, decoded.fault], [true, undefined]);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('reads around a few invalid bytes and names the first', () => {
    const bytes = Buffer.concat([
      Buffer.from(RECORD),
      Buffer.from('{"q":"caf'),
      Buffer.from([0xe9]),
      Buffer.from(' \ufffd \ud83d\ude00"}\n'.repeat(300)),
      Buffer.from([0x22, 0xf0, 0x9f]),
    ]);
    for (const { text, readable, fault } of [
      decodeBytes(bytes),
      inPieces(bytes, 1),
      inPieces(bytes, 7),
      inPieces(bytes, 4096),
    ]) {
      assert.equal(readable, true);
      assert.equal(text, new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
      assert.deepEqual([fault?.code, fault?.line, fault?.startColumn, fault?.endColumn], ['file/encoding', 1, 9, 10]);
      assert.match(
        fault?.message ?? '',
        new RegExp(`2 places.*0xE9.*offset ${Buffer.byteLength(RECORD) + 9}, in line 2`),
      );
    }
  });

  it('counts invalid sequences as they are replaced', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            0x41,
            0x0a,
            0x80,
            0xbf,
            0xc0,
            0xc3,
            0xe0,
            0xa0,
            0xed,
            0xe2,
            0x82,
            0xf0,
            0x9f,
            0x98,
            0xf4,
            0x90,
            0xff,
          ),
          { maxLength: 40 },
        ),
        (tail) => {
          const bytes = Buffer.concat([Buffer.from(RECORD.repeat(20)), Buffer.from(tail)]);
          const expected = new TextDecoder().decode(bytes);
          const count = expected.split('\ufffd').length - 1;
          for (const { text, fault } of [decodeBytes(bytes), inPieces(bytes, 3)]) {
            assert.equal(text, expected);
            assert.equal(fault === undefined ? 0 : Number(/Found (\d+)/.exec(fault.message)?.[1]), count);
            if (fault !== undefined) {
              const lines = text.split('\n');
              assert.equal(lines[fault.line]?.indexOf('\ufffd'), fault.startColumn);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('reads an empty file', () =>
    assert.deepEqual(decodeBytes(new Uint8Array()), { text: '', readable: true, fault: undefined }));
});
