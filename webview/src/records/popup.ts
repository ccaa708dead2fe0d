/** A button that opens a small panel under it; Escape, a click elsewhere and leaving it close it. */
import { html, setAttributes } from '../dom.ts';

export interface Popup {
  readonly button: HTMLButtonElement;
  readonly panel: HTMLElement;
  readonly isOpen: boolean;
  open(): void;
  close(): void;
}

/** `opened`: fills the panel. */
export function createPopup(name: string, opened: () => void): Popup {
  const button = html('button', {
    type: 'button',
    class: 'facet',
    'aria-haspopup': 'dialog',
    'aria-expanded': 'false',
  });
  const panel = html('div', { class: 'popup', role: 'dialog', 'aria-label': name, hidden: true });

  const stops = (): HTMLElement[] =>
    [...panel.querySelectorAll<HTMLElement>('input, button')].filter((one) => one.checkVisibility());

  function place(): void {
    const { left, bottom, top } = button.getBoundingClientRect();
    const { innerWidth, innerHeight } = window;
    const below = innerHeight - bottom;
    const isBelow = below >= 160 || below >= top;
    panel.style.maxHeight = `${Math.max(96, (isBelow ? below : top) - 8)}px`;
    panel.style.top = isBelow ? `${bottom + 2}px` : 'auto';
    panel.style.bottom = isBelow ? 'auto' : `${innerHeight - top + 2}px`;
    panel.style.left = `${Math.max(4, Math.min(left, innerWidth - panel.offsetWidth - 4))}px`;
  }

  const popup: Popup = {
    button,
    panel,
    get isOpen() {
      return !panel.hidden;
    },
    open() {
      if (!panel.hidden) return;
      panel.hidden = false;
      setAttributes(button, { 'aria-expanded': 'true' });
      opened();
      place();
      stops()[0]?.focus();
    },
    close() {
      if (panel.hidden) return;
      const hadFocus = panel.contains(document.activeElement);
      panel.hidden = true;
      setAttributes(button, { 'aria-expanded': 'false' });
      if (hadFocus) button.focus();
    },
  };

  button.addEventListener('click', () => (popup.isOpen ? popup.close() : popup.open()));
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    popup.open();
  });
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      popup.close();
      return;
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    const all = stops();
    const next = all[all.indexOf(document.activeElement as HTMLElement) + step];
    event.preventDefault();
    next?.focus();
  });
  document.addEventListener('pointerdown', (event) => {
    const target = event.target as Node;
    if (!panel.contains(target) && !button.contains(target)) popup.close();
  });
  panel.addEventListener('focusout', (event) => {
    const next = event.relatedTarget as Node | null;
    if (next !== null && !panel.contains(next) && next !== button) popup.close();
  });
  window.addEventListener('blur', () => popup.close());
  return popup;
}
