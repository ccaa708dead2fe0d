/** The document's own controls in the toolbar: thumbnails, which pages, one or all at a time, where to go, text, search. */
import { html, setAttributes } from '../dom.ts';
import { keepTyped } from '../keys.ts';
import { setPressed, toolButton } from '../tool-button.ts';

export interface ControlActions {
  strip(): void;
  allPages(): void;
  onePage(): void;
  textTool(): void;
  find(): void;
  /** Returns whether there is such a page. */
  goTo(words: string): Promise<boolean>;
}

export interface Controls {
  readonly element: HTMLElement;
  show(on: {
    readonly strip: boolean;
    readonly allPages: boolean;
    readonly onePage: boolean;
    readonly textTool: boolean;
  }): void;
  focusGoTo(): void;
}

export function createControls(actions: ControlActions): Controls {
  const strip = toolButton('Thumbnails', 'B', 'strip', actions.strip);
  const allPages = toolButton('All pages of the document', 'W', 'allPages', actions.allPages);
  const onePage = toolButton('One page at a time', 'O', 'onePage', actions.onePage);
  const textTool = toolButton('Select text', 'T', 'textTool', actions.textTool);
  const find = toolButton('Find', 'Ctrl+F', 'search', actions.find);
  const goTo = html('input', {
    type: 'text',
    class: 'go-to',
    'aria-label': 'Go to page, by its number or label',
    title: 'Go to page (G)',
    placeholder: 'Go to',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  goTo.addEventListener('keydown', (event) => {
    keepTyped(event);
    if (event.key === 'Escape') {
      goTo.value = '';
      setAttributes(goTo, { 'aria-invalid': null });
      goTo.blur();
    } else if (event.key === 'Enter' && goTo.value.trim() !== '') {
      void actions.goTo(goTo.value).then((isThere) => {
        setAttributes(goTo, { 'aria-invalid': isThere ? null : 'true' });
        goTo.select();
      });
    }
  });
  goTo.addEventListener('input', () => setAttributes(goTo, { 'aria-invalid': null }));
  const element = html(
    'div',
    { class: 'group document-group', role: 'group', 'aria-label': 'Document' },
    strip,
    allPages,
    onePage,
    textTool,
    find,
    goTo,
  );

  return {
    element,
    show(on) {
      setPressed(strip, on.strip);
      setPressed(allPages, on.allPages);
      setPressed(onePage, on.onePage);
      setPressed(textTool, on.textTool);
    },
    focusGoTo() {
      goTo.focus();
      goTo.select();
    },
  };
}
