/** Where in a record something is, in words: a column, and a line too where the record has several. Both 1-based. */
export function place(text: string, at: number): string {
  const before = text.lastIndexOf('\n', at - 1);
  if (at === 0 || before < 0)
    return text.includes('\n') ? `line 1 of the record, column ${at + 1}` : `column ${at + 1}`;
  let line = 2;
  for (let lf = text.indexOf('\n'); lf >= 0 && lf < before; lf = text.indexOf('\n', lf + 1)) line++;
  return `line ${line} of the record, column ${at - before}`;
}
