import { mkdir, open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { staysInside } from '../files/inside.ts';
import type { CutterData } from './messages.ts';

/** Writes images so that each is there whole or not at all. */
export interface ImageWriter {
  /** Rejects with a file system error, and with `Outside`. */
  write(target: string, bytes: Uint8Array): Promise<void>;
}

/** A link in the output folder leads out of it. */
export class Outside extends Error {}

/** `name`: what tells the writer from others at work in the same folder. */
export function createImageWriter({ folder, unfinished }: CutterData, name: string): ImageWriter {
  /** The folder that was made last: images of a document follow each other. */
  let last: string | undefined;
  let count = 0;

  async function prepare(at: string): Promise<void> {
    if (at === last) return;
    // Step by step: nothing is made behind a link that leads out, either.
    let made = folder;
    for (const name of path.relative(folder, at).split(path.sep)) {
      made = path.join(made, name);
      await mkdir(made, { recursive: true });
      if (!(await staysInside(folder, made))) throw new Outside(made);
    }
    last = at;
  }

  return {
    async write(target, bytes) {
      await prepare(path.dirname(target));
      const fresh = path.join(unfinished, `${name}-${count++}.tmp`);
      try {
        const handle = await open(fresh, 'w');
        try {
          await handle.writeFile(bytes);
          await handle.datasync();
        } finally {
          await handle.close();
        }
        await rename(fresh, target);
      } catch (error) {
        await unlink(fresh).catch(() => undefined);
        throw error;
      }
    },
  };
}
