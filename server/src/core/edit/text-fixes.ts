/** Repairs of what the text stage finds. */
import type { LocalFinding, PlacedFix, Span } from '../finding.ts';
import { isSeparator } from '../text/chars.ts';
import { spanOfPointer } from '../text/offsets.ts';
import type { TextFault } from '../text/types.ts';
import { replaceText, safeFix, withFixes } from './fixes.ts';
import type { FileRepair } from './types.ts';

/** Line separators become escapes: to every JSON reader the text stays the same. */
export function fixOfTextFault({ code, span, pointer, found }: TextFault, text: string): Pick<LocalFinding, 'fixes'> {
  const unit = text.charCodeAt(span.start);
  if (code !== 'file/line-separator' || !isSeparator(unit)) return {};
  const escape = `\\u${unit.toString(16).padStart(4, '0')}`;
  const token = tokenAround(text, span, pointer ?? '');
  const edits = [];
  for (let at = span.start; at < token.end; at++) {
    if (text.charCodeAt(at) === unit) edits.push(replaceText({ start: at, end: at + 1 }, escape));
  }
  return withFixes(safeFix(`Write ${found ?? 'it'} as the escape ${escape}`, ...edits));
}

/** The string, value or key, that holds the fault; of a repeated key, whose pointer leads elsewhere, the one character. */
function tokenAround(text: string, span: Span, pointer: string): Span {
  for (const onKey of [false, true]) {
    const token = spanOfPointer(text, pointer, onKey);
    if (token !== undefined && token.start <= span.start && span.end <= token.end) return token;
  }
  return span;
}

export function placeRepair(repair: FileRepair): PlacedFix {
  return { title: titleOf(repair), safe: true, edits: [], file: repair };
}

function titleOf(repair: FileRepair): string {
  switch (repair.kind) {
    case 'byteOrderMark':
      return repair.line === 0 ? 'Remove the byte order mark' : `Remove the byte order mark in line ${repair.line + 1}`;
    case 'blankLines':
      return repair.count === 1 ? `Remove the blank line ${repair.line + 1}` : `Remove the ${repair.count} blank lines`;
    case 'lineEnds':
      return `End all lines in ${repair.end === '\n' ? 'LF' : 'CRLF'}, as most do`;
  }
}
