/** Values that stand for a text that somebody meant to write. */

export type PlaceholderField = 'question' | 'answer' | 'gold' | 'solution' | 'document';

const MARKS =
  /^(?:to[ -]?do|tbd|tba|tbc|fixme|xxx+|hold|on hold|place ?holder|dummy|test|asdf+|qwerty|foo|foo ?bar|sample (?:text|question|answer)|insert (?:text|question|answer)(?: here)?|(?:enter|write|type) (?:your |the )?(?:text|question|answer)(?: here)?|your (?:text|question|answer)(?: here)?|question(?: text)?(?: here| goes here)|answer(?: text)?(?: here| goes here)|lorem ipsum\b.*)$/is;
/** No text at all in a question; an answer may well be one of them. */
const NOTHING = /^(?:n\s*\/?\s*a|n\.a\.|none|null|nil|undefined|nan|unknown|missing|empty|[-–—_.?*#]+)$/i;
/** `<question>`, `{{answer}}`, `[TODO]`, `[insert question]`, `${name}`. */
const TEMPLATE = /^(?:<[\p{L}][\p{L}\p{N} _-]*>|\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{[\p{L}_][\p{L}\p{N}_ ]*\})$/u;

/** What every placeholder begins with, behind brackets and signs: one look at the text spares the others. */
const START =
  /^[\s\W_]*(?:$|to[ -]?do|tb[acd]|fixme|xxx|hold|on hold|place|dummy|test|asdf|qwerty|foo|sample|insert|enter|write|type|your|question|answer|lorem|n\W*a\b|no?ne|nu?il|null|nan|undefined|unknown|missing|empty)|^\s*[<{$]/i;
/** Longer texts are sentences; lorem ipsum and what stands in brackets may go on. */
const LONGEST = 24;

const OPENS_LONG: ReadonlySet<number> = new Set([...' \tlL<{$[('].map((character) => character.charCodeAt(0)));

/** `lorem`, or a bracket or sign of templates, at the start: judged by one character, since nearly all texts are longer. */
function mayBeLong(text: string): boolean {
  return OPENS_LONG.has(text.charCodeAt(0));
}

/** What kind of placeholder the whole text is, in words; undefined: it is none. */
export function placeholderOf(text: string, field: PlaceholderField): string | undefined {
  if ((text.length > LONGEST && !mayBeLong(text)) || !START.test(text)) return undefined;
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
