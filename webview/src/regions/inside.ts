/** The words inside a region: shown, and copied. */
import { html, plural, setText } from '../dom.ts';
import type { Host } from '../host.ts';
import { icon } from '../icons.ts';
import { toolButton } from '../tool-button.ts';
import type { RegionEditor } from './editor.ts';

export interface InsidePanel {
  readonly element: HTMLElement;
  /** Of the selected region. */
  show(): Promise<void>;
  copy(): Promise<void>;
  /** Whether it was open. */
  close(): boolean;
}

export function createInsidePanel(
  host: Pick<Host, 'ask' | 'post'>,
  editor: RegionEditor,
  announce: (words: string) => void,
  problem: (message: string) => void,
): InsidePanel {
  const title = html('h2', {});
  const copyButton = html('button', { type: 'button', class: 'tool' }, icon('copy'), 'Copy');
  const closeButton = toolButton('Close', 'Escape', 'cross', close);
  const words = html('pre', { tabindex: 0, 'aria-label': 'Text inside the region' });
  const element = html(
    'section',
    { class: 'region-inside', 'aria-label': 'Text inside the region', hidden: true },
    html('div', { class: 'inside-head' }, title, copyButton, closeButton),
    words,
  );
  let id: number | null = null;
  let before: Element | null = null;

  /** null: there is nothing to be told of. */
  async function read(): Promise<{ readonly number: number; readonly id: number; readonly text: string } | null> {
    const item = editor.selected();
    const place = item === null ? null : editor.changes.placeOf(item);
    const evidence = editor.changes.evidence();
    if (item === null || place === null || evidence === null) {
      return null;
    }
    const { uri, index } = evidence;
    const isStill = (): boolean => editor.selected()?.id === item.id;
    const tell = (words: string): void => (isStill() ? problem(words) : undefined);
    try {
      const { text } = await host.ask('regionText', { uri, index, page: item.page.number, place });
      if (text === null) {
        tell(`Page ${item.page.number} has no words that could be read.`);
      }
      return text !== null && isStill() ? { number: item.number, id: item.id, text } : null;
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  function copyText(text: string): void {
    host.post({ type: 'copy', text });
    announce(`${plural(text === '' ? 0 : text.split('\n').length, 'line', 'lines')} of text copied`);
  }

  function close(): boolean {
    if (element.hidden) {
      return false;
    }
    const hadFocus = element.contains(document.activeElement);
    element.hidden = true;
    id = null;
    if (hadFocus && before instanceof SVGElement) {
      before.focus({ preventScroll: true });
    } else if (hadFocus && before instanceof HTMLElement) {
      before.focus();
    }
    return true;
  }

  copyButton.addEventListener('click', () => copyText(words.textContent));
  // What it shows is of one region.
  editor.watch(() => {
    if (id !== null && (!editor.enabled() || editor.selected()?.id !== id)) {
      close();
    }
  });

  return {
    element,
    close,
    async show() {
      const found = await read();
      if (found !== null) {
        before = document.activeElement;
        id = found.id;
        setText(title, `Text inside region ${found.number}`);
        words.textContent = found.text;
        element.hidden = false;
        words.focus();
      }
    },
    async copy() {
      const found = await read();
      if (found !== null) {
        copyText(found.text);
      }
    },
  };
}
