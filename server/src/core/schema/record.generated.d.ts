import type { GeneratedCheck } from './generated-check.ts';

/** The compiled record.schema.json; written by scripts/generate.mjs. */
export declare const check: GeneratedCheck;
