/** The cited regions of a page, each cut out of it; the rest of the page is not shown. */
import type { ShownPage } from '../../schemas/page.ts';
import type { EvidenceRegion } from '../../schemas/protocol.ts';
import { arrange, html, setAttributes, setText } from './dom.ts';
import type { Cropping } from './cropping.ts';
import { icon } from './icons.ts';
import type { Clip } from './judging.ts';
import { clipOf, cropScale } from './judging.ts';
import type { Surface, SurfaceServices } from './surface.ts';
import { createSurface } from './surface.ts';
import { toolButton } from './tool-button.ts';

export interface Crops {
  readonly element: HTMLElement;
  /** Parts of the page that can be drawn. */
  surfaces(): readonly Surface[];
  /** `first`: number of the first region, counted from 1 over the whole record. */
  update(page: ShownPage, first: number): void;
  /** What the page is taken to be wide where it is fitted into `room`. CSS px, as everywhere here. */
  fitted(room: number): number;
  /** `width`: of the whole page. */
  layout(width: number): void;
  /** Of the whole page at 100 %; null until one crop was opened. */
  naturalWidth(): number | null;
  select(pointers: ReadonlySet<string>): void;
  bounds(pointer: string): DOMRect | null;
}

interface Crop {
  readonly key: string;
  readonly element: HTMLElement;
  readonly clip: Clip | null;
  readonly surface: Surface | null;
  readonly name: HTMLButtonElement;
  readonly tools: readonly HTMLButtonElement[];
  region: EvidenceRegion;
  /** Counted from 1 over the whole record. */
  number: number;
}

function describe(region: EvidenceRegion, number: number): string {
  return region.label === null ? `Region ${number}` : `Region ${number}, ${region.label}`;
}

export function createCrops(
  source: ShownPage['source'],
  services: SurfaceServices,
  onSelect: (pointer: string) => void,
  cropping: Pick<Cropping, 'copy' | 'save'>,
): Crops {
  const element = html('div', { class: 'crops' });
  let crops: Crop[] = [];
  let selected: ReadonlySet<string> = new Set();
  let page = 0;

  function create(key: string, region: EvidenceRegion, words: string): Crop {
    const clip = clipOf(region);
    const surface = clip && createSurface(source, words, services, () => undefined, clip);
    const name = html('button', { type: 'button', class: 'block-name', title: 'Show in the file' });
    name.addEventListener('click', () => onSelect(crop.region.pointer));
    const outside = html('p', { class: 'absent' }, icon('missing'), 'This region does not lie on the page.');
    const act = (how: 'copy' | 'save') => (): void => {
      const { left, top, width, height, label } = crop.region;
      cropping[how]({ page, place: { left, top, width, height }, number: crop.number, label });
    };
    const tools = [toolButton('Copy crop', '', 'crop', act('copy')), toolButton('Save crop…', '', 'save', act('save'))];
    const caption = html('figcaption', {}, name, ...(clip === null ? [] : tools));
    const figure = html('figure', { class: 'crop' }, caption, surface?.element ?? outside);
    const crop: Crop = { key, element: figure, clip, surface, name, tools, region, number: 0 };
    return crop;
  }

  function mark(): void {
    for (const { element: figure, region } of crops) {
      const isSelected = selected.has(region.pointer);
      figure.classList.toggle('selected', isSelected);
      setAttributes(figure, { 'aria-current': isSelected ? 'true' : null });
    }
  }

  return {
    element,
    surfaces: () => crops.flatMap(({ surface }) => surface ?? []),
    update({ regions, aspect, number: pageNumber }, first) {
      page = pageNumber;
      const old = new Map(crops.map((crop) => [crop.key, crop]));
      crops = regions.map((region, position) => {
        const words = describe(region, first + position);
        const key = JSON.stringify([position, region.left, region.top, region.width, region.height]);
        const crop = old.get(key) ?? create(key, region, `${words}, page ${page}`);
        old.delete(key);
        crop.region = region;
        crop.number = first + position;
        crop.tools.forEach((tool, at) => {
          const name = `${at === 0 ? 'Copy' : 'Save'} the crop of region ${crop.number}${at === 0 ? '' : '…'}`;
          setAttributes(tool, { 'aria-label': name });
        });
        crop.surface?.assume(aspect);
        setText(crop.name, words);
        setAttributes(crop.element, { 'data-pointer': region.pointer, 'aria-label': words });
        return crop;
      });
      for (const { surface } of old.values()) {
        surface?.release();
      }
      arrange(
        element,
        crops.map((crop) => crop.element),
      );
      mark();
    },
    fitted: (room) => room * cropScale(crops.flatMap(({ clip }) => clip ?? [])),
    layout(width) {
      for (const { clip, surface } of crops) {
        if (clip !== null) {
          surface?.layout(width * clip.width);
        }
      }
    },
    naturalWidth() {
      for (const { clip, surface } of crops) {
        const natural = surface?.natural();
        if (clip !== null && natural) {
          return natural.width / clip.width;
        }
      }
      return null;
    },
    select(pointers) {
      selected = pointers;
      mark();
    },
    bounds: (pointer) => crops.find((crop) => crop.region.pointer === pointer)?.element.getBoundingClientRect() ?? null,
  };
}
