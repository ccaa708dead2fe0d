/** The tools above the pages: what is done to regions, and what the selected one is. */
import { html, setAttributes, setText } from '../dom.ts';
import { icon } from '../icons.ts';
import { setEnd, setPressed, toolButton } from '../tool-button.ts';
import type { DocumentPages, RegionDetails } from './details.ts';
import { createRegionDetails } from './details.ts';
import type { RegionEditor } from './editor.ts';

export interface BarActions {
  propose(service: boolean): void;
  showText(): void;
  copyCrop(): void;
  saveCrop(): void;
}

export interface RegionBar {
  readonly element: HTMLElement;
  readonly details: RegionDetails;
  /** Lies over what is below the tools. */
  readonly messages: HTMLElement;
  /** Regions can be proposed by a service, too. */
  offerService(on: boolean): void;
  showProblem(message: string | null): void;
}

function group(name: string, ...children: HTMLElement[]): HTMLElement {
  return html('div', { class: 'group', role: 'group', 'aria-label': name }, ...children);
}

/** `steadily`: runs a change of the bar's height, so that what is seen below it stays where it is. */
export function createRegionBar(
  editor: RegionEditor,
  documentPages: DocumentPages,
  actions: BarActions,
  steadily: (change: () => void) => void,
): RegionBar {
  const draw = toolButton('Draw a region', 'R', 'draw', () => editor.tool().toggle('draw'));
  const snap = toolButton('Snap edges to what is on the page', 'Alt inverts', 'magnet', () => editor.toggleSnap());
  const propose = toolButton('Propose regions for this page', 'Shift+R', 'propose', () => actions.propose(false));
  const service = toolButton('Propose regions by the service', '', 'propose', () => actions.propose(true));
  service.append(' Service');
  service.hidden = true;
  const undo = toolButton('Undo', 'Ctrl+Z', 'undo', () => editor.undo(false));
  const redo = toolButton('Redo', 'Ctrl+Shift+Z', 'redo', () => editor.undo(true));

  const name = html('span', { class: 'region-name' });
  const details = createRegionDetails(editor, documentPages);
  const fit = toolButton('Snap to what is near', 'S', 'snap', () => editor.fit('snap'));
  const grow = toolButton('Grow until nothing is cut', 'G', 'grow', () => editor.fit('grow'));
  const shrink = toolButton('Shrink to the content', 'K', 'shrink', () => editor.fit('shrink'));
  const up = toolButton('Earlier on its page', 'Alt+Shift+Up', 'up', () => editor.reorder(-1));
  const down = toolButton('Later on its page', 'Alt+Shift+Down', 'down', () => editor.reorder(1));
  const duplicate = toolButton('Duplicate', 'Ctrl+D', 'duplicate', () => editor.duplicate());
  const text = toolButton('Text inside the region', 'I', 'text', () => actions.showText());
  const copyCrop = toolButton('Copy crop', '', 'crop', () => actions.copyCrop());
  const saveCrop = toolButton('Save crop…', '', 'save', () => actions.saveCrop());
  const remove = toolButton('Delete the region', 'Delete', 'trash', () => editor.remove());
  const own = [
    group('Fit', fit, grow, shrink),
    group('Order', up, down),
    group('Region', duplicate, text, copyCrop, saveCrop, remove),
  ];

  const problem = html('p', { class: 'region-problem', role: 'alert' });
  const dismiss = toolButton('Dismiss', '', 'cross', () => showProblem(null));
  const problemLine = html('div', { class: 'region-problem-line', hidden: true }, icon('error'), problem, dismiss);
  const messages = html('div', { class: 'region-messages' }, problemLine);
  const element = html(
    'section',
    { class: 'region-bar', 'aria-label': 'Region tools', hidden: true },
    group('Tools', draw, snap, propose, service),
    group('History', undo, redo),
    html('div', { class: 'region-own' }, name, details.element, ...own),
    messages,
  );

  function showProblem(message: string | null): void {
    problemLine.hidden = message === null;
    setText(problem, message ?? '');
  }

  let isIdle = false;
  function showOwn(idle: boolean): void {
    if (idle === isIdle) {
      return;
    }
    isIdle = idle;
    const hadFocus = element.contains(document.activeElement);
    steadily(() => {
      for (const part of [...own, ...details.parts]) {
        part.hidden = idle;
      }
    });
    if (hadFocus && document.activeElement?.checkVisibility() !== true) {
      draw.focus({ preventScroll: true });
    }
  }

  editor.watchProblems(showProblem);
  editor.watch(() => {
    const item = editor.selected();
    element.hidden = !editor.enabled();
    setAttributes(element, { 'aria-busy': editor.changes.busy() ? 'true' : null });
    setPressed(draw, editor.tool().current() === 'draw');
    setPressed(snap, editor.snap());
    setText(name, item === null ? 'Next region' : `Region ${item.number}`);
    details.update(item);
    // While a change is on its way, what is chosen after it is not known yet.
    if (item !== null || !editor.changes.busy()) {
      showOwn(item === null);
    }
    if (item !== null) {
      setEnd(up, item.position === 0);
      setEnd(down, item.position >= item.page.regions.length - 1);
    }
  });

  return {
    element,
    details,
    messages,
    showProblem,
    offerService(on) {
      service.hidden = !on;
    },
  };
}
