import { withFixes } from '../edit/fixes.ts';
import type { LocalFinding } from '../finding.ts';
import { hasDoubledBlanks } from '../hash.ts';
import type { Field } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { valueAt } from '../text/pointer.ts';
import { count, show } from './messages.ts';
import { placeholderOf } from './placeholder.ts';
import type { PlaceholderField } from './placeholder.ts';
import { characterOf, withCharacters, withoutInvisible, withSingleBlanks } from './text-fixes.ts';
import type { RecordInput, Report, Rule } from './types.ts';

const QUESTION = 'What was the change in widget revenue from 2031 to 2032? (in thousand)';

function example(question: string, ground_truth = 150.5) {
  return { profile: 'docmath-eval', lines: [{ question_id: 'demo-0', question, ground_truth }] };
}

/**
 * No-break and other special blanks, zero-width characters, soft hyphens, controls of direction and format. U+0085, U+2028
 * and U+2029 are file/line-separator's.
 */
const INVISIBLE =
  '\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u180e\\u2000-\\u200f\\u202a-\\u202f\\u205f-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb';
/** UTF-8 read as Windows-1252 or Latin-1: a leading byte as a letter, then continuation bytes as what they look like. */
const CONTINUATION =
  '[\\u0080-\\u00bf\\u0152\\u0153\\u0160\\u0161\\u0178\\u017d\\u017e\\u0192\\u02c6\\u02dc\\u2013\\u2014\\u2018-\\u201a\\u201c-\\u201e\\u2020-\\u2022\\u2026\\u2030\\u2039\\u203a\\u20ac\\u2122]';
const MOJIBAKE = new RegExp(
  `[\\u00c2-\\u00df]${CONTINUATION}|[\\u00e0-\\u00ef]${CONTINUATION}{2}|\\u00f0\\u0178${CONTINUATION}{2}|\\u00e2(?=\\s*(?:s\\b|t\\b|re\\b|ve\\b|ll\\b))(?<=[A-Za-z]\\u00e2)|\\ufffd`,
  'gu',
);
const ENTITY =
  /&(?:amp|lt|gt|quot|apos|nbsp|ndash|mdash|hellip|rsquo|lsquo|rdquo|ldquo|euro|pound|copy|reg|deg|times|#\d{2,6}|#x[\da-f]{2,5});/gi;
// The class holds joiners and marks on purpose.
/* eslint-disable no-misleading-character-class */
/** One look at the record's text tells whether any of the three can stand in it: most records have none. */
const SUSPICIOUS = new RegExp(`[${INVISIBLE}\\u00c2-\\u00df\\u00e0-\\u00f0\\ufffd]`);
const INVISIBLES = new RegExp(`[${INVISIBLE}]`, 'gu');
/* eslint-enable no-misleading-character-class */

/** Text fields of a profile; each block of the context is one. */
const FIELDS: readonly Field[] = ['question', 'answer', 'gold', 'solution', 'context', 'document', 'category', 'unit'];

export const textRules: readonly Rule[] = [
  {
    code: 'text/invisible-character',
    severity: 'warning',
    needs: 'record',
    title: 'A text holds a character that cannot be seen',
    why: `The text holds a character that looks like a blank or like nothing: a no-break or thin space, a zero-width character, a soft hyphen, a mark that changes the direction of writing. Such characters come along when text is copied from PDFs, web pages and word processors. They defeat search, exact match, duplicate detection and tokenizers, and nobody sees why.

Replace special blanks by a plain one and remove the rest. Joiners inside words of scripts that need them, and in emoji, are not reported.`,
    fires: example('What was the change in widget\u00a0revenue? (in thousand)'),
    quiet: example(QUESTION),
    asks: isSuspicious,
    checkRecord({ record }, report) {
      eachText(record, (text, pointer) => checkInvisible(text, pointer, report));
    },
  },
  {
    code: 'text/stray-blanks',
    severity: 'info',
    needs: 'record',
    title: 'Blanks stand around or doubled in question or answer',
    why: `The question or the answer begins or ends with a blank, or holds two in a row. Readers do not mind; exact match, hashes and duplicate detection do.

Trim the text and leave single blanks.`,
    fires: example(' What was  the change? (in thousand)'),
    quiet: example(QUESTION),
    checkRecord: checkBlanks,
  },
  {
    code: 'text/placeholder',
    severity: 'error',
    needs: 'record',
    title: 'A text field holds a placeholder instead of its content',
    why: `The whole value is a mark that somebody meant to replace: TODO, TBD, HOLD, lorem ipsum, a name in angle brackets. A word of that kind inside a sentence is not reported, nor is an answer that says that something is not available.

Write the real text or take the record out.`,
    fires: example('TODO'),
    quiet: example('What did the TODO list of 2032 cost? (in thousand)'),
    checkRecord({ record }, report) {
      checkPlaceholder(record, 'question', record.question, report);
      checkPlaceholder(record, 'answer', record.answer, report);
      checkPlaceholder(record, 'gold', record.gold, report);
      checkPlaceholder(record, 'solution', record.solution, report);
      checkPlaceholder(record, 'document', record.document, report);
    },
  },
  {
    code: 'text/mojibake',
    severity: 'warning',
    needs: 'record',
    title: 'A text was decoded with the wrong character set once',
    why: `Sequences such as \u00e2\u20ac\u2122 or \u00c3\u00a9 are what UTF-8 looks like after it was read as Latin-1 or Windows-1252 and saved again. The file itself is valid, so no parser complains, but words and numbers with such characters no longer match the document.

Decode the text once more, or copy it afresh from the source. Repair the tool that read it, or the next export will do the same.`,
    fires: example('What was the company\u00e2\u20ac\u2122s revenue? (in thousand)'),
    quiet: example('What was Ch\u00e2teau \u00c5rhus\u2019s revenue? (in thousand)'),
    asks: isSuspicious,
    checkRecord({ record }, report) {
      eachText(record, (text, pointer) => checkMojibake(text, pointer, report));
    },
  },
  {
    code: 'text/html-entity',
    severity: 'warning',
    needs: 'record',
    title: 'A text holds an HTML entity',
    why: `The text was taken from HTML without being decoded: it says &amp; where the page shows &. Matching against the document and counting of tokens go wrong.

Write the character itself. Tables that are HTML as a whole keep their entities and are not reported.`,
    fires: example('What was the R&amp;D cost? (in thousand)'),
    quiet: example('What was the R&D cost? (in thousand)'),
    asks: isSuspicious,
    checkRecord({ record }, report) {
      eachText(record, (text, pointer) => checkEntities(text, pointer, report));
    },
  },
];

function checkPlaceholder(record: CanonicalRecord, field: PlaceholderField, text: unknown, report: Report): void {
  const found = typeof text === 'string' ? placeholderOf(text, field) : undefined;
  if (typeof text !== 'string' || found === undefined) return;
  report({
    pointer: pointerTo(record, field),
    message: `The whole text is the placeholder ${show(text.trim(), 40)}: ${found}.`,
    found: text,
  });
}

function isSuspicious({ text, isAscii }: RecordInput): boolean {
  if (text === undefined || text.includes('&') || text.includes('\\u')) return true;
  return isAscii !== true && SUSPICIOUS.test(text);
}

function mayHold(text: string): boolean {
  return text.includes('&') || SUSPICIOUS.test(text);
}

function eachText(record: CanonicalRecord, call: (text: string, pointer: string) => void): void {
  for (const field of FIELDS) {
    const value = record[field as keyof CanonicalRecord];
    if (typeof value === 'string') {
      if (mayHold(value)) call(value, pointerTo(record, field));
    } else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const element: unknown = value[i];
        if (typeof element !== 'string' || !SUSPICIOUS.test(element)) continue;
        const pointer = pointerTo(record, field, i);
        if (isOwnText(record, field, pointer, element)) call(element, pointer);
      }
    }
  }
}

/** Not a block that is put together from cells, nor one that a nested record shares with its neighbours. */
function isOwnText({ profile, source }: CanonicalRecord, field: Field, pointer: string, element: string): boolean {
  if (profile.fields[field]?.join !== true) return true;
  return !pointer.startsWith('/../') && valueAt(source, pointer) === element;
}

const NAMES: Readonly<Record<string, string>> = {
  '00A0': 'no-break space',
  '00AD': 'soft hyphen',
  '200B': 'zero-width space',
  '200C': 'zero-width non-joiner',
  '200D': 'zero-width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '2009': 'thin space',
  '202F': 'narrow no-break space',
  '2060': 'word joiner',
  '3164': 'Hangul filler',
  FEFF: 'zero-width no-break space (byte order mark)',
};
/** Scripts that join letters or run from right to left need the marks; so do emoji. */
const NEEDS_MARKS =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}\p{Extended_Pictographic}]/u;
const JOINERS = /[\u061c\u200c-\u200f\u202a-\u202e\u2066-\u2069\u180e]/;

function checkInvisible(text: string, pointer: string, report: Report): void {
  const kinds = new Map<string, { readonly at: number; times: number }>();
  const marksAreNeeded = NEEDS_MARKS.test(text);
  for (const { 0: character, index } of text.matchAll(INVISIBLES)) {
    if (marksAreNeeded && JOINERS.test(character)) continue;
    const known = kinds.get(character);
    if (known === undefined) kinds.set(character, { at: index, times: 1 });
    else known.times += 1;
  }
  for (const [character, { at, times }] of kinds) {
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    const name = NAMES[code] ?? (/\p{Zs}/u.test(character) ? 'special blank' : 'invisible control');
    report({
      pointer,
      inString: { start: at, end: at + 1 },
      message: `The text holds ${times === 1 ? 'a' : `${times} times a`} ${name} (U+${code}), first ${around(text, at)}.`,
      found: `U+${code}`,
      ...withFixes(withoutInvisible(text, pointer, character, name)),
    });
  }
}

/** `after "widget"`: where to look for something that cannot be seen. */
function around(text: string, at: number): string {
  const before = /\S{1,20}$/.exec(text.slice(Math.max(0, at - 40), at))?.[0];
  if (before !== undefined) return `after ${show(before)}`;
  const after = /^\S{1,20}/.exec(text.slice(at + 1, at + 40))?.[0];
  return after === undefined ? 'among blanks' : `before ${show(after)}`;
}

function checkBlanks({ record }: RecordInput, report: Report): void {
  if (checkBlanksOf(record, 'question', record.question, report)) return;
  checkBlanksOf(record, 'answer', record.answer, report);
}

/** true: something was reported. */
function checkBlanksOf(record: CanonicalRecord, field: 'question' | 'answer', text: unknown, report: Report): boolean {
  if (typeof text !== 'string' || text === '') return false;
  const outer = isBlank(text.charCodeAt(0)) || isBlank(text.charCodeAt(text.length - 1));
  const mayBeDoubled = field === 'question' ? hasDoubledBlanks(text) : text.includes('  ');
  const doubled = mayBeDoubled && /\S {2,}\S/.test(text);
  if ((!outer && !doubled) || text.trim() === '') return false;
  const span = outer ? outerSpan(text) : doubledSpan(text);
  report({
    pointer: pointerTo(record, field),
    inString: span,
    message: `The text ${[...(outer ? ['begins or ends with a blank'] : []), ...(doubled ? ['holds doubled blanks'] : [])].join(' and ')}.`,
    found: text,
    ...withFixes(withSingleBlanks(text, pointerTo(record, field))),
  });
  return true;
}

function isBlank(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}

function outerSpan(text: string): NonNullable<LocalFinding['inString']> {
  const lead = text.length - text.trimStart().length;
  return lead > 0 ? { start: 0, end: lead } : { start: text.trimEnd().length, end: text.length };
}

function doubledSpan(text: string): NonNullable<LocalFinding['inString']> {
  const { index, 0: run } = / {2,}/.exec(text.trimStart())!;
  const start = text.length - text.trimStart().length + index;
  return { start, end: start + run.length };
}

function checkMojibake(text: string, pointer: string, report: Report): void {
  const found = [...text.matchAll(MOJIBAKE)];
  const [first] = found;
  if (first === undefined) return;
  const times = found.length === 1 ? '' : ` (${count(found.length, 'place')})`;
  const meant = decodedAgain(first[0]);
  const cause =
    first[0] === '\ufffd'
      ? 'holds U+FFFD, which stands for bytes that could not be decoded'
      : `holds ${show(first[0])}, which is UTF-8 read with the wrong character set${meant === undefined ? '' : `; it should be ${show(meant)}`}`;
  report({
    pointer,
    inString: { start: first.index, end: first.index + first[0].length },
    message: `The text ${cause}${times}.`,
    found: first[0],
    ...withFixes(withCharacters(pointer, found, decodedAgain)),
  });
}

const WINDOWS_1252: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ...'\u20ac\0\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\0\u017d\0\0\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\0\u017e\u0178',
  ].map((character, i) => [character, 0x80 + i]),
);

/** The character whose UTF-8 bytes were read as these; undefined where they are not whole. */
export function decodedAgain(text: string): string | undefined {
  const bytes = [...text].map((character) => WINDOWS_1252[character] ?? character.codePointAt(0)!);
  const [lead = 0, ...rest] = bytes;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
  if (length === 1 || bytes.length !== length || rest.some((byte) => byte < 0x80 || byte > 0xbf)) return undefined;
  const code = rest.reduce((sum, byte) => (sum << 6) | (byte & 0x3f), lead & (0xff >> (length + 1)));
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function checkEntities(text: string, pointer: string, report: Report): void {
  // HTML as a whole spells characters that way.
  if (/<(?:table|tr|td|p|div|span|br)\b/i.test(text)) return;
  const found = [...text.matchAll(ENTITY)];
  const [first] = found;
  if (first === undefined) return;
  const kinds = [...new Set(found.map(([entity]) => entity))].slice(0, 3).join(', ');
  report({
    pointer,
    inString: { start: first.index, end: first.index + first[0].length },
    message: `The text holds ${found.length === 1 ? 'the HTML entity' : `${found.length} HTML entities:`} ${kinds}.`,
    found: first[0],
    ...withFixes(withCharacters(pointer, found, characterOf)),
  });
}
