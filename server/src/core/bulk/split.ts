/** Into which file each record goes when a file is split, and what these files are called. */

export interface SplitNames {
  /** The name of the file for a value: the same for the same value, another one for each other value. null: records without it. */
  of(value: string | null): string;
}

const LONGEST_NAME = 80;

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
    .replace(/^\.+/, '_')
    .slice(0, LONGEST_NAME)
    .replace(/[.\ud800-\udbff]+$/, '');
  return plain === '' ? '_' : plain;
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
