/** Documents that open only in special ways, or hold what only special decoders read; made for the tests. */
import { encode as encodeJpeg } from 'jpeg-js';
import { PDFDocument, PDFName, PDFNumber, PDFString, StandardFonts, degrees, rgb } from 'pdf-lib';

/** One page, "Opened by its password", encrypted by AES-256 (qpdf --encrypt sesame owner 256). */
const LOCKED = [
  'JVBERi0xLjcKJb/3ov4KMSAwIG9iago8PCAvRXh0ZW5zaW9ucyA8PCAvQURCRSA8PCAvQmFzZVZlcnNpb24gLzEuNyAvRXh0ZW5zaW9uTGV2ZW',
  'wgOCA+PiA+PiAvUGFnZXMgMyAwIFIgL1R5cGUgL0NhdGFsb2cgPj4KZW5kb2JqCjIgMCBvYmoKPDwgL1R5cGUgL09ialN0bSAvTGVuZ3RoIDM2',
  'OCAvRmlsdGVyIC9GbGF0ZURlY29kZSAvTiA0IC9GaXJzdCAyMSA+PgpzdHJlYW0KMIg64B4HIIZ+8SHdmfwgQFgbdpW4iB9N37ZdpO0H6QXsiO',
  'tS+OtD6UqD/vcS+7bIfwD1xEF3TAn4AVN4YkDGZUikz4lNKbUyaITXBLVM9TqT79qh0Ptib3QaiBXBoLpLjP1bUplaNgg2q8ShPP239LQ6LU3B',
  'PoE4ZgNl+TXH19EUWb8ETa9L3JavTF7w1n2M7e/XlTidxi3jtyRRCK5dUoqjyppJAe5zg5ADJmcOinxFWSkFkmpyXTGDcCNUzS8937zDMCypVG',
  '8gr9aV0/pwl3lMAkxaGy/+t6exF+mfXR2VfS1F1YF7eR6D6+QOubkOzBFwjDzjbWi6sxtNPlLToxx37kJMMJvi8BFuVOooDgSNKwu4DgygdqU4',
  'fagJxB+YIJEx+Myfml1JqRulCFZUhFBDMnzWlx+MeGhFEf8YteibSD7LZ8/eQ2WlieISpst1tALZ0JGbVnKGmXeAdX8Z/VUeE6o6mnpPsozc1G',
  's40TBlbmRzdHJlYW0KZW5kb2JqCjcgMCBvYmoKPDwgL0ZpbHRlciAvRmxhdGVEZWNvZGUgL0xlbmd0aCAxNDQgPj4Kc3RyZWFtCuW4bV1M9i5+',
  'QIKhDV27+rgbF3unIQ+wmpTQszJebPxSUdCCh4z53y6cHEZKBHndJxUzCGILf1trG0dsyUMMdiyvJmBsCJ8JqhKsekv1r2fGklrAQf1bk11msR',
  'OCbPLc69+yr3yhsm4sppjxZB6UFJtClPnHHfOfQKC1+WtjH5EJkKbKdS3SNaN3LWweUA20/GVuZHN0cmVhbQplbmRvYmoKOCAwIG9iago8PCAv',
  'Q0YgPDwgL1N0ZENGIDw8IC9BdXRoRXZlbnQgL0RvY09wZW4gL0NGTSAvQUVTVjMgL0xlbmd0aCAzMiA+PiA+PiAvRmlsdGVyIC9TdGFuZGFyZC',
  'AvTGVuZ3RoIDI1NiAvTyA8YjRkMTUyNWE3ZDdlNDYxYjU1YzlmZjNkMTQyYzJhNTcyZWU2NDk5ZjE5OGZmMDhhZGY5NTM2NWJmODBmYTY3MmM5',
  'NTMxMjcwNzVhN2JlZmE1OTZjNzA5NWE5MTQ4ZmU5PiAvT0UgPDg0ZmJlMTdhMDQ2OTJjNzFhZmFlOGFiN2YwZjYzMTAzN2I1MWQyMGM1ZDEzM2',
  'UxOGFjNDM2Y2NkY2M4YzA3ZmM+IC9QIC00IC9QZXJtcyA8MTMzMzRiMTc4YzFmMDcwYWM3OTYxOWZlM2FjNDM4MjU+IC9SIDYgL1N0bUYgL1N0',
  'ZENGIC9TdHJGIC9TdGRDRiAvVSA8YzY4MzY1MzRkNzg5Zjc4ODgwMGE0MDBkNmQzNDg2MjNkZjQyYzZkZTc3OTE1MTUwMzU0YWI2YjMzYWQzMj',
  'JjNGIzNDVjZDZhZTY1ZTc0ZGE4ZTFkMmE1NGMyYWNlOTFjPiAvVUUgPDVmMjE0MTY5MmQ1ODI1NWY3MzQzMzAyMTI0Y2IzODU4MjdkZDg1YWE0',
  'ZGU0ZjQ5MjgxMmY5MDVmMDAzNWI4OGE+IC9WIDUgPj4KZW5kb2JqCjkgMCBvYmoKPDwgL1R5cGUgL1hSZWYgL0xlbmd0aCA0MiAvRmlsdGVyIC',
  '9GbGF0ZURlY29kZSAvRGVjb2RlUGFybXMgPDwgL0NvbHVtbnMgNCAvUHJlZGljdG9yIDEyID4+IC9XIFsgMSAyIDEgXSAvSW5mbyA0IDAgUiAv',
  'Um9vdCAxIDAgUiAvU2l6ZSAxMCAvSUQgWzxkMzNhMWYxZTAwMTk4NzJjOGRiOTIxZDg0MDY4ODNmMD48ZDMzYTFmMWUwMDE5ODcyYzhkYjkyMW',
  'Q4NDA2ODgzZjA+XSAvRW5jcnlwdCA4IDAgUiA+PgpzdHJlYW0KeJxjYgACJkYGfgYmBoZiEKsBxGJgRCL+M4X8ZWJgvA6UYFJmAABJCgRrCmVu',
  'ZHN0cmVhbQplbmRvYmoKc3RhcnR4cmVmCjEzNjAKJSVFT0YK',
].join('');
export const PASSWORD = 'sesame';
export function lockedPdf(): Uint8Array {
  return Buffer.from(LOCKED, 'base64');
}

/** 16 × 16 px, all magenta (opj_compress). */
const JPEG_2000 = [
  'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAEAAAABAAAwcHAAAAAAAPY29scgEAAAAAABAAAACgan',
  'AyY/9P/1EALwAAAAAAEAAAABAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAABAQAEBAAB/1wABEBA/2QAJQABQ3Jl',
  'YXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5AACgAAAAAAKAAB/5PAJBFQVK/fgDgUAFyv3x1/34A4FABcr98df//Z',
].join('');

/** A page filled by a magenta JPEG 2000 picture. */
export async function jpeg2000Pdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([200, 200]);
  const image = document.context.stream(Buffer.from(JPEG_2000, 'base64'), {
    Type: 'XObject',
    Subtype: 'Image',
    Width: 16,
    Height: 16,
    Filter: 'JPXDecode',
  });
  const content = document.context.stream('q 200 0 0 200 0 0 cm /Picture Do Q');
  page.node.setXObject(PDFName.of('Picture'), document.context.register(image));
  page.node.set(PDFName.of('Contents'), document.context.register(content));
  return document.save();
}

/** `count` Letter pages, numbered i, ii in front of 1, 2 …; page `n` (from 1) says so, and the third is turned by a quarter. */
export async function labelledPdf(count: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= count; number++) {
    const page = document.addPage(number === 2 ? [792, 612] : [612, 792]);
    page.drawText(`This is sheet ${number}`, { x: 72, y: 500, size: 24, font });
    page.drawText('Net revenue of the café grew, and re-', { x: 72, y: 440, size: 14, font });
    page.drawText('structuring costs fell to 1,284.5.', { x: 72, y: 420, size: 14, font });
    page.drawRectangle({ x: 72, y: 300, width: 120, height: 60, color: rgb(0.2, 0.4, 0.7) });
    if (number === 3) {
      page.setRotation(degrees(90));
    }
  }
  const { context, catalog } = document;
  const labels = context.obj({
    Nums: [
      PDFNumber.of(0),
      context.obj({ S: PDFName.of('r') }),
      PDFNumber.of(2),
      context.obj({ S: PDFName.of('D'), P: PDFString.of('') }),
    ],
  });
  catalog.set(PDFName.of('PageLabels'), labels);
  return document.save();
}

/** A PDF whose table of objects is lost: readers find the objects again. */
export async function truncatedPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([200, 100]);
  page.drawRectangle({ x: 0, y: 0, width: 200, height: 100, color: rgb(1, 0, 1) });
  const bytes = await document.save({ useObjectStreams: false });
  const text = Buffer.from(bytes).toString('latin1');
  return bytes.subarray(0, text.lastIndexOf('xref\n'));
}

/**
 * 40 × 20 px, the left half magenta, with an orientation and a wrong resolution (7 dpi) in its Exif data. `orientation` as in
 * Exif: 6 is to be turned clockwise by a quarter.
 */
export function orientedJpeg(orientation: number): Uint8Array {
  const [width, height] = [40, 20];
  const data = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width / 2; x++) {
      data.set([255, 0, 255, 255], (y * width + x) * 4);
    }
  }
  const jpeg = encodeJpeg({ width, height, data }, 95).data;
  const tiff = Buffer.alloc(26 + 12 + 16);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(2, 8);
  tiff.writeUInt16BE(274, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  tiff.writeUInt16BE(282, 22);
  tiff.writeUInt16BE(5, 24);
  tiff.writeUInt32BE(1, 26);
  tiff.writeUInt32BE(38, 30);
  tiff.writeUInt32BE(7, 38);
  tiff.writeUInt32BE(1, 42);
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xffe1, 0);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}
