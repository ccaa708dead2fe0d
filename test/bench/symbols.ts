import type { Ratio } from './ratio.ts';
import { sciegqaLines } from './records.ts';
import { timeOf, withOpenFile } from './server.ts';

interface Times {
  /** Time for one record, in ms. */
  readonly symbols: number;
  readonly search: number;
}

/** The outline of a file that was checked, and a search for a record of it, per record. */
const times = (records: number): Promise<Times> =>
  withOpenFile(sciegqaLines(records), async ({ connection, uri }) => {
    const symbols = await timeOf(async () => {
      const found = await connection.sendRequest<unknown[]>('textDocument/documentSymbol', { textDocument: { uri } });
      if (found.length !== records) throw new Error(`${found.length} symbols of ${records} records.`);
    });
    const search = await timeOf(() => connection.sendRequest('workspace/symbol', { query: 'largest' }));
    return { symbols: symbols / records, search: search / records };
  });

export async function symbolRatios(): Promise<Ratio[]> {
  const large = await times(30_780);
  const small = await times(300);
  const ratio = (what: keyof Times, name: string): Ratio => ({
    name: `${name} of 30,780 records ÷ of 300, per record`,
    ratio: large[what] / small[what],
    goal: 1.5,
    ms: large[what] * 30_780,
    referenceMs: small[what] * 300,
  });
  return [ratio('symbols', 'outline'), ratio('search', 'search by question')];
}
