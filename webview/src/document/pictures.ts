/**
 * The memory that drawn pages may take. Pages in view and near it hold canvases; those that went far away are kept for a
 * while, so that coming back to them shows them at once. Both have a bound in device pixels (4 bytes each).
 */

export interface KeptPicture {
  readonly canvas: HTMLCanvasElement;
  /** Device px that it was drawn for. */
  readonly width: number;
  /** Of the page at 100 %, in CSS px. */
  readonly natural: { readonly width: number; readonly height: number };
}

/** Whoever holds a canvas in the page. */
export interface PictureHolder {
  /** Device px; 0: nothing is drawn. */
  area(): number;
  /** CSS px from the view; 0: it is in view. */
  distance(): number;
  /** Lets go of its canvas. */
  yield(): void;
}

export interface Pictures {
  /** Takes a canvas that is not shown any more. The oldest ones are dropped for it. */
  keep(key: string, picture: KeptPicture): void;
  /** Gives a canvas back; it is the caller's then. */
  take(key: string): KeptPicture | null;
  /** A canvas was drawn into the page: what is far from the view makes room where there are too many. */
  hold(holder: PictureHolder): void;
  drop(holder: PictureHolder): void;
  /** Drops kept pictures whose key is not wanted any more. */
  retain(wanted: (key: string) => boolean): void;
}

/** Canvases outlive their last reference until the next collection; without a size they hold nothing. */
export function emptyCanvas(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}

function areaOf(canvas: HTMLCanvasElement): number {
  return canvas.width * canvas.height;
}

export function createPictures(mostKept: number, mostShown: number): Pictures {
  // In the order in which they were put in: the oldest comes first.
  const kept = new Map<string, KeptPicture>();
  const holders = new Set<PictureHolder>();
  let keptArea = 0;

  function remove(key: string): KeptPicture | null {
    const picture = kept.get(key);
    if (picture === undefined) {
      return null;
    }
    kept.delete(key);
    keptArea -= areaOf(picture.canvas);
    return picture;
  }

  function discard(key: string): void {
    const picture = remove(key);
    if (picture !== null) {
      emptyCanvas(picture.canvas);
    }
  }

  const shownArea = (): number => [...holders].reduce((sum, holder) => sum + holder.area(), 0);

  return {
    keep(key, picture) {
      discard(key);
      const area = areaOf(picture.canvas);
      if (area > mostKept) {
        emptyCanvas(picture.canvas);
        return;
      }
      for (const oldest of [...kept.keys()]) {
        if (keptArea + area <= mostKept) {
          break;
        }
        discard(oldest);
      }
      kept.set(key, picture);
      keptArea += area;
    },
    take: remove,
    hold(holder) {
      holders.add(holder);
      let area = shownArea();
      if (area <= mostShown) {
        return;
      }
      const away = [...holders]
        .map((one) => ({ one, distance: one.distance() }))
        .filter(({ distance }) => distance > 0);
      for (const { one } of away.sort((a, b) => b.distance - a.distance)) {
        if (area <= mostShown) {
          break;
        }
        area -= one.area();
        one.yield();
      }
    },
    drop: (holder) => {
      holders.delete(holder);
    },
    retain(wanted) {
      for (const key of [...kept.keys()]) {
        if (!wanted(key)) {
          discard(key);
        }
      }
    },
  };
}
