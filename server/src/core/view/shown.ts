/** How strings of a record are shown in a document: as text blocks, or as JSON strings in which what hides is escaped. */

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Characters that are not seen, change the order of others, or end a line for some editors; halves of surrogate pairs. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Blanks that look like the usual one. In text blocks they stay as they are: few texts of reports are without. */
const BLANK = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
/** Plain text throughout: the usual string needs no closer look. */
const PLAIN = /^[ !#-[\]-~]*$/;
const PLAIN_LINES = /^[\t\n -~]*$/;
const PICTURE_BEFORE = /[\p{Emoji}\u20e3]\ufe0f?\p{Emoji_Modifier}?$/u;
const PICTURE_AFTER = /^\p{Emoji}/u;

/** A string as a JSON token on one line. */
export function showString(value: string): string {
  if (PLAIN.test(value)) return `"${value}"`;
  const escaped = value
    .replace(/["\\]/g, '\\$&')
    .replace(HIDDEN, (character, at: number, whole: string) =>
      belongsToPicture(character, at, whole) ? character : escapeCharacter(character),
    )
    .replace(BLANK, escapeCharacter);
  return `"${escaped}"`;
}

/** Whether a string is shown as a text block: it has several lines and nothing hides in them. */
export function fitsBlock(value: string): boolean {
  return value.includes('\n') && !hides(value);
}

/** Whether a text block would not show all of a string, or not give it back exactly. */
export function hides(value: string): boolean {
  if (PLAIN_LINES.test(value)) return false;
  HIDDEN.lastIndex = 0;
  for (let found = HIDDEN.exec(value); found !== null; found = HIDDEN.exec(value)) {
    const [character] = found;
    if (character === '\n' || character === '\t' || belongsToPicture(character, found.index, value)) continue;
    return true;
  }
  return false;
}

/** A string as a text block; the first line follows what stands before, the others begin with `indent`. */
export function showBlock(value: string, indent: string, lineEnd = '\n'): string {
  const quotes = quotesFor(value);
  return quotes + blockBody(value, indent, lineEnd) + quotes;
}

/** What stands between the quotation marks of a block. Empty lines have no indentation. */
export function blockBody(value: string, indent: string, lineEnd: string): string {
  const lines = value.split('\n').map((line) => (line === '' ? '' : indent + line));
  return `${lineEnd}${lines.join(lineEnd)}${lineEnd}${indent}`;
}

export function quotesFor(value: string): string {
  let longest = 2;
  for (const [run] of value.matchAll(/"{3,}/g)) longest = Math.max(longest, run.length);
  return '"'.repeat(longest + 1);
}

/** Selectors and joiners inside of emoji are part of what is seen. */
function belongsToPicture(character: string, at: number, whole: string): boolean {
  if (character !== '\u200d' && character !== '\ufe0f' && character !== '\ufe0e') return false;
  if (!PICTURE_BEFORE.test(whole.slice(Math.max(0, at - 5), at))) return false;
  return character !== '\u200d' || PICTURE_AFTER.test(whole.slice(at + 1, at + 3));
}

function escapeCharacter(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  let escaped = '';
  for (let at = 0; at < character.length; at++) {
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

export function isLoneSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdfff) return false;
  const other = text.charCodeAt(code < 0xdc00 ? at + 1 : at - 1);
  return code < 0xdc00 ? !(other >= 0xdc00 && other <= 0xdfff) : !(other >= 0xd800 && other <= 0xdbff);
}
