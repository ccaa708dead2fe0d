/** Building elements. Text goes in as text nodes only, so that nothing a record contains can become markup. */

type Attributes = Readonly<Record<string, string | number | boolean | null>>;
type Child = Node | string | null;

const SVG = 'http://www.w3.org/2000/svg';

export function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) {
      element.removeAttribute(name);
    } else {
      const text = value === true ? '' : String(value);
      if (element.getAttribute(name) !== text) {
        element.setAttribute(name, text);
      }
    }
  }
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  setAttributes(element, attributes);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Sets text without touching the DOM where nothing changed: selections and screen readers stay undisturbed. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Puts `children` into `parent` in this order, moving only what is out of place: a moved canvas keeps its pixels. */
export function arrange(parent: Element, children: readonly Element[]): void {
  const wanted = new Set(children);
  for (const child of [...parent.children]) {
    if (!wanted.has(child)) {
      child.remove();
    }
  }
  children.forEach((child, position) => {
    const present = parent.children[position];
    if (present !== child) {
      parent.insertBefore(child, present ?? null);
    }
  });
}

const numbers = new Intl.NumberFormat('en-US');
export function formatCount(value: number): string {
  return numbers.format(value);
}

export function plural(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
