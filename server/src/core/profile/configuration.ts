import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { Configuration, DatasetEntry } from '../../../../schemas/configuration.ts';
import { positionAt, spanOf, type ConfigurationFault, type ReportFault } from './configuration-place.ts';
import { checkShape } from './configuration-shape.ts';
import { checkDatasets, resolveProfiles } from './configuration-meaning.ts';
import type { PathTest } from './glob.ts';
import type { Profile } from './types.ts';

/** One usable `datasets` entry: what cannot be used of it is left out, and reported. */
export interface ConfiguredEntry {
  /** Position among `datasets`. */
  readonly index: number;
  readonly entry: DatasetEntry;
  /** Whether a path, relative to the configuration's folder, belongs to the entry. */
  readonly matches: PathTest;
  /** The entry's profile; undefined: to be recognised. */
  readonly profile: Profile | undefined;
}

export interface ParsedConfiguration {
  readonly entries: readonly ConfiguredEntry[];
  /** Own profiles first, then the built-in ones whose names they do not take. */
  readonly profiles: readonly Profile[];
  readonly faults: readonly ConfigurationFault[];
}

/** Deeper than any configuration is; the parser recurses. */
const MAX_DEPTH = 200;

/**
 * Reads `auditable-qa.json`. Never throws: every fault stands on its place, and the defaults hold for what cannot be used.
 * `ruleCodes`: the codes whose levels may be set; without the list no code is reported as unknown.
 */
export function parseConfiguration(text: string, ruleCodes?: readonly string[]): ParsedConfiguration {
  const faults: ConfigurationFault[] = [];
  const place = (start: number, end: number): Pick<ConfigurationFault, 'span' | 'start' | 'end'> => ({
    span: { start, end },
    start: positionAt(text, start),
    end: positionAt(text, end),
  });
  const json = readJson(text);
  if ('problem' in json) {
    const { problem, start, end } = json;
    faults.push({ code: 'config/syntax', message: problem, pointer: '', ...place(start, end) });
  }
  const root = 'root' in json ? json.root : undefined;
  const report: ReportFault = ({ onKey, ...fault }) => {
    const { start, end } = spanOf(root, fault.pointer, onKey === true);
    faults.push({ ...fault, ...place(start, end) });
  };
  if (root)
    reportRepeatedKeys(root, (node, key) => {
      const message = `The key "${key}" stands twice in one object; the last one counts.`;
      faults.push({
        code: 'config/invalid',
        message,
        pointer: '',
        found: key,
        ...place(node.offset, node.offset + node.length),
      });
    });
  const value = 'value' in json ? json.value : {};
  const configuration = checkShape(value, report) as Configuration;
  const profiles = resolveProfiles(configuration.profiles ?? {}, report);
  const entries = checkDatasets(configuration.datasets ?? [], profiles, ruleCodes, report);
  faults.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  return { entries, profiles: profiles.usable, faults };
}

type Json =
  | { readonly root: Node; readonly value: unknown }
  | { readonly problem: string; readonly start: number; readonly end: number };

function readJson(text: string): Json {
  // A byte order mark is no fault here: it is read as a blank, so that offsets stay.
  const body = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
  if (body.trim() === '')
    return { problem: 'The file is empty; an empty configuration is {}.', start: 0, end: text.length };
  if (nesting(body) > MAX_DEPTH)
    return { problem: 'The file is nested too deeply to be a configuration.', start: 0, end: 1 };
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first) {
    // An error at the end of the text has no length of its own.
    const start = Math.min(first.offset, body.length - 1);
    return { problem: wordsOf(first), start, end: Math.min(start + Math.max(first.length, 1), body.length) };
  }
  try {
    if (root) return { root, value: JSON.parse(body) as unknown };
  } catch (error) {
    return { problem: `The file is not JSON: ${(error as Error).message}`, start: 0, end: 1 };
  }
  return { problem: 'The file holds no JSON value.', start: 0, end: body.length };
}

function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth);
    else if (char === ']' || char === '}') depth--;
  }
  return deepest;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is no JSON value; texts and keys stand in double quotes.',
  InvalidNumberFormat: 'This is no JSON number.',
  PropertyNameExpected: 'A key in double quotes was expected; after the last element stands no comma.',
  ValueExpected: 'A value was expected; after the last element stands no comma.',
  ColonExpected: 'A colon was expected after the key.',
  CommaExpected: 'A comma was expected between two elements.',
  CloseBraceExpected: 'A closing brace } is missing.',
  CloseBracketExpected: 'A closing bracket ] is missing.',
  EndOfFileExpected: 'The configuration ends before this; nothing may follow.',
  InvalidCommentToken: 'Comments are not allowed.',
  UnexpectedEndOfComment: 'Comments are not allowed.',
  UnexpectedEndOfString: 'A closing double quote is missing.',
  UnexpectedEndOfNumber: 'This number is not finished.',
  InvalidUnicode: 'This \\u escape is not four hexadecimal digits.',
  InvalidEscapeCharacter: 'JSON has no such escape; a backslash is written \\\\.',
  InvalidCharacter: 'A control character stands inside a text.',
};

function wordsOf(error: ParseError): string {
  return PROBLEMS[printParseErrorCode(error.error)] ?? 'The file is not JSON here.';
}

function reportRepeatedKeys(node: Node, report: (key: Node, name: string) => void): void {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const [key, value] = node.type === 'object' ? (child.children ?? []) : [undefined, child];
    if (key) {
      if (seen.has(key.value)) report(key, String(key.value));
      seen.add(key.value);
    }
    if (value) reportRepeatedKeys(value, report);
  }
}
