import type { ViewedRecord } from './types.ts';
export const recordDocument = (_text: string): string | undefined => undefined;
export const readRecordDocument = (_text: string): ViewedRecord => {
  throw new Error('to come');
};
