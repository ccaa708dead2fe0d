import type { ViewedRecord } from './types.ts';
export const solutionDocument = (_text: string, _pointer: string): string | undefined => undefined;
export const readSolutionDocument = (_text: string, _record: string, _pointer: string): ViewedRecord => {
  throw new Error('to come');
};
