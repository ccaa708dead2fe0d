const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read (permission denied)',
  EPERM: 'may not be read (operation not permitted)',
  ELOOP: 'is a link that leads in a circle',
  EISDIR: 'is a folder',
  EMFILE: 'cannot be opened: too many files are open',
  ENAMETOOLONG: 'has too long a name',
  EIO: 'cannot be read: the disk reports an error',
};

/** What went wrong with a path, to stand after the path's name: "data.jsonl does not exist". */
export function describeError(error: unknown): string {
  const code = errorCode(error);
  const known = code === undefined ? undefined : WORDS[code];
  if (known !== undefined) return known;
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
