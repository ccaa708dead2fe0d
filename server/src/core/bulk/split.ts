/** Into which file each record goes when a file is split, and what these files are called. */

export interface SplitNames {
  /** The name of the file for a value: the same for the same value, another one for each other value. null: records without it. */
  of(value: string | null): string;
}

/** In bytes of UTF-8, by which file systems measure names (255 at most, with the file's own name and what is unfinished). */
const LONGEST_PART = 100;

/**
 * `data.test.jsonl` from `data.jsonl` and `test`. What a file system does not take becomes `_`; values that would come to share a
 * name, also where upper and lower case count alike, are told apart by a number.
 */
export function createSplitNames(stem: string, extension: string, field: string): SplitNames {
  const names = new Map<string | null, string>();
  const used = new Set<string>();
  return {
    of(value) {
      const known = names.get(value);
      if (known !== undefined) return known;
      const part = value === null ? `no-${safe(field)}` : safe(value);
      let name = `${stem}.${part}${extension}`;
      for (let number = 2; used.has(name.toLowerCase()); number++) name = `${stem}.${part}-${number}${extension}`;
      used.add(name.toLowerCase());
      names.set(value, name);
      return name;
    },
  };
}

function safe(value: string): string {
  const plain = value
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '_');
  const short = cut(plain, LONGEST_PART).replace(/\.+$/, '');
  return short === '' ? '_' : short;
}

function cut(text: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** `data.1.jsonl`; with as many digits as the last number has. */
export function partName(stem: string, extension: string, number: number, parts: number): string {
  return `${stem}.${String(number).padStart(String(parts).length, '0')}${extension}`;
}

/** Ids, one to a line; blanks around them and blank lines do not count. */
export function idsOfList(text: string): readonly string[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
