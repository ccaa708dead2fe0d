import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** Whether a path lies in a folder or is it; both absolute, links not followed. */
export function isInside(folder: string, at: string): boolean {
  const relative = path.relative(folder, at);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/**
 * Whether an existing path, with all links followed, still lies in the folder. The folder itself may be reached by a
 * link. Rejects with a file system error where either does not exist.
 */
export async function staysInside(folder: string, at: string): Promise<boolean> {
  const [realFolder, real] = await Promise.all([realpath(folder), realpath(at)]);
  return isInside(realFolder, real);
}
