/** Numbers highlighted where they stand on a page, as SVG in CSS px over the regions. */
import type { EvidenceNumber, NumberOnPage } from '../../schemas/protocol.ts';
import { setAttributes, svg } from './dom.ts';
import type { OnNumber } from './record/marks.ts';
import { describeNumber, toneOf } from './record/numbers.ts';

export interface NumberLayer {
  readonly element: SVGSVGElement;
  /** `page`: the page's position among the record's pages. */
  update(numbers: readonly EvidenceNumber[], page: number): void;
  /** Size of the page in CSS px. */
  layout(width: number, height: number): void;
}

/** The frame of a number runs this far outside of it, in CSS px. */
const AROUND = 2;

interface Drawn {
  readonly place: NumberOnPage;
  readonly frame: SVGRectElement;
}

export function createNumberLayer(onChoose: OnNumber): NumberLayer {
  const element = svg('svg', { class: 'overlay number-layer', role: 'group', 'aria-label': 'Numbers on the page' });
  let drawn: Drawn[] = [];
  let shown = '';
  let size = { width: 0, height: 0 };

  function place({ place: { left, top, width, height }, frame }: Drawn): void {
    setAttributes(frame, {
      x: left * size.width - AROUND,
      y: top * size.height - AROUND,
      width: width * size.width + 2 * AROUND,
      height: height * size.height + 2 * AROUND,
    });
  }

  function draw(
    place: NumberOnPage,
    own: readonly EvidenceNumber[],
    at: readonly number[],
    isBest: boolean,
  ): SVGElement {
    const [first] = own;
    const words = own.map(describeNumber).join('; ');
    const title = svg('title');
    title.textContent = words;
    const frame = svg('rect', { rx: 2 });
    drawn.push({ place, frame });
    const tone = first === undefined ? 'plain' : toneOf(first);
    const group = svg(
      'g',
      {
        role: 'button',
        tabindex: 0,
        class: `page-number tone-${tone}${isBest ? '' : ' also'}`,
        'aria-label': `${words}: ${place.name}`,
        'data-numbers': at.join(' '),
        'data-best': isBest,
      },
      title,
      frame,
    );
    const choose = (): void => void (first !== undefined && at[0] !== undefined && onChoose(first, at[0]));
    group.addEventListener('click', choose);
    group.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose();
    });
    return group;
  }

  /** Numbers that stand at the very same place share a frame. */
  function drawAll(numbers: readonly EvidenceNumber[], page: number): SVGElement[] {
    const places = new Map<string, { place: NumberOnPage; at: number[]; isBest: boolean }>();
    numbers.forEach(({ places: all }, at) => {
      const onPages = all.filter((place) => place.kind === 'page');
      onPages.forEach((place, rank) => {
        if (place.page !== page) return;
        const key = [place.left, place.top, place.width].join(' ');
        const known = places.get(key) ?? { place, at: [], isBest: false };
        places.set(key, known);
        known.isBest ||= rank === 0;
        if (!known.at.includes(at)) known.at.push(at);
      });
    });
    return [...places.values()].map(({ place, at, isBest }) =>
      draw(
        place,
        at.flatMap((index) => numbers[index] ?? []),
        at,
        isBest,
      ),
    );
  }

  return {
    element,
    update(numbers, page) {
      const next = JSON.stringify([numbers, page]);
      if (next === shown) return;
      shown = next;
      drawn = [];
      const groups = drawAll(numbers, page);
      element.replaceChildren(...groups);
      setAttributes(element, { 'aria-hidden': groups.length === 0 ? 'true' : null });
      drawn.forEach(place);
    },
    layout(width, height) {
      size = { width, height };
      drawn.forEach(place);
    },
  };
}
