/** The list behind the Records view: how its cost grows with the file. */
import type { RecordListParams } from '../../schemas/records.ts';
import { FILE_ORDER, NO_FILTER } from '../../schemas/records.ts';
import type { RecordView } from '../../server/src/lsp/records/record-view.ts';
import { createRecordView } from '../../server/src/lsp/records/record-view.ts';
import { sessionOfLines } from '../support/record-session.ts';
import { ratio } from './ratio.ts';
import type { Ratio } from './ratio.ts';
import { sciegqaLines } from './records.ts';

const LARGE = 30_780;
const SMALL = 300;

interface Bench {
  readonly view: RecordView;
  readonly uri: string;
}

async function bench(records: number): Promise<Bench> {
  const { session, checked } = await sessionOfLines('/bench/train.jsonl', sciegqaLines(records));
  await checked;
  const files = { session: () => Promise.resolve(session), atHand: () => session, problem: () => '' };
  const view = createRecordView({
    epoch: '',
    files,
    isOpen: () => true,
    shownBy: () => Promise.resolve(undefined),
    changed: () => undefined,
  });
  return { view, uri: session.uri };
}

/** Never the same twice, so that no answer is at hand. */
let count = 0;
const FILTERS: readonly ((at: number) => Partial<RecordListParams>)[] = [
  (at) => ({ filter: { text: `curve ${at % 10}`, facets: {} } }),
  (at) => ({ filter: { text: '', facets: { category: ['cs', 'math', 'physics', 'stat'].slice(0, 1 + (at % 4)) } } }),
  (at) => ({ filter: { text: '', facets: { type: ['MPMR'], label: at % 2 === 0 ? ['table'] : ['text', 'image'] } } }),
  () => ({ filter: NO_FILTER }),
];

/** All kinds of filters, `times` over. */
async function filter({ view, uri }: Bench, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    for (const make of FILTERS) {
      await view.list({ uri, filter: NO_FILTER, order: FILE_ORDER, offset: 0, limit: 100, ...make(count++) });
    }
  }
}

export async function recordListRatios(): Promise<Ratio[]> {
  const large = await bench(LARGE);
  const small = await bench(SMALL);
  const times = 20;
  // As many records on both sides.
  const more = Math.round(LARGE / SMALL);
  return [
    await ratio(
      'filtering the list of 30,780 records ÷ of 300, per record',
      1.5,
      () => filter(large, times),
      () => filter(small, times * more),
      5,
    ),
  ];
}
