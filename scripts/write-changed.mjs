import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes `content` to `file` in one step, unless it stands there already: no reader ever sees half a file. */
export async function writeChanged(file, content) {
  const bytes = Buffer.from(content);
  const old = await readFile(file).catch(() => undefined);
  if (old?.equals(bytes)) return;
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, bytes);
  await rename(temporary, file);
}
