/** Writes preview.js, preview.css and pdfjs/ into `outDir` (default: dist/preview). */
export function buildPreview(outDir?: string, options?: { minify?: boolean }): Promise<void>;
