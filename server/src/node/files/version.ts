import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

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
