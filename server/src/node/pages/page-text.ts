/** Text and graphics of a PDF page through pdf.js, in points from the top left of the page as displayed. */
import type { PDFPageProxy } from 'pdfjs-dist';
import { analysePage } from '../../core/page/words.ts';
import type { TextRun } from '../../core/page/words.ts';
import type { PageGraphic, PageText } from '../../core/ports.ts';

/** The operators that are looked at, as pdf.js numbers them (`OPS`). */
export type Operators = Readonly<Record<string, number>>;
type PageViewport = ReturnType<PDFPageProxy['getViewport']>;
type Matrix = readonly [number, number, number, number, number, number];
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Lines are thinner than this, in points. */
const RULE = 3;
/** More graphics than that on one page are kept as one drawing around all further ones. */
const MAX_GRAPHICS = 2000;

export async function readPageText(page: PDFPageProxy, operators: Operators): Promise<PageText> {
  const viewport = page.getViewport({ scale: 1 });
  const [content, list] = await Promise.all([page.getTextContent(), page.getOperatorList()]);
  const runs = content.items.flatMap((item) =>
    'str' in item ? runOf(item, viewport.transform as unknown as Matrix) : [],
  );
  return analysePage(runs, graphicsOf(list, operators, viewport), viewport);
}

/** The words of a page in reading order of the file, parted by blanks. */
export async function readPlainText(page: PDFPageProxy): Promise<string> {
  const content = await page.getTextContent();
  return content.items
    .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    .join(' ')
    .replace(/[ \t]+/g, ' ');
}

function runOf(item: { str: string; transform: number[]; width: number }, view: Matrix): TextRun {
  const [a, b, , , x, y] = multiply(view, item.transform as unknown as Matrix);
  const [, , c, d] = multiply(view, item.transform as unknown as Matrix);
  return { text: item.str, x, y, length: item.width, size: Math.hypot(c, d), turn: turnOf(a, b) };
}

/** Quarter turns clockwise on the page, where y grows downwards. */
function turnOf(a: number, b: number): TextRun['turn'] {
  const turns = Math.atan2(b, a) / (Math.PI / 2);
  const turn = Math.round(turns);
  if (Math.abs(turns - turn) > 0.05) return undefined;
  return (((turn % 4) + 4) % 4) as 0 | 1 | 2 | 3;
}

function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

/** Places of pictures and of painted paths. White fills over the page are background; nothing is clipped. */
function graphicsOf(
  { fnArray, argsArray }: { fnArray: number[]; argsArray: unknown[] },
  ops: Operators,
  viewport: PageViewport,
): (Box & { kind: PageGraphic['kind'] })[] {
  const images = new Set(
    [
      'paintImageXObject',
      'paintInlineImageXObject',
      'paintImageMaskXObject',
      'paintImageXObjectRepeat',
      'paintInlineImageXObjectGroup',
      'paintImageMaskXObjectGroup',
      'paintImageMaskXObjectRepeat',
      'shadingFill',
    ].map((name) => ops[name]),
  );
  const found: (Box & { kind: PageGraphic['kind'] })[] = [];
  const stack: Matrix[] = [];
  let matrix = viewport.transform as unknown as Matrix;
  let fill = '#000000';
  const fills: string[] = [];
  for (let i = 0; i < fnArray.length; i++) {
    const op = fnArray[i]!;
    const args = argsArray[i] as unknown[] | null;
    if (op === ops['save']) {
      stack.push(matrix);
      fills.push(fill);
    } else if (op === ops['restore']) {
      matrix = stack.pop() ?? matrix;
      fill = fills.pop() ?? fill;
    } else if (op === ops['transform']) matrix = multiply(matrix, args as unknown as Matrix);
    else if (op === ops['paintFormXObjectBegin']) {
      stack.push(matrix);
      fills.push(fill);
      const own = args?.[0];
      if (own !== null && own !== undefined) matrix = multiply(matrix, own as Matrix);
    } else if (op === ops['paintFormXObjectEnd']) {
      matrix = stack.pop() ?? matrix;
      fill = fills.pop() ?? fill;
    } else if (op === ops['setFillRGBColor']) fill = String(args?.[0] ?? '');
    else if (images.has(op)) {
      const whole = op === ops['shadingFill'] ? viewport : undefined;
      const box =
        whole === undefined
          ? boxUnder(matrix, [0, 0, 1, 1])
          : { left: 0, top: 0, right: whole.width, bottom: whole.height };
      keep(found, box, 'image', viewport);
    } else if (op === ops['constructPath']) {
      const [paint, , extremes] = args as [number, unknown, ArrayLike<number> | null | undefined];
      if (extremes === null || extremes === undefined || extremes.length < 4) continue;
      // A path that only clips, or ends without paint, shows nothing.
      if (paint === ops['endPath']) continue;
      const isFill = paint === ops['fill'] || paint === ops['eoFill'];
      if (isFill && /^#f{6}$/i.test(fill)) continue;
      const box = boxUnder(matrix, [extremes[0]!, extremes[1]!, extremes[2]!, extremes[3]!]);
      const isRule = Math.min(box.right - box.left, box.bottom - box.top) < RULE;
      keep(found, box, isRule ? 'rule' : 'drawing', viewport);
    }
  }
  return found;
}

function boxUnder(m: Matrix, [x1, y1, x2, y2]: readonly [number, number, number, number]): Box {
  const xs = [x1, x2].flatMap((x) => [y1, y2].map((y) => m[0] * x + m[2] * y + m[4]));
  const ys = [x1, x2].flatMap((x) => [y1, y2].map((y) => m[1] * x + m[3] * y + m[5]));
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

function keep(
  found: (Box & { kind: PageGraphic['kind'] })[],
  { left, top, right, bottom }: Box,
  kind: PageGraphic['kind'],
  { width, height }: PageViewport,
): void {
  const box = {
    left: Math.max(0, left),
    top: Math.max(0, top),
    right: Math.min(width, right),
    bottom: Math.min(height, bottom),
  };
  if (!(box.right >= box.left && box.bottom >= box.top)) return;
  const last = found.at(-1);
  if (found.length < MAX_GRAPHICS || last === undefined) found.push({ ...box, kind });
  else {
    found[found.length - 1] = {
      left: Math.min(last.left, box.left),
      top: Math.min(last.top, box.top),
      right: Math.max(last.right, box.right),
      bottom: Math.max(last.bottom, box.bottom),
      kind: 'drawing',
    };
  }
}
