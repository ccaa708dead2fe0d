/** Where we are, and the ways on: record, page, zoom. */
import type { ShownEvidence } from '../../schemas/page.ts';
import { formatCount, html, setAttributes, setText } from './dom.ts';
import { setEnd, setPressed, toolButton } from './tool-button.ts';
import type { Zoom } from './zoom.ts';
import { formatZoom } from './zoom.ts';

export interface ToolbarActions {
  record(step: 1 | -1): void;
  page(step: 1 | -1): void;
  zoom(step: 1 | -1): void;
  zoomTo(zoom: Zoom): void;
  evidenceOnly(): void;
}

export interface Toolbar {
  readonly element: HTMLElement;
  showRecord(evidence: ShownEvidence | null): void;
  /** `position` is 0-based among `count` cited pages; `name` as the record writes the page. */
  showPage(position: number, count: number, name: string): void;
  showEvidenceOnly(on: boolean): void;
  /** `factor`: what the shown pages really measure, 1 being 100 %. */
  showZoom(zoom: Zoom, factor: number): void;
}

/** `document`: the document's own controls. */
export function createToolbar(actions: ToolbarActions, document: HTMLElement): Toolbar {
  const previousRecord = toolButton('Previous record', 'Alt+PageUp or Shift+P', 'left', () => actions.record(-1));
  const nextRecord = toolButton('Next record', 'Alt+PageDown or Shift+N', 'right', () => actions.record(1));
  const place = html('h1', {});
  const id = html('span', { class: 'id' });
  const previousPage = toolButton('Previous page', 'PageUp or P', 'up', () => actions.page(-1));
  const nextPage = toolButton('Next page', 'PageDown or N', 'down', () => actions.page(1));
  const page = html('span', { class: 'page-place' });
  const smaller = toolButton('Zoom out', '−', 'minus', () => actions.zoom(-1));
  const larger = toolButton('Zoom in', '+', 'plus', () => actions.zoom(1));
  const factorText = html('button', { type: 'button', class: 'tool factor', title: '100 % (0)' });
  factorText.addEventListener('click', () => actions.zoomTo(1));
  const fit = toolButton('Fit width', 'F', 'fit', () => actions.zoomTo('fit'));
  const only = toolButton('Evidence only', 'E', 'eyeClosed', () => actions.evidenceOnly());
  const modes = html('div', { class: 'group', role: 'group', 'aria-label': 'View' }, only);
  const pages = html(
    'div',
    { class: 'group pages-group', role: 'group', 'aria-label': 'Page' },
    previousPage,
    nextPage,
    page,
  );
  const zooms = html('div', { class: 'group', role: 'group', 'aria-label': 'Zoom' }, smaller, factorText, larger, fit);
  const records = html(
    'div',
    { class: 'group record-group', role: 'group', 'aria-label': 'Record' },
    previousRecord,
    nextRecord,
    place,
    id,
  );
  const element = html(
    'header',
    { class: 'toolbar' },
    records,
    html('div', { class: 'group-end' }, modes, document, pages, zooms),
  );

  return {
    element,
    showRecord(evidence) {
      element.hidden = evidence === null;
      if (evidence === null) {
        return;
      }
      setText(place, `Record ${formatCount(evidence.index + 1)} of ${formatCount(evidence.records)}`);
      setText(id, evidence.id ?? '');
      setAttributes(id, { title: evidence.id });
      setEnd(previousRecord, evidence.index <= 0);
      setEnd(nextRecord, evidence.index >= evidence.records - 1);
      pages.hidden = evidence.pages.length === 0;
      document.hidden = evidence.pages.length === 0;
      zooms.hidden = evidence.pages.length === 0;
    },
    showEvidenceOnly(on) {
      setPressed(only, on);
    },
    showPage(position, count, name) {
      setText(page, count > 1 ? `Page ${name} (${position + 1} of ${count})` : `Page ${name}`);
      setEnd(previousPage, position <= 0);
      setEnd(nextPage, position >= count - 1);
    },
    showZoom(zoom, factor) {
      setText(factorText, formatZoom(factor));
      setAttributes(factorText, { 'aria-label': `Zoom ${formatZoom(factor)}, set to 100 %` });
      setPressed(fit, zoom === 'fit');
    },
  };
}
