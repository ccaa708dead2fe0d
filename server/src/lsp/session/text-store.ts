import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';

/** The lines that one edit replaced: `removed` lines from `start` on gave way to `added` lines. */
export interface LineEdit {
  readonly start: number;
  readonly removed: number;
  readonly added: number;
}

/**
 * The text of an open document as lines, without their ends. Edits touch the lines they name and nothing else: no text of
 * megabytes is put together on a keystroke, and old texts are not kept alive by pieces cut from them.
 */
export interface TextStore {
  readonly version: number;
  readonly lines: readonly string[];
  /** Whole text with LF as the line end. */
  text(): string;
  /** Applies the changes of one notification in order; null: everything was replaced. */
  apply(changes: readonly TextDocumentContentChangeEvent[], version: number): readonly LineEdit[] | null;
}

const SPLICE_LIMIT = 10_000;

export function createTextStore(text: string, firstVersion: number): TextStore {
  let version = firstVersion;
  let lines = splitLines(text);

  function replace(change: Extract<TextDocumentContentChangeEvent, { range: unknown }>): LineEdit {
    const last = lines.length - 1;
    const startLine = Math.min(change.range.start.line, last);
    const endLine = Math.min(change.range.end.line, last);
    const head =
      change.range.start.line > last ? lines[last]! : lines[startLine]!.slice(0, change.range.start.character);
    const tail = change.range.end.line > last ? '' : lines[endLine]!.slice(change.range.end.character);
    const added = splitLines(head + change.text + tail);
    const removed = endLine - startLine + 1;
    if (added.length <= SPLICE_LIMIT) lines.splice(startLine, removed, ...added);
    else lines = lines.slice(0, startLine).concat(added, lines.slice(endLine + 1));
    return { start: startLine, removed, added: added.length };
  }

  return {
    get version() {
      return version;
    },
    get lines() {
      return lines;
    },
    text: () => lines.join('\n'),
    apply(changes, newVersion) {
      version = newVersion;
      let edits: LineEdit[] | null = [];
      for (const change of changes) {
        if ('range' in change) {
          const edit = replace(change);
          edits?.push(edit);
        } else {
          lines = splitLines(change.text);
          edits = null;
        }
      }
      return edits;
    },
  };
}

/** Lines end at LF or CRLF; a text that ends in a line end has an empty last line. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (;;) {
    const end = text.indexOf('\n', start);
    if (end === -1) break;
    lines.push(text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end));
    start = end + 1;
  }
  lines.push(text.slice(start));
  return lines;
}
