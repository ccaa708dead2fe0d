import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** A file by its content. */
export interface ContentVersion {
  readonly bytes: number;
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string;
}

/** Rejects with a file system error where it cannot be read. */
export async function contentVersion(file: string): Promise<ContentVersion> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * For work that reads a file: what is given is asked afterwards and tells the version that was read; undefined: the file was
 * changed meanwhile. Both reject with a file system error.
 */
export async function watchVersion(file: string): Promise<() => Promise<ContentVersion | undefined>> {
  const before = await stat(file);
  return async () => {
    const version = await contentVersion(file);
    const { size, mtimeMs, ino } = await stat(file);
    return size === before.size && mtimeMs === before.mtimeMs && ino === before.ino ? version : undefined;
  };
}
