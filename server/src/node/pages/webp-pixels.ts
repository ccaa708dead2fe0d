/** WebP, lossy and lossless, by libwebp in WebAssembly. Animations are not decoded. */
import { readFile } from 'node:fs/promises';
import createDecoder from '@jsquash/webp/codec/dec/webp_dec.js';
import type { Pixels } from '../../core/page/ink.ts';
import { errorCode } from '../files/errors.ts';
import { ImageFault } from './image-size.ts';

let compiled: Promise<WebAssembly.Module> | undefined;

/** Rejects where the file is damaged. */
export async function decodeWebp(bytes: Uint8Array): Promise<Pixels> {
  compiled ??= compile();
  const module = await compiled;
  // Its memory only grows, so that each image gets an instance of its own.
  const decoder = await createDecoder({
    noInitialRun: true,
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance);
      return instance.exports;
    },
  });
  const image = decoder.decode(bytes);
  if (image === null) throw new ImageFault('is damaged, or an animation');
  return { width: image.width, height: image.height, channels: 4, data: image.data };
}

async function compile(): Promise<WebAssembly.Module> {
  // The build lays it beside the worker; where TypeScript runs unbundled it is still in its package.
  const beside = new URL('./webp_dec.wasm', import.meta.url);
  const bytes = await readFile(beside).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    return readFile(new URL(import.meta.resolve('@jsquash/webp/codec/dec/webp_dec.wasm')));
  });
  return WebAssembly.compile(bytes);
}
