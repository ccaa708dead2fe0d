/** Buttons with an icon: what they do is their name; the key that does the same stands in the tooltip. */
import { html, setAttributes } from './dom.ts';
import type { IconName } from './icons.ts';
import { icon } from './icons.ts';

/** `keys`: as they are called; empty: there are none. It does nothing while it is at its end. */
export function toolButton(name: string, keys: string, glyph: IconName, act: () => void): HTMLButtonElement {
  const title = keys === '' ? name : `${name} (${keys})`;
  const element = html('button', { type: 'button', class: 'tool', 'aria-label': name, title }, icon(glyph));
  element.addEventListener('click', () => {
    if (element.getAttribute('aria-disabled') !== 'true') {
      act();
    }
  });
  return element;
}

/** A disabled button would drop the focus of somebody who holds the key down; this one only says that it is at the end. */
export function setEnd(element: HTMLElement, atEnd: boolean): void {
  setAttributes(element, { 'aria-disabled': atEnd ? 'true' : null });
}

export function setPressed(element: HTMLElement, on: boolean): void {
  setAttributes(element, { 'aria-pressed': on ? 'true' : 'false' });
}
