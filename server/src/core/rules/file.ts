/**
 * The faults of the bytes and lexemes. The text stage finds them while it reads (`text/` and the byte decoder); these
 * objects say what they mean.
 */
import type { Rule } from './types.ts';

const PROFILE = 'docmath-eval';

const GOOD = { question_id: 'halls-1', question: 'How many seats has the hall?', ground_truth: 1200.0 };
const ANOTHER = { question_id: 'halls-2', question: 'How many rows has the hall?', ground_truth: 40.0 };
const goodLine = JSON.stringify(GOOD);
const anotherLine = JSON.stringify(ANOTHER);

const invalidJson: Rule = {
  code: 'file/invalid-json',
  severity: 'error',
  title: 'A record is not one JSON object',
  why: `Each record must be one JSON object: in JSONL one per line, in a JSON array one per element.

A loader stops at the first record that is not, or leaves it out without a word; either way the results no longer belong to the data that was published. The usual causes: a line break pasted into a string, a quotation mark inside a string without its backslash, a comma too many or too few, the printed form of a Python object ('single quotes', None, True), two records on one line, or a file that was cut off.

The message names the column and what was expected there. All other records of the file are read and checked as usual. Repair the place, or write the record again with json.dumps or JSON.stringify, which cannot make these mistakes.`,
  needs: 'text',
  fires: {
    profile: PROFILE,
    lines: [goodLine, '{"question_id":"halls-2","question":"How many rows has the hall?","ground_truth":40.0,}'],
  },
  quiet: { profile: PROFILE, lines: [GOOD, ANOTHER] },
};

const notJsonLines: Rule = {
  code: 'file/not-json-lines',
  severity: 'error',
  title: 'A .jsonl file holds one array, or objects written over several lines',
  why: `JSONL has one object per line. A file that holds one JSON array, or objects with line breaks and indentation, is JSON under the wrong name.

Loaders of JSONL then report that a column changed from object to array, or fail in line 1 with a message that does not name the cause.

Name the file .json if it is one array, or write each record on a line of its own. Until then its records are read and checked as far as they can be, and this is the only finding about its form.`,
  needs: 'text',
  fires: { profile: PROFILE, lines: ['[', `  ${goodLine},`, `  ${anotherLine}`, ']'] },
  quiet: { profile: PROFILE, lines: [GOOD, ANOTHER] },
};

const encoding: Rule = {
  code: 'file/encoding',
  severity: 'error',
  title: 'The file is not UTF-8',
  why: `JSON is exchanged as UTF-8. A file in UTF-16 (as Windows PowerShell and some spreadsheet programs save it) or in a code page fails at its first byte in some readers; in others it is decoded wrongly, and every character offset and every accented letter is off. A binary file under a record file's name is reported here as well.

Where the encoding is another one, nothing of the file is read, since findings about wrongly decoded text would not be true. Where only a few bytes are invalid, the records are read with U+FFFD in their place, and the message names the first offset and the number.

Save the file as UTF-8 without a byte order mark. For a few broken bytes, look for the place in the source from which the text was copied.`,
  needs: 'text',
  fires: {
    profile: PROFILE,
    lines: [[...goodLine].join('\u0000') + '\u0000'],
    note: 'The line stands for bytes: a zero byte after each character, which is UTF-16 without a mark. Written to a file and read from it, it is reported; as text it cannot be shown.',
  },
  quiet: {
    profile: PROFILE,
    lines: [{ ...GOOD, question: 'Wie viele Plätze hat der Saal? 座席数' }],
    note: 'Letters of any script are fine in UTF-8.',
  },
};

const byteOrderMark: Rule = {
  code: 'file/byte-order-mark',
  severity: 'warning',
  title: 'A byte order mark stands at the start of the file or of a line',
  why: `Windows programs put the invisible character U+FEFF at the start of UTF-8 files. Joined files keep it in the middle, at the start of a line.

Some JSON readers refuse the first record, some silently take the mark as part of its first key, and some leave the record out.

Save the file as UTF-8 without a mark ("UTF-8" and not "UTF-8 with BOM" in most editors; encoding="utf-8" and not "utf-8-sig" in Python).`,
  needs: 'text',
  fires: { profile: PROFILE, lines: ['\ufeff' + goodLine, anotherLine] },
  quiet: { profile: PROFILE, lines: [GOOD, ANOTHER] },
};

const lineSeparator: Rule = {
  code: 'file/line-separator',
  severity: 'warning',
  title: 'A string holds a literal U+2028, U+2029 or U+0085',
  why: `These characters (line separator, paragraph separator, next line) come along when text is copied out of PDFs and web pages. JSON allows them in strings, and JSONL ends a line at LF only.

Yet Python's str.splitlines, Node's readline and some editors end a line at them as well: the record is cut in two, and both halves are no JSON.

Put a blank or \\n in their place, or write them as the escapes \\u2028, \\u2029 and \\u0085.`,
  needs: 'text',
  fires: {
    profile: PROFILE,
    lines: ['{"question_id":"halls-1","question":"How many seats\u2028has the hall?","ground_truth":1200.0}'],
  },
  quiet: {
    profile: PROFILE,
    lines: ['{"question_id":"halls-1","question":"How many seats\\u2028has the hall?","ground_truth":1200.0}'],
    note: 'As an escape it is only a character.',
  },
};

const nonFiniteNumber: Rule = {
  code: 'file/non-finite-number',
  severity: 'error',
  title: 'NaN or Infinity stands where JSON wants a number',
  why: `Python's json module writes NaN, Infinity and -Infinity and reads them again, but JSON has no such values. Every strict reader (JavaScript, Go, Rust, DuckDB, most web tools) refuses the whole record. A number too large for a double, such as 1e999, has the same effect in the end.

Behind it there is usually a missing value that went through a data frame, or a division by zero.

Write null for a missing value (in Python: json.dumps(…, allow_nan=False) finds the places), or the right number. Here the record is read with null in that place.`,
  needs: 'text',
  fires: {
    profile: PROFILE,
    lines: ['{"question_id":"halls-1","question":"How many seats has the hall?","ground_truth":NaN}', anotherLine],
  },
  quiet: {
    profile: PROFILE,
    lines: [{ ...GOOD, question: 'Is the ratio NaN or Infinity?' }],
    note: 'Inside a string the words mean nothing.',
  },
};

const duplicateKey: Rule = {
  code: 'file/duplicate-key',
  severity: 'error',
  title: 'The same key stands twice in one object',
  why: `Most readers keep the last value of a repeated key, some the first, none of them says so. Two tools then work with different data from the same file.

It happens when records are edited or merged by hand, or when text is put together without a JSON writer.

Decide which value is meant and delete the other. Keys count as the same when they are the same after unescaping, and only within one object: the same key in two objects is fine.`,
  needs: 'text',
  fires: {
    profile: PROFILE,
    lines: [
      '{"question_id":"halls-1","question":"How many seats has the hall?","ground_truth":1200.0,"ground_truth":1300.0}',
    ],
  },
  quiet: {
    profile: PROFILE,
    lines: [
      '{"question_id":"halls-1","question":"How many seats has the hall?","ground_truth":1200.0,"origin":{"question_id":"1"}}',
    ],
    note: 'The same key at another depth is another key.',
  },
};

const unsafeNumber: Rule = {
  code: 'file/unsafe-number',
  severity: 'error',
  title: 'An integer is too large for a double',
  why: `JavaScript and many other readers keep numbers as doubles, which hold integers exactly only up to 2^53 (9007199254740992). A larger integer becomes its nearest double without a word: two different ids may become the same, and saving the file writes the changed number.

Long ids are the usual case: write them as strings. Decimals are never reported, since nobody expects all their digits to matter.`,
  needs: 'text',
  fires: {
    profile: PROFILE,
    lines: [
      '{"question_id":"halls-1","question":"How many seats has the hall?","ground_truth":1200.0,"original_question_id":2158705376953327917}',
    ],
  },
  quiet: {
    profile: PROFILE,
    lines: [
      '{"question_id":"halls-1","question":"How many seats has the hall?","ground_truth":0.1234567890123456789,"original_question_id":"2158705376953327917"}',
    ],
    note: 'A string keeps every digit; a long decimal is only rounded.',
  },
};

const mixedLineEndings: Rule = {
  code: 'file/mixed-line-endings',
  severity: 'info',
  title: 'Both CRLF and LF end lines in the file',
  why: `JSONL accepts both, so nothing breaks. But the next editor that saves the file makes them one kind, and the change then shows hundreds of lines that nobody edited; a review of the real change becomes hard.

Choose one (LF, as most tools write) and convert the file once. A line "*.jsonl text eol=lf" in .gitattributes keeps it that way.`,
  needs: 'text',
  fires: { profile: PROFILE, lines: [goodLine + '\r', anotherLine] },
  quiet: { profile: PROFILE, lines: [goodLine, anotherLine] },
};

const blankLine: Rule = {
  code: 'file/blank-line',
  severity: 'info',
  title: 'Blank lines stand between or after the records',
  why: `Some readers skip blank lines, some fail at them, and some count them, so that line numbers and record numbers no longer agree. They come from joining files, or from a stray Enter.

Delete them. One line end after the last record is right, and a file without it is fine too.`,
  needs: 'text',
  fires: { profile: PROFILE, lines: [goodLine, '', anotherLine] },
  quiet: { profile: PROFILE, lines: [goodLine, anotherLine] },
};

export const fileRules: readonly Rule[] = [
  invalidJson,
  notJsonLines,
  encoding,
  byteOrderMark,
  lineSeparator,
  nonFiniteNumber,
  duplicateKey,
  unsafeNumber,
  mixedLineEndings,
  blankLine,
];
