/** Documents with a mark at a known place, made for the tests. */
import { encode } from 'fast-png';
import { PDFDocument, PDFName, degrees, rgb } from 'pdf-lib';

/** Colour of marks: on no page otherwise. */
export const MARK = [255, 0, 255] as const;

/** A place on the displayed page, in fractions of it, origin top-left. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface MarkedDocument {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mark: Place;
  readonly aspect: number;
}

/** An image page, 1275 × 1650 px, the mark at x 420–760, y 610–905. */
export function markedPng(): MarkedDocument {
  const width = 1275;
  const height = 1650;
  const data = new Uint8Array(width * height * 3).fill(255);
  for (let y = 610; y < 905; y++) {
    for (let x = 420; x < 760; x++) {
      data.set(MARK, (y * width + x) * 3);
    }
  }
  return {
    name: 'marked.png',
    bytes: encode({ width, height, data, channels: 3, depth: 8 }),
    mark: { left: 420 / width, top: 610 / height, width: 340 / width, height: 295 / height },
    aspect: width / height,
  };
}

/** The mark in points, origin bottom-left. */
const X = 150;
const Y = 400;
const W = 210;
const H = 90;
const PAGE_WIDTH = 612;
const PAGE_HEIGHT = 792;
const CROP = { x: 60, y: 200, width: 430, height: 500 };

export interface MarkedPdfOptions {
  /** Clockwise, in degrees. */
  readonly rotation?: 0 | 90 | 180 | 270;
  readonly cropped?: boolean;
  /** Points; Letter where it is left out. */
  readonly size?: readonly [number, number];
}

const KINDS = { plain: {}, rotated: { rotation: 90 }, cropped: { cropped: true } } as const;

/** Turned clockwise by a quarter: what was the bottom edge is on the left. */
function quarter({ left, top, width, height }: Place): Place {
  return { left: 1 - top - height, top: left, width: height, height: width };
}

export async function markedPdf(kind: keyof typeof KINDS | MarkedPdfOptions): Promise<MarkedDocument> {
  const options: MarkedPdfOptions = typeof kind === 'string' ? KINDS[kind] : kind;
  const { rotation = 0, cropped = false, size = [PAGE_WIDTH, PAGE_HEIGHT] } = options;
  const document = await PDFDocument.create();
  const page = document.addPage([...size]);
  page.drawRectangle({ x: X, y: Y, width: W, height: H, color: rgb(1, 0, 1) });
  page.setRotation(degrees(rotation));
  if (cropped) {
    page.setCropBox(CROP.x, CROP.y, CROP.width, CROP.height);
  }
  const box = cropped ? CROP : { x: 0, y: 0, width: size[0], height: size[1] };
  let mark: Place = {
    left: (X - box.x) / box.width,
    top: (box.y + box.height - Y - H) / box.height,
    width: W / box.width,
    height: H / box.height,
  };
  for (let turned = 0; turned < rotation; turned += 90) {
    mark = quarter(mark);
  }
  const aspect = box.width / box.height;
  return {
    name: `${typeof kind === 'string' ? kind : [rotation, cropped ? 'cropped' : 'whole', ...size].join('-')}.pdf`,
    bytes: await document.save(),
    mark,
    aspect: rotation % 180 === 0 ? aspect : 1 / aspect,
  };
}

/** `count` pages of text in a font that is not embedded. */
export async function textPdf(count: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let number = 1; number <= count; number++) {
    const page = document.addPage([PAGE_WIDTH, PAGE_HEIGHT]);
    page.drawText(`Page ${number}: net revenue 1,284.5`, { x: 72, y: 700, size: 18 });
  }
  return document.save();
}

/** 8 × 8 px, all black: a page segment and one region in MMR coding. */
const JBIG2 = 'AAAAADAAAQAAABMAAAAIAAAACAAAAAAAAAAAAAAAAAAAASYAAQAAABkAAAAIAAAACAAAAAAAAAAAAAEmov/+ACAC';

/** A page filled by a black JBIG2 picture: only a WebAssembly decoder can show it. */
export async function jbig2Pdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([200, 200]);
  const image = document.context.stream(Buffer.from(JBIG2, 'base64'), {
    Type: 'XObject',
    Subtype: 'Image',
    Width: 8,
    Height: 8,
    BitsPerComponent: 1,
    ColorSpace: 'DeviceGray',
    Filter: 'JBIG2Decode',
  });
  const content = document.context.stream('q 200 0 0 200 0 0 cm /Picture Do Q');
  page.node.setXObject(PDFName.of('Picture'), document.context.register(image));
  page.node.set(PDFName.of('Contents'), document.context.register(content));
  return document.save();
}

/** A page with text in a Chinese font that is not embedded: needs a character map. */
export async function unembeddedChinesePdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const { context } = document;
  const page = document.addPage([300, 100]);
  const descriptor = context.register(
    context.obj({
      Type: 'FontDescriptor',
      FontName: 'STSong-Light',
      Flags: 4,
      FontBBox: [0, -200, 1000, 900],
      ItalicAngle: 0,
      Ascent: 800,
      Descent: -200,
      CapHeight: 700,
      StemV: 80,
    }),
  );
  const descendant = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'CIDFontType0',
      BaseFont: 'STSong-Light',
      CIDSystemInfo: { Registry: context.obj('Adobe'), Ordering: context.obj('GB1'), Supplement: 2 },
      FontDescriptor: descriptor,
      DW: 1000,
    }),
  );
  const font = context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: 'STSong-Light',
      Encoding: 'UniGB-UCS2-H',
      DescendantFonts: [descendant],
    }),
  );
  page.node.setFontDictionary(PDFName.of('F1'), font);
  const content = context.stream('BT /F1 24 Tf 20 40 Td <4E2D6587003100320033> Tj ET');
  page.node.set(PDFName.of('Contents'), context.register(content));
  return document.save();
}
