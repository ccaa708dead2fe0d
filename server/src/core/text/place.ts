/** Where in a record something is, in words: a column, and a line too where the record has several. Both 1-based. */
export function place(text: string, at: number): string {
  const before = text.lastIndexOf('\n', at - 1);
  if (at === 0 || before < 0)
    return text.includes('\n') ? `line 1 of the record, column ${at + 1}` : `column ${at + 1}`;
  let line = 2;
  for (let lf = text.indexOf('\n'); lf >= 0 && lf < before; lf = text.indexOf('\n', lf + 1)) line++;
  return `line ${line} of the record, column ${at - before}`;
}

/**
 * The words of `place` for a record that begins at a 0-based column of its line: columns of the file. Lines stay those
 * of the record, so that the words hold when lines above it come or go.
 */
export function withColumnsOfFile(message: string, column: number): string {
  if (column === 0) return message;
  return message.replace(PLACE, (words, line: string | undefined, at: string) => {
    if (line !== undefined && line !== '1') return words;
    return `${words.slice(0, -at.length)}${Number(at) + column}`;
  });
}

const PLACE = /(?:line (\d+) of the record, )?column (\d+)/g;
