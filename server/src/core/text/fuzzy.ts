/**
 * How well a query fits a record: the higher the better; undefined: not at all. All words of the query must stand in the id or the question, in
 * any order and case; else its characters must stand in the id in their order. An empty query fits everything.
 */
export function fits(query: string, id: string, question: string): number | undefined {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return 0;
  const key = id.toLowerCase();
  if (key === wanted) return 5;
  if (key.startsWith(wanted)) return 4;
  if (key.includes(wanted)) return 3;
  const text = question.toLowerCase();
  if (text.includes(wanted)) return 2;
  const words = wanted.split(/\s+/);
  if (words.every((word) => key.includes(word) || text.includes(word))) return 1;
  return isSubsequence(wanted.replace(/\s+/g, ''), key) ? 0.5 : undefined;
}

function isSubsequence(wanted: string, text: string): boolean {
  let at = -1;
  for (const character of wanted) {
    at = text.indexOf(character, at + 1);
    if (at < 0) return false;
  }
  return true;
}
