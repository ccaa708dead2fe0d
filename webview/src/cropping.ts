/** Regions and pages as pictures at their full resolution: copied to the clipboard, or saved to a file. */
import type { ShownEvidence, ShownPage } from '../../schemas/page.ts';
import type { CropParams } from '../../schemas/crops.ts';
import type { PlaceOnPage } from '../../schemas/regions.ts';
import type { Host } from './host.ts';

/** What is cut out: a region, or a page where `place` is null. */
export interface CropTarget {
  readonly page: number;
  readonly place: PlaceOnPage | null;
  /** Of the region, counted from 1 over the record; null: a page. */
  readonly number: number | null;
  readonly label: string | null;
}

export interface Cropping {
  copy(target: CropTarget): void;
  save(target: CropTarget): void;
  /** The region that is marked now. */
  select(pointers: ReadonlySet<string>): void;
  /** Saves it; the user is told where there is none. */
  saveSelected(): void;
}

export interface CroppingParts {
  readonly host: Pick<Host, 'ask' | 'post'>;
  evidence(): ShownEvidence | null;
  announce(words: string): void;
}

function wordsOf({ page, number }: CropTarget): string {
  return number === null ? `Page ${page}` : `The crop of region ${number}`;
}

/** As the published crops are named: document, page, region, label. */
function nameOf({ page, number, label }: CropTarget, document: string | null): string {
  const parts = [
    document ?? 'document',
    `p${page}`,
    ...(number === null ? [] : [`r${number}`]),
    ...((label ?? '') ? [label] : []),
  ];
  return `${parts
    .join('_')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/u, '')
    .slice(0, 100)}.png`;
}

function targetWith(pages: readonly ShownPage[], pointers: ReadonlySet<string>): CropTarget | null {
  let number = 0;
  for (const { number: page, regions } of pages) {
    for (const { pointer, label, unplaced, left, top, width, height } of regions) {
      number += 1;
      if (pointers.has(pointer) && unplaced !== true) {
        return { page, place: { left, top, width, height }, number, label };
      }
    }
  }
  return null;
}

export function createCropping({ host, evidence, announce }: CroppingParts): Cropping {
  let selected: ReadonlySet<string> = new Set();

  function paramsOf({ page, place }: CropTarget): CropParams | null {
    const shown = evidence();
    if (shown === null) {
      return null;
    }
    const { uri, index, coordinates } = shown;
    return { uri, index, page, place, ...(coordinates?.tried === true && { reading: coordinates.reading }) };
  }

  function told(message: string): void {
    announce(message);
    host.post({ type: 'tell', level: 'info', message });
  }

  function failed(target: CropTarget, what: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${wordsOf(target)} was not ${what}: ${reason}`;
    announce(message);
    host.post({ type: 'tell', level: 'warning', message });
  }

  async function pictureOf(params: CropParams): Promise<Blob> {
    const { png, problem } = await host.ask('crop', params);
    if (png === null) {
      throw new Error(problem ?? 'There is no answer.');
    }
    return new Blob([Uint8Array.from(atob(png), (character) => character.charCodeAt(0))], { type: 'image/png' });
  }

  /** The clipboard is asked at once, while the click still counts; the picture comes later. */
  async function copy(target: CropTarget): Promise<void> {
    const params = paramsOf(target);
    if (params === null) {
      return;
    }
    const picture = pictureOf(params);
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
      told(`${wordsOf(target)} was copied`);
    } catch (error) {
      // The clipboard says little of why there is no picture; the picture itself says it.
      failed(
        target,
        'copied',
        await picture.then(
          () => error,
          (reason: unknown) => reason,
        ),
      );
    }
  }

  async function save(target: CropTarget): Promise<void> {
    const params = paramsOf(target);
    if (params === null) {
      return;
    }
    try {
      const { saved } = await host.ask('saveCrop', { ...params, name: nameOf(target, evidence()?.document ?? null) });
      if (saved !== null) {
        told(`${wordsOf(target)} was saved as ${saved}`);
      }
    } catch (error) {
      failed(target, 'saved', error);
    }
  }

  return {
    copy: (target) => void copy(target),
    save: (target) => void save(target),
    select(pointers) {
      selected = pointers;
    },
    saveSelected() {
      const target = targetWith(evidence()?.pages ?? [], selected);
      if (target === null) {
        const message = 'Choose a region in the evidence preview first.';
        announce(message);
        host.post({ type: 'tell', level: 'warning', message });
      } else {
        void save(target);
      }
    },
  };
}
