/** Numbers for texts, from 0 up: what is compared and counted by the ten thousand is compared and counted as numbers. */
export interface Interner {
  number(text: string): number;
  /** undefined: no text of this number, or no number of this text. */
  known(text: string): number | undefined;
  text(number: number): string;
  readonly size: number;
}

export function createInterner(): Interner {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  return {
    number(text) {
      let number = numbers.get(text);
      if (number === undefined) {
        number = texts.push(text) - 1;
        numbers.set(text, number);
      }
      return number;
    },
    known: (text) => numbers.get(text),
    text: (number) => texts[number] ?? '',
    get size() {
      return texts.length;
    },
  };
}
