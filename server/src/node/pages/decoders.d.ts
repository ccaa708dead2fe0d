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

declare module '@hyzyla/pdfium' {
  /** PDFium's own C interface (fpdfview.h); handles and pointers are numbers, 0 is none. */
  export interface PDFium {
    /** Grows, and then is another one. */
    readonly HEAPU8: Uint8Array<ArrayBuffer>;
    readonly wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
    _FPDF_InitLibrary(): void;
    _FPDF_LoadMemDocument(bytes: number, length: number, password: number): number;
    _FPDF_GetLastError(): number;
    _FPDF_CloseDocument(document: number): void;
    _FPDF_LoadPage(document: number, index: number): number;
    _FPDF_ClosePage(page: number): void;
    /** In points as displayed. */
    _FPDF_GetPageWidth(page: number): number;
    _FPDF_GetPageHeight(page: number): number;
    _FPDFBitmap_CreateEx(width: number, height: number, format: number, pixels: number, stride: number): number;
    _FPDFBitmap_FillRect(
      bitmap: number,
      left: number,
      top: number,
      width: number,
      height: number,
      colour: number,
    ): void;
    _FPDFBitmap_Destroy(bitmap: number): void;
    /** `matrix`: six floats a–f; `clipping`: four floats left, top, right, bottom. */
    _FPDF_RenderPageBitmapWithMatrix(
      bitmap: number,
      page: number,
      matrix: number,
      clipping: number,
      flags: number,
    ): void;
  }
  export function PDFiumModule(options: {
    readonly wasmBinary: ArrayBuffer;
    locateFile(): string;
    print(text: string): void;
    printErr(text: string): void;
  }): Promise<PDFium>;
}
