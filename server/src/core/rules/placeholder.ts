/** Values that stand for a text that somebody meant to write. */

export type PlaceholderField = 'question' | 'answer' | 'gold' | 'solution' | 'document';

const MARKS =
  /^(?:to[ -]?do|tbd|tba|tbc|fixme|xxx+|hold|on hold|place ?holder|dummy|test|asdf+|qwerty|foo|foo ?bar|sample (?:text|question|answer)|insert (?:text|question|answer)(?: here)?|(?:enter|write|type) (?:your |the )?(?:text|question|answer)(?: here)?|your (?:text|question|answer)(?: here)?|question(?: text)?(?: here| goes here)|answer(?: text)?(?: here| goes here)|lorem ipsum\b.*)$/is;
/** No text at all in a question; an answer may well be one of them. */
const NOTHING = /^(?:n\s*\/?\s*a|n\.a\.?|none|null|nil|undefined|nan|unknown|missing|empty|[-–—_.?*#]+)$/i;
/** `<question>`, `{{answer}}`, `[TODO]`, `[insert question]`, `${name}`. */
const TEMPLATE = /^(?:<[\p{L}][\p{L}\p{N} _-]*>|\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{[\p{L}_][\p{L}\p{N}_ ]*\})$/u;

/** What every placeholder begins with, behind brackets and signs: one look at the text spares the others. */
const START =
  /^[\s\W_]*(?:$|to[ -]?do|tb[acd]|fixme|xxx|hold|on hold|place|dummy|test|asdf|qwerty|foo|sample|insert|enter|write|type|your|question|answer|lorem|n\W*a\b|no?ne|nu?il|null|nan|undefined|unknown|missing|empty)|^\s*[<{$]/i;
/**
 * The first two letters of all these words. Nearly every text begins with two letters, and few with these: a look at a
 * table spares nearly all of them the patterns. A lone n may go on with a sign (n/a).
 */
const BEGINNINGS: ReadonlySet<number> = new Set(
  'to tb fi xx ho on pl du te as qw fo sa in en wr ty yo qu an lo na no ne nu ni un mi em'
    .split(' ')
    .map((two) => twoLetters(two)),
);

/** Of the first two characters, letter case aside; 0 where they are not two letters of ASCII. */
export function twoLetters(text: string): number {
  const one = text.charCodeAt(0) | 32;
  const two = text.charCodeAt(1) | 32;
  return one >= 97 && one <= 122 && two >= 97 && two <= 122 ? one * 128 + two : 0;
}

/** Longer texts are sentences; lorem ipsum and what stands in brackets may go on. */
const LONGEST = 24;

const OPENS_LONG = Array.from({ length: 128 }, (_, unit) => ' \tlL<{$[('.includes(String.fromCharCode(unit)));

/** `lorem`, or a bracket or sign of templates, at the start: judged by one character, since nearly all texts are longer. */
function mayBeLong(text: string): boolean {
  return OPENS_LONG[text.charCodeAt(0)] === true;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

/** What kind of placeholder the whole text is, in words; undefined: it is none. */
export function placeholderOf(text: string, field: PlaceholderField): string | undefined {
  if (text.length > LONGEST && !mayBeLong(text)) return undefined;
  const letters = twoLetters(text);
  if (letters === 0 ? isDigit(text.charCodeAt(0)) : !BEGINNINGS.has(letters)) return undefined;
  if (!START.test(text)) return undefined;
  const bare = text.trim().replace(/[:.!…]+$/, '');
  if (bare === '') return undefined;
  // In brackets the mark is the same.
  const inner = /^[[(<{"'*_]+(.*?)[\])>}"'*_]+$/s.exec(bare)?.[1]?.trim() ?? bare;
  const isFreeText = field === 'question' || field === 'solution';
  if (MARKS.test(inner) && (isFreeText || !MAY_BE_ANSWERS.test(inner))) return 'the content is still to be written';
  // Answers may well be a tag, a token or a set: {a1}, <eos>.
  if (isFreeText && TEMPLATE.test(bare)) return 'a template was not filled in';
  if (isFreeText && field === 'question' && NOTHING.test(inner)) return 'there is no question';
  return undefined;
}

/** Words that can be what a question asks for. */
const MAY_BE_ANSWERS = /^(?:hold|on hold|test|dummy|foo|foo ?bar|xxx+|qwerty)$/i;
