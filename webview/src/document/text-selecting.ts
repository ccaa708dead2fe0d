/**
 * Selecting text whose pieces lie anywhere: where the pointer is between pieces, a browser would select all that comes
 * behind them in the document. An element that cannot be selected fills the gaps while the pointer is down, and stands behind
 * the piece that the selection ends in. As in pdf.js's own viewer.
 */

const layers = new Map<Element, HTMLElement>();
let before: Range | null = null;

function reset(layer: Element, end: HTMLElement): void {
  layer.append(end);
  end.style.removeProperty('user-select');
  layer.classList.remove('selecting');
}

function follow(): void {
  const selection = document.getSelection();
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) {
    before = null;
    return;
  }
  const range = selection.getRangeAt(0);
  const movesStart =
    before !== null &&
    (range.compareBoundaryPoints(Range.END_TO_END, before) === 0 ||
      range.compareBoundaryPoints(Range.START_TO_END, before) === 0);
  let anchor: Node | null = movesStart ? range.startContainer : range.endContainer;
  if (anchor.nodeType === Node.TEXT_NODE) {
    anchor = anchor.parentNode;
  }
  const layer = anchor instanceof Element ? anchor.closest('.text-layer') : null;
  const end = layer === null ? undefined : layers.get(layer);
  if (layer !== null && end !== undefined && anchor instanceof Element && anchor !== layer && anchor !== end) {
    end.style.setProperty('user-select', 'text');
    layer.insertBefore(end, movesStart ? anchor : anchor.nextSibling);
  }
  before = range.cloneRange();
}

let isListening = false;

function listen(): void {
  if (isListening) {
    return;
  }
  isListening = true;
  let isDown = false;
  const up = (): void => {
    isDown = false;
    before = null;
    layers.forEach((end, layer) => reset(layer, end));
  };
  document.addEventListener('pointerdown', (event) => {
    const layer = event.target instanceof Element ? event.target.closest('.text-layer') : null;
    if (layer !== null) {
      isDown = true;
      layer.classList.add('selecting');
    }
  });
  document.addEventListener('pointerup', up);
  document.addEventListener('pointercancel', up);
  window.addEventListener('blur', up);
  document.addEventListener('selectionchange', () => (isDown ? follow() : undefined));
}

/** `layer` is filled. */
export function makeSelectable(layer: HTMLElement): void {
  listen();
  const end = document.createElement('div');
  end.className = 'end-of-text';
  layer.append(end);
  layers.set(layer, end);
}

export function endSelectable(layer: HTMLElement): void {
  layers.delete(layer);
}
