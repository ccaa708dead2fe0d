/** What a solution document shows where a record has no solution: it cannot be mistaken for one that was written. */
export function solutionTemplate(entryPoint: string): string {
  return `def ${entryPoint}():\n    # Name each value after what it is in the document.\n    answer = ...\n    return answer\n`;
}
