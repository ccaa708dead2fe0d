/** Writes records.js and records.css into `outDir` (default: dist/records). */
export function buildRecords(outDir?: string, options?: { minify?: boolean }): Promise<void>;
