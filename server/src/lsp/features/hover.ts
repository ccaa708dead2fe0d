import { MarkupKind } from 'vscode-languageserver/node';
import type { Hover, Position } from 'vscode-languageserver/node';
import type { Severity } from '../../../../schemas/report.ts';
import type { Finding } from '../../core/finding.ts';
import type { Cancel } from '../../core/ports.ts';
import { ruleOf } from '../../core/rules/registry.ts';
import { answerOf } from '../evidence/evidence.ts';
import { lensText } from './lens-text.ts';
import { escapeMarkdown, inlineCode, shorten } from './markdown.ts';
import { numberCardAt } from './number-hover.ts';
import { contains, rangeIn, toRange } from '../ranges.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { placeAt } from '../place.ts';

export interface HoverContext {
  rulePage(code: string): string | undefined;
}

/**
 * What a finding at the position means; on a number of the solution or the answer where it comes from; on the record's first
 * character and its keys the record's card.
 */
export async function hoverAt(
  session: Session,
  row: Row,
  position: Position,
  context: HoverContext,
  cancel: Cancel,
): Promise<Hover | null> {
  const here = session.findingsOf(row).filter((finding) => contains(toRange(finding), position));
  const place = placeAt(row, position);
  const parts = [...new Set(here.map(({ code }) => code))].map((code) => explanation(code, context));
  const onHead = place !== undefined && (place.offset <= firstBrace(row.text) || place.key !== undefined);
  if (onHead) parts.push(card(session, row));
  const number = place === undefined || onHead ? undefined : await numberCardAt(session, row, place, cancel);
  if (number !== undefined) parts.push(number.markdown);
  if (parts.length === 0) return null;
  const [only] = here;
  const range =
    number !== undefined
      ? rangeIn(row, number.span)
      : only !== undefined && here.length === 1
        ? toRange(only)
        : place?.key !== undefined
          ? rangeIn(row, place.key)
          : undefined;
  return {
    contents: { kind: MarkupKind.Markdown, value: parts.join('\n\n---\n\n') },
    ...(range && { range }),
  };
}

function firstBrace(text: string): number {
  return Math.max(0, text.indexOf('{'));
}

function explanation(code: string, { rulePage }: HoverContext): string {
  const rule = ruleOf(code);
  if (rule === undefined) return `**${escapeMarkdown(code)}**`;
  const [why = ''] = rule.why.trim().split(/\n\s*\n/);
  const page = rulePage(code);
  const link = page === undefined ? '' : `\n\n[About ${escapeMarkdown(code)}](${page})`;
  return `**${escapeMarkdown(rule.title)}**\n\n${escapeMarkdown(shorten(why, 600))}${link}`;
}

function card(session: Session, row: Row): string {
  const { checker } = session;
  const record = row.checked?.record;
  const total = session.rows().length.toLocaleString('en');
  const id = record?.id === undefined ? '' : ` · ${inlineCode(shorten(record.id, 100))}`;
  const lines = [`**Record ${(row.index + 1).toLocaleString('en')} of ${total}**${id}`];
  const add = (name: string, value: string | null | undefined, limit = 300): void => {
    if (value !== null && value !== undefined && value !== '') {
      lines.push(`- ${name}: ${escapeMarkdown(shorten(value, limit))}`);
    }
  };
  if (record !== undefined) {
    add('question', record.question);
    add('answer', record.answer === undefined ? undefined : answerOf(record));
    add('gold', record.gold === undefined || record.gold === null ? undefined : JSON.stringify(record.gold));
    add('solution', solutionLine(session, row));
    add('document', record.document);
    add('pages', record.pages?.map(String).join(', '));
  }
  add('findings', countsOf(session.findingsOf(row)));
  if (checker !== undefined) add('profile', `${checker.settings.profile.title} (${checker.settings.reason})`);
  return lines.join('\n');
}

function solutionLine(session: Session, row: Row): string | undefined {
  const outcome = row.checked && session.checker?.outcome(row.checked, row.run);
  if (outcome === undefined) return undefined;
  if (outcome.verdict === 'skipped' && outcome.value === null) return 'not run';
  return `${lensText(outcome, 'idle').replace(/^▶ /, '')} (${outcome.verdict})`;
}

function countsOf(findings: readonly Finding[]): string {
  const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  const told = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const found = count(severity);
    return found === 0 ? [] : [`${found} ${severity}${found === 1 ? '' : 's'}`];
  });
  return told.length === 0 ? 'none' : told.join(', ');
}
