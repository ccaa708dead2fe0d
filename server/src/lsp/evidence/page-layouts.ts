/** Layouts of pages that were asked for, and the margins that the boxes on them have. */
import { layoutOf } from '../../core/page/layout.ts';
import type { PageLayout } from '../../core/page/layout-types.ts';
import { rectOf } from '../../core/page/rects.ts';
import { learnMargins, marginsOf } from '../../core/page/margins.ts';
import type { Margins } from '../../core/page/margins.ts';
import { extentAt300 } from '../../core/evidence/geometry.ts';
import { pageNumberAt } from '../../core/evidence/cited-regions.ts';
import type { DocumentFacts, PageFacts, PagePlace } from '../../core/ports.ts';
import type { FileSettings } from '../../core/profile/types.ts';
import { createRecent } from '../../node/recent.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { boxesOn, measureOf } from './evidence-pages.ts';

/** A page of a document that is known. */
export interface AskedPage {
  readonly number: number;
  readonly document: DocumentFacts;
  readonly settings: FileSettings;
}

/** Layouts of a few hundred boxes each. */
const KEPT = 200;
/** Records before and after one whose boxes tell its margins, where their pages have been looked at. */
const NEIGHBOURS = 100;
/** Boxes that overlap so much (IoU) are the one that is being fitted, or another one of the same thing. */
const SAME = 0.5;

export interface PageLayouts {
  /** undefined: nothing of the page could be read. */
  layout(page: AskedPage, facts: PageFacts): PageLayout | undefined;
  /** The usual margins in a file around a record, without those of boxes at a place. */
  margins(session: Session, row: Row, without: { readonly page: number; readonly place: PagePlace } | null): Margins;
}

export function createPageLayouts(): PageLayouts {
  /** By what was read of the page: another object when its file has changed. */
  const ofContent = new WeakMap<object, PageLayout>();
  const ofPage = createRecent<string, PageLayout>(KEPT);

  return {
    layout(page, facts) {
      const { number, document, settings } = page;
      const content = facts.text ?? facts.ink;
      if (content === undefined) return undefined;
      const size = extentAt300(settings.coordinates, measureOf(number, document, settings));
      const known = ofContent.get(content);
      const isKnown = known !== undefined && (size === undefined || known.width === size.width);
      const found = isKnown ? known : layoutOf(facts, size);
      if (found === undefined) return undefined;
      ofContent.set(content, found);
      ofPage.set(keyOf(page), found);
      return found;
    },
    margins(session, row, without) {
      const settings = session.checker?.settings;
      if (settings === undefined) return learnMargins([]);
      const rows = session.rows();
      const first = Math.max(0, row.index - NEIGHBOURS);
      const found: Margins[] = [];
      for (const near of rows.slice(first, row.index + NEIGHBOURS + 1)) {
        const { document } = near;
        if (document === undefined) continue;
        const record = near.checked?.record;
        if (record === undefined) continue;
        for (let at = 0; at < (record.boxes ?? record.relativeBoxes ?? []).length; at++) {
          const number = pageNumberAt(record, at);
          const layout = number === undefined ? undefined : ofPage.get(keyOf({ number, document, settings }));
          if (layout === undefined) continue;
          for (const place of boxesOn(record, at, document, settings)) {
            const isAsked = without?.page === number && overlap(place, without!.place) > SAME;
            const margins = isAsked ? undefined : marginsOf(layout, rectOf(place, layout));
            if (margins !== undefined) found.push(margins);
          }
        }
      }
      return learnMargins(found);
    },
  };
}

function keyOf({ number, document, settings }: AskedPage): string {
  const image = document.images?.get(number);
  const path = document.pdf?.state === 'ok' ? document.pdf.path : image?.state === 'ok' ? image.path : document.name;
  return `${path}\n${number - settings.pageBase}`;
}

/** Intersection over union. */
function overlap(a: PagePlace, b: PagePlace): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / (a.width * a.height + b.width * b.height - width * height);
}
