/** The text of a PDF page over its picture: invisible, in place, to be selected, copied, searched and read aloud. */
import { html } from '../dom.ts';
import { endSelectable, makeSelectable } from './text-selecting.ts';
import type { LaidText, PdfPage } from '../pdf.ts';

export interface TextLayer {
  readonly element: HTMLElement;
  /** What is laid out now. */
  laid(): LaidText | null;
  /** CSS px that the page is shown wide. */
  layout(width: number): void;
  /** Rejects where the text cannot be read; the picture does not depend on it. */
  lay(page: PdfPage, signal: AbortSignal): Promise<void>;
  clear(): void;
}

export function createTextLayer(name: string): TextLayer {
  const element = html('div', { class: 'text-layer', role: 'group', 'aria-label': `Text of ${name}` });
  let text: LaidText | null = null;
  let unitsAcross = 0;
  let width = 0;

  function scale(): void {
    if (unitsAcross > 0) {
      element.style.setProperty('--total-scale-factor', String(width / unitsAcross));
    }
  }

  function clear(): void {
    text = null;
    endSelectable(element);
    element.replaceChildren();
  }

  return {
    element,
    laid: () => text,
    layout(next) {
      width = next;
      scale();
    },
    async lay(page, signal) {
      clear();
      unitsAcross = page.unitsAcross;
      scale();
      const laid = await page.layText(element, signal);
      if (signal.aborted) {
        clear();
      } else {
        text = laid;
        makeSelectable(element);
      }
    },
    clear,
  };
}
