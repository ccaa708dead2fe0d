/**
 * Decoder `list-in-string`: a list that is stored as text, in JSON (`[5]`) or as Python prints it (`['Chart']`).
 * Anything else, also a list that goes on after its end, is undefined.
 */
export function readListInString(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return readPythonList(text);
  }
}

const WORDS: Readonly<Record<string, unknown>> = { None: null, True: true, False: false };
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '0': '\0',
};
const NUMBER = /[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const WORD = /None|True|False/y;
const HEX_ESCAPE = /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})/y;
/** Deeper lists than any dataset has; bounds the recursion. */
const MAX_DEPTH = 32;

interface Cursor {
  readonly text: string;
  at: number;
}

function readPythonList(text: string): readonly unknown[] | undefined {
  const cursor: Cursor = { text, at: 0 };
  skipBlanks(cursor);
  if (text[cursor.at] !== '[') return undefined;
  const list = readValue(cursor, 0);
  skipBlanks(cursor);
  return Array.isArray(list) && cursor.at === text.length ? list : undefined;
}

function skipBlanks(cursor: Cursor): void {
  while (cursor.at < cursor.text.length && ' \t\r\n'.includes(cursor.text[cursor.at]!)) cursor.at++;
}

/** undefined: no value of the grammar stands here. */
function readValue(cursor: Cursor, depth: number): unknown {
  const first = cursor.text[cursor.at];
  if (first === '[' || first === '(') return depth < MAX_DEPTH ? readSequence(cursor, first, depth) : undefined;
  if (first === "'" || first === '"') return readString(cursor, first);
  const word = match(cursor, WORD);
  if (word) return WORDS[word[0]];
  const number = match(cursor, NUMBER);
  return number ? Number(number[0].replaceAll('_', '')) : undefined;
}

function readSequence(cursor: Cursor, open: '[' | '(', depth: number): unknown[] | undefined {
  const close = open === '[' ? ']' : ')';
  const list: unknown[] = [];
  cursor.at++;
  for (;;) {
    skipBlanks(cursor);
    if (cursor.text[cursor.at] === close) {
      cursor.at++;
      return list;
    }
    const value = readValue(cursor, depth + 1);
    if (value === undefined) return undefined;
    list.push(value);
    skipBlanks(cursor);
    if (cursor.text[cursor.at] === ',') cursor.at++;
    else if (cursor.text[cursor.at] !== close) return undefined;
  }
}

function readString(cursor: Cursor, quote: string): string | undefined {
  let value = '';
  for (cursor.at++; cursor.at < cursor.text.length; cursor.at++) {
    const char = cursor.text[cursor.at]!;
    if (char === quote) {
      cursor.at++;
      return value;
    }
    if (char !== '\\') value += char;
    else value += readEscape(cursor);
  }
  return undefined;
}

/** Reads the escape at the cursor and leaves it on the escape's last character. Python keeps unknown escapes as they are. */
function readEscape(cursor: Cursor): string {
  cursor.at++;
  const hex = match(cursor, HEX_ESCAPE);
  if (hex) {
    cursor.at--;
    const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '�';
  }
  const char = cursor.text[cursor.at] ?? '';
  return ESCAPES[char] ?? `\\${char}`;
}

function match(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found) cursor.at = pattern.lastIndex;
  return found;
}
