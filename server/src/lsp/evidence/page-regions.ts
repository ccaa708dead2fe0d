/** What a page's own content says of regions on it: fitting, proposals, and the words in a place (schemas/regions.ts). */
import type { Connection } from 'vscode-languageserver/node';
import { FIT_REGION, PROPOSE_REGIONS, REGION_TEXT } from '../../../../schemas/regions.ts';
import type {
  FitRegionParams,
  FitRegionResult,
  ProposeRegionsParams,
  ProposeRegionsResult,
  RegionTextParams,
  RegionTextResult,
} from '../../../../schemas/regions.ts';
import { pageNumberAt } from '../../core/evidence/cited-regions.ts';
import { isFractions } from '../../core/evidence/geometry.ts';
import { fitPlace } from '../../core/page/fit.ts';
import type { PageLayout } from '../../core/page/layout-types.ts';
import { describePlace, proposeRegions } from '../../core/page/proposals.ts';
import { textInPlace } from '../../core/page/text-in-place.ts';
import type { Cancel, CitedPage, DocumentFacts, PageFacts } from '../../core/ports.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import type { CanonicalRecord } from '../../core/record/types.ts';
import { cancelOf } from '../cancel.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { measureOf, sourceOf } from './evidence-pages.ts';
import { createPageLayouts } from './page-layouts.ts';
import { withPage } from './with-page.ts';

export interface PageRegionServices {
  readonly log: Log;
  readonly runtime: Pick<ServerRuntime, 'documents'>;
  /** Of a file, open or not, or of a document of one record, once its configuration is known. */
  session(uri: string): Promise<Session | undefined>;
  /** The record in its file that a document of one record shows. */
  recordOf(uri: string): Promise<{ readonly file: Session; readonly row: Row } | undefined>;
}

const FAILED = 'The language server failed on this; its output says why.';
const GONE = 'The record is not there any more.';
const NO_PLACE = 'This is no place on a page.';
const NO_DOCUMENT = 'The record names no document, or it is not known where the documents are.';

/** Other cited pages of the record that are looked at for the margins of their boxes. */
const OTHER_PAGES = 3;

interface FoundPage {
  readonly session: Session;
  readonly row: Row;
  readonly record: CanonicalRecord;
  readonly document: DocumentFacts;
  readonly settings: FileSettings;
  readonly facts: PageFacts;
}

export function registerPageRegions(connection: Connection, services: PageRegionServices): void {
  const { log } = services;
  const layouts = createPageLayouts();

  async function look(
    { uri, index, page }: { readonly uri: string; readonly index: number; readonly page: number },
    others: boolean,
    cancel: Cancel,
  ): Promise<FoundPage | string> {
    const session = await services.session(uri);
    const row = session?.checker === undefined ? undefined : session.row(index);
    if (session?.checker === undefined || row === undefined) return GONE;
    const { settings } = session.checker;
    await session.complete(row, cancel);
    const record = row.checked?.record;
    if (record === undefined || row.gone) return GONE;
    if (row.document === undefined) return NO_DOCUMENT;
    const document = await withPage(record, row.document, page, settings, services.runtime, cancel);
    const wanted = [page, ...(others ? otherPages(record, page) : [])];
    const pages = wanted.map((number): CitedPage => ({ number, index: number - settings.pageBase }));
    const read =
      (await services.runtime.documents.readPages?.(document, pages, cancel)) ?? new Map<number, PageFacts>();
    for (const [number, facts] of read) layouts.layout({ number, document, settings }, facts);
    const facts = read.get(page) ?? {};
    return { session, row, record, document, settings, facts };
  }

  function layoutFor({ document, settings, facts }: FoundPage, number: number): PageLayout | string {
    const found = layouts.layout({ number, document, settings }, facts);
    return found ?? whyNot(number, document, settings);
  }

  /** Where the boxes of the file stand: a document of one record has no neighbours. */
  async function home(
    uri: string,
    { session, row }: FoundPage,
  ): Promise<{ readonly session: Session; readonly row: Row }> {
    const inFile = await services.recordOf(uri);
    return inFile === undefined ? { session, row } : { session: inFile.file, row: inFile.row };
  }

  connection.onRequest(FIT_REGION, async (params: FitRegionParams, token) =>
    guarded<FitRegionParams, FitRegionResult>(FIT_REGION, log, unfitted(params, FAILED), async () => {
      if (!isFractions(params.place)) return unfitted(params, NO_PLACE);
      const found = await look(params, true, cancelOf(token));
      const layout = typeof found === 'string' ? found : layoutFor(found, params.page);
      if (typeof found === 'string') return unfitted(params, found);
      if (typeof layout === 'string') return unfitted(params, layout);
      const { place, page, how } = params;
      const { session, row } = await home(params.uri, found);
      const margins = layouts.margins(session, row, { page, place });
      const fitted = fitPlace({ facts: found.facts, layout }, place, how, margins);
      if (fitted === undefined) return unfitted(params, null);
      return { place: fitted, says: describePlace(layout, fitted), problem: null };
    })(params, token),
  );

  connection.onRequest(
    PROPOSE_REGIONS,
    guarded<ProposeRegionsParams, ProposeRegionsResult>(
      PROPOSE_REGIONS,
      log,
      unproposed(FAILED),
      async (params, token) => {
        const found = await look(params, true, cancelOf(token));
        if (typeof found === 'string') return unproposed(found);
        const layout = layoutFor(found, params.page);
        if (typeof layout === 'string') return unproposed(layout);
        const { session, row } = await home(params.uri, found);
        const labels = found.settings.profile.enums.labels ?? [];
        return { proposals: proposeRegions(layout, layouts.margins(session, row, null), labels), problem: null };
      },
    ),
  );

  connection.onRequest(
    REGION_TEXT,
    guarded<RegionTextParams, RegionTextResult>(REGION_TEXT, log, { text: null }, async (params, token) => {
      if (!isFractions(params.place)) return { text: null };
      const found = await look(params, false, cancelOf(token));
      if (typeof found === 'string' || found.facts.text === undefined || found.facts.text.lines.length === 0) {
        return { text: null };
      }
      const { points, pixels } = measureOf(params.page, found.document, found.settings);
      return { text: textInPlace(found.facts.text, params.place, points ?? pixels ?? { width: 1, height: 1 }) };
    }),
  );
}

function unfitted({ place }: FitRegionParams, problem: string | null): FitRegionResult {
  return { place, says: null, problem };
}

function unproposed(problem: string): ProposeRegionsResult {
  return { proposals: [], problem };
}

/** Cited pages with boxes beside one. */
function otherPages(record: CanonicalRecord, page: number): number[] {
  const numbers = (record.boxes ?? record.relativeBoxes ?? []).map((boxes, at) =>
    Array.isArray(boxes) && boxes.length > 0 ? pageNumberAt(record, at) : undefined,
  );
  const others = numbers.filter((number) => number !== undefined && number !== page) as number[];
  return [...new Set(others)].slice(0, OTHER_PAGES);
}

function whyNot(number: number, document: DocumentFacts, settings: FileSettings): string {
  const source = sourceOf(number, document, settings);
  if (source.kind === 'missing') return source.message;
  if (source.kind === 'pdf') {
    return `Page ${number} of the PDF has no words that can be read, and there is no image of the page to look at.`;
  }
  return `The image of page ${number} could not be read.`;
}
