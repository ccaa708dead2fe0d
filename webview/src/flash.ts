/** Drawing the eye to what was brought into view. */

const MS = 1600;

let flashing: { readonly element: Element; readonly timer: ReturnType<typeof setTimeout> } | null = null;

/** Frames an element for a moment; one at a time. preview.css says how. */
export function flash(element: Element): void {
  if (flashing !== null) {
    clearTimeout(flashing.timer);
    flashing.element.classList.remove('flash');
  }
  element.classList.add('flash');
  const timer = setTimeout(() => {
    element.classList.remove('flash');
    flashing = null;
  }, MS);
  flashing = { element, timer };
}
