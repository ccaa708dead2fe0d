/** Blocks of the evidence in Markdown: a look at them beside a list. What they hold stays text. */
import { parseBlock } from '../../core/evidence/blocks.ts';
import type { Excerpt } from '../../core/trace/plain.ts';
import { escapeMarkdown, shorten } from './markdown.ts';

const TEXT = 900;
const ROWS = 14;
const COLUMNS = 8;
const CELL = 40;

export function blockPreview(text: string): string {
  const { kind, before, rows, after } = parseBlock(text);
  if (kind === 'text') return paragraph(text, TEXT);
  const width = Math.min(COLUMNS, Math.max(1, ...rows.map((row) => row.length)));
  const line = (row: readonly string[]): string => {
    const cells = Array.from({ length: width }, (_, at) => escapeMarkdown(shorten(row[at] ?? '', CELL)) || ' ');
    return `| ${cells.join(' | ')} |`;
  };
  const shown = rows.slice(0, ROWS).map(line);
  const table = [shown[0] ?? '', `|${' --- |'.repeat(width)}`, ...shown.slice(1)].join('\n');
  const more = rows.length > ROWS ? `… and ${rows.length - ROWS} more rows` : '';
  return [paragraph(before, 300), table, more, paragraph(after, 200)].filter((part) => part !== '').join('\n\n');
}

export function excerptLine({ before, text, after }: Excerpt): string {
  return `“${`${escapeMarkdown(before)}**${escapeMarkdown(text)}**${escapeMarkdown(after)}`.trim()}”`;
}

function paragraph(text: string, limit: number): string {
  return escapeMarkdown(shorten(text.trim(), limit));
}
