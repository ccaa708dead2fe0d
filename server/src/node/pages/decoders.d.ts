/** Decoders of packages whose own types lack or do not resolve; only what is called here. */
declare module 'pdfjs-dist/legacy/image_decoders/pdf.image_decoders.mjs' {
  export class JpegImage {
    /** `colorTransform`: 0 leaves three components as they are, 1 takes them for YCbCr, -1 lets the file say. */
    constructor(options?: { readonly colorTransform?: -1 | 0 | 1 });
    readonly width: number;
    readonly height: number;
    readonly numComponents: number;
    parse(data: Uint8Array): void;
    /** Samples interleaved: grey, RGB, or CMYK where 255 is full ink. */
    getData(size: { readonly width: number; readonly height: number }): Uint8ClampedArray;
  }
  export function setVerbosityLevel(level: number): void;
}

declare module '@jsquash/webp/codec/dec/webp_dec.js' {
  interface Decoder {
    /** RGB and alpha, not premultiplied; null where the file is damaged. */
    decode(
      data: Uint8Array,
    ): { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number } | null;
  }
  const createDecoder: (options: {
    readonly noInitialRun: true;
    readonly print: () => void;
    readonly printErr: () => void;
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): WebAssembly.Exports;
  }) => Promise<Decoder>;
  export { createDecoder as default };
}
