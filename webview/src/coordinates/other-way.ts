/** A way to read boxes put together by hand. */
import type { CoordinateReading } from '../../../schemas/regions.ts';
import { html, setAttributes } from '../dom.ts';

const SPACES: Readonly<Record<CoordinateReading['space'], string>> = {
  pixel: 'Pixels',
  point: 'PDF points (1/72 inch)',
  unit: '0-1',
  percent: '0-100',
  permille: '0-1000',
};
const ORDERS: Readonly<Record<CoordinateReading['order'], string>> = {
  xyxy: 'Two corners',
  xywh: 'x, y, width, height',
  whxy: 'Width, height, x, y',
};
const ORIGINS: Readonly<Record<CoordinateReading['origin'], string>> = {
  'top-left': 'Top left',
  'bottom-left': 'Bottom left',
};
const BASES: Readonly<Record<'0' | '1', string>> = { 0: '0', 1: '1' };
const MOST_DPI = 10_000;

export interface OtherWay {
  readonly element: HTMLElement;
  show(reading: CoordinateReading): void;
}

function select<K extends string>(options: Readonly<Record<K, string>>): HTMLSelectElement {
  const entries = Object.entries<string>(options);
  return html('select', {}, ...entries.map(([value, name]) => html('option', { value }, name)));
}

function field(name: string, control: HTMLElement): HTMLElement {
  return html('label', { class: 'way-field' }, html('span', {}, name), control);
}

export function createOtherWay(attempt: (reading: CoordinateReading) => void): OtherWay {
  const space = select(SPACES);
  const dpi = html('input', { type: 'number', min: 1, max: MOST_DPI, step: 'any', placeholder: 'of the image' });
  const order = select(ORDERS);
  const origin = select(ORIGINS);
  const base = select(BASES);
  const dpiField = field('dpi', dpi);
  const form = html(
    'form',
    { class: 'way', novalidate: true },
    field('Unit', space),
    dpiField,
    field('Numbers', order),
    field('Counted from', origin),
    field('First page is', base),
    html('button', { type: 'submit', class: 'way-action' }, 'Try it'),
  );
  const element = html('details', { class: 'other-way' }, html('summary', {}, 'Another way'), form);

  const showDpi = (): void => {
    dpiField.hidden = space.value !== 'pixel';
  };
  space.addEventListener('change', showDpi);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const number = dpi.value === '' ? null : Number(dpi.value);
    if (!dpi.checkValidity()) {
      setAttributes(dpi, { 'aria-invalid': 'true' });
      dpi.focus();
      return;
    }
    setAttributes(dpi, { 'aria-invalid': null });
    attempt({
      space: space.value as CoordinateReading['space'],
      dpi: space.value === 'pixel' ? number : null,
      order: order.value as CoordinateReading['order'],
      origin: origin.value as CoordinateReading['origin'],
      pageBase: base.value === '0' ? 0 : 1,
    });
  });

  return {
    element,
    show(reading) {
      space.value = reading.space;
      dpi.value = reading.dpi === null ? '' : String(reading.dpi);
      order.value = reading.order;
      origin.value = reading.origin;
      base.value = String(reading.pageBase);
      showDpi();
    },
  };
}
