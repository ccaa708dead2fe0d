/**
 * The records of a file that are to be written elsewhere. Only a file of which nothing would be lost is taken: each record can be
 * read, and beside them stands nothing but commas, the brackets of one array, and blanks.
 */
import { parseRecordText } from '../text/parse.ts';
import type { FileFault, FileForm, RecordSlot } from '../text/types.ts';
import { createPieceReader } from './pieces.ts';
import type { Piece } from './pieces.ts';

/** How the records lie, whatever the file's name says. */
export type Kind = 'lines' | 'array';

export interface SoundRecord {
  readonly slot: RecordSlot;
  /** Without blanks around it. */
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** Between the record before and this one. */
  readonly gap: string;
}

/** Why a file is not taken: a place and a sentence. */
export interface Unsound {
  /** 0-based. */
  readonly line: number;
  /** 0-based; null: it belongs to no record. */
  readonly index: number | null;
  readonly message: string;
}

export interface SoundEnd {
  readonly records: readonly SoundRecord[];
  /** In order of place; any: nothing may be written. */
  readonly problems: readonly Unsound[];
  /** Behind the last record. */
  readonly rest: string;
  readonly kind: Kind;
}

export interface SoundReader {
  /** Records that can be read; `undefined` is never among them, what cannot be read is among the problems at the end. */
  push(text: string): readonly SoundRecord[];
  end(): SoundEnd;
  /** Whether there is a problem already. */
  readonly failed: boolean;
}

const BLANK = '[ \\t\\r\\n\\ufeff]*';
const GAPS: Readonly<Record<Kind, Readonly<Record<'first' | 'between' | 'last', RegExp>>>> = {
  lines: {
    first: new RegExp(`^${BLANK}$`),
    between: new RegExp(`^${BLANK}$`),
    last: new RegExp(`^${BLANK}$`),
  },
  array: {
    first: new RegExp(`^${BLANK}\\[${BLANK}$`),
    between: new RegExp(`^${BLANK},${BLANK}$`),
    last: new RegExp(`^${BLANK}\\]${BLANK}$`),
  },
};
const EMPTY_ARRAY = new RegExp(`^${BLANK}\\[${BLANK}\\]${BLANK}$`);
const FIRST_SIGN = /[^ \t\r\n\ufeff]/;

export function createSoundReader(form: FileForm): SoundReader {
  const reader = createPieceReader(form);
  const problems: Unsound[] = [];
  /** Gaps that hold something else, by their lines: the reader says at the end what is wrong there. */
  const odd: { readonly from: number; readonly to: number; readonly text: string; readonly where: Where }[] = [];
  let kind: Kind | undefined;
  /** The line in which the last record ends. */
  let line = 0;

  function take({ gap, slot }: Piece): SoundRecord[] {
    const where = kind === undefined ? 'first' : 'between';
    kind ??= GAPS.lines.first.test(gap) ? 'lines' : 'array';
    if (!GAPS[kind][where].test(gap)) odd.push({ from: line, to: slot.line, text: gap, where });
    line = slot.line + countLines(slot.text);
    const { value, faults } = parseRecordText(slot.text);
    if (value === undefined) {
      problems.push({ line: slot.line, index: slot.index, message: faults[0]?.message ?? 'It cannot be read.' });
      return [];
    }
    return [{ slot, text: slot.text.trim(), value, gap }];
  }

  return {
    push: (text) => reader.push(text).flatMap(take),
    end() {
      const { pieces, rest, faults } = reader.end();
      const records = pieces.flatMap(take);
      const isEmpty = kind === undefined;
      kind ??= EMPTY_ARRAY.test(rest) ? 'array' : 'lines';
      if (!(isEmpty && kind === 'array') && !GAPS[kind].last.test(rest)) {
        odd.push({ from: line, to: line + countLines(rest), text: rest, where: isEmpty ? 'first' : 'last' });
      }
      const [first] = odd;
      // Others follow from it.
      if (first !== undefined) problems.push(oddGap(first, kind, faults));
      problems.sort((one, two) => one.line - two.line);
      return { records, problems, rest, kind };
    },
    get failed() {
      return problems.length > 0 || odd.length > 0;
    },
  };
}

type Where = 'first' | 'between' | 'last';

function oddGap(
  {
    from,
    to,
    text,
    where,
  }: { readonly from: number; readonly to: number; readonly text: string; readonly where: Where },
  kind: Kind,
  faults: readonly FileFault[],
): Unsound {
  const fault = faults.find(({ code, line }) => code === 'file/invalid-json' && line >= from && line <= to);
  if (fault !== undefined) return { line: fault.line, index: null, message: fault.message };
  const at = FIRST_SIGN.exec(text)?.index ?? 0;
  const line = from + countLines(text.slice(0, at));
  const found = text
    .slice(at, at + 40)
    .split('\n')[0]!
    .trimEnd();
  if (where === 'first' && found.startsWith('{')) {
    const message = `The records lie in an object (\`${found}\`), not in an array of their own: what stands beside them would be lost.`;
    return { line, index: null, message };
  }
  if (kind === 'array' && /[[\]]/.test(text)) {
    return { line, index: null, message: 'The records lie in several arrays: which one each is in would be lost.' };
  }
  const expected = kind === 'array' ? 'records parted by commas' : 'nothing beside the records';
  return { line, index: null, message: `Found \`${found}\`, expected ${expected}: it would be lost.` };
}

export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
