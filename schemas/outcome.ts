/** How a solution's result that is no number is told, wherever it is. `shown`: Python's `repr`. `type`: Python's name of its type. */
export function returnedText(shown: string, type: string): string {
  if (type === 'NoneType') return 'returns None, which is no number';
  return type === 'float'
    ? `returns ${shown}, which is no finite number`
    : `returns ${shown} (${type}), which is no number`;
}
