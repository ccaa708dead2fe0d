/** The lens of a document that shows one string of a record, decoded. */
import { applyEdits } from '../edit/edits.ts';
import type { TextEdit } from '../edit/types.ts';
import type { Span } from '../finding.ts';
import { BACKSLASH, BOM, CR, LF } from '../text/chars.ts';
import { replaceBetween } from '../edit/difference.ts';
import { createSegments, isBorder, linesOf, toDocument, toText } from './segments.ts';
import type { Segments } from './segments.ts';
import type { Lens } from './types.ts';

/** Of a document that shows nothing of its record. */
export const NOTHING_SHOWN: Lens = {
  position: () => ({ line: 0, column: 0 }),
  offset: () => undefined,
  shows: () => false,
  edits: () => undefined,
};

/** `token` is the string's token in the record's text; `render` gives the document of a record. */
export function createSolutionLens(
  documentText: string,
  text: string,
  token: Span,
  render: (text: string) => string | undefined,
): Lens {
  const lines = linesOf(documentText);
  const lineEnd = documentText.includes('\r\n') ? '\r\n' : '\n';
  const inside: Span = { start: token.start + 1, end: token.end - 1 };
  let known: Segments | undefined;
  const segments = (): Segments => (known ??= segmentsOf(documentText, text.slice(inside.start, inside.end)));
  const inDocument = (offset: number): number =>
    toDocument(segments(), Math.min(Math.max(offset, inside.start), inside.end) - inside.start);

  return {
    position: (offset) => lines.position(inDocument(offset)),
    offset(position) {
      const offset = lines.offset(position);
      return offset === undefined ? undefined : inside.start + toText(segments(), offset);
    },
    shows: ({ start, end }) =>
      start === end ? start >= token.start && start <= token.end : start < token.end && end > token.start,
    edits(edits) {
      if (edits.some(({ span }) => span.start < token.start || span.end > token.end)) return undefined;
      return pieceByPiece(edits) ?? rendered(edits);
    },
  };

  function pieceByPiece(edits: readonly TextEdit[]): readonly TextEdit[] | undefined {
    const placed: TextEdit[] = [];
    for (const { span, text: written } of edits) {
      if (span.start < inside.start || span.end > inside.end) return undefined;
      if (!isBorder(segments(), span.start - inside.start) || !isBorder(segments(), span.end - inside.start))
        return undefined;
      const decoded = decode(written);
      // A line end that is cut in two, or one that the editor would change, is for the whole document to show.
      if (decoded === undefined || /[\r\ufeff\ud800-\udfff]/.test(decoded)) return undefined;
      placed.push({
        span: { start: inDocument(span.start), end: inDocument(span.end) },
        text: lineEnd === '\n' ? decoded : decoded.replaceAll('\n', lineEnd),
      });
    }
    return placed;
  }

  function rendered(edits: readonly TextEdit[]): readonly TextEdit[] | undefined {
    const changed = render(applyEdits(text, edits));
    if (changed === undefined) return undefined;
    return replaceBetween(documentText, lineEnd === '\n' ? changed : changed.replaceAll('\n', lineEnd));
  }
}

function decode(inside: string): string | undefined {
  if (!inside.includes('\\') && !inside.includes('"')) return inside;
  try {
    return JSON.parse(`"${inside}"`) as string;
  } catch {
    return undefined;
  }
}

/** The inside of the token beside the document, which says the same but for line ends and what editors cannot hold. */
function segmentsOf(documentText: string, inside: string): Segments {
  const { equal, differ, end } = createSegments();
  // Byte order marks at the start are not shown, and not taken from the document.
  let shown = 0;
  while (documentText.charCodeAt(shown) === BOM) shown++;
  let at = 0;
  while (at < inside.length && unitAt(inside, at, unitLength(inside, at)) === BOM) at += unitLength(inside, at);
  if (at > 0 || shown > 0) differ(at, shown);
  while (at < inside.length) {
    const size = unitLength(inside, at);
    const code = unitAt(inside, at, size);
    if (code !== CR && code !== LF) {
      if (size === 1) equal(1);
      else differ(size, 1);
      at += size;
      shown++;
      continue;
    }
    const next = at + size;
    const second = code === CR && next < inside.length ? unitLength(inside, next) : 0;
    const whole = second > 0 && unitAt(inside, next, second) === LF ? size + second : size;
    const length = documentText.charCodeAt(shown) === CR && documentText.charCodeAt(shown + 1) === LF ? 2 : 1;
    differ(whole, length);
    at += whole;
    shown += length;
  }
  return end();
}

function unitLength(text: string, at: number): number {
  if (text.charCodeAt(at) !== BACKSLASH) return 1;
  return text.charAt(at + 1) === 'u' ? 6 : 2;
}

function unitAt(text: string, at: number, size: number): number {
  if (size === 1) return text.charCodeAt(at);
  if (size === 6) return Number.parseInt(text.slice(at + 2, at + 6), 16);
  const letter = text.charAt(at + 1);
  return letter === 'n' ? LF : letter === 'r' ? CR : 0;
}
