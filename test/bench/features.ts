import { fileURLToPath } from 'node:url';
import type { ViewReadResult, ViewRefResult } from '../../schemas/views.ts';
import { VIEW_FORGET, VIEW_READ, VIEW_REF, VIEW_SCHEME } from '../../schemas/views.ts';
import { ratio } from './ratio.ts';
import type { Ratio } from './ratio.ts';
import { sciegqaLines } from './records.ts';
import { withOpenFile } from './server.ts';
import type { OpenFile } from './server.ts';

type Feature = 'hover' | 'completion';

/** A request at a place in a record's line. */
async function ask({ connection, uri }: OpenFile, feature: Feature, line: number, character: number): Promise<void> {
  const found = await connection.sendRequest<{ items?: readonly unknown[]; length?: number } | null>(
    `textDocument/${feature}`,
    { textDocument: { uri }, position: { line, character } },
  );
  if (found === null || (found.items ?? [found]).length === 0)
    throw new Error(`There is no ${feature} at ${line}:${character}.`);
}

/** Where a feature is asked for in a line of a file: on a key, or in a label. */
const PLACES: Readonly<Record<Feature, string>> = { hover: '"ans', completion: '"subimg_tpye":[["' };

/** Asks in the middle of the file. */
function askInMiddle(file: OpenFile, feature: Feature): Promise<void> {
  const line = file.lines.length >> 1;
  const place = PLACES[feature];
  return ask(file, feature, line, (file.lines[line] as string).indexOf(place) + place.length);
}

/** A record with so many characters of context; the cursor is behind it all. */
function wideLine(characters: number): string {
  const paragraph =
    'Total revenue of widgets was $1,200 million in 2031 and $1,350 million in 2032, an increase of 12.5%. ';
  const paragraphs = Array.from({ length: Math.ceil(characters / 1000) }, () => paragraph.repeat(10).slice(0, 990));
  return JSON.stringify({
    question_id: 'wide-0',
    question: 'By how much did revenue rise?',
    paragraphs,
    table_evidence: [],
    paragraph_evidence: [0],
    python_solution: 'def solution():\n    revenue = 1350\n    before = 1200\n    return revenue - before',
    ground_truth: 150,
  });
}

/** Asks behind the context of the only record. */
function askBehind(file: OpenFile, feature: Feature): Promise<void> {
  const [text = ''] = file.lines;
  const place = feature === 'hover' ? '"ground' : '"paragraph_evidence":[';
  return ask(file, feature, 0, text.indexOf(place) + place.length);
}

/** Reads record `index` as a document of its own. */
async function openRecord({ connection, uri }: OpenFile, index: number): Promise<void> {
  const { ref } = await connection.sendRequest<ViewRefResult>(VIEW_REF, { file: uri, index, kind: 'record' });
  const query = encodeURIComponent(JSON.stringify(ref));
  const view = `${VIEW_SCHEME}:${fileURLToPath(uri)}/${index}.record?${query}`;
  const read = await connection.sendRequest<ViewReadResult>(VIEW_READ, { uri: view });
  if (read.kind !== 'text') throw new Error(read.message);
  await connection.sendNotification(VIEW_FORGET, { uri: view });
}

const ROUNDS = 25;
const FEATURES: readonly Feature[] = ['hover', 'completion'];

/** Both files are open in servers of their own, and asked in turn. */
function compared(
  name: string,
  thing: readonly string[],
  reference: readonly string[],
  asks: (file: OpenFile, feature: Feature) => Promise<void>,
): Promise<Ratio[]> {
  return withOpenFile(thing, (large) =>
    withOpenFile(reference, async (small) => {
      const ratios: Ratio[] = [];
      for (const feature of FEATURES) {
        const both = [() => asks(large, feature), () => asks(small, feature)] as const;
        ratios.push(await ratio(`${feature} ${name}`, 2, ...both, ROUNDS));
      }
      return ratios;
    }),
  );
}

export async function featureRatios(): Promise<Ratio[]> {
  const [wide, narrow] = [wideLine(1_000_000), wideLine(10_000)];
  const perCharacter = await compared('in a line of 1 MB ÷ of 10 KB, per character', [wide], [narrow], askBehind);
  const opening = await withOpenFile(sciegqaLines(30_780), (file) =>
    ratio(
      'opening record 30,000 ÷ record 1',
      1.5,
      () => openRecord(file, 29_999),
      () => openRecord(file, 0),
      ROUNDS,
    ),
  );
  return [
    ...(await compared('in 30,780 records ÷ in 300', sciegqaLines(30_780), sciegqaLines(300), askInMiddle)),
    ...perCharacter.map((one) => ({ ...one, ratio: (one.ratio * narrow.length) / wide.length })),
    opening,
  ];
}
