import { unsafePathReason } from './paths.ts';

/** A part of a location: literal text, the record's text under a key, or the page's number with leading zeros. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'page'; readonly width: number };

export type Template = readonly TemplatePart[];

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** Splits `Images/{doc_name}/{page:3}.png`; a reason where it cannot be read or may lead out of its folder. */
export function parseTemplate(
  text: string,
): { readonly parts: Template } | { readonly problem: string; readonly unsafe: boolean } {
  const reason = unsafePathReason(text);
  if (reason !== undefined) return { problem: reason, unsafe: true };
  if (text.trim() === '') return { problem: 'it is empty', unsafe: false };
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    const part = toPlaceholder(match[1]!.trim());
    if (!part) return { problem: `{${match[1]}} is no placeholder`, unsafe: false };
    parts.push(part);
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  const hasLooseBrace = parts.some((part) => part.kind === 'text' && /[{}]/.test(part.text));
  return hasLooseBrace ? { problem: 'a brace is not closed', unsafe: false } : { parts };
}

function toPlaceholder(inner: string): TemplatePart | undefined {
  const page = /^page(?::([1-9]))?$/.exec(inner);
  if (page) return { kind: 'page', width: Number(page[1] ?? 1) };
  return inner === '' || inner.includes(':') ? undefined : { kind: 'key', key: inner };
}

/** What a template says for one record, still open for pages. */
export type Filled =
  | { readonly state: 'ok'; readonly parts: readonly (string | { readonly width: number })[] }
  /** The record has no text under the key. */
  | { readonly state: 'lacking'; readonly key: string }
  | { readonly state: 'refused'; readonly key: string; readonly value: string; readonly reason: string };

/** Fills in the record's texts. A text may name folders of its own, but never lead out: it is refused whatever stands around it. */
export function fillTemplate(template: Template, valueOf: (key: string) => string | undefined): Filled {
  const parts: (string | { readonly width: number })[] = [];
  for (const part of template) {
    if (part.kind === 'text') parts.push(part.text);
    else if (part.kind === 'page') parts.push({ width: part.width });
    else {
      const value = valueOf(part.key);
      if (value === undefined || value === '') return { state: 'lacking', key: part.key };
      const reason = unsafePathReason(value);
      if (reason !== undefined) return { state: 'refused', key: part.key, value, reason };
      parts.push(value);
    }
  }
  return { state: 'ok', parts };
}
