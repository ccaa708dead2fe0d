/** Evidence as the host would send it, for tests: invented records. */
import type {
  EvidenceBlock,
  EvidenceNumber,
  EvidenceRegion,
  EvidenceTrace,
  NumberInBlock,
  NumberVerdict,
  TextSpan,
} from '../../schemas/protocol.ts';
import type { PageSourceUrl, ShownEvidence, ShownPage } from '../../schemas/page.ts';

export function region(
  pointer: string,
  left: number,
  top: number,
  width: number,
  height: number,
  more: Partial<EvidenceRegion> = {},
): EvidenceRegion {
  return { pointer, label: 'table', left, top, width, height, text: '[100, 200, 300, 400]', problems: [], ...more };
}

export function shownPage(
  number: number,
  source: PageSourceUrl,
  regions: readonly EvidenceRegion[],
  aspect: number | null = null,
): ShownPage {
  return { number, pointer: `/evidence_page/${number - 1}`, source, aspect, regions };
}

export function evidenceOf(more: Partial<ShownEvidence> = {}): ShownEvidence {
  return {
    uri: 'file:///sets/records.jsonl',
    version: 1,
    index: 4,
    records: 1623,
    id: 'q-0005',
    profile: 'sciegqa',
    question: 'Which route has the longest headway on the test track?',
    answer: 'Route C; 12 minutes',
    solution: null,
    document: 'demo-doc',
    pages: [],
    blocks: [],
    trace: null,
    problems: [],
    cursor: null,
    ...more,
  };
}

export const TABLE_BLOCK: EvidenceBlock = {
  pointer: '/table_evidence/0',
  blockPointer: '/paragraphs/7',
  name: 'paragraphs[7]',
  kind: 'table',
  text: '',
  table: {
    before: 'The following table summarizes revenue by segment (in millions):',
    rows: [
      ['', '2023', '2022', 'Change'],
      ['Subscriptions', '$ 1,284.5', '$ 1,102.0', '16.6 %'],
      ['Licences and maintenance', '310.2', '355.9', '(12.8) %'],
      ['Services', '96.4', '–', ''],
      ['Total', '$ 1,691.1', '$ 1,457.9'],
    ],
    after: 'Amounts may not add up because of rounding.',
  },
};

export const TEXT_BLOCK: EvidenceBlock = {
  pointer: '/paragraph_evidence/0',
  blockPointer: '/paragraphs/12',
  name: 'paragraphs[12]',
  kind: 'text',
  text: 'Revenue from subscriptions is recognised ratably over the term of the contract. In 2023 the effective portion recognised in other comprehensive income was a loss of $25 million (2022: gain of $1 million).',
};

export const MISSING_BLOCK: EvidenceBlock = {
  pointer: '/paragraph_evidence/1',
  blockPointer: '/paragraphs/40',
  name: 'paragraphs[40]',
  kind: 'missing',
  text: '',
};

/** A place in a cell of `TABLE_BLOCK`. */
export function inTable(row: number, column: number, start: number, end: number): NumberInBlock {
  return {
    kind: 'block',
    blockPointer: TABLE_BLOCK.blockPointer,
    inString: { start: 0, end: 1 },
    name: `paragraphs[7] row "${TABLE_BLOCK.table?.rows[row]?.[0]}"`,
    cited: true,
    shown: { part: 'cell', row, column, start, end },
  };
}

export function tracedNumber(
  text: string,
  inString: TextSpan,
  verdict: NumberVerdict,
  places: EvidenceNumber['places'] = [],
): EvidenceNumber {
  const unsupported = verdict === 'nowhere' || verdict === 'digits-exchanged';
  const says = unsupported ? 'stands nowhere in the evidence' : 'stands in the cited evidence';
  return { text, name: null, verdict, says, unsupported, pointer: '/answer', inString, places };
}

const LOSS = TEXT_BLOCK.text.indexOf('25 million');

/** Numbers of a solution: two from `TABLE_BLOCK`, one from `TEXT_BLOCK`, one from nowhere. */
export const TRACE: EvidenceTrace = {
  numbers: [
    { ...tracedNumber('1284.5', { start: 37, end: 43 }, 'cited', [inTable(1, 1, 2, 9)]), name: 'revenue_2023' },
    tracedNumber('25', { start: 60, end: 62 }, 'cited', [
      {
        ...inTable(0, 0, 0, 0),
        blockPointer: TEXT_BLOCK.blockPointer,
        name: 'paragraphs[12]',
        shown: { part: 'text', start: LOSS, end: LOSS + 2 },
      },
    ]),
    tracedNumber('9,999', { start: 80, end: 85 }, 'nowhere'),
    {
      ...tracedNumber('1.102', { start: 90, end: 95 }, 'scaled', [inTable(1, 2, 2, 9)]),
      says: 'stands in the cited evidence, scaled by 10⁻³',
    },
  ].map((number) => ({ ...number, pointer: '/python_solution' })),
  unread: [],
  pending: false,
};
