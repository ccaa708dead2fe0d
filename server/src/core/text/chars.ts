/** Characters as the text stage tells them apart and names them in messages. */

export const QUOTE = 34;
export const COMMA = 44;
export const MINUS = 45;
export const COLON = 58;
export const OPEN_ARRAY = 91;
export const BACKSLASH = 92;
export const CLOSE_ARRAY = 93;
export const OPEN_OBJECT = 123;
export const CLOSE_OBJECT = 125;
export const LF = 10;
export const CR = 13;
export const BOM = 0xfeff;

/** The four blanks of JSON. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether a text is empty once it is trimmed. Its first character nearly always tells, and sooner than trimming. */
export function isAllBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 32 && first < 127) && text.trim() === '';
}

/** Line separators that are ordinary characters in JSON, yet line ends for some readers. */
export const SEPARATOR_NAMES: ReadonlyMap<number, string> = new Map([
  [0x85, 'NEXT LINE'],
  [0x2028, 'LINE SEPARATOR'],
  [0x2029, 'PARAGRAPH SEPARATOR'],
]);

export function isSeparator(code: number): boolean {
  return code === 0x85 || code === 0x2028 || code === 0x2029;
}

export function codePointName(code: number): string {
  return 'U+' + code.toString(16).toUpperCase().padStart(4, '0');
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'NUL'],
  [9, 'a raw tab'],
  [10, 'a raw line break'],
  [13, 'a raw carriage return'],
  [0xa0, 'a no-break space'],
  [0xfeff, 'a byte order mark'],
  [0x200b, 'a zero-width space'],
  [0x3000, 'an ideographic space'],
  [0x2018, 'a typographic quotation mark ‘'],
  [0x2019, 'a typographic quotation mark ’'],
  [0x201c, 'a typographic quotation mark “'],
  [0x201d, 'a typographic quotation mark ”'],
]);

/** A character as messages show it: invisible ones by name, the others as they are. */
export function nameCharacter(text: string, at: number): string {
  const code = text.codePointAt(at);
  if (code === undefined) return 'the end of the record';
  const name = NAMES.get(code);
  if (name !== undefined) return `${name} (${codePointName(code)})`;
  if (code < 32 || (code >= 0x7f && code < 0xa0)) return `the control character ${codePointName(code)}`;
  if (code >= 0xd800 && code <= 0xdfff) return `half a surrogate pair (${codePointName(code)})`;
  return '`' + String.fromCodePoint(code) + '`';
}
