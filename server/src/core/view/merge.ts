import type { Merge } from './types.ts';
export const mergeRecord = (_texts: { base: string; edited: string; current: string }): Merge => {
  throw new Error('to come');
};
