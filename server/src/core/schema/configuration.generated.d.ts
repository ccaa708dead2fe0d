import type { GeneratedCheck } from './generated-check.ts';

/** The compiled schemas/auditable-qa.schema.json; written by scripts/generate.mjs. */
export declare const check: GeneratedCheck;
